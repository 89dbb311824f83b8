// Names in -cl-ext= that are nearly an extension's; names of other devices' extensions say nothing, nor does -NAME.
// OPTIONS: -cl-std=CL3.0 -cl-ext=+cl_kr_fp64,+cl_vendor_magic,+__opencl_c_subgroup,+cl_amd_fp64,-cl_khr_fp6
kernel void k(global float *o) { o[0] = 1; }
