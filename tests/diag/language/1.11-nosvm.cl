// SPDX-License-Identifier: Apache-2.0
// nosvm is an attribute of OpenCL C 2.0. 1.11
kernel void k(__attribute__((nosvm)) global int *p) {}
