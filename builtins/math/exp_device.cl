// SPDX-License-Identifier: Apache-2.0
// The exponential functions of real.h where the device's Exp2 is within 1.45 * 2^-23 of itself and its Fma fused.
#include "float.h"

// 2^(x (high + low) + shift): n is the exponent's nearest whole number, clamped to -126 and 126 (ROUNDER,
// without its last bits, holds n + 127). Exp2 of the rest overflows or underflows.
static float exponential(float x, float high, float low, int shift) {
    float at = clamp(mad(x, high / 252.0f, 0.5f), 0.0f, 1.0f);
    float sum = mad(at, 252.0f, ROUNDER + 1.0f), n = sum - (ROUNDER + 127.0f);
    return native_exp2(mad(x, low, mad(x, high, -n))) * as_float((as_uint(sum) << FRACTION_BITS) + ((uint)shift << FRACTION_BITS));
}

float LIBRARY exp_core_device(float x, int shift) { return exponential(x, LOG2_E_HIGH, LOG2_E_LOW, shift); }

float LIBRARY exp10_core_device(float x) { return exponential(x, 3.32192802e+00f, 7.059536955e-08f, 0); }

float LIBRARY exp2_of_pair_device(float h, float l) {
    float at = clamp(mad(h, 1.0f / 252.0f, 0.5f), 0.0f, 1.0f);
    float sum = mad(at, 252.0f, ROUNDER + 1.0f), n = sum - (ROUNDER + 127.0f);
    return native_exp2((h - n) + l) * as_float(as_uint(sum) << FRACTION_BITS);
}

float LIBRARY exp2_core_device(float x) { return native_exp2(x); }

float LIBRARY exp2_bounded_device(float x) { return native_exp2(x); }
