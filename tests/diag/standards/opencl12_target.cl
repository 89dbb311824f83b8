// OPTIONS: -cl-std=CL2.0 --target=opencl1.2
// A module for OpenCL 1.2 has no generic pointers, which OpenCL C 2.0's pointers without an address space are.
kernel void k(global int *a) {
    int x = 1;
    int *p = a[1] ? &x : (int *)a;
    *p = 2;
}
