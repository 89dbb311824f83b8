// OPTIONS: -cl-std=CL2.0 -cl-ext=-cl_khr_fp16,-cl_khr_work_group_uniform_arithmetic
// Work-group functions (OpenCL C 2.0, 6.13.15) of half need cl_khr_fp16, and products an extension.
kernel void k(global half *h, global float *f) {
    work_group_scan_inclusive_add(h[0]);      // seed000-3
    work_group_reduce_min(1.0h);             // seed000-3
    f[0] = work_group_scan_inclusive_add(f[1]);
    f[2] = work_group_scan_inclusive_mul(f[1]);
    f[3] = work_group_scan_inclusive_add(f, 1);
}
