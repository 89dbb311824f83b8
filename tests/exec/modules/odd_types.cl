// SPDX-License-Identifier: Apache-2.0
// Vectors and integers that OpenCL does not have: odd_types.spvasm has the functions.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"

uchar byte_of(uint3 v, uint i);
ushort short_of(uint3 v, uint i);
uint3 joined(uchar4 a, uchar4 b, uchar4 c);
float float_of(ulong3 v, uint i);
ulong3 long_of(float3 a, float3 b);
ulong six_bytes(uchar3 a, uchar3 b);
uchar3 three_bytes(uchar3 a, uint b);
uint quotient(uint a, uint b);
ulong shifted(uint a, uint b);
uint is_less(uint a, uint b);
float float_24(uint a);
ulong load_24(global uchar *p);
void store_24(private uchar *p, ulong v);
ulong load_40(global uchar *p);
void store_40(private uchar *p, ulong v);
ulong load_48(global uchar *p);
void store_48(private uchar *p, ulong v);
ulong load_56(global uchar *p);
void store_56(private uchar *p, ulong v);

global uchar bytes[16] __attribute__((aligned(8))) = {0x81, 0x92, 0xa3, 0xb4, 0xc5, 0xd6, 0xe7, 0xf8,
                                                      0x19, 0x2a, 0x3b, 0x4c, 0x5d, 0x6e, 0x7f, 0x80};

kernel void test_casts(global uint *record) {
    const uint3 v = (uint3)(0x04030201, 0x08070605, 0x8c0b0a09);
    for (uint i = 0; i < 11; ++i) ASSERT(i + 1, byte_of(v, i));
    ASSERT(0x8c, byte_of(v, 11));
    ASSERT(0x0201, short_of(v, 0));
    ASSERT(0x0807, short_of(v, 3));
    ASSERT(0x8c0b, short_of(v, 5));
    const uint3 w = joined((uchar4)(1, 2, 3, 4), (uchar4)(0xf5, 6, 7, 0x88), (uchar4)(0, 0, 0, 0xff));
    ASSERT(0x04030201, w.x);
    ASSERT(0x880706f5, w.y);
    ASSERT(0xff000000, w.z);
    const ulong3 u = long_of((float3)(1, 2, -3), (float3)(4, 0.5f, -6));
    ASSERT(0x400000003f800000, u.x);
    ASSERT(0x40800000c0400000, u.y);
    ASSERT(0xc0c000003f000000, u.z);
    ASSERT(1, (int)float_of(u, 0));
    ASSERT(-3, (int)float_of(u, 2));
    ASSERT(-6, (int)float_of(u, 5));
    ASSERT(0x868504038281, six_bytes((uchar3)(0x81, 0x82, 3), (uchar3)(4, 0x85, 0x86)));
    const uchar3 t = three_bytes((uchar3)(0xff, 0xfe, 0xff), 0x8002);
    ASSERT(1, t.x);
    ASSERT(0x7f, t.y);
    ASSERT(0, t.z);
}

kernel void test_signs(global uint *record) {
    ASSERT(-3, (int)quotient(-10, 3));
    ASSERT(-3, (int)quotient(0xfffff6, 3));
    ASSERT(5, (int)quotient(-10, -2));
    ASSERT(0xfffffffffffc, shifted(-16, 2));
    ASSERT(4, shifted(16, 2));
    ASSERT(1, is_less(0x800000, 5));
    ASSERT(0, is_less(5, 0x800000));
    ASSERT(1, is_less(4, 5));
    ASSERT(-2, (int)float_24(0xfffffe));
    ASSERT(7, (int)float_24(7));
}

kernel void test_memory(global uint *record) {
    ASSERT(0xa39281, load_24(bytes));
    ASSERT(0xc5b4a3, load_24(bytes + 2));
    ASSERT(0x80, load_24(bytes + 13) >> 16);
    ASSERT(0x5d4c3b2a19, load_40(bytes + 8));
    ASSERT(0xd6c5b4a39281, load_48(bytes));
    ASSERT(0x7f6e5d4c3b2a19, load_56(bytes + 8));
    uchar p[16];
    for (int i = 0; i < 16; ++i) p[i] = 0xee;
    store_24(p, 0x55aabbcc);
    store_40(p + 4, 0xffff778899aabbcc);
    ASSERT(0xcc, p[0]);
    ASSERT(0xbb, p[1]);
    ASSERT(0xaa, p[2]);
    ASSERT(0xee, p[3]);
    ASSERT(0xcc, p[4]);
    ASSERT(0x88, p[8]);
    ASSERT(0xee, p[9]);
    store_48(p + 1, 0x1122030405060708);
    ASSERT(0xcc, p[0]);
    ASSERT(0x08, p[1]);
    ASSERT(0x03, p[6]);
    ASSERT(0x99, p[7]);
    store_56(p + 8, 0x8811223344556677);
    ASSERT(0x77, p[8]);
    ASSERT(0x11, p[14]);
    ASSERT(0xee, p[15]);
}
