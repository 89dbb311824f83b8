// SPDX-License-Identifier: Apache-2.0
// Addresses that a program writes down as numbers: in lists of initialisers they are constants of pointer type.
// OPTIONS: -cl-std=CL2.0
// CHECK: OpFunction %void
// CHECK:  %ulong_4096
// CHECK:  %ulong_8196
kernel void poke(uint which) {
    global int *places[2] = {(global int *)0x1000, (global int *)0x2000 + 1};
    *places[which & 1] = 1;
}
