// SPDX-License-Identifier: Apache-2.0
// Does Fma round once? Compiled twice: with DOUBLE for devices that have shaderFloat64.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
#ifdef DOUBLE
#define REAL double
#else
#define REAL float
#endif
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Result { REAL value; };
layout(push_constant, std430) uniform Block {
    Result result;
    REAL a, c;
};
void main() {
    precise REAL value = fma(a, a, c);
    result.value = value;
}
