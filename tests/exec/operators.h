// SPDX-License-Identifier: Apache-2.0
// OPERATORS(T, S, N): each operator of vectors of N components of T, whose comparisons give vectors of S,
// against that operator of their components (OpenCL C 3.0 6.3). INTEGER_OPERATORS has those of integers
// alone. 16 work-items compute the same vectors, and each looks at one component: the files that include this
// RUN so.
#include "assert.h"

#define OF(T, v) (((private const T*)&v)[i])

#define BINARY(op, T, N)                                                                       \
    {                                                                                          \
        T##N both = a op b, first = a op s, second = s op b, assigned = a;                     \
        assigned op## = b;                                                                     \
        ASSERT(1, OF(T, both) == (T)(x op y) && OF(T, assigned) == (T)(x op y)); /* 1.4-1 */   \
        ASSERT(1, OF(T, first) == (T)(x op s) && OF(T, second) == (T)(s op y));  /* 1.3.1-3 */ \
    }
#define DIVISION(op, T, N)                     \
    {                                          \
        T##N both = a op b;                    \
        ASSERT(1, OF(T, both) == (T)(x op y)); \
    }
#define RELATION(op, T, S, N)                                               \
    {                                                                       \
        S##N both = a op b, first = a op s, second = s op b;                \
        ASSERT(-(x op y), OF(S, both)); /* 1.3.4-3, 1.3.7-3 */              \
        ASSERT(1, OF(S, first) == -(x op s) && OF(S, second) == -(s op y)); \
    }
#define UNARY(op, T, N)                     \
    {                                       \
        T##N all = op a;                    \
        ASSERT(1, OF(T, all) == (T)(op x)); \
    }

// a has a zero, negative numbers where T has these, and components equal to b's; b has no zero.
#define START(T, N)                                                                             \
    local T box[2][16];                                                                         \
    const int i = (int)get_local_id(0) % N;                                                     \
    const T x = (T)(in[i] * 5 - 10), y = i % 4 == 3 ? x : (T)(in[i] % 3 * 2 + 1), s = (T)in[2]; \
    box[0][i] = x;                                                                              \
    box[1][i] = y;                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                               \
    const T##N a = vload##N(0, box[0]), b = vload##N(0, box[1]);

#define OPERATORS(T, S, N)                                                          \
    kernel void test_##T##N(global uint* record, global int* in) {                  \
        START(T, N)                                                                 \
        BINARY(+, T, N);                                                            \
        BINARY(-, T, N);                                                            \
        BINARY(*, T, N);                                                            \
        UNARY(-, T, N);                                                             \
        UNARY(+, T, N);                                                             \
    }                                                                               \
    kernel void test_relations_##T##N(global uint* record, global int* in) {        \
        START(T, N)                                                                 \
        RELATION(<, T, S, N);                                                       \
        RELATION(<=, T, S, N);                                                      \
        RELATION(>, T, S, N);                                                       \
        RELATION(>=, T, S, N);                                                      \
        RELATION(==, T, S, N);                                                      \
        RELATION(!=, T, S, N);                                                      \
    }                                                                               \
    kernel void test_logic_##T##N(global uint* record, global int* in) {            \
        START(T, N)                                                                 \
        RELATION(&&, T, S, N);                                                      \
        RELATION(||, T, S, N);                                                      \
        S##N inverse = !a;                                                          \
        ASSERT(-!x, OF(S, inverse));                                                \
        T##N chosen = a < b ? a : b, scalar = a < b ? s : b, zero = !a ? a : b;     \
        ASSERT(1, OF(T, chosen) == (x < y ? x : y));                                \
        ASSERT(1, OF(T, scalar) == (x < y ? s : y) && OF(T, zero) == (!x ? x : y)); \
    }
#define INTEGER_OPERATORS(T, N)                                             \
    kernel void test_integer_##T##N(global uint* record, global int* in) {  \
        START(T, N)                                                         \
        DIVISION(/, T, N);                                                  \
        DIVISION(%, T, N);                                                  \
        BINARY(&, T, N);                                                    \
        BINARY(|, T, N);                                                    \
        BINARY(^, T, N);                                                    \
        UNARY(~, T, N);                                                     \
        T##N before = a, after = a, up = before++, down = --after;          \
        ASSERT(1, OF(T, up) == x && OF(T, before) == (T)(x + 1));           \
        ASSERT(1, OF(T, down) == (T)(x - 1) && OF(T, after) == (T)(x - 1)); \
    }

#define ALL_LENGTHS(T, S) \
    OPERATORS(T, S, 2) OPERATORS(T, S, 3) OPERATORS(T, S, 4) OPERATORS(T, S, 8) OPERATORS(T, S, 16)
#define ALL_INTEGER_LENGTHS(T) \
    INTEGER_OPERATORS(T, 2)    \
    INTEGER_OPERATORS(T, 3) INTEGER_OPERATORS(T, 4) INTEGER_OPERATORS(T, 8) INTEGER_OPERATORS(T, 16)
