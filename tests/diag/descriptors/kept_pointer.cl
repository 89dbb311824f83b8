// SPDX-License-Identifier: Apache-2.0
// OPTIONS: --abi=descriptors -cl-std=CL2.0 -g
global int *global last;
kernel void keeps(global int *p) {
    last = p;
}
