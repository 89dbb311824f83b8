// SPDX-License-Identifier: Apache-2.0
// The feature macros of OpenCL C 3.0 are its own: C-3.
// OPTIONS: --target=opencl2.0 -cl-std=CL3.0
#if !defined(__opencl_c_fp64) || !defined(__opencl_c_int64) || !defined(__opencl_c_generic_address_space)
#error C-3
#endif
kernel void k(global int *out) {
    int *any = out;  // C-3: by __opencl_c_generic_address_space
    *any = 1;
}
// CHECK: OpPtrCastToGeneric
