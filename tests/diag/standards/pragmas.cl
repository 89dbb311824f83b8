// OpenCL C 6.10 and OpenCL extensions 1.2
// OPTIONS: -cl-ext=-cl_khr_int64_base_atomics -Wpedantic-core-features
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half one(half x) { return x + 1.0h; }
#pragma OPENCL EXTENSION cl_khr_fp16 : disable  // 1.10-5
half two(half x) { return x; }
constant float literal = 1.0h;
half4 vectors(half4 x) { return x; }  // as clang: the pragma is for half itself
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
half three(half x) { return x; }
#pragma OPENCL EXTENSION all : disable
void four(global half *x) { half y = x[0]; x[1] = 2; }

#pragma OPENCL EXTENSION cl_khr_magic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : disable
#pragma OPENCL EXTENSION all : enable
#pragma OPENCL EXTENSION cl_vendor_thing : begin
#pragma OPENCL EXTENSION cl_vendor_thing : end
#pragma OPENCL EXTENSION cl_vendor_thing : enable
kernel void k(global double *d) { *d = 1.0; }
