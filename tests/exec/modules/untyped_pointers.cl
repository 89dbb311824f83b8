// SPDX-License-Identifier: Apache-2.0
// Pointers without a type (SPV_KHR_untyped_pointers): untyped_pointers.spvasm has the functions.
#include "assert.h"

int reinterpreted(global uchar *p, int x);
long of_struct(global uchar *p, int i);
int program_scope(int i);
int through_table(int i);
int constant_memory(int i);
int shared(int x, int i);
int chosen(int which);
int stored_pointers(int which);
int generic_pointer(global uchar *p, int which);
long difference(global uchar *p, int i, int j);
int atomics(global uchar *p, int x);
void copies(global uchar *to, global uchar *from);
float extended(global uchar *p, float x);
int between(global uchar *p);
int async_copies(global uchar *p);

kernel void test_untyped(global uint *record, global int *in, global int *out) {
    global uchar *bytes = (global uchar *)out;
    ASSERT(0x3f800000 + 1, reinterpreted(bytes, 0x3f800000));
    ASSERT(0x3f800000, out[0]);
    out[0] = 5; out[1] = 6; out[2] = 7; out[3] = -1; out[4] = 10; out[5] = 20; out[6] = 30; out[7] = 0;
    ASSERT_LONG(-4294967289L + 10, of_struct(bytes, in[0]));
    ASSERT_LONG(-4294967289L + 30, of_struct(bytes, in[2]));
    ASSERT(11, program_scope(in[0])); ASSERT(33, program_scope(in[2]));
    ASSERT(22, through_table(in[0])); ASSERT(33, through_table(in[1])); ASSERT(11, through_table(in[2]));
    ASSERT(5, constant_memory(in[0])); ASSERT(9, constant_memory(in[3]));
    ASSERT(42, shared(in[42], in[3])); ASSERT(7, shared(in[7], in[1]));
    ASSERT(10, chosen(in[0])); ASSERT(20, chosen(in[1]));
    ASSERT(20, stored_pointers(in[0])); ASSERT(10, stored_pointers(in[1]));
    out[0] = 77;
    ASSERT(77, generic_pointer(bytes, in[0])); ASSERT(20, generic_pointer(bytes, in[1]));
    ASSERT_LONG(12, difference(bytes, in[5], in[2])); ASSERT_LONG(-12, difference(bytes, in[2], in[5]));
    out[0] = 40; out[1] = 3;
    ASSERT(43, atomics(bytes, in[2]));
    ASSERT(42, out[0]); ASSERT(9, out[1]);
    for (int i = 0; i < 8; i++) out[i] = -1;
    copies(bytes, (global uchar *)(in + 20));
    ASSERT(20, out[0]); ASSERT(-1, out[1]); ASSERT(22, out[2]); ASSERT(23, out[3]); ASSERT(-1, out[4]);
    out[0] = as_int(1.0f); out[1] = as_int(2.0f); out[2] = as_int(4.0f); out[3] = as_int(8.0f);
    ASSERT(as_int(15.5f), as_int(extended(bytes, as_float(in[0]) + 3.5f)));
    ASSERT(as_int(3.0f), out[4]); ASSERT(as_int(0.5f), out[5]);
    out[0] = 11; out[1] = 12;
    ASSERT(23, between(bytes));
    for (int i = 0; i < 8; i++) out[i] = i + 1;
    ASSERT(1 + 2 + 3 + 5 + 7, async_copies(bytes));
}
