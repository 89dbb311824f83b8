// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5: address spaces and the storage classes that they become.
__global int prefixed_global;    // 1.5-1
int global after_the_type;       // 1.5-2: a qualifier stands anywhere among the specifiers
constant int unprefixed = 2;     // 1.5-1
int unqualified;                 // 1.5-4, 1.5-12: global, not generic
extern int elsewhere;            // 1.5-4
int *pointer;                    // 1.5-5, 1.5.1-9: a generic pointer, in global memory
const global int table[2] = {1, 2};  // 1.5.1-13

// CHECK: %prefixed_global = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %after_the_type = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %unprefixed = OpVariable %_ptr_UniformConstant_uint UniformConstant
// CHECK: %unqualified = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %k_kept = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %elsewhere = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup
// CHECK: %pointer = OpVariable %_ptr_CrossWorkgroup__ptr_Generic_uint CrossWorkgroup
// CHECK: %table = OpVariable %_ptr_CrossWorkgroup__arr_uint_ulong_2 CrossWorkgroup
kernel void k(__global int *g, __local int *l, __constant int *c, global int *unprefixed_g, local int *unprefixed_l) {
    // CHECK: %g = OpFunctionParameter %_ptr_CrossWorkgroup_uint
    // CHECK: %l = OpFunctionParameter %_ptr_Workgroup_uint
    // CHECK: %c = OpFunctionParameter %_ptr_UniformConstant_uint
    // CHECK: %unprefixed_g = OpFunctionParameter %_ptr_CrossWorkgroup_uint
    // CHECK: %unprefixed_l = OpFunctionParameter %_ptr_Workgroup_uint
    __private int prefixed = 3;  // 1.5-1
    private int plain = 4;       // 1.5-1
    int automatic = 5;           // 1.5-3, 1.5.4-1
    static int kept;             // 1.5-4, 1.5.4-2
    // CHECK: %prefixed = OpVariable %_ptr_Function_uint Function
    // CHECK: %plain = OpVariable %_ptr_Function_uint Function
    // CHECK: %automatic = OpVariable %_ptr_Function_uint Function
    int *any = g;  // 1.5-7: global, local and private are part of generic
    any = l;
    any = &automatic;
    // CHECK: %any = OpVariable %_ptr_Function__ptr_Generic_uint Function
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint %automatic
    *any = *c + prefixed + plain + prefixed_global + after_the_type + unprefixed + unqualified + kept + elsewhere +
           *pointer + table[1] + *unprefixed_g + *unprefixed_l;
}
