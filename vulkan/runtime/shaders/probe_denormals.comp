// SPDX-License-Identifier: Apache-2.0
// How often arithmetic, functions, conversions and comparisons of floats take a denormal for zero or make a
// zero of one. Each work-item has other numbers. Compiled twice: with DOUBLE for devices that have
// shaderFloat64.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Result { uint flushed; } result;

const uint kLeastNormal = 0x00800000u;

bool is(float value, uint bits) { return floatBitsToUint(value) == bits; }

bool keeps_in_arithmetic(uint bits, float x, float one) {
    precise float sum = x + x, difference = uintBitsToFloat(kLeastNormal) * one - x, product = x * (2.0 * one);
    precise float small = (uintBitsToFloat(bits << 1) * 0.5) * one, quotient = x / one;
    precise float fused = fma(x, one, x), underflow = uintBitsToFloat(kLeastNormal | bits) * (0.5 * one);
    return is(sum, bits << 1) && is(difference, kLeastNormal - bits) && is(product, bits << 1) && is(small, bits) &&
           is(quotient, bits) && is(fused, bits << 1) && is(underflow, (kLeastNormal | bits) >> 1);
}

bool keeps_in_functions(uint bits, float x, float one) {
    precise float least = min(x, one), most = max(x, -one), size = abs(-x);
    precise float root = sqrt(x), inverse_root = inversesqrt(x);
    return is(least, bits) && is(most, bits) && is(size, bits) && floor(-x) == -1.0 && ceil(x) == 1.0 && sign(x) == 1.0 &&
           root > 0.0 && root < 1.0842022e-19 && inverse_root > 9.223372e18 && inverse_root < 3.7778932e22;  // 2^-63, 2^63, 2^75
}

bool keeps_in_comparisons(float x) { return x > 0.0 && !(x == 0.0) && -x < 0.0 && x != -x && x < x + x && !(x <= 0.0); }

bool keeps_in_conversions(uint bits, float x, float one) {
#ifdef DOUBLE
    precise double wide = double(x), narrow = double(bits) * 1.4012984643248170709e-45lf * double(one);  // 2^-149
    return wide > 0.0lf && wide * 7.1362384635297994053e44lf == double(bits) && is(float(narrow), bits);
#else
    return true;
#endif
}

void main() {
    float one = 1.0 + float(result.flushed);
    uint bits = 2u + gl_GlobalInvocationID.x * 0x7fe0u & 0x3ffffeu;  // even, and twice it is denormal too
    float x = uintBitsToFloat(bits);
    bool kept = keeps_in_arithmetic(bits, x, one) && keeps_in_functions(bits, x, one) && keeps_in_comparisons(x) &&
                keeps_in_conversions(bits, x, one);
    if (!kept) atomicAdd(result.flushed, 1u);
}
