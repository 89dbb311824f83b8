// SPDX-License-Identifier: Apache-2.0
// Addresses as integers, in initialisers too.
// OPTIONS: -cl-std=CL2.0
// RUN: global=1
#include "assert.h"
global int words[4] = {1, 2, 3, 4};
global long third = (long)&words[2];
constant int weight = 7;
constant ulong of_weight = (ulong)&weight;
union both {
    long number;
    global int *pointer;
};
global union both overlaid = {.number = (long)&words[1]};

kernel void test_addresses(global uint *record) {
    ASSERT(3, *(global int *)third);
    ASSERT(7, *(constant int *)of_weight);
    ASSERT(2, *overlaid.pointer);
    ASSERT(1, as_long(&words[2]) == third);
    ASSERT((int)third, (int)as_uint2(&words[2]).x);
}
