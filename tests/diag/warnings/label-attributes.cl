// OPTIONS: --target=opencl2.0 -Wall
// GNU: `unused` belongs to a label, every other attribute to the statement behind it, as kernels for FPGAs mean it.
void labels(global int *a, int n) {
silent: __attribute__((unused)) a[0] = 1;
pipelined: __attribute__((xcl_pipeline_loop(1)))
    __attribute__((xcl_loop_tripcount(4, 4)))
    for (int i = 0; i < n; ++i) a[i] = n;
// DIFFERS 1.11.5-1: clang gives the attribute to the label, where it means nothing
unrolled: __attribute__((unused, opencl_unroll_hint(4)))
    for (int i = 0; i < n; ++i) a[i] += n;
first: __attribute__((unused)) second: __attribute__((xcl_a)) a[2] = 2;
    switch (n) {
        case 1: third: __attribute__((unused, xcl_b)) a[3] = 1;
    }
}
