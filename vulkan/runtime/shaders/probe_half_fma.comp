// SPDX-License-Identifier: Apache-2.0
// Does Fma of halves round twice, where ab + c, rounded to a float, lies halfway between two halves?
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Result { uint wrong; } result;

float16_t half_of(uint bits) { return unpackFloat2x16(bits + result.wrong).x; }

void main() {
    // 33583.998 is nearer to 33568 than to 33600, and as a float 33584, halfway.
    precise float16_t value = fma(half_of(0x5babu), half_of(0x4cfdu), half_of(0x7701u));
    if (packFloat2x16(f16vec2(value, float16_t(0.0))) != 0x7819u) atomicAdd(result.wrong, 1u);
}
