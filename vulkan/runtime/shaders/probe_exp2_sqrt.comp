// SPDX-License-Identifier: Apache-2.0
// How often Exp2 is further than 1.45 * 2^-23 times 2^x from it for -126 <= x <= 128, or wrong beyond, or
// Sqrt further than 1.5 ulp from the root. One in 128 numbers of each power of two, those of Exp2 down to
// where 2^x is 1.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Result { uint beyond; } result;

const uint kInfinity = 0x7f800000u;

// A number from 2^(exponent - 127) to twice that
float sample_of(uint exponent) {
    uint low = (gl_GlobalInvocationID.x * 0x9e3779b9u + exponent) >> 25;
    return uintBitsToFloat(exponent << 23 | gl_GlobalInvocationID.x << 7 | low);
}

double power_of_two(int n) {
    return double(uintBitsToFloat(uint(n / 2 + 127) << 23)) * double(uintBitsToFloat(uint(n - n / 2 + 127) << 23));
}

// 2^x by the series of e^(r ln 2), to 12 digits
double exact_exp2(float x) {
    double n = roundEven(double(x)), r = (double(x) - n) * 0.69314718055994530942lf, sum = 1.0lf;
    for (int k = 13; k > 0; --k) sum = 1.0lf + sum * r / double(k);
    return sum * power_of_two(int(n));
}

bool exp2_is_exact(float x) {
    if (x < -126.0) return true;
    precise float got = exp2(x);
    double value = isinf(got) ? power_of_two(128) : double(got);
    double exact = exact_exp2(x);
    return abs(value - exact) <= 1.45lf * power_of_two(-23) * exact;
}

bool sqrt_is_exact(float x) {
    precise float got = sqrt(x);
    double ulp = power_of_two(int(floatBitsToUint(got) >> 23) - 127 - 23);
    double above = double(got) + 1.5lf * ulp, below = double(got) - 1.5lf * ulp;
    return below * below <= double(x) && double(x) <= above * above;
}

bool is_right_beyond() {
    return floatBitsToUint(exp2(float(gl_GlobalInvocationID.x) + 128.0)) == kInfinity &&
           floatBitsToUint(exp2(uintBitsToFloat(kInfinity))) == kInfinity &&
           exp2(-float(gl_GlobalInvocationID.x) - 150.0) == 0.0 && exp2(uintBitsToFloat(kInfinity | 0x80000000u)) == 0.0 &&
           isnan(exp2(uintBitsToFloat(kInfinity | 1u))) && isnan(sqrt(-1.0 - float(gl_GlobalInvocationID.x))) &&
           sqrt(float(gl_GlobalInvocationID.x >> 16)) == 0.0;
}

void main() {
    bool right = is_right_beyond();
    for (uint exponent = 127 - 26; exponent <= 127 + 6; ++exponent)
        right = right && exp2_is_exact(sample_of(exponent)) && exp2_is_exact(-sample_of(exponent));
    for (uint exponent = 1; exponent < 255; ++exponent) right = right && sqrt_is_exact(sample_of(exponent));
    if (!right) atomicAdd(result.beyond, 1u);
}
