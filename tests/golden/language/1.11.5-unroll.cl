// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// OpenCL C 2.0, 6.11.5: unroll hints become loop controls.
kernel void k(global int *p, int n) {
    __attribute__((opencl_unroll_hint))  // 1.11.5-1
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK: OpLoopMerge
    __attribute__((opencl_unroll_hint(4)))  // 1.11.5-1
    while (n--) p[n] = 0;
    // CHECK: OpLoopMerge
    __attribute__((opencl_unroll_hint(1)))  // 1.11.5-2: no unrolling
    do p[n] = 1; while (n--);
    // CHECK:  DontUnroll
#pragma unroll
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK: OpLoopMerge
#pragma unroll 8
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK: OpLoopMerge
#pragma nounroll
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK:  DontUnroll
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK: None
    // DIFFERS 1.11.5-1: clang gives the attribute to the label, where it means nothing
named: __attribute__((opencl_unroll_hint(1), unused))
    for (int i = 0; i < n; i++) p[i] = 0;
    // CHECK:  DontUnroll
}
