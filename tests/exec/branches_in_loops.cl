// A loop with many selections one after the other: 2^32 paths by ifs with an else, and 5^16 by switches.
#include "assert.h"

#define REPEAT4(x) x x x x
#define REPEAT16(x) REPEAT4(REPEAT4(x))

/// Stores keep the branches from becoming selections of values.
#define EITHER                              \
    if (x & 1) {                            \
        x = x * 3 + 1;                      \
        places[x & 15] = x;                 \
    } else {                                \
        x = (x >> 1) + places[x + 1 & 15]; \
        places[x & 7] += 2;                 \
    }

#define ONE_OF_FIVE                                   \
    switch (x % 7) {                                  \
        case 0: x += places[3]; break;                \
        case 1: places[x & 15] ^= 5; x += 2; break;   \
        case 4: x = x * 5 + i;                        \
        case 5: places[5] = x; break;                 \
        default: x ^= x >> 3; x += places[x & 15] + 1; \
    }

kernel void test_ifs(global uint *record, global uint *places) {
    for (uint i = 0; i < 16; ++i) places[i] = i;
    uint x = 27;
    AS_IT_STANDS for (uint i = 0; i < 3; ++i) { REPEAT16(EITHER EITHER) }
    uint copy[16], expected = 27;
    for (uint i = 0; i < 16; ++i) copy[i] = i;
    AS_IT_STANDS for (uint i = 0; i < 3 * 32; ++i) {
        const bool is_odd = expected & 1;
        expected = is_odd ? expected * 3 + 1 : (expected >> 1) + copy[expected + 1 & 15];
        const uint at = expected & (is_odd ? 15 : 7);
        copy[at] = is_odd ? expected : copy[at] + 2;
    }
    ASSERT(expected, x);
    for (uint i = 0; i < 16; ++i) ASSERT(copy[i], places[i]);
}

kernel void test_switches(global uint *record, global uint *places) {
    for (uint i = 0; i < 16; ++i) places[i] = i;
    uint x = 27;
    AS_IT_STANDS for (uint i = 0; i < 3; ++i) { REPEAT16(ONE_OF_FIVE) }
    uint copy[16], expected = 27;
    for (uint i = 0; i < 16; ++i) copy[i] = i;
    AS_IT_STANDS for (uint i = 0; i < 3 * 16; ++i) {
        const uint which = expected % 7, at = expected & 15;
        if (which == 0) expected += copy[3];
        if (which == 1) {
            copy[at] ^= 5;
            expected += 2;
        }
        if (which == 4) expected = expected * 5 + i / 16;
        if (which == 4 || which == 5) copy[5] = expected;
        if (which == 2 || which == 3 || which == 6) {
            expected ^= expected >> 3;
            expected += copy[expected & 15] + 1;
        }
    }
    ASSERT(expected, x);
    for (uint i = 0; i < 16; ++i) ASSERT(copy[i], places[i]);
}

/// A case that falls through to the default, or to a default that is a case too.
kernel void test_fall_through(global uint *record, global uint *places) {
    for (uint i = 0; i < 16; ++i) places[i] = i & 7;
    uint x = 1;
    AS_IT_STANDS for (uint i = 0; i < 16; ++i) {
        switch (places[i]) {
            case 4: x += 5; break;
            case 6: x += 7; places[i] = x; break;
            case 7: x *= 3;
            default: x ^= i; places[i + 1 & 15] += x;
        }
        switch (places[i]) {
            case 1: x += places[2];
            case 5:
            default: x ^= 9; places[15 - i] = x & 7;
            case 2: x += 2; break;
            case 3: places[i] = x;
        }
    }
    ASSERT(37, x);
    ASSERT(51, places[13]);
}
