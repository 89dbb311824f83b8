// SPDX-License-Identifier: Apache-2.0
// half in memory without cl_khr_fp16 (OpenCL C 3.0 6.1.1.1, 6.15.7): each of the 65,536 is loaded exactly and stored as it was, and what
// lies between two is rounded to one of them: 1.1.1-16, 1.1.1-17, 1.1.1-18, 1.1.1-25.
// RUN: global=32768 local=64
#include "assert.h"

// The bits, as a float, of a finite half that is not negative
uint value(uint half_bits) {
    uint exponent = half_bits >> 10, mantissa = half_bits & 1023;
    if (half_bits == 0) return 0;
    if (exponent == 0) {
        const uint shift = clz(mantissa) - 21;
        exponent = 1 - shift;
        mantissa = mantissa << shift & 1023;
    }
    return (exponent + 112) << 23 | mantissa << 13;
}

#define STORED(f, x) (f(x, id, h), out[id])

kernel void test_every_half(global uint *record, global ushort *out) {
    const uint id = get_global_id(0), infinity = 0x7c00;
    global half *h = (global half *)out;
    for (uint sign = 0; sign <= 0x8000; sign += 0x8000) {
        const uint bits = id | sign;
        out[id] = bits;
        const float x = vload_half(id, h);
        if (id > infinity) {
            ASSERT(1, isnan(x));
            ASSERT(1, (STORED(vstore_half, x) & 0x7fff) > infinity);
            continue;
        }
        const uint expected = sign << 16 | (id == infinity ? 0x7f800000 : value(id));
        ASSERT_BITS(expected, x);
        ASSERT(bits, STORED(vstore_half, x));
        ASSERT(bits, STORED(vstore_half_rtz, x));
        if (id == infinity) continue;
        // To the next larger in magnitude, which may be infinity: the middle as a float is exact
        const uint next = bits + 1, next_value = id + 1 == infinity ? 0x47800000 : value(id + 1);
        const float far = as_float(next_value | sign << 16), middle = x + (far - x) * 0.5f;
        const float below = as_float(as_uint(middle) - 1), above = as_float(as_uint(middle) + 1);
        ASSERT(bits & 1 ? next : bits, STORED(vstore_half, middle));
        ASSERT(bits, STORED(vstore_half, below));
        ASSERT(next, STORED(vstore_half_rte, above));
        ASSERT(bits, STORED(vstore_half_rtz, above));
        ASSERT(sign ? bits : next, STORED(vstore_half_rtp, below));
        ASSERT(sign ? next : bits, STORED(vstore_half_rtn, below));
    }
}

// A rounded half stays so, though its float is still at hand; pairs and other vectors.
kernel void test_back(global uint *record, global ushort *out, local ushort *box) {
    const uint id = get_global_id(0), l = get_local_id(0);
    if (id >= 0x7bff) return;
    const float x = as_float(value(id)), far = as_float(value(id + 1)), near = x + (far - x) * 0.25f;
    vstore_half(near, id, (global half *)out);
    ASSERT_BITS(as_uint(x), vload_half(id, (global half *)out));
    vstore_half(near, l, (local half *)box);
    ASSERT_BITS(as_uint(x), vload_half(l, (local half *)box));
    ushort mine[16];
    vstore_half2((float2)(near, -near), id & 1, (half *)mine);
    float2 two = vload_half2(id & 1, (half *)mine);
    ASSERT_BITS(as_uint(x), two.x); ASSERT_BITS(as_uint(-x), two.y);
    vstore_half3((float3)(near, far, -near), id & 1, (half *)mine);
    float3 three = vload_half3(id & 1, (half *)mine);
    ASSERT_BITS(as_uint(x), three.x); ASSERT_BITS(as_uint(far), three.y); ASSERT_BITS(as_uint(-x), three.z);
    vstorea_half4((float4)(near, far, x, -far), id & 3, (half *)mine);
    ASSERT(id, mine[4 * (id & 3)]); ASSERT(id + 1, mine[4 * (id & 3) + 1]);
    ASSERT(id, mine[4 * (id & 3) + 2]); ASSERT(0x8000 | (id + 1), mine[4 * (id & 3) + 3]);
}

// In local and private memory too
kernel void test_every_half_nearby(global uint *record) {
    local ushort box[64];
    ushort mine[2] = {0, 0};
    const uint id = get_global_id(0), l = get_local_id(0);
    box[l] = id;
    const float x = vload_half(l, (local half *)box);
    ASSERT(1, id > 0x7c00 ? isnan(x) : as_uint(x) == (id == 0x7c00 ? 0x7f800000 : value(id)));
    if (id > 0x7c00) return;
    vstore_half(-x, id % 2, (half *)mine);
    ASSERT(id | 0x8000, mine[id % 2]);
    ASSERT(0, mine[1 - id % 2]);
}
