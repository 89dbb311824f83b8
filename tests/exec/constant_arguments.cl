// SPDX-License-Identifier: Apache-2.0
// ALWAYS: wrong-idioms
// Functions whose callers give them constants compute with what no pass of ours sees, but drivers do.
#include "assert.h"

uint least(uint x, bool other) {
    uint result = 3;
    if (other) result = min(x, 8u);
    return result;
}

int bounded(int x, bool other) {
    int result = 3;
    if (other) result = clamp(x, -2, 8);
    return result;
}

uint2 greatest(uint2 x, bool other) {
    uint2 result = 3;
    if (other) result = max(x, (uint2)(8, 4));
    return result;
}

#define FUNCTION(name, call) \
    float name(float x, bool other) { \
        float result = 3; \
        if (other) result = call; \
        return result; \
    }
FUNCTION(least_float, min(x, 8.0f))
FUNCTION(root, sqrt(x))
FUNCTION(native_root, native_sqrt(x))
FUNCTION(power_of_two, native_exp2(x))
FUNCTION(logarithm, native_log2(x))
FUNCTION(cosine, native_cos(x))

kernel void test_constants(global uint *record, global const int *values) {
    for (int i = 0; i < 2; ++i) {
        const bool other = values[i] != 0;
        ASSERT(other ? 5 : 3, least(5, other));
        ASSERT(other ? -2 : 3, bounded(-5, other));
        ASSERT(other ? 5 : 3, greatest((uint2)(9, 5), other).y);
        ASSERT(other ? 5 : 3, least_float(5, other));
        ASSERT(other ? 4 : 3, root(16, other) + 0.5f);
        ASSERT(other ? 4 : 3, native_root(16, other) + 0.5f);
        ASSERT(other ? 32 : 3, power_of_two(5, other) + 0.5f);
        ASSERT(other ? 4 : 3, logarithm(16, other) + 0.5f);
        ASSERT(other ? 1 : 3, cosine(0, other) + 0.5f);
    }
}
