// SPDX-License-Identifier: Apache-2.0
// How often PackHalf2x16 does not round a float to the nearest half, ties to even: every tie between normal halves,
// the numbers beside it, and a float of each 16 upper bits more, with denormals, overflows, infinities and NaN.
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Result { uint wrong; } result;

// The upper bits of a magnitude, rounded to nearest, ties to even.
uint rounded(uint bits, uint dropped) {
    uint rest = bits & ((1u << dropped) - 1u), tie = 1u << (dropped - 1u), kept = bits >> dropped;
    return rest > tie || (rest == tie && (kept & 1u) == 1u) ? kept + 1u : kept;
}

uint half_of(uint bits) {
    uint sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu, exponent = magnitude >> 23;
    if (magnitude >= 0x7f800000u) return sign | 0x7c00u;
    if (exponent > 112u) return sign | min(rounded(magnitude - (112u << 23), 13u), 0x7c00u);
    if (exponent < 102u) return sign;
    return sign | rounded((magnitude & 0x7fffffu) | 0x800000u, 126u - exponent);
}

bool is_half_of(uint bits, uint half_bits) {
    bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return is_nan ? (half_bits & 0x7fffu) > 0x7c00u : half_bits == half_of(bits);
}

bool is_right(uint bits) {
    uint negated = bits ^ 0x80000000u;
    uint packed = packHalf2x16(vec2(uintBitsToFloat(bits), uintBitsToFloat(negated)));
    return is_half_of(bits, packed & 0xffffu) && is_half_of(negated, packed >> 16);
}

void main() {
    // The host adds nothing, which the compiler does not know.
    uint upper = (gl_GlobalInvocationID.x << 16) + (result.wrong & 0x80000000u);
    bool right = true;
    for (uint i = 0u; i < 16u; ++i) {
        uint bits = upper | i << 12;
        right = right && is_right(bits) && is_right(bits + 1u) && is_right(bits | 0xfffu);
    }
    if (!right) atomicAdd(result.wrong, 1u);
}
