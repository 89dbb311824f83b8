// clang's parts of the global space are SPIR-V's CrossWorkgroup; mangled names tell them apart, as clang's do.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
#define DEVICE __attribute__((opencl_global_device))
#define HOST __attribute__((opencl_global_host))
// CHECK: _Z5whichPU3AS5i
// CHECK: _Z5whichPU3AS6i
// CHECK: %_ptr_CrossWorkgroup_uint = OpTypePointer CrossWorkgroup %uint
__attribute__((overloadable)) void which(DEVICE int *p) { *p = 1; }
__attribute__((overloadable)) void which(HOST int *p) { *p = 2; }
// CHECK-NOT: OpBitcast
// CHECK-NOT: OpGenericCastToPtr
kernel void k(DEVICE int *d, HOST int *h, global int *g, DEVICE int *DEVICE *dd) {
    which(d);
    which(h);
    global int *p = d;
    // CHECK: OpPtrCastToGeneric
    int *generic_pointer = h;
    *p = *generic_pointer;
    which((DEVICE int *)g);
    dd[0] = d;
}
