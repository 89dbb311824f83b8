// SPDX-License-Identifier: Apache-2.0
// Common, geometric and relational functions of T (OpenCL C 3.0 6.15.4 to 6.15.6), whose bits are BITS and
// whose comparisons of vectors give INTS: values, and vectors of all lengths.
#include "vector_forms.h"

#define START T one = (T)in[1], two = (T)in[2], inf = INFINITY, none = NAN;
#define IS(expected, actual) ASSERT(1, AS_BITS((T)(expected)) == AS_BITS((T)(actual)))
#define NEAR(expected, actual) ASSERT(1, fabs((actual) - (T)(expected)) <= fabs((T)(expected)) * (T)TOLERANCE)

kernel void test_common(global uint* record, global int* in) {
    START
    T x = one + two;
    IS(2, clamp(x, one, two));
    IS(1, clamp(-x, one, two));
    IS(3, clamp(x, one, (T)8));  // 1.13.4-2
    NEAR(171.88733853924697, degrees(x));
    NEAR(-171.88733853924697, degrees(-x));
    IS(0, degrees(one - one));  // 1.13.4-3
    IS(3, max(x, two));
    IS(-2, max(-x, -two));
    IS(2, min(x, two));
    IS(-3, min(-x, -two));  // 1.13.4-4, 1.13.4-5
    IS(2.5f, mix(two, x, one / 2));
    IS(2, mix(two, x, one - one));
    IS(3, mix(two, x, one));  // 1.13.4-6
    NEAR(0.052359877559829887, radians(x));
    NEAR(3.1415926535897932, radians(180 * one));  // 1.13.4-7
    IS(0, step(x, two));
    IS(1, step(two, x));
    IS(1, step(two, two));  // 1.13.4-8
    IS(0, smoothstep(one, x, one));
    IS(1, smoothstep(one, x, x));
    IS(0.5f, smoothstep(one, x, two));  // 1.13.4-9
    IS(0, smoothstep(one, x, -x));
    IS(1, smoothstep(one, x, 9 * one));
    IS(0.15625f, smoothstep(one, 5 * one, two));
    IS(1, sign(x));
    IS(-1, sign(-x));
    IS(0, sign(one - one));
    IS(-0.0f, sign(-(one - one)));
    IS(0, sign(none * one));  // 1.13.4-10
    IS(1, sign(inf * one));
    IS(-1, sign(-inf * one));
}

kernel void test_geometric(global uint* record, global int* in) {
    START
    T3 a = (T3)(one, two, 3), b = (T3)(4, 5 * one, 6);
    T3 c = cross(a, b);
    IS(-3, c.x);
    IS(6, c.y);
    IS(-3, c.z);  // 1.13.5-2
    T4 d = cross((T4)(a, one), (T4)(b, two));
    IS(-3, d.x);
    IS(6, d.y);
    IS(-3, d.z);
    IS(0, d.w);
    IS(32, dot(a, b));
    IS(6, dot(two, 3 * one));
    IS(14, dot((T2)(one, two), (T2)(4, 5)));
    IS(30, dot((T4)(a, 4), (T4)(a, 4)));  // 1.13.5-3
    NEAR(5, length((T2)(3 * one, 4)));
    NEAR(5, length((T4)(one, two, two, 4)));
    NEAR(3, length((T3)(one, two, -two)));
    IS(7, length(-7 * one));  // 1.13.5-5
    NEAR(5, distance((T2)(4 * one, 5), (T2)(one, 1)));
    NEAR(3, distance((T3)(two, two, two), (T3)(one, 0, 4)));
    IS(2, distance(one, 3 * one));  // 1.13.5-4
    T3 n = normalize((T3)(two, -one, two));
    NEAR((T)2 / 3, n.x);
    NEAR((T)-1 / 3, n.y);
    NEAR((T)2 / 3, n.z);
    IS(-1, normalize(-two));  // 1.13.5-6
}

kernel void test_relational(global uint* record, global int* in) {
    START
    T nan = none * one, x = one + two;
    // 1.13.6-2
    ASSERT(1, isequal(x, x));
    ASSERT(0, isequal(x, two));
    ASSERT(0, isequal(nan, nan));
    ASSERT(1, isequal(one - one, -(one - one)));
    ASSERT(1, isgreater(x, two));
    ASSERT(0, isgreater(x, x));
    ASSERT(0, isgreater(x, nan));
    ASSERT(1, isgreater(inf * one, x));
    ASSERT(1, isgreaterequal(x, x));
    ASSERT(0, isgreaterequal(two, x));
    ASSERT(0, isgreaterequal(nan, x));
    ASSERT(1, isless(two, x));
    ASSERT(0, isless(x, x));
    ASSERT(0, isless(nan, x));
    ASSERT(1, islessequal(x, x));
    ASSERT(0, islessequal(x, two));
    ASSERT(0, islessequal(x, nan));
    ASSERT(1, islessgreater(x, two));
    ASSERT(0, islessgreater(x, x));
    ASSERT(0, islessgreater(nan, two));
    ASSERT(1, isnotequal(x, two));
    ASSERT(0, isnotequal(x, x));
    ASSERT(1, isnotequal(nan, nan));
    ASSERT(1, isnotequal(x, nan));  // 1.13.6-3
    // 1.13.6-4
    ASSERT(1, isfinite(x));
    ASSERT(0, isfinite(inf * one));
    ASSERT(0, isfinite(nan));
    ASSERT(1, isinf(-inf * one));
    ASSERT(1, isinf(inf * one));
    ASSERT(0, isinf(nan));
    ASSERT(0, isinf(x));
    ASSERT(1, isnan(nan));
    ASSERT(0, isnan(inf * one));
    ASSERT(1, isnormal(-x));
    ASSERT(0, isnormal(one - one));
    ASSERT(0, isnormal(inf * one));
    ASSERT(0, isnormal(nan));
    ASSERT(0, isnormal(AS_T((BITS)in[1])));
    ASSERT(1, isnormal(AS_T((BITS)(LEAST_NORMAL + in[0]))));
    ASSERT(1, isfinite(AS_T((BITS)in[1])));
    ASSERT(1, signbit(-x));
    ASSERT(0, signbit(x));
    ASSERT(1, signbit(-(one - one)));
    ASSERT(1, signbit(AS_T((BITS)(AS_BITS(-inf) | (BITS)in[1]))));
    ASSERT(1, isordered(x, inf));
    ASSERT(0, isordered(x, nan));
    ASSERT(0, isordered(nan, x));
    ASSERT(1, isunordered(x, nan));
    ASSERT(1, isunordered(nan, x));
    ASSERT(0, isunordered(x, two));  // 1.13.6-5
    // 1.13.6-6, 1.13.6-8, 1.13.6-10: of vectors the top bit counts, of scalars any
    INTS4 flags = isless((T4)(one, x, nan, two), (T4)(two));
    ASSERT(1, flags.x == -1);
    ASSERT(1, flags.y == 0);
    ASSERT(1, flags.z == 0);
    ASSERT(1, any(flags));
    ASSERT(0, all(flags));
    T4 chosen = select((T4)(one), (T4)(two), (INTS4)(-1, 0, 1, in[0]));
    IS(2, chosen.x);
    IS(1, chosen.y);
    IS(1, chosen.z);
    IS(1, chosen.w);
    IS(2, select(one, two, (INTS)in[1]));
    IS(1, select(one, two, (INTS)in[0]));
    IS(2, bitselect(one, two, AS_T((BITS) ~(BITS)in[0])));
    IS(-1, bitselect(one, -two, AS_T((BITS)((BITS)(in[0] + 1) << (sizeof(T) * 8 - 1)))));  // 1.13.6-7
}

#define INPUTS                                                                                       \
    T16 a = (T16)(0, 1, 2, 3, -1, -2, 100, -100, 0.5f, 0.25f, -0.75f, 7, 9, -3, 12, -12) + (T)in[0], \
        b = a.s3210765432107654 + (T)0.5f;                                                           \
    T16 c = a.sfedcba9876543210 * (T)0.5f
kernel void test_vectors_common(global uint* record, global int* in) {
    INPUTS;
    AGREE(degrees, T, ONE);
    AGREE(radians, T, ONE);
    AGREE(sign, T, ONE);
    AGREE(max, T, TWO);
    AGREE(min, T, TWO);
    AGREE(max, T, SCALAR_LAST);
    AGREE(min, T, SCALAR_LAST);
    AGREE(step, T, TWO);
    AGREE(step, T, SCALAR_FIRST);
    AGREE(fmax, T, TWO);
    AGREE(fmin, T, TWO);
    AGREE(fmax, T, SCALAR_LAST);
    AGREE(fmin, T, SCALAR_LAST);
    AGREE(mix, T, THREE);
    AGREE(mix, T, SCALAR_THIRD);
}
kernel void test_vectors_ranges(global uint* record, global int* in) {
    INPUTS;
    T16 lows = min(b, c) - (T)0.5f, highs = max(b, c);
    b = lows;
    c = highs;
    AGREE(clamp, T, THREE);
    AGREE(clamp, T, SCALARS_LAST);
    T16 x = a;
    a = lows;
    b = highs;
    c = x;
    AGREE(smoothstep, T, THREE);
    a = x;
    b = (T16)(1);
    c = (T16)(2);
    AGREE(smoothstep, T, SCALARS_FIRST);
}

// Comparisons give 1 for scalars, -1 in vectors
#define IS_TRUE(f, ARGS, s) (r.s != -(INTS)f(ARGS(s)))
#define AGREE_TRUTH(f, ARGS)                                                                                \
    {                                                                                                       \
        INTS16 r = f(ARGS(s0123456789abcdef));                                                              \
        ASSERT(0,                                                                                           \
               any(r.s12 != f(ARGS(s12))) | any(r.s345 != f(ARGS(s345))) | any(r.s6789 != f(ARGS(s6789)))); \
        ASSERT(0, any(r.s89abcdef != f(ARGS(s89abcdef))));                                                  \
        ASSERT(0,                                                                                           \
               IS_TRUE(f, ARGS, s0) | IS_TRUE(f, ARGS, s1) | IS_TRUE(f, ARGS, s2) | IS_TRUE(f, ARGS, s3));  \
        ASSERT(0,                                                                                           \
               IS_TRUE(f, ARGS, s4) | IS_TRUE(f, ARGS, s5) | IS_TRUE(f, ARGS, s6) | IS_TRUE(f, ARGS, s7));  \
        ASSERT(0,                                                                                           \
               IS_TRUE(f, ARGS, s8) | IS_TRUE(f, ARGS, s9) | IS_TRUE(f, ARGS, sa) | IS_TRUE(f, ARGS, sb));  \
        ASSERT(0,                                                                                           \
               IS_TRUE(f, ARGS, sc) | IS_TRUE(f, ARGS, sd) | IS_TRUE(f, ARGS, se) | IS_TRUE(f, ARGS, sf));  \
    }
kernel void test_vectors_relational(global uint* record, global int* in) {
    INPUTS;
    a.s3 = NAN;
    b.s6 = NAN;
    a.s7 = INFINITY;
    a.sa = -INFINITY;
    b.sb = a.sb;
    AGREE_TRUTH(isequal, TWO);
    AGREE_TRUTH(isnotequal, TWO);
    AGREE_TRUTH(isgreater, TWO);
    AGREE_TRUTH(isgreaterequal, TWO);
    AGREE_TRUTH(isless, TWO);
    AGREE_TRUTH(islessequal, TWO);
    AGREE_TRUTH(islessgreater, TWO);
    AGREE_TRUTH(isordered, TWO);
    AGREE_TRUTH(isunordered, TWO);
    AGREE_TRUTH(isfinite, ONE);
    AGREE_TRUTH(isinf, ONE);
    AGREE_TRUTH(isnan, ONE);
    AGREE_TRUTH(isnormal, ONE);
    AGREE_TRUTH(signbit, ONE);
}
