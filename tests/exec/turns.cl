// SPDX-License-Identifier: Apache-2.0
// Loops whose turns a compiler can count before it runs them. Mesa does so by a division, and gets these wrong.
// RUN: global=64 local=16
#include "assert.h"
#define TURNS(expected, loop)      \
    {                              \
        uint turns = 0;            \
        loop turns++;              \
        ASSERT(expected, turns);   \
    }

// A counter runs away from its bound, and the loop ends where it wraps.
kernel void test_up_and_over(global uint *record, global uint *in) {
    TURNS(27, for (uchar i = 229; i > 6; i++))
    TURNS(27, for (ushort i = 65509; i > 6; i++))
    TURNS(4, for (uint i = -4; i >= 7; i++))
    TURNS(4, for (ulong i = -4; 6 < i; i++))
    TURNS(2, for (ulong i = -4; i > 6; i += 2))
    TURNS(3, for (uint i = -7; !(i <= 20); i += 3))
    TURNS(14, for (int i = INT_MAX - 13; i >= INT_MIN + 10; i = (int)((uint)i + 1)))
    TURNS(28, for (char i = 100; i >= -120; i++))
}
kernel void test_down_and_over(global uint *record, global uint *in) {
    TURNS(4, for (uint i = 3; i < 0xfffffff0; i--))
    TURNS(2, for (ushort i = 5; i < 65530; i -= 3))
    TURNS(4, for (int i = INT_MIN + 3; i < INT_MAX - 10; i = (int)((uint)i - 1)))
    TURNS(2, for (long i = LONG_MIN + 3; LONG_MAX - 20 >= i; i = (long)((ulong)i - 2)))
}
kernel void test_over_behind(global uint *record, global uint *in) {
    uint turns = 0;
    uchar i = 229;
    do turns++;
    while (++i > 6);
    ASSERT(27, turns);
    int j = INT_MAX - 7;
    do turns++;
    while ((j = (int)((uint)j + 1)) > INT_MIN + 20);
    ASSERT(27 + 8, turns);
}

// Loops with a second exit, and with conditions of two parts.
kernel void test_over_in_two_ways(global uint *record, global uint *in) {
    uint g = get_global_id(0), turns = 0, sum = g;
    for (uchar i = -27; i > 6; i++)
        if (++turns == in[g] + 20) break;
    ASSERT(g < 7 ? g + 20 : 27, turns);
    uint i = -9;
    while (i > 20 && in[0] == 0) sum += i++;
    ASSERT(g - 45, sum);
    for (i = -9; i > 20 & in[1] == 1; i++) sum += i;
    ASSERT(g - 90, sum);
}
// Starts that are constants once the loop around is unrolled.
kernel void test_over_within_a_loop(global uint *record, global uint *in) {
    uint turns = 0, i = -10;
    for (int k = 0; k < 2; k++) {
        i += k * 3;
        while (i > 20) turns++, i++;
        i -= 10;
    }
    ASSERT(10 + 7, turns);
}
// A counter in an array, of which a pointer with an unknown index exists.
kernel void test_over_in_memory(global uint *record, global uint *in) {
    uint g = get_global_id(0), turns = 0, array[64];
    array[0] = g;
    private uint *part = &array[in[g] & 15];
    for (array[20] = -10; array[20] > 20; array[20]++) turns++;
    ASSERT(10, turns);
    ASSERT(g, array[0]);
    ASSERT(part - array, g & 15);
}

// Tests that Mesa turns into comparisons of the counter.
kernel void test_over_in_other_words(global uint *record, global uint *in) {
    TURNS(10, for (uint i = -10; i >> 4; i++))
    TURNS(10, for (uint i = -10; clamp(i, 3u, 100u) > 20; i++))
    uint turns = 0, i = -10;
    bool goes_on = i > 20;
    while (goes_on) {
        turns++;
        goes_on = ++i > 20;
    }
    ASSERT(10, turns);
    for (uint by = 1, k = 0; k < 2; k++, by++)
        for (uint j = -10; j > 20; j += by) turns++;
    ASSERT(10 + 10 + 5, turns);
    for (i = -10;;) {
        switch (i / 32) {
            case 0: goto behind;
            default: turns++, i++;
        }
    }
behind:
    ASSERT(10 + 10 + 5 + 10, turns);
}
struct Counters {
    uchar narrow;
    float fraction;
};
void count_on(struct Counters *counters) {
    counters->narrow++;
    counters->fraction += 0.1f;
}
kernel void test_over_in_a_function(global uint *record, global uint *in) {
    struct Counters counters = {229, 0};
    uint turns = 0;
    for (; counters.narrow > 6; count_on(&counters)) turns++;
    ASSERT(27, turns);
    for (counters.fraction = 1; counters.fraction < 3.1f; count_on(&counters)) turns++;
    ASSERT(27 + 22, turns);
}

// Sums of fractions are rounded in each turn: they are not products.
kernel void test_fractions(global uint *record, global uint *in) {
    TURNS(3, for (float x = -1; x <= -0.7f; x += 0.1f))
    TURNS(22, for (float x = 1; x < 3.1f; x += 0.1f))
    TURNS(17, for (float x = 0.5f; x <= 3.9f; x += 0.2f))
    TURNS(9, for (float x = -1; x <= 0.2f; x += 0.15f))
    TURNS(12, for (float x = -1; x >= -3.4f; x -= 0.2f))
    TURNS(10, for (float x = 0; x <= 1; x += 0.1f))
    TURNS(5, for (float x = 0; x < 5; x++))
    uint turns = 0;
    float x = 1;
    do turns++;
    while ((x += 0.1f) < 3.1f);
    ASSERT(22, turns);
    for (x = 1; x < 3.1f;)
        if (turns++ & 1)
            x += 0.1f;
        else
            x += 0.1f;
    ASSERT(22 + 22, turns);
}
