// OPTIONS: -cl-std=CL2.0
// A null pointer constant does not say what the pointer points to.
kernel void k(global int *p) {
    p[0] = get_fence(0);
    p[1] = to_private(0) == 0;
}
