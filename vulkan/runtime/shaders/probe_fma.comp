// SPDX-License-Identifier: Apache-2.0
// Does Fma round once? Compiled twice: with DOUBLE for devices that have shaderFloat64.
#version 460
layout(local_size_x = 1) in;
#ifdef DOUBLE
#define REAL double
#else
#define REAL float
#endif
layout(set = 0, binding = 0, std430) buffer Result { REAL value; } result;
layout(push_constant, std430) uniform Block { REAL a, c; };
void main() {
    precise REAL value = fma(a, a, c);
    result.value = value;
}
