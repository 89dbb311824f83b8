// SPDX-License-Identifier: Apache-2.0
// Values that a loop leaves behind where work-items leave it at different times.
// RUN: global=64 local=16
#include "assert.h"
kernel void test_left_from_the_middle(global uint *record, global uint *in) {
    uint g = get_global_id(0), last, i = 0;
    while (true) {
        last = in[g + i * 20] * 3 + i;
        if (i++ == g % 5) break;
    }
    uint n = g % 5;
    ASSERT((g + n * 20) * 3 + n, last);
}
kernel void test_left_from_the_end(global uint *record, global uint *in) {
    uint g = get_global_id(0), i = 0;
    uchar m = in[g];
    do m = m / 3 + in[7];
    while (++i <= g % 4);
    m += 5;
    uchar expected = g;
    if (g % 4 >= 0) expected = expected / 3 + 7;
    if (g % 4 >= 1) expected = expected / 3 + 7;
    if (g % 4 >= 2) expected = expected / 3 + 7;
    if (g % 4 >= 3) expected = expected / 3 + 7;
    ASSERT((uchar)(expected + 5), m);
}
kernel void test_left_twice(global uint *record, global uint *in) {
    uint g = get_global_id(0), inner = 0, outer = 0, steps = 0;
    for (uint i = 0;; i++) {
        uint j = 0;
        do {
            inner = in[i * 16 + j] ^ g;
            steps++;
        } while (++j <= (g + i) % 3);
        outer = inner + in[i];
        if (i == g % 4) break;
    }
    uint n = g % 4, j = (g + n) % 3, expected_steps = 0;
    for (uint i = 0; i <= 3; i++)
        if (i <= n) expected_steps += (g + i) % 3 + 1;
    ASSERT((n * 16 + j) ^ g, inner);
    ASSERT(((n * 16 + j) ^ g) + n, outer);
    ASSERT(expected_steps, steps);
}

// The inner loop's value is used in the outer one, which all work-items run equally often.
kernel void test_left_within_a_loop(global uint *record, global uint *in) {
    uint g = get_global_id(0), value = 0, left = in[3];
    do {
        bool wait = !(g & 3);
        while (true) {
            if (!wait) {
                value = in[g];
                break;
            }
            wait = false;
        }
        value += in[g + 2];
    } while (left-- != 0);
    ASSERT(g + g + 2, value);
}

// Arrays of which compilers make values when they have unrolled the loop behind. `part` keeps us from doing so first.
kernel void test_left_in_an_array(global uint *record, global uint *in) {
    uint g = get_global_id(0), turns = 1, sum = g;
    int array[4] = {1, 0, 3, 4};
    private int *part = &array[g & 3];
    bool wait = g % 16 == 10;
    while (true) {
        if (wait) {
            wait = false;
            continue;
        }
        array[1] = in[g];
        if (turns-- != 0) {
            wait = true;
            continue;
        }
        break;
    }
    for (uint i = 0; i < 4; i++) sum = sum * 10 + array[i];
    ASSERT(g * 10000 + 1034 + g * 100, sum);
}
kernel void test_left_twice_in_an_array(global uint *record, global uint *in) {
    uint g = get_global_id(0), i = 0, sum = g;
    char array[4] = {1, 1};
    private char *part = &array[g & 3];
    while (true) {
        uint j = (g ^ i) & 1;
        while (true) {
            if (j == 1) {
                j = 2;
                continue;
            }
            array[1] = in[g + i];
            if (j++ < 3) continue;
            break;
        }
        array[2] = in[g + 1];
        if (i++ == g % 5) break;
    }
    for (uint k = 0; k < 4; k++) sum = sum * 10 + array[k];
    ASSERT(g * 10000 + 1000 + (g + g % 5) * 100 + g * 10 + 10, sum);
}

// Two ways out of a loop of which compilers make one.
kernel void test_left_in_two_ways(global uint *record, global uint *in) {
    uint g = get_global_id(0), turns = 1, value = 11;
    bool again = g % 16 == 10;
    while (true) {
        uint way;
        while (true) {
            if (turns == 0) {
                way = 1;
                break;
            }
            turns--;
            if (!again) {
                way = 5;
                break;
            }
        }
        if (way == 1) break;
        value++;
    }
    ASSERT(again ? 11 : 12, value);
}
