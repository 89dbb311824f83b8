// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.5.5: the generic address space.
void store(int *p, int value) { *p = value; }  // one function for every space
kernel void k(global int *g, local int *l, int choose) {
    int automatic;
    store(g, 1);  // 1.5.5-1
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    store(l, 2);
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    store(&automatic, 3);
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint %automatic
    int *any = choose ? g : (int *)l;  // 1.5.5-2: explicitly to generic
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    // CHECK: OpPtrCastToGeneric %_ptr_Generic_uint
    global int *back = (global int *)any;  // 1.5.5-2: and back
    // CHECK: OpGenericCastToPtr %_ptr_CrossWorkgroup_uint
    local int *back_local = (local int *)any;
    // CHECK: OpGenericCastToPtr %_ptr_Workgroup_uint
    private int *back_private = (private int *)any;
    // CHECK: OpGenericCastToPtr %_ptr_Function_uint
    *back = *back_local + *back_private;
}
