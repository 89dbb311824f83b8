// OpenCL C 3.0 6.2.1: these go together
// OPTIONS: -cl-std=CL3.0 -cl-ext=-cl_khr_fp64,-__opencl_c_images
kernel void k(global int *p) {}
