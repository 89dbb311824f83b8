// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5: a function's parameters are private objects; a result may be a pointer to any space.
local int *result(local int *p) { return p; }  // 1.5-10, 1.5.2-2
int *unqualified(int *p) { return p; }         // 1.5-5: to generic, both
kernel void k(local int *l, global int *g, constant int *c) {  // 1.5.1-1, 1.5.2-2, 1.5.3-2
    // CHECK: %k_out = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
    // CHECK: OpFunctionCall %_ptr_Workgroup_uint %result
    // CHECK: OpFunctionCall %_ptr_Generic_uint %unqualified
    static int out;
    constant int *in_function = c;  // 1.5.3-2
    *result(l) = *in_function;
    out = *unqualified(g);
    // CHECK: %result = OpFunction %_ptr_Workgroup_uint
    // CHECK: %unqualified = OpFunction %_ptr_Generic_uint
}
