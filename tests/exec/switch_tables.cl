// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors only-32-bits
// RUN: global=4
// RUN: global=64 local=16
// Switches whose cases only choose constants: with selectors of each type and negative numbers, in functions and
// beside them, with gaps, several results, cases that share blocks or fall into others, and defaults of all kinds.
#include "assert.h"

#define FOUR(C, i) C((i)) C((i) + 1) C((i) + 2) C((i) + 3)
#define SIXTEEN(C, i) FOUR(C, (i)) FOUR(C, (i) + 4) FOUR(C, (i) + 8) FOUR(C, (i) + 12)
#define FIFTY(C, i) SIXTEEN(C, (i)) SIXTEEN(C, (i) + 16) SIXTEEN(C, (i) + 32) C((i) + 48) C((i) + 49)
#define ALL(C, i) \
    SIXTEEN(C, (i)) SIXTEEN(C, (i) + 16) SIXTEEN(C, (i) + 32) SIXTEEN(C, (i) + 48) \
    SIXTEEN(C, (i) + 64) SIXTEEN(C, (i) + 80) SIXTEEN(C, (i) + 96) SIXTEEN(C, (i) + 112)

#define VALUE(i) (int)((i) * 7919 % 1000 + (i))
#define RETURN(i) case (i): return VALUE(i);

// Each number near the cases is compared with what the switch says of it.
#define TEST(type, first, name)                                                              \
    int chosen_##name(type k) {                                                              \
        switch (k) {                                                                         \
            FIFTY(RETURN, first)                                                             \
            default: return -9;                                                              \
        }                                                                                    \
    }                                                                                        \
    kernel void test_##name(global uint *record, global int *in) {                           \
        uint wrong = 0;                                                                      \
        AS_IT_STANDS for (int i = (int)get_global_id(0); i < 120; i += get_global_size(0)) { \
            const long k = (long)(first) + i - 30 + in[0];                                   \
            const bool is_in = k >= (first) && k < (first) + 50;                             \
            const int expected = is_in ? VALUE(k) : -9;                                 \
            wrong += (long)(type)k == k && chosen_##name((type)k) != expected;               \
        }                                                                                    \
        ASSERT(0, wrong);                                                                    \
    }

TEST(char, -20, char)
TEST(uchar, 200, uchar)
TEST(short, -25, short)
TEST(ushort, 40000, ushort)
TEST(int, -7, int)
TEST(uint, 100, uint)
TEST(long, -49, long)
TEST(ulong, 0x7fffffff0L, ulong)

// Every number that there is
int chosen_all(char k) {
    switch (k) {
        ALL(RETURN, -128)
        ALL(RETURN, 0)
    }
    return 12345;
}
kernel void test_all(global uint *record, global int *in) {
    uint wrong = 0;
    AS_IT_STANDS for (int i = -128 + (int)get_global_id(0); i < 128; i += get_global_size(0))
        wrong += chosen_all((char)i) != VALUE(i);
    ASSERT(0, wrong);
}

// Three results, of which one is the same in all cases, and gaps
#define SET(i) case 2 * (i): a = (i) * 0.5f; b = (i) % 3 == 1; c = n; break;
kernel void test_results(global uint *record, global int *in) {
    const int n = in[5];
    uint wrong = 0;
    AS_IT_STANDS for (int i = (int)get_global_id(0); i < 120; i += get_global_size(0)) {
        float a = 1.0f;
        bool b = false;
        int c = 0;
        switch (in[i]) {
            FIFTY(SET, 0)
            default: a = -2.0f; b = true; c = n;
        }
        const bool is_case = i < 100 && i % 2 == 0;
        wrong += a != (is_case ? i / 2 * 0.5f : -2.0f);
        wrong += b != (is_case ? i / 2 % 3 == 1 : true);
        wrong += c != 5;
    }
    ASSERT(0, wrong);
}

// The default keeps what was there before
#define VECTOR(i) case (i): v = (float4)((i), (i) + 1, 2, 3); l = (long)(i) << 33; break;
kernel void test_kept(global uint *record, global int *in) {
    uint wrong = 0;
    AS_IT_STANDS for (int i = (int)get_global_id(0); i < 70; i += get_global_size(0)) {
        float4 v = (float4)(in[i], 7, 7, 7);
        long l = in[i];
        switch (in[i]) { FIFTY(VECTOR, 10) }
        const bool is_case = i >= 10 && i < 60;
        wrong += any(v != (is_case ? (float4)(i, i + 1, 2, 3) : (float4)(i, 7, 7, 7)));
        wrong += l != (is_case ? (long)i << 33 : i);
    }
    ASSERT(0, wrong);
}

// Cases that share a block and cases that fall into others
#define SHARE(i) case (i):
kernel void test_shared(global uint *record, global int *in) {
    uint wrong = 0;
    AS_IT_STANDS for (int i = (int)get_global_id(0); i < 70; i += get_global_size(0)) {
        int a = 0, b = 0;
        switch (in[i]) {
            case 50: a = 3;  // falls
            case 51: b = 4; break;
            SIXTEEN(SHARE, 0) a = 1; break;
            SIXTEEN(SHARE, 16) a = 2;  // falls
            default: b += 5; break;
            case 48: case 49: a = 7; break;
        }
        wrong += a != (i == 50 ? 3 : i < 16 ? 1 : i < 32 ? 2 : i == 48 || i == 49 ? 7 : 0);
        wrong += b != (i == 50 || i == 51 ? 4 : i >= 16 && i != 48 && i != 49 ? 5 : 0);
    }
    ASSERT(0, wrong);
}

// A switch whose result chooses in another, in a loop that it leaves
int step(int k) {
    switch (k) {
#define NEXT(i) case (i): return (i) + 1;
        FIFTY(NEXT, 0)
        default: return -1;
    }
}
kernel void test_chained(global uint *record, global int *in) {
    int k = in[get_global_id(0) % 4], turns = 0;
    AS_IT_STANDS while (true) {
        k = step(step(k));
        if (k < 0) break;
        ++turns;
    }
    ASSERT(25 - (int)(get_global_id(0) % 4 + 1) / 2, turns);
}

// A default that computes, and one that never comes
int computed(int k, int y) {
    switch (k) {
        FIFTY(RETURN, 0)
        default: return k * y;
    }
}
int certain(int k) {
    switch (k) {
        FIFTY(RETURN, 0)
        default: __builtin_unreachable();
    }
}
kernel void test_defaults(global uint *record, global int *in) {
    uint wrong = 0;
    AS_IT_STANDS for (int i = (int)get_global_id(0); i < 70; i += get_global_size(0)) {
        wrong += computed(in[i], in[3]) != (i < 50 ? VALUE(i) : i * 3);
        wrong += certain(in[i % 50]) != VALUE(i % 50);
    }
    ASSERT(0, wrong);
}
