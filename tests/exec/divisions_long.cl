// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// Quotients and remainders of 64-bit integers: a = q b + r with |r| < |b| and r's sign that of a (C99 6.5.5), of which there is one
// pair. NVIDIA's compiler for Vulkan calls a function for each, and has wrong values of others in those that call. 1.4-1
// OPTIONS: -cl-std=CL1.2
// RUN: global=4096 local=64
#include "assert.h"

// Each work-item divides one number by every eighth: llvmpipe ends loops that have turned 65,535 times, also those that divide where
// there are no 64-bit integers.
#define NUMBERS 512u
#define EACH_PAIR(i, j) for (uint i = get_global_id(0) / 8, j = get_global_id(0) % 8; j < NUMBERS; j += 8)

// Small ones of either sign, powers of two and those less one, and others of any number of bits
ulong number(uint i) {
    const uint k = i >> 3;
    const ulong any = (ulong)(i * 0x9E3779B1u + k * 77u) << 32 | (i * 0x85EBCA77u ^ k * 0xC2B2AE3Du);
    switch (i & 7) {
        case 0: return k;
        case 1: return -(ulong)k;
        case 2: return 1ul << (k & 63);
        case 3: return ~0ul >> (k & 63);
        case 4: return any;
        case 5: return any >> (any & 63);
        case 6: return (ulong)(long)(int)any;
    }
    return ~(any >> (any & 63));
}

bool is_right(ulong a, ulong b, ulong q, ulong r) { return q * b + r == a && r < b && mul_hi(q, b) == 0; }
bool is_right_signed(long a, long b, long q, long r) {
    const bool is_negative = (a ^ b) < 0;
    const ulong size = is_negative ? -(ulong)q : (ulong)q, rest = a < 0 ? -(ulong)r : (ulong)r;
    return is_right(abs(a), abs(b), size, rest);
}

kernel void test_variables(global uint *record) {
    uint wrong = 0;
    EACH_PAIR(i, j) {
        const ulong a = number(i), b = number(j);
        if (b == 0) continue;
        wrong += !is_right(a, b, a / b, a % b);
        const long s = a, t = b;
        if (t != -1 || s != LONG_MIN) wrong += !is_right_signed(s, t, s / t, s % t);
    }
    ASSERT(0, wrong);
}

// Remainders alone, operands that are known to be small or unsigned, and two divisions of the same operands
kernel void test_forms(global uint *record) {
    uint wrong = 0;
    EACH_PAIR(i, j) {
        const ulong a = number(i), b = number(j) | 1;
        const uint m = (uint)a, n = (uint)b;
        wrong += !is_right(a, n, a / n, a % n);
        wrong += !is_right(m, b, m / b, m % b);
        wrong += m / n != (ulong)m / (ulong)n || m % n != (ulong)m % (ulong)n;
        const long s = a, t = (b & LONG_MAX) | 1;
        wrong += !is_right_signed(s, t, s / t, s % t);
        wrong += b / b != 1 || b % b != 0;
    }
    ASSERT(0, wrong);
}

#define BY(divisor)                                                                               \
    wrong += !is_right(a, divisor##ul, a / divisor##ul, a % divisor##ul);                         \
    if ((long)divisor##ul > 0) {                                                                  \
        const long d = (long)divisor##ul;                                                         \
        wrong += !is_right_signed(s, d, s / (long)divisor##ul, s % (long)divisor##ul);            \
        if (divisor##ul != 1 || s != LONG_MIN)                                                    \
            wrong += !is_right_signed(s, -d, s / -(long)divisor##ul, s % -(long)divisor##ul);     \
    }
#define CONSTANTS(part, divisors)                                                                 \
    kernel void test_constants_##part(global uint *record) {                                      \
        uint wrong = 0;                                                                           \
        const ulong a = number(get_global_id(0));                                                 \
        const long s = a;                                                                         \
        divisors                                                                                  \
        ASSERT(0, wrong);                                                                         \
    }

CONSTANTS(to_4, BY(1) BY(2) BY(3) BY(4))
CONSTANTS(to_9, BY(5) BY(6) BY(7) BY(9))
CONSTANTS(to_25, BY(10) BY(11) BY(12) BY(25))
CONSTANTS(to_1000, BY(125) BY(625) BY(641) BY(1000))
CONSTANTS(to_31_bits, BY(0x10000) BY(6700417) BY(1000000007) BY(0x7fffffff))
CONSTANTS(to_33_bits, BY(0x80000000) BY(0xffffffff) BY(0x100000000) BY(0x100000001))
CONSTANTS(to_63_bits, BY(0x1fffffffffffffff) BY(0x2000000000000001) BY(0x4000000000000000) BY(0x7fffffffffffffff))
CONSTANTS(to_64_bits, BY(0x8000000000000000) BY(0x8000000000000001) BY(0xfffffffffffffffe) BY(0xffffffffffffffff)
          wrong += !is_right_signed(s, LONG_MIN, s / LONG_MIN, s % LONG_MIN);)

#define VECTORS_BY(name, n, T, check, divisor, divisors)                                          \
    kernel void test_##name##_##n(global uint *record) {                                          \
        ulong a[n], b[n], q[n], r[n];                                                             \
        for (uint i = 0; i < n; ++i) {                                                            \
            a[i] = number(get_global_id(0) * n + i);                                              \
            b[i] = divisor;                                                                       \
        }                                                                                         \
        const T##n x = as_##T##n(vload##n(0, a)), y = as_##T##n(vload##n(0, b));                  \
        vstore##n(as_ulong##n(x / (divisors)), 0, q);                                             \
        vstore##n(as_ulong##n(x % (divisors)), 0, r);                                             \
        for (uint i = 0; i < n; ++i) ASSERT(1, check(a[i], b[i], q[i], r[i]));                    \
    }
#define VECTORS(n)                                                                                \
    VECTORS_BY(unsigned, n, ulong, is_right, number(get_global_id(0) * 7 + i * 5) | 2, y)         \
    VECTORS_BY(signed, n, long, is_right_signed, (number(get_global_id(0) + i) & LONG_MAX) | 1, y) \
    VECTORS_BY(by_constant, n, long, is_right_signed, 10, (long##n)10)

VECTORS(2) VECTORS(3) VECTORS(4) VECTORS(8) VECTORS(16)

// The index of a shuffle, beside a quotient
kernel void test_masks(global uint *record, global uchar *bytes, global long *numbers, global uint *out) {
    const uint l = get_local_id(0), first = 2 * get_local_size(0) * get_group_id(0);
    bytes += first, numbers += first, out += first;  // a work-group's part
    for (uint i = 0; i < 2; ++i) bytes[2 * l + i] = (2 * l + i) * 37 + 11;
    numbers[2 * l] = number(l);
    numbers[2 * l + 1] = number(l + 64) | 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint from = l & 31, mask = l & 3;
    const uchar2 v = ((global uchar2 *)bytes)[from], m = ((global uchar2 *)bytes)[mask];
    const uchar2 s = shuffle(v, m);
    const long q = numbers[2 * from] / ((numbers[2 * from + 1] & LONG_MAX) | 1);
    out[2 * l] = s.y;
    out[2 * l + 1] = (uint)q * 31 + (uint)(q >> 32);
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint index = ((2 * mask + 1) * 37 + 11) & 1;
    ASSERT(((2 * from + index) * 37 + 11) & 255, ((volatile global uint *)out)[2 * l]);
}
