// SPDX-License-Identifier: Apache-2.0
// What the bits of a float of 8 bits stand for.
#pragma once

typedef struct {
    uint fraction;  // bits
    int bias;
    uint largest;  // the magnitude of the largest number
} Format;
constant Format kE4M3 = {3, 7, 0x7e}, kE5M2 = {2, 15, 0x7b};

bool is_nan(Format f, uchar bits) { return (bits & 127) > (f.fraction == 3 ? 0x7e : 0x7c); }
/// The number that the magnitude stands for, or would if the range went on.
float magnitude_of(Format f, uint magnitude) {
    const int exponent = magnitude >> f.fraction, fraction = magnitude & ((1 << f.fraction) - 1);
    const int steps = exponent == 0 ? fraction : fraction + (1 << f.fraction);
    return (float)steps * as_float((uint)(127 + max(exponent, 1) - f.bias - (int)f.fraction) << 23);
}
float next_value(Format f, uint magnitude) { return magnitude_of(f, magnitude + 1); }
float value_of(Format f, uchar bits) {
    const float magnitude = f.fraction == 2 && (bits & 127) == 0x7c ? INFINITY : magnitude_of(f, bits & 127);
    return bits & 128 ? -magnitude : magnitude;
}
