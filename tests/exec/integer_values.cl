// SPDX-License-Identifier: Apache-2.0
// Integer functions of all types, their vectors of all lengths (OpenCL C 3.0 6.15.3), and of each triple of numbers near the ends of a
// type's range against plain arithmetic: of up to 32 bits in 64, of 64 in two halves.
// OPTIONS: -cl-std=CL2.0
// RUN: global=16 local=16
#include "vector_forms.h"

// Cut to W bits
constant ulong numbers[16] = {0, 1, 2, 3, 7, 100, ~0ul, ~1ul, ~6ul, ~99ul, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x123456789abcdef0, 0, 0, 0};
ulong number(uint i, uint w) {
    ulong top = 1ul << (w - 1);
    return i == 13 ? top : i == 14 ? top - 1 : i == 15 ? 1ul << (w / 2) : numbers[i];
}

int leading(ulong x, uint w) { int n = 0; while (n < w && (x >> (w - 1 - n) & 1) == 0) n++; return n; }
int trailing(ulong x, uint w) { int n = 0; while (n < w && (x >> n & 1) == 0) n++; return n; }
int ones(ulong x, uint w) { int n = 0; for (uint i = 0; i < w; i++) n += x >> i & 1; return n; }

#define CUT(x) min(max(x, lowest), highest)
// Ids in the order of the lines: 1.13.3-2, 1.13.3-3, 1.13.3-4, 1.13.3-5, 1.13.3-6, 1.13.3-7, 1.13.3-8, 1.13.3-9, 1.13.3-10, 1.13.3-11,
// 1.13.3-12, 1.13.3-13, 1.13.3-14, 1.13.3-15, 1.13.3-17
#define NARROW(T, U, WIDE, UNSIGNED_T, W, LOWEST, HIGHEST)                                           \
    kernel void test_##T(global uint* record, global int* in) {                                      \
        WIDE lowest = LOWEST, highest = HIGHEST;                                                     \
        for (uint j = 0; j < 16; j++)                                                                \
            for (uint k = 0; k < 16; k++) {                                                          \
                T x = (T)number(get_global_id(0), W), y = (T)number(j, W), z = (T)number(k, W);      \
                WIDE a = x, b = y, c = z;                                                            \
                ASSERT(1, abs(x) == (U)(a < 0 ? -a : a));                                            \
                ASSERT(1, abs_diff(x, y) == (U)(a > b ? a - b : b - a));                             \
                ASSERT(1, add_sat(x, y) == (T)CUT(a + b));                                           \
                ASSERT(1, sub_sat(x, y) == (T)(a < b && lowest == 0 ? 0 : CUT(a - b)));              \
                ASSERT(1, hadd(x, y) == (T)((a + b) >> 1));                                          \
                ASSERT(1, rhadd(x, y) == (T)((a + b + 1) >> 1));                                     \
                ASSERT(1, y > z || clamp(x, y, z) == (T)(a < b ? b : a > c ? c : a));                \
                ASSERT(1, clz(x) == (T)leading((UNSIGNED_T)x, W));                                   \
                ASSERT(1, ctz(x) == (T)trailing((UNSIGNED_T)x, W));                                  \
                ASSERT(1, mul_hi(x, y) == (T)(a * b >> W));                                          \
                ASSERT(1, mad_hi(x, y, z) == (T)((a * b >> W) + c));                                 \
                ASSERT(1, mad_sat(x, y, z) == (T)CUT(a * b + c));                                    \
                ASSERT(1, max(x, y) == (T)(a > b ? a : b));                                          \
                ASSERT(1, min(x, y) == (T)(a < b ? a : b));                                          \
                uint n = (uint)y % W;                                                                \
                ulong same = (UNSIGNED_T)x;                                                          \
                ASSERT(1, rotate(x, y) == (T)(n == 0 ? same : same << n | same >> (W - n)));         \
                ASSERT(1, popcount(x) == (T)ones((UNSIGNED_T)x, W));                                 \
            }                                                                                        \
    }
NARROW(char, uchar, long, uchar, 8, -128, 127)
NARROW(uchar, uchar, ulong, uchar, 8, 0, 255)
NARROW(short, ushort, long, ushort, 16, -32768, 32767)
NARROW(ushort, ushort, ulong, ushort, 16, 0, 65535)
NARROW(int, uint, long, uint, 32, INT_MIN, INT_MAX)
NARROW(uint, uint, ulong, uint, 32, 0, UINT_MAX)

// 128 bits in .hi and .lo
ulong2 product(ulong x, ulong y) {
    ulong low = (x & UINT_MAX) * (y & UINT_MAX), cross = (x >> 32) * (y & UINT_MAX) + (low >> 32);
    ulong other = (x & UINT_MAX) * (y >> 32) + (cross & UINT_MAX);
    return (ulong2)(other << 32 | (low & UINT_MAX), (x >> 32) * (y >> 32) + (cross >> 32) + (other >> 32));
}
ulong2 negated(ulong2 x) { return (ulong2)(-x.lo, ~x.hi + (x.lo == 0)); }
ulong2 sum(ulong2 x, ulong2 y) { return (ulong2)(x.lo + y.lo, x.hi + y.hi + (x.lo + y.lo < x.lo)); }
ulong2 widened(long x) { return (ulong2)((ulong)x, x < 0 ? ~0ul : 0ul); }

kernel void test_long(global uint *record, global int *in) {
    for (uint j = 0; j < 16; j++)
        for (uint k = 0; k < 16; k++) {
            long x = (long)number(get_global_id(0), 64), y = (long)number(j, 64), z = (long)number(k, 64);
            ulong size = x < 0 ? -(ulong)x : (ulong)x, more = y < 0 ? -(ulong)y : (ulong)y;
            ulong2 all = product(size, more), s = sum(widened(x), widened(y)), d = sum(widened(x), negated(widened(y)));
            if ((x < 0) != (y < 0)) all = negated(all);
            ulong2 t = sum(all, widened(z));
            ASSERT_LONG(size, abs(x)); ASSERT_LONG(x > y ? (ulong)x - (ulong)y : (ulong)y - (ulong)x, abs_diff(x, y));
            ASSERT_LONG(s.hi + (s.lo >> 63) == 0 ? s.lo : (long)s.hi < 0 ? LONG_MIN : LONG_MAX, add_sat(x, y));
            ASSERT_LONG(d.hi + (d.lo >> 63) == 0 ? d.lo : (long)d.hi < 0 ? LONG_MIN : LONG_MAX, sub_sat(x, y));
            ASSERT_LONG(s.lo >> 1 | s.hi << 63, hadd(x, y));
            s = sum(s, (ulong2)(1, 0)); ASSERT_LONG(s.lo >> 1 | s.hi << 63, rhadd(x, y));
            ASSERT_LONG(all.hi, mul_hi(x, y)); ASSERT_LONG(all.hi + (ulong)z, mad_hi(x, y, z));
            ASSERT_LONG(t.hi + (t.lo >> 63) == 0 ? t.lo : (long)t.hi < 0 ? LONG_MIN : LONG_MAX, mad_sat(x, y, z));
            ASSERT(1, y > z || clamp(x, y, z) == (x < y ? y : x > z ? z : x));
            ASSERT_LONG(leading(x, 64), clz(x)); ASSERT_LONG(trailing(x, 64), ctz(x)); ASSERT_LONG(ones(x, 64), popcount(x));
            ASSERT_LONG(x > y ? x : y, max(x, y)); ASSERT_LONG(x < y ? x : y, min(x, y));
        }
}
kernel void test_ulong(global uint *record, global int *in) {
    for (uint j = 0; j < 16; j++)
        for (uint k = 0; k < 16; k++) {
            ulong x = number(get_global_id(0), 64), y = number(j, 64), z = number(k, 64);
            ulong2 all = product(x, y), s = sum((ulong2)(x, 0), (ulong2)(y, 0)), t = sum(all, (ulong2)(z, 0));
            uint n = y % 64;
            ASSERT_LONG(x, abs(x)); ASSERT_LONG(x > y ? x - y : y - x, abs_diff(x, y));
            ASSERT_LONG(s.hi ? ULONG_MAX : s.lo, add_sat(x, y)); ASSERT_LONG(x < y ? 0 : x - y, sub_sat(x, y));
            ASSERT_LONG(s.lo >> 1 | s.hi << 63, hadd(x, y));
            s = sum(s, (ulong2)(1, 0)); ASSERT_LONG(s.lo >> 1 | s.hi << 63, rhadd(x, y));
            ASSERT_LONG(all.hi, mul_hi(x, y)); ASSERT_LONG(all.hi + z, mad_hi(x, y, z));
            ASSERT_LONG(t.hi ? ULONG_MAX : t.lo, mad_sat(x, y, z));
            ASSERT(1, y > z || clamp(x, y, z) == (x < y ? y : x > z ? z : x));
            ASSERT_LONG(leading(x, 64), clz(x)); ASSERT_LONG(trailing(x, 64), ctz(x)); ASSERT_LONG(ones(x, 64), popcount(x));
            ASSERT_LONG(n == 0 ? x : x << n | x >> (64 - n), rotate(x, y)); ASSERT_LONG(x > y ? x : y, max(x, y)); ASSERT_LONG(x < y ? x : y, min(x, y));
        }
}

// 1.13.3-18, 1.13.3-19
kernel void test_mul24(global uint *record, global int *in) {
    int x = -in[8388608 / 1024], y = in[127], top = 0x7fffff + in[0];
    ASSERT(-8192 * 127, mul24(x, y)); ASSERT(-8192 * 127 + 5, mad24(x, y, in[5])); ASSERT((uint)top * (uint)top, mul24(top, top));
    ASSERT(0xffffffu * 0xffffffu, mul24(0xffffffu - in[0], 0xffffffu)); ASSERT(0xffffffu * 0xffffffu + 9, mad24(0xffffffu - in[0], 0xffffffu, 9u));
}

#define VECTORS(T, U)                                                                                              \
    kernel void test_vectors_##T(global uint* record, global int* in) {                                            \
        T##16 a = (T##16)(0, 1, 2, 3, -1, -2, 100, -100, 50, 64, -128, 127, 85, -86, 16, -17) + (T)in[0];          \
        T##16 b = (a.sfedcba9876543210 << (T)(sizeof(T) * 8 - 8)) ^ a.s3210321032103210, c = a.s89abcdef01234567 + (T)7;       \
        AGREE(abs, U, ONE) AGREE(abs_diff, U, TWO) AGREE(add_sat, T, TWO) AGREE(sub_sat, T, TWO)                   \
        AGREE(hadd, T, TWO) AGREE(rhadd, T, TWO) AGREE(clz, T, ONE) AGREE(ctz, T, ONE) AGREE(popcount, T, ONE)     \
        AGREE(mul_hi, T, TWO) AGREE(mad_hi, T, THREE) AGREE(mad_sat, T, THREE) AGREE(rotate, T, TWO)               \
        AGREE(max, T, TWO) AGREE(min, T, TWO) AGREE(max, T, SCALAR_LAST) AGREE(min, T, SCALAR_LAST)                \
        T##16 lows = min(b, c), highs = max(b, c);                                                                 \
        b = lows; c = highs;                                                                                       \
        AGREE(clamp, T, THREE) AGREE(clamp, T, SCALARS_LAST)                                                       \
    }
VECTORS(char, uchar)
VECTORS(uchar, uchar)
VECTORS(short, ushort)
VECTORS(ushort, ushort)
VECTORS(int, uint)
VECTORS(uint, uint)
VECTORS(long, ulong)
VECTORS(ulong, ulong)

// 1.13.3-16 and the functions of 24 bits
#define UPSAMPLE(T, LOW, R)                                                         \
    {                                                                               \
        T##16 a = (T##16)(0, 1, 2, 3, -1, -2, 100, -100, 50, 64, -128, 127, 85, -86, 16, -17) + (T)in[0]; \
        LOW##16 b = (LOW##16)(in[201], 255, 128, 127, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 99, 98); \
        AGREE(upsample, R, TWO)                                                     \
        ASSERT(1, upsample(a.s5, b.s1) == (R)(a.s5 * ((R)1 << sizeof(T) * 8) + b.s1)); \
    }
kernel void test_vectors_upsample(global uint *record, global int *in) {
    UPSAMPLE(char, uchar, short) UPSAMPLE(uchar, uchar, ushort) UPSAMPLE(short, ushort, int)
    UPSAMPLE(ushort, ushort, uint) UPSAMPLE(int, uint, long) UPSAMPLE(uint, uint, ulong)
}
kernel void test_vectors_mul24(global uint *record, global int *in) {
    int16 x = (int16)(0, 1, 2, 3, -1, -2, 100, -100, 50, 64, -128, 127, 85, -86, 16, -17) + in[0];
    { int16 a = x, b = x.s3210321032103210, c = x.sfedcba9876543210; AGREE(mul24, int, TWO) AGREE(mad24, int, THREE) }
    { uint16 a = as_uint16(x & 0xffffff), b = a.s3210321032103210, c = a.sfedcba9876543210; AGREE(mul24, uint, TWO) AGREE(mad24, uint, THREE) }
}
