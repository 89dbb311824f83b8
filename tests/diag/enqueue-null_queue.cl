// OPTIONS: -cl-std=CL3.0
kernel void k(global int *o) {
    enqueue_kernel(0, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[0] = 1; });
}
