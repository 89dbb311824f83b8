// SPDX-License-Identifier: Apache-2.0
// Every level of a kernel's pointer argument is in a named space that the host knows. 1.9-1, 1.9-4, 1.9-27
// OPTIONS: -cl-std=CL2.0
kernel void named(global int *global *p, global float *global *constant *q) {}
kernel void generic_inside(int *global *p) {}
kernel void private_inside(private int *global *p) {}
kernel void private_between(global int *private *global *p) {}
