// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.11.5: opencl_unroll_hint.
kernel void k(global int *p, int n) {
    __attribute__((opencl_unroll_hint(0)))   // 1.11.5-3
    for (int i = 0; i < n; i++) p[i] = 0;
    __attribute__((opencl_unroll_hint(-1)))  // 1.11.5-3
    while (n--) p[n] = 0;
    __attribute__((opencl_unroll_hint(n)))   // 1.11.5-4
    do p[n] = 1; while (n--);
    __attribute__((opencl_unroll_hint(2.0f)))  // 1.11.5-4
    for (int i = 0; i < n; i++) p[i] = 0;
    __attribute__((opencl_unroll_hint(2, 3)))
    for (int i = 0; i < n; i++) p[i] = 0;
    __attribute__((opencl_unroll_hint(2)))   // 1.11.5-5
    if (n) p[0] = 1;
    __attribute__((opencl_unroll_hint))      // 1.11.5-5
    p[0] = 1;
    __attribute__((opencl_unroll_hint))      // 1.11.5-5
    { p[0] = 1; }
    __attribute__((opencl_unroll_hint))      // 1.11.5-5
    switch (n) { default: break; }
    __attribute__((opencl_unroll_hint))
    int variable;                            // 1.11.5-5
#pragma unroll
    p[0] = 2;                                // 1.11.5-5
#pragma unroll 0
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll n
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll (n - 1)
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll -1
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll (2
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll 2 +
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll 2) 3
    for (int i = 0; i < n; i++) p[i] = 0;
#pragma unroll 4294967296
    for (int i = 0; i < n; i++) p[i] = 0;
    __attribute__((opencl_unroll_hint(4294967296l)))
    for (int i = 0; i < n; i++) p[i] = 0;
    __attribute__((opencl_unroll_hint((char)-1)))
    for (int i = 0; i < n; i++) p[i] = 0;
}
