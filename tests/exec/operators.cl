// SPDX-License-Identifier: Apache-2.0
// What operators promise at their edges: shifts, divisions, short circuits, sizes; of floats NaN, zeros and infinities.
#include "assert.h"

// 1.3.10-4, 1.3.10-5: counts beyond the width, negative ones too, are taken modulo the width: that of the promoted type for scalars, of the
// component for vectors; >> copies the sign of signed types alone.
#define SHIFTS(T, U, W)                                                                                            \
    kernel void test_shifts_##T(global uint* record, global int* in) {                                             \
        const int kCounts[6] = {in[0], in[1], in[W - 1], in[W], in[W + 3], in[2] - in[5]};                         \
        T numbers[3] = {(T)in[5], (T)(in[0] - 3), (T)((T)in[1] << (W - 1))};                                       \
        for (int k = 0; k < 6; k++)                                                                                \
            for (int j = 0; j < 3; j++) {                                                                          \
                T x = numbers[j], left = x, right = x;                                                             \
                int scalar = kCounts[k] & (W < 32 ? 31 : W - 1), component = kCounts[k] & (W - 1);                 \
                for (int n = 0; n < component; n++) {                                                              \
                    left = (T)((U)left * 2);                                                                       \
                    right = (T)((U)(x < 0) << (W - 1) | (U)right / 2);                                             \
                }                                                                                                  \
                T##2 shifted = (T##2)(x) << (T##2)((T)kCounts[k]);                                                 \
                T##3 down = (T##3)(x) >> (T)kCounts[k];                                                            \
                ASSERT(1, shifted.x == left && shifted.y == left);                                                 \
                ASSERT(1, down.x == right && down.z == right);                                                     \
                if (W >= 32 || scalar < W) {                                                                       \
                    ASSERT(1, (T)(x << kCounts[k]) == left);                                                       \
                    ASSERT(1, (T)(x >> kCounts[k]) == right);                                                      \
                } else { /* int's width counts */                                                                  \
                    ASSERT(1, (T)(x << kCounts[k]) == 0);                                                          \
                    ASSERT(1, (T)(x >> kCounts[k]) == (T)(x < 0 ? -1 : 0));                                        \
                }                                                                                                  \
            }                                                                                                      \
    }
SHIFTS(char, uchar, 8) SHIFTS(uchar, uchar, 8) SHIFTS(short, ushort, 16) SHIFTS(ushort, ushort, 16)
SHIFTS(int, uint, 32) SHIFTS(uint, uint, 32) SHIFTS(long, ulong, 64) SHIFTS(ulong, ulong, 64)

// 1.3.7-2, 1.3.7-3: scalars skip the second operand, vectors do not
int count(private int *calls, int result) { ++*calls; return result; }
int2 count2(private int *calls, int2 result) { ++*calls; return result; }
kernel void test_short_circuits(global uint *record, global int *in) {
    int calls = 0;
    ASSERT(0, in[0] && count(&calls, 1)); ASSERT(1, in[1] || count(&calls, 0)); ASSERT(0, calls);
    ASSERT(1, in[1] && count(&calls, 5)); ASSERT(0, in[0] || count(&calls, 0)); ASSERT(2, calls);
    ASSERT(7, in[1] ? 7 : count(&calls, 8)); ASSERT(2, calls);
    int2 both = (int2)(in[0]) && count2(&calls, (int2)(1)), either = (int2)(in[1]) || count2(&calls, (int2)(0));
    ASSERT(4, calls); ASSERT(0, both.x | both.y); ASSERT(-1, either.x & either.y);
}

// 1.3.1-5, 1.3.1-6: results are not said, but the work-item goes on
#define DIVISIONS(T, LEAST)                                                                        \
    kernel void test_divisions_##T(global uint* record, global int* in, global T* out) {           \
        T zero = (T)in[0], minus = (T)(in[0] - 1), least = (T)(LEAST + in[0]);                     \
        out[0] = (T)(in[7] / zero); out[1] = (T)(in[7] % zero);                                    \
        out[2] = least / minus; out[3] = least % minus;                                            \
        vstore2((T##2)((T)in[7], least) / (T##2)(zero, minus), 2, out);                            \
        vstore2((T##2)((T)in[7], least) % (T##2)(zero, minus), 3, out);                            \
        out[8] = (T)(in[7] / in[2]);                                                               \
        ASSERT(3, out[8]);                                                                         \
    }
DIVISIONS(char, -128) DIVISIONS(uchar, 0) DIVISIONS(short, -32768) DIVISIONS(ushort, 0)
DIVISIONS(int, INT_MIN) DIVISIONS(uint, 0) DIVISIONS(long, LONG_MIN) DIVISIONS(ulong, 0)

// 1.3.1-7, 1.3.5-2
kernel void test_float_edges(global uint *record, global int *in) {
    float zero = in[0], minus = as_float(0x80000000u | in[0]), one = in[1], none = as_float(0x7fc00000 | in[0]);
    ASSERT_BITS(0x7f800000, one / zero); ASSERT_BITS(0xff800000, one / minus); ASSERT_BITS(0xff800000, -one / zero);
    ASSERT(1, isnan(zero / zero)); ASSERT(1, isnan(zero / minus)); ASSERT(1, isnan(none / zero));
    ASSERT(0, none == none); ASSERT(1, none != none); ASSERT(0, none < one); ASSERT(0, none >= one); ASSERT(1, zero == minus);
    float4 v = (float4)(none, one, zero, minus), quotient = v / (float4)(one, zero, minus, one);
    int4 equal = v == v, different = v != v, less = v < (float4)(2), logical = v && one;
    ASSERT(0, equal.x); ASSERT(-1, equal.y & equal.z & equal.w); ASSERT(-1, different.x); ASSERT(0, different.y | different.z | different.w);
    ASSERT(0, less.x); ASSERT(-1, less.y & less.z & less.w); ASSERT(-1, logical.x & logical.y); ASSERT(0, logical.z | logical.w);
    ASSERT(1, isnan(quotient.x)); ASSERT_BITS(0x7f800000, quotient.y); ASSERT(1, isnan(quotient.z)); ASSERT_BITS(0x80000000, quotient.w);
}

// 1.3.11-2, 1.3.11-3, 1.3.11-4
#define SIZES(T, BYTES)                                                                                              \
    ASSERT(BYTES, sizeof(T)); ASSERT(2 * BYTES, sizeof(T##2)); ASSERT(4 * BYTES, sizeof(T##3));                      \
    ASSERT(4 * BYTES, sizeof(T##4)); ASSERT(8 * BYTES, sizeof(T##8)); ASSERT(16 * BYTES, sizeof(T##16));             \
    ASSERT(12 * BYTES, sizeof(T##3[3])); ASSERT(7 * BYTES, sizeof(T[7]));                                            \
    ASSERT(8 * BYTES, sizeof(struct { T a; T##3 b; })); ASSERT(2 * BYTES, sizeof(struct { char a; T b; }));          \
    ASSERT(4 * BYTES, sizeof(union { T a[3]; T##4 b; }));                                                            \
    ASSERT(4 * BYTES, __alignof__(T##3)); /* 1.1.5-3 */
kernel void test_sizes(global uint *record) {
    SIZES(char, 1) SIZES(uchar, 1) SIZES(short, 2) SIZES(ushort, 2) SIZES(int, 4) SIZES(uint, 4) SIZES(float, 4)
    SIZES(long, 8) SIZES(ulong, 8)
    ASSERT(2, sizeof(half)); ASSERT(sizeof(size_t), sizeof(global int *));
}
