// SPDX-License-Identifier: Apache-2.0
// ALWAYS: only-32-bits, wrong-idioms
// Maximum, minimum and clamp of char and short with constants, extended and compared with these constants: compilers that take both
// together may forget the sign.
#include "assert.h"

#define OF(T, U)                                                                                         \
    kernel void test_##T(global uint *record, global const int *in) {                                    \
        const T a = (T)(in[0] - 5), b = (T)in[7], c = (T)(in[1] - 1);                                    \
        ASSERT(0, (U)max(a, (T)0)); ASSERT(7, (U)max(b, (T)0)); ASSERT(0, (U)max(c, (T)0));              \
        ASSERT((U)-5, (U)min(a, (T)0)); ASSERT(0, (U)min(b, (T)0)); ASSERT(0, (U)min(c, (T)0));          \
        ASSERT(0, (U)clamp(a, (T)0, (T)3)); ASSERT(3, (U)clamp(b, (T)0, (T)3));                          \
        ASSERT((U)-1, (U)max(a, (T)-1)); ASSERT((U)-5, (U)min(a, (T)-1)); ASSERT((U)-1, (U)min(b, (T)-1)); \
        ASSERT(1, (U)max(a, (T)1)); ASSERT(1, (U)max(a, (T)0) == 0); ASSERT(0, (T)max(a, (T)0));         \
        ASSERT(1, a <= 0); ASSERT(0, b <= 0); ASSERT(1, a < 0); ASSERT(1, (U)a > 7);                     \
        ASSERT(0, (U)(a > 0 ? a : (T)0)); ASSERT(0, (U)(a < 0 ? (T)0 : a)); ASSERT(5, (U)abs(a));        \
    }
OF(short, ushort)
OF(char, uchar)
