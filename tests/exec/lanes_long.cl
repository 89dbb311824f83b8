// SPDX-License-Identifier: Apache-2.0
// Functions and operators of 64-bit integers that compilers have instructions for, of another number in each work-item, against what
// their halves of 32 bits give: llvmpipe works on eight at a time, for which few processors have one instruction.
// OPTIONS: -cl-std=CL1.2
// RUN: global=128 local=64
#include "assert.h"

#define CHECK(i, condition) wrong |= (uint)!(condition) << (i);

// Limits, what is beside them and beside what floats and 32 bits have, and numbers that differ in one half alone
ulong number(uint i) {
    const ulong any = (ulong)(i * 0x9E3779B1u) << 32 | (i * 0x85EBCA77u ^ 0xC2B2AE3Du);
    const ulong edge = 1ul << (i >> 3 & 15) * 4 + 3;
    switch (i & 7) {
        case 0: return edge;
        case 1: return edge - 1;
        case 2: return -edge;
        case 3: return ~edge;
        case 4: return any;
        case 5: return any & 0xffffffff;
        case 6: return any & 0xffffffff00000000ul;
    }
    return (ulong)(long)(int)any;
}
uint high(ulong x) { return (uint2)(as_uint2(x)).y; }
uint low(ulong x) { return (uint2)(as_uint2(x)).x; }
ulong joined(uint high, uint low) { return as_ulong((uint2)(low, high)); }

bool is_less(ulong a, ulong b) { return high(a) != high(b) ? high(a) < high(b) : low(a) < low(b); }
bool is_less_signed(ulong a, ulong b) {
    return high(a) != high(b) ? (int)high(a) < (int)high(b) : low(a) < low(b);
}
ulong difference(ulong a, ulong b) { return joined(high(a) - high(b) - (low(a) < low(b)), low(a) - low(b)); }
ulong sum(ulong a, ulong b) {
    const uint below = low(a) + low(b);
    return joined(high(a) + high(b) + (below < low(a)), below);
}

kernel void test_order(global uint *record) {
    uint wrong = 0;
    const uint l = get_global_id(0);
    const ulong a = number(l);
    const long s = a;
    for (uint j = 0; j < 128; j += 5) {
        const ulong b = number(l + j & 127), c = number(l + 3 * j & 127);
        const long t = b, u = c;
        const bool less = is_less(a, b), less_signed = is_less_signed(a, b);
        CHECK(0, (a < b) == less && (a >= b) != less && (b > a) == less && (b <= a) != less)
        CHECK(1, (s < t) == less_signed && (s >= t) != less_signed && (t > s) == less_signed && (t <= s) != less_signed)
        CHECK(2, (a == b) == (high(a) == high(b) && low(a) == low(b)) && (a != b) != (a == b))
        CHECK(3, min(a, b) == (less ? a : b) && max(a, b) == (less ? b : a))
        CHECK(4, min(s, t) == (less_signed ? s : t) && max(s, t) == (less_signed ? t : s))
        const ulong floor = less ? a : b, ceiling = less ? b : a;
        CHECK(5, clamp(c, floor, ceiling) == (is_less(c, floor) ? floor : is_less(ceiling, c) ? ceiling : c))
        const long least = less_signed ? s : t, most = less_signed ? t : s;
        CHECK(6, clamp(u, least, most) == (is_less_signed(u, least) ? least : is_less_signed(most, u) ? most : u))
        CHECK(7, abs_diff(a, b) == (less ? difference(b, a) : difference(a, b)))
        CHECK(8, abs_diff(s, t) == (less_signed ? difference(b, a) : difference(a, b)))
        CHECK(9, a + b == sum(a, b) && a - b == difference(a, b))
        CHECK(10, add_sat(a, b) == (is_less(sum(a, b), a) ? ULONG_MAX : sum(a, b)))
        CHECK(11, sub_sat(a, b) == (less ? 0 : difference(a, b)))
    }
    CHECK(12, abs(s) == ((int)high(a) < 0 ? difference(0, a) : a))
    CHECK(13, -s == (long)difference(0, a) && ~a == joined(~high(a), ~low(a)))
    ASSERT(0, wrong);
}

ulong product(uint a, uint b) { return joined(mul_hi(a, b), a * b); }
ulong moved_left(ulong a, uint n) {
    if (n == 0) return a;
    if (n >= 32) return joined(low(a) << (n - 32), 0);
    return joined(high(a) << n | low(a) >> (32 - n), low(a) << n);
}
ulong moved_right(ulong a, uint n, uint fill) {
    if (n == 0) return a;
    const uint above = fill << 1 << (31 - (n & 31));
    if (n >= 32) return joined(fill, n == 32 ? high(a) : high(a) >> (n - 32) | above);
    return joined(high(a) >> n | above, low(a) >> n | high(a) << (32 - n));
}

kernel void test_bits(global uint *record) {
    uint wrong = 0;
    const uint l = get_global_id(0);
    const ulong a = number(l);
    const long s = a;
    const uint fill = (int)high(a) < 0 ? ~0u : 0;
    for (uint j = 0; j < 64; j += 3) {
        const uint n = l + j & 63;
        const ulong b = number(l + 2 * j & 127);
        CHECK(0, a << n == moved_left(a, n))
        CHECK(1, a >> n == moved_right(a, n, 0))
        CHECK(2, s >> n == (long)moved_right(a, n, fill))
        CHECK(3, rotate(a, (ulong)n) == (n == 0 ? a : moved_left(a, n) | moved_right(a, 64 - n, 0)))
        CHECK(4, (a & b) == joined(high(a) & high(b), low(a) & low(b)))
        CHECK(5, (a | b) == joined(high(a) | high(b), low(a) | low(b)))
        CHECK(6, (a ^ b) == joined(high(a) ^ high(b), low(a) ^ low(b)))
        const ulong middle = product(low(a), high(b)), other = product(high(a), low(b));
        const ulong below = product(low(a), low(b));
        CHECK(7, a * b == sum(below, joined(low(middle) + low(other), 0)))
        CHECK(8, bitselect(a, b, number(n)) == ((a & ~number(n)) | (b & number(n))))
    }
    CHECK(9, popcount(a) == popcount(high(a)) + popcount(low(a)))
    CHECK(10, clz(a) == (high(a) != 0 ? clz(high(a)) : 32 + clz(low(a))))
    ASSERT(0, wrong);
}
