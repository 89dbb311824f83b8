// SPDX-License-Identifier: Apache-2.0
// The names of address spaces as attributes, and gcc's sizes of vectors.
// OPTIONS: -cl-std=CL1.2
typedef int four __attribute__((vector_size(16)));
typedef int odd __attribute__((vector_size(15)));
typedef bool flags __attribute__((ext_vector_type(4)));
__attribute__((opencl_constant)) int table[2] = {1, 2};
kernel void spaces(__attribute__((opencl_global)) int *p, __attribute__((opencl_global_device)) int *q) {
    __attribute__((opencl_local)) int shared;
    four wide = (int4)(p[0]);
    p[0] = table[0] + wide[3] + *q;
    p = q;
    p = &shared;
    global __attribute__((opencl_local)) int *both;
    __attribute__((address_space(7))) int *numbered;  // DIFFERS GNU: no OpenCL SPIR-V has other spaces
}
