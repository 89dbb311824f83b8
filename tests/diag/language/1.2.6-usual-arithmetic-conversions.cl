// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
enum e { kOne };
kernel void k(int i, uint u, float f, double d, bool b, char c, uchar uc, short s, ushort us, long l, ulong ul, enum e e,
              float4 f4, double4 d4, char4 c4, uchar4 uc4, short4 s4, ushort4 us4, int4 i4, uint4 u4, long4 l4, ulong4 ul4, int2 i2) {
    i4 + u4;       // 1.2.6-1
    i4 * f4;       // 1.2.6-1
    i4 < i2;       // 1.2.6-1
    l4 & i4;       // 1.2.6-1
    i4 + u;        // 1.2.6-3, 1.2.6-8: unsigned outranks signed
    f4 + d;        // 1.2.6-3, 1.2.6-5: double outranks float
    d * f4;        // 1.2.6-3
    i4 + f;        // 1.2.6-6: floating outranks integer
    l4 + f;        // 1.2.6-6
    ul4 + d;       // 1.2.6-6
    s4 - i;        // 1.2.6-7: more bits outrank fewer
    c4 + s;        // 1.2.6-7
    i4 | l;        // 1.2.6-7
    c4 + uc;       // 1.2.6-8
    s4 + us;       // 1.2.6-8
    l4 + ul;       // 1.2.6-8
    i4 + 0U;       // 1.2.6-3
    i4 + 1.0f;     // 1.2.6-4: literals are no exception
    i4 + 1L;       // 1.2.6-4
    s4 + e;        // 1.2.6-10: an enumeration ranks as its integer
    c4 == kOne;    // 1.2.6-10
    c4 + 1;        // 1.2.6-4
    f4 + 1.0;      // 1.2.6-4
    s4 * 70000;    // 1.2.6-4
    f4 ? f4 : f4;  // 1.3.9-3
}
