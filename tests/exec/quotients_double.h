// SPDX-License-Identifier: Apache-2.0
// QUOTIENT(a, b): a quotient of doubles that the device computes is the one that the front end does, in each
// way to write it; `in` points to two doubles that the work-item may change. OF_VARIABLES(a, b): the same
// without the division by a constant.
#include "assert.h"

// Quotients of variables, and of a constant dividend
#define OF_VARIABLES(a, b)                                     \
    in[0] = a;                                                 \
    in[1] = b;                                                 \
    ASSERT_LONG(as_long((a) / (b)), as_long(in[0] / in[1]));   \
    ASSERT_LONG(as_long((a) / (b)), as_long((a) / in[1]));     \
    ASSERT_LONG(as_long(-(a) / (b)), as_long(-in[0] / in[1])); \
    ASSERT_LONG(as_long(1.0 / (b)), as_long(1.0 / in[1]));
// And by a constant, which is neither zero nor denormal: llvmpipe has 0 for those quotients.
#define QUOTIENT(a, b) OF_VARIABLES(a, b) ASSERT_LONG(as_long((a) / (b)), as_long(in[0] / (b)));
