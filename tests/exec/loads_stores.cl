// SPDX-License-Identifier: Apache-2.0
// vload and vstore at element alignment, half forms: 1.13.7-1 to 1.13.7-14, 1.1.5-6, 1.1.5-7.
#include "assert.h"
kernel void test_vload(global uint *record, global int *in, global int *out) {
    int2 a = vload2(1, in + 1); ASSERT(3, a.x); ASSERT(4, a.y);
    int3 b = vload3(2, in + 1); ASSERT(7, b.x); ASSERT(9, b.z);
    int4 c = vload4(1, in + 3); ASSERT(7, c.x); ASSERT(10, c.w);
    int8 d = vload8(0, in + 5); ASSERT(12, d.s7);
    int16 e = vload16(0, in + 7); ASSERT(22, e.sf); ASSERT(15, e.s8);
    vstore3((int3)(in[100], in[101], in[102]), 1, out + 1);
    ASSERT(3, out[3]); ASSERT(100, out[4]); ASSERT(102, out[6]); ASSERT(7, out[7]);
    vstore16(e, 0, out + 33); ASSERT(7, out[33]); ASSERT(22, out[48]); ASSERT(49, out[49]);
    global uchar *bytes = (global uchar *)out + 401;
    vstore4((uchar4)(1, 2, 3, in[4]), 0, bytes); ASSERT(4, bytes[3]);
    uchar8 u = vload8(0, (global uchar *)in + 4 * 7 - 1); ASSERT(7, u.s1); ASSERT(8, u.s5);
    local short box[16];
    for (int i = 0; i < 16; i++) box[i] = i * 3;
    short4 s = vload4(1, box + 1); ASSERT(15, s.x); ASSERT(24, s.w);
    vstore2((short2)(-1, -2), 3, box + 1); ASSERT(-2, box[8]);
    float p[9];
    for (int i = 0; i < 9; i++) p[i] = in[i];
    float4 f = vload4(1, p + in[1]); ASSERT_BITS(0x41000000, f.w);
    vstore3(f.xyz, 0, p + 2); ASSERT_BITS(0x40e00000, p[4]);
}
kernel void test_half(global uint *record, global int *in, global ushort *out) {
    global half *h = (global half *)out;
    vstore_half((float)in[1], 10, h); ASSERT(0x3c00, out[10]);
    vstore_half(65504.0f + in[0], 1, h); ASSERT(0x7bff, out[1]);
    vstore_half(65520.0f + in[0], 1, h); ASSERT(0x7c00, out[1]);
    vstore_half_rtz(65520.0f + in[0], 1, h); ASSERT(0x7bff, out[1]);
    vstore_half(5.9604645e-8f + in[0], 1, h); ASSERT(0x0001, out[1]);
    vstore_half_rtp(1.0f + in[1] * 1e-5f, 1, h); ASSERT(0x3c01, out[1]);
    vstore_half_rtn(1.0f + in[1] * 1e-5f, 1, h); ASSERT(0x3c00, out[1]);
    vstore_half_rtn(-1.0f - in[1] * 1e-5f, 1, h); ASSERT(0xbc01, out[1]);
    out[5] = 0x3555; ASSERT_BITS(0x3eaaa000, vload_half(5, h));
    out[5] = 0x0001; ASSERT_BITS(0x33800000, vload_half(5, h));
    out[5] = 0xfc00; ASSERT_BITS(0xff800000, vload_half(5, h));
    vstore_half4((float4)(1, 2, in[3], 4), 1, h + 17); ASSERT(0x4200, out[23]);
    float4 v = vload_half4(1, h + 17); ASSERT_BITS(0x40800000, v.w);
    vstorea_half3((float3)(1, 2, in[3]), 2, h); ASSERT(0x4200, out[10]);
    float3 w = vloada_half3(2, h); ASSERT_BITS(0x40400000, w.z);
    vstore_half16_rtz((float16)(in[2]), 1, h + 1); ASSERT(0x4000, out[32]);
}
