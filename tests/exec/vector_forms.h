// SPDX-License-Identifier: Apache-2.0
// AGREE(f, R, ARGS): f, whose result is of the scalar type R, of vectors of every length is what it is of
// their components. ARGS says what of a, b and c, vectors of 16, its arguments are: those of VECTORS, or a
// scalar for all components.
#include "assert.h"

#define ONE(s) a.s
#define TWO(s) a.s, b.s
#define THREE(s) a.s, b.s, c.s
#define SCALAR_LAST(s) a.s, b.s3
#define SCALAR_FIRST(s) b.s3, a.s
#define SCALARS_LAST(s) a.s, b.s3, c.s3
#define SCALARS_FIRST(s) b.s3, c.s3, a.s
#define SCALAR_THIRD(s) a.s, b.s, c.s3

#define LANE(f, ARGS, s) (r.s != f(ARGS(s)))
#define AGREE(f, R, ARGS)                                                                         \
    {                                                                                             \
        R##16 r = f(ARGS(s0123456789abcdef));                                                     \
        ASSERT(0, any(r.s12 != f(ARGS(s12))));                                                    \
        ASSERT(0, any(r.s345 != f(ARGS(s345))));                                                  \
        ASSERT(0, any(r.s6789 != f(ARGS(s6789))));                                                \
        ASSERT(0, any(r.s89abcdef != f(ARGS(s89abcdef))));                                        \
        ASSERT(0, LANE(f, ARGS, s0) | LANE(f, ARGS, s1) | LANE(f, ARGS, s2) | LANE(f, ARGS, s3) | \
                      LANE(f, ARGS, s4));                                                         \
        ASSERT(0, LANE(f, ARGS, s5) | LANE(f, ARGS, s6) | LANE(f, ARGS, s7) | LANE(f, ARGS, s8) | \
                      LANE(f, ARGS, s9));                                                         \
        ASSERT(0, LANE(f, ARGS, sa) | LANE(f, ARGS, sb) | LANE(f, ARGS, sc) | LANE(f, ARGS, sd) | \
                      LANE(f, ARGS, se));                                                         \
        ASSERT(0, LANE(f, ARGS, sf));                                                             \
    }
