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
global int *through_integer = (global int *)(size_t)&words[3];
global long sum = 4 + (long)&words[2] - 8;
global int *to_other_space = (global int *)(size_t)&weight;
int *to_generic = (int *)(ulong)&words[1] + 1;
// The pointer is what the union is stored as.
union number_first {
    ushort number;
    global int *pointer;
    uint words[2];
};
global union number_first as_number = {0x1234};
constant union number_first of_words = {.words = {5, 6}};
constant struct { union number_first inner[2]; } nested = {{{1}, {.pointer = 0}}};

kernel void test_addresses(global uint *record) {
    ASSERT(3, *(global int *)third);
    ASSERT(7, *(constant int *)of_weight);
    ASSERT(2, *overlaid.pointer);
    ASSERT(1, as_long(&words[2]) == third);
    union number_first mine = {(ushort)5};
    ASSERT(5, mine.number);
    ASSERT_LONG(5, (ulong)mine.pointer);
    ASSERT(0x1234, as_number.number);
    ASSERT_LONG(0x600000005, (ulong)of_words.pointer);
    ASSERT(1, nested.inner[get_global_id(0)].number);
    ASSERT(1, !nested.inner[get_global_id(0) + 1].pointer);
    ASSERT((int)third, (int)as_uint2(&words[2]).x);
    ASSERT(4, *through_integer);
    ASSERT(3, *to_generic);
    ASSERT(2, *(global int *)sum);
    ASSERT(7, *(constant int *)(size_t)to_other_space);
    global int *others[2] = {(global int *)(size_t)&weight, (global int *)(size_t)&weight + 1};
    ASSERT(7, *((constant int *)(size_t)others[get_global_id(0) + 1] - 1));
    // All constant, and not all: with the one the whole list is a constant.
    constant int *list[2] = {(constant int *)(size_t)&weight, &weight};
    ASSERT(7, *list[get_global_id(0)]);
    int *either[2] = {(int *)(size_t)&words[1], words + third % 4};
    ASSERT(2, *either[0]);
}
