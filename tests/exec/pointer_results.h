// SPDX-License-Identifier: Apache-2.0
// Math functions with a second result behind a pointer (OpenCL C 3.0 6.15.2), in each address space and
// through generic pointers: 1.13.2-4. The other two elements of an array stay as they are.
#include "assert.h"

#define SCALARS(a, b) ((a) == (b))
#define VECTORS(a, b) all((a) == (b))
#define IS(SAME, expected, actual) ASSERT(1, SAME(expected, actual))
#define CALLS(T, I, SAME, AS)                                                                   \
    void calls_##AS##_##T(global uint* record, T x, AS T* real, AS I* whole) {                  \
        real[0] = real[2] = (T)(-5);                                                            \
        whole[0] = whole[2] = (I)(-5);                                                          \
        IS(SAME, (T)(0.75f), fract(-x - (T)(0.25f), real + 1)); /* x is 4 in every component */ \
        IS(SAME, (T)(-5), real[1]);                                                             \
        IS(SAME, (T)(-0.25f), modf(-x - (T)(0.25f), real + 1));                                 \
        IS(SAME, -x, real[1]);                                                                  \
        IS(SAME, sin(x), sincos(x, real + 1));                                                  \
        IS(SAME, cos(x), real[1]);                                                              \
        IS(SAME, (T)(0.5f), frexp(x, whole + 1));                                               \
        IS(SAME, (I)(3), whole[1]);                                                             \
        IS(SAME, lgamma(x), lgamma_r(x, whole + 1));                                            \
        IS(SAME, (I)(1), whole[1]);                                                             \
        IS(SAME, (T)(-1), remquo(x + (T)(1), (T)(3), whole + 1));                               \
        IS(SAME, (I)(2), whole[1]);                                                             \
        IS(SAME, (T)(-5), real[0]);                                                             \
        IS(SAME, (T)(-5), real[2]);                                                             \
        IS(SAME, (I)(-5), whole[0]);                                                            \
        IS(SAME, (I)(-5), whole[2]);                                                            \
    }
#define RESULTS(T, I, SAME)                                                                             \
    CALLS(T, I, SAME, global)                                                                           \
    CALLS(T, I, SAME, local)                                                                            \
    CALLS(T, I, SAME, private)                                                                          \
    kernel void test_global_##T(global uint* record, global int* in, global T* real, global I* whole) { \
        calls_global_##T(record, (T)((SCALAR)in[4]), real, whole);                                      \
    }                                                                                                   \
    kernel void test_local_##T(global uint* record, global int* in) {                                   \
        local T real[3];                                                                                \
        local I whole[3];                                                                               \
        calls_local_##T(record, (T)((SCALAR)in[4]), real, whole);                                       \
    }                                                                                                   \
    kernel void test_private_##T(global uint* record, global int* in) {                                 \
        T real[3];                                                                                      \
        I whole[3];                                                                                     \
        calls_private_##T(record, (T)((SCALAR)in[4]), real, whole);                                     \
    }
#define GENERIC_RESULTS(T, I, SAME)                                                                      \
    CALLS(T, I, SAME, generic)                                                                           \
    kernel void test_generic_##T(global uint* record, global int* in, global T* far) {                   \
        local I near[3];                                                                                 \
        T real[3];                                                                                       \
        I whole[3];                                                                                      \
        calls_generic_##T(record, (T)((SCALAR)in[4]), in[1] ? (T*)far : real, in[0] ? (I*)near : whole); \
    }
