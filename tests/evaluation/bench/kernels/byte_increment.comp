// SPDX-License-Identifier: Apache-2.0
#version 460
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 256) in;
layout(set = 0, binding = 0, std430) buffer Data { uint8_t data[]; };
void main() { data[gl_GlobalInvocationID.x]++; }
