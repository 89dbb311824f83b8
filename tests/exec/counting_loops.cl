// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// Loops that count to a bound by every comparison, up and down, from one end of the integers to the other. Each is compared with
// itself under opencl_unroll_hint(1), which leaves it as it stands; another number of turns is a hint as well (1.11.5-1, 1.11.5-2).
// RUN: global=66 local=11
#include "assert.h"

// What a turn does depends on the counter, on the turns before it, and on a branch; some of it stays in memory.
#define TURN                                \
    {                                       \
        turns++;                            \
        digest = digest * 31 + (uint)i;     \
        if (digest & 4) digest ^= turns;    \
        list[(turns + (uint)i) & 7] += digest; \
    }
#define RUN(name, T, hint, loop)                                  \
    uint name(T first, T bound, T by, global uint *list) {        \
        uint turns = 0, digest = 1;                               \
        T i = first;                                              \
        __attribute__((hint)) loop;                               \
        return digest * 256 + turns * 16 + (uint)i;               \
    }
#define LOOP(name, T, hint, loop)                                                                 \
    RUN(name##_as_liked, T, hint, loop)                                                           \
    RUN(name##_as_it_stands, T, opencl_unroll_hint(1), loop)                                      \
    void name(global uint *record, global uint *lists, T first, T bound, T by) {                  \
        global uint *one = lists + get_global_id(0) * 16, *other = one + 8;                       \
        for (uint k = 0; k < 16; k++) one[k] = 0;                                                 \
        const uint liked = name##_as_liked(first, bound, by, one);                                \
        ASSERT(name##_as_it_stands(first, bound, by, other), liked);                              \
        for (uint k = 0; k < 8; k++) ASSERT(other[k], one[k]);                                    \
    }

#define COUNT(T)                                                                      \
    LOOP(T##_less, T, , for (; i < bound; i++) TURN)                                  \
    LOOP(T##_less_by_5, T, , for (; i < bound; i += 5) TURN)                          \
    LOOP(T##_less_equal, T, , for (; i <= bound; i += 3) TURN)                        \
    LOOP(T##_bound_first, T, opencl_unroll_hint(7), for (; bound > i; i += 2) TURN)   \
    LOOP(T##_behind, T, , do TURN while (++i < bound))                                \
    LOOP(T##_step_first, T, opencl_unroll_hint(3), while (i < bound) { i += 2; TURN }) \
    LOOP(T##_break, T, , for (;;) { if (i >= bound) break; TURN i += 4; })            \
    LOOP(T##_greater, T, , for (; i > bound; i--) TURN)                               \
    LOOP(T##_greater_equal, T, , for (; i >= bound; i -= 3) TURN)                     \
    LOOP(T##_after, T, , while (i-- > bound) TURN)                                    \
    LOOP(T##_down_behind, T, opencl_unroll_hint(2), do { TURN i -= 2; } while (bound < i)) \
    LOOP(T##_unequal, T, , for (; i != bound; i++) TURN)                              \
    LOOP(T##_down_unequal, T, , for (; i != bound; i--) TURN)                         \
    LOOP(T##_unequal_behind, T, , do TURN while (++i != bound))                       \
    LOOP(T##_less_by, T, , for (; i < bound; i += by) TURN)                           \
    LOOP(T##_less_equal_by, T, , for (; i <= bound; i = by + i) TURN)                 \
    LOOP(T##_behind_by, T, opencl_unroll_hint(3), do { TURN i += by; } while (i < bound)) \
    LOOP(T##_greater_by, T, , for (; i > bound; i -= by) TURN)                        \
    LOOP(T##_greater_equal_by, T, opencl_unroll_hint(2), while (bound <= i) { i -= by; TURN })
#define CHECK_UP(T)                            \
    T##_less(record, in, low, high, by);       \
    T##_less_by_5(record, in, low, high, by);  \
    T##_less_equal(record, in, low, high, by); \
    T##_bound_first(record, in, low, high, by);
#define CHECK_UP_OTHERWISE(T)                  \
    T##_behind(record, in, low, high, by);     \
    T##_step_first(record, in, low, high, by); \
    T##_break(record, in, low, high, by);      \
    T##_less(record, in, high, low, by);
#define CHECK_DOWN(T)                             \
    T##_greater(record, in, high, low, by);       \
    T##_greater_equal(record, in, high, low, by); \
    T##_after(record, in, high, low, by);         \
    T##_down_behind(record, in, high, low, by);   \
    T##_greater(record, in, low, high, by);
#define CHECK_UNEQUAL(T)                         \
    T##_unequal(record, in, low, high, by);      \
    T##_down_unequal(record, in, high, low, by); \
    T##_unequal_behind(record, in, low, high + 1, by);
// And by a step that no compiler knows.
#define CHECK_BY(T)                               \
    T##_less_by(record, in, low, high, by);       \
    T##_less_equal_by(record, in, low, high, by); \
    T##_behind_by(record, in, low, high, by);
#define CHECK_DOWN_BY(T)                             \
    T##_greater_by(record, in, high, low, by);       \
    T##_greater_equal_by(record, in, high, low, by); \
    T##_less_by(record, in, high, low, by);

// No signed loop may wrap. Unsigned ones may, unless they must end before a bound that they never equal.
#define SIGNED_PAIRS(MIN, MAX)                                                                          \
    {                                                                                                   \
        {-3, 11}, {0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 9}, {-9, -1}, {-1, 0}, {-2, 2},   \
        {MIN + 4, MIN + 4}, {MIN + 4, MIN + 5}, {MIN + 4, MIN + 7}, {MIN + 5, MIN + 10},                \
        {MIN + 4, MIN + 20}, {MAX - 5, MAX - 5}, {MAX - 6, MAX - 5}, {MAX - 7, MAX - 5},                \
        {MAX - 9, MAX - 5}, {MAX - 12, MAX - 6}, {MAX - 20, MAX - 5}                                    \
    }
#define UNSIGNED_PAIRS(MAX)                                                                             \
    {                                                                                                   \
        {4, 11}, {4, 4}, {4, 5}, {4, 6}, {4, 7}, {4, 8}, {4, 9}, {5, 13}, {6, 21}, {3, 3}, {3, 4},      \
        {MAX / 2 - 3, MAX / 2 + 5}, {MAX / 2, MAX / 2 + 1}, {MAX / 2 - 1, MAX / 2 + 15},                \
        {MAX - 5, MAX - 5}, {MAX - 6, MAX - 5}, {MAX - 7, MAX - 5}, {MAX - 8, MAX - 5},                 \
        {MAX - 9, MAX - 5}, {MAX - 12, MAX - 6}, {MAX - 20, MAX - 5}, {MAX - 21, MAX - 5}               \
    }
// Few loops in a kernel: all in one take a driver several times as long.
#define TEST(T, which)                                                     \
    kernel void test_##T##_##which(global uint *record, global uint *in) { \
        constant T (*ends)[2] = ends_of_##T;                               \
        const uint pair = get_global_id(0) % 22;                           \
        const T low = ends[pair][0], high = ends[pair][1];                 \
        const T by = 1 + get_global_id(0) / 22;                            \
        CHECK_##which(T)                                                   \
    }
#define TESTS(T, pairs)                    \
    COUNT(T)                               \
    constant T ends_of_##T[22][2] = pairs; \
    TEST(T, UP)                            \
    TEST(T, UP_OTHERWISE)                  \
    TEST(T, DOWN)                          \
    TEST(T, UNEQUAL)
TESTS(int, SIGNED_PAIRS(INT_MIN, INT_MAX))
TESTS(ulong, UNSIGNED_PAIRS(ULONG_MAX))
TEST(int, BY)
TEST(int, DOWN_BY)

// Steps of which a few are as long as the type, and just do not wrap.
#define TEST_LONG_STEPS(T, MAX)                                            \
    kernel void test_long_steps_of_##T(global uint *record, global uint *in) { \
        const uint g = get_global_id(0);                                   \
        const T by = MAX / (2 + g % 11) + g / 22, bound = MAX - by;        \
        T##_less_by(record, in, g, bound, by);                             \
        T##_less_equal_by(record, in, g, bound, by);                       \
        T##_behind_by(record, in, g, bound, by);                           \
        T##_greater_by(record, in, MAX, by, by);                           \
        T##_greater_equal_by(record, in, MAX - g, by, by);                 \
    }
TEST_LONG_STEPS(int, INT_MAX)
TEST_LONG_STEPS(ulong, ULONG_MAX)

// Only != wraps on its way.
kernel void test_wrap(global uint *record, global uint *in) {
    const uint g = get_global_id(0);
    ulong_unequal(record, in, ULONG_MAX - g, g, 1);
    ulong_down_unequal(record, in, g, ULONG_MAX - g, 1);
    ulong_unequal_behind(record, in, ULONG_MAX - g, g + 1, 1);
}

// Loops around a counting one, values that it leaves behind, and bounds from memory that the loop changes.
kernel void test_triangle(global uint *record, global uint *in) {
    uint sum = 0, last = 0;
    for (uint i = 0; i < in[20]; i++)
        for (uint j = in[0]; j < i; j++) {
            last = j;
            sum += i * j;
        }
    ASSERT(18, last);
    ASSERT(16815, sum);
}
kernel void test_changing_bound(global uint *record, global uint *in, global uint *bound) {
    const uint g = get_global_id(0);
    uint turns = 0, as_it_stands = 0;
    global uint *mine = bound + 32 + g;  // holds 32 + g
    for (uint i = 32; i < *mine; i++) {
        if (i % 3 == 2) --*mine;
        turns++;
    }
    *mine = 32 + g;
    __attribute__((opencl_unroll_hint(1)))
    for (uint i = 32; i < *mine; i++) {
        if (i % 3 == 2) --*mine;
        as_it_stands++;
    }
    ASSERT(as_it_stands, turns);
}
