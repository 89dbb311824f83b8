// OPTIONS: --target=opencl1.2
// OpenCL C 1.2: without a generic space an unqualified pointer leads to private memory.
int through(int *p) { return *p; }  // 1.5.4-3
kernel void k(global int *out) {
    int automatic = 1;      // 1.5.4-1
    int *p = &automatic;    // 1.5.4-3
    out[0] = through(p);
    // CHECK: %automatic = OpVariable %_ptr_Function_uint Function
    // CHECK: %p = OpVariable %_ptr_Function__ptr_Function_uint Function
    // CHECK-NOT: Generic
    // CHECK: %through = OpFunction
}
