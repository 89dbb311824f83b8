// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL1.2
static constant int table[2] = {1, 2};  // 1.8-4
static int a = 1;               // 1.8-4: no global variables
extern int b;                   // 1.8-3
extern global int c;            // 1.8-3
kernel void k(global int *out) {
    static int d;               // 1.8-4
    static constant int e = 1;  // 1.8-4
    extern int f;               // 1.8-3
}
