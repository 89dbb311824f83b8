// SPDX-License-Identifier: Apache-2.0
// How often arithmetic and comparisons of doubles take a denormal for zero or make a zero of one. Each
// work-item has other numbers.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Result { uint flushed; } result;

bool is(double value, uvec2 bits) { return unpackDouble2x32(value) == bits; }
uvec2 twice(uvec2 bits) { return uvec2(bits.x << 1, bits.y << 1 | bits.x >> 31); }

bool keeps_in_arithmetic(uvec2 bits, double x, double one) {
    const uvec2 least_normal = uvec2(0, 0x00100000u);
    precise double sum = x + x, product = x * (2.0lf * one), small = (packDouble2x32(twice(bits)) * 0.5lf) * one;
    precise double quotient = x / one, fused = fma(x, one, x), underflow = packDouble2x32(least_normal) * (0.5lf * one);
    precise double difference = packDouble2x32(least_normal + bits) * one - packDouble2x32(least_normal);
    return is(sum, twice(bits)) && is(product, twice(bits)) && is(small, bits) && is(quotient, bits) && is(fused, twice(bits)) &&
           is(underflow, least_normal >> 1) && is(difference, bits);
}

bool keeps_in_comparisons(double x) { return x > 0.0lf && !(x == 0.0lf) && -x < 0.0lf && x != -x && x < x + x; }

void main() {
    double one = 1.0lf + double(result.flushed);
    uvec2 bits = uvec2(2u + gl_GlobalInvocationID.x * 0x03456789u, gl_GlobalInvocationID.x * 0x0fffu);  // twice it is denormal too
    double x = packDouble2x32(bits);
    if (!keeps_in_arithmetic(bits, x, one) || !keeps_in_comparisons(x)) atomicAdd(result.flushed, 1u);
}
