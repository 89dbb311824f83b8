// SPDX-License-Identifier: Apache-2.0
// One sampler and one image used in several ways, and through functions: integer and real coordinates, images whose
// samplers must have normalised coordinates beside one whose sampler need not, literal samplers beside arguments.
// OPTIONS: -cl-std=CL2.0
// RUN: sampler=0x10 image=2d:R:FLOAT:4x3 image=3d:R:FLOAT:3x4x5 image=2d_array:R:FLOAT:4x3x2
// RUN: sampler=0x12 image=2d:R:FLOAT:4x3 image=3d:R:FLOAT:3x4x5 image=2d_array:R:FLOAT:4x3x2
#include "assert.h"

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t unit = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float texel(int width, int height, int x, int y, int z) {
    return (x + y * (width + 3) + z * ((width + 3) * height + 5)) / 4.0f;
}
float of_square(read_only image2d_t image, sampler_t sampler, int x, int y) {
    return read_imagef(image, sampler, (int2)(x, y)).x;
}
float of_cube(read_only image3d_t image, sampler_t sampler, float x, float y, float z) {
    return read_imagef(image, sampler, (float4)(x, y, z, 0)).x;
}

kernel void test_several(global uint *record, read_only image2d_t square, read_only image3d_t cube,
                         read_only image2d_array_t squares, sampler_t sampler) {
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++) {
            const float expected = texel(4, 3, x, y, 0);
            ASSERT(true, of_square(square, sampler, x, y) == expected);
            ASSERT(true, of_square(square, edge, x, y) == expected);
            ASSERT(true, read_imagef(square, sampler, (float2)(x, y)).x == expected);
            ASSERT(true, read_imagef(square, sampler, (float2)(x + 0.99f, y + 0.75f)).x == expected);
            ASSERT(true, read_imagef(square, edge, (float2)(x + 0.99f, y)).x == expected);
            ASSERT(true, read_imagef(square, unit, (float2)((x + 0.5f) / 4, (y + 0.5f) / 3)).x == expected);
            ASSERT(true, read_imagef(square, (int2)(x, y)).x == expected);
            ASSERT(true, read_imagef(squares, sampler, (float4)(x + 0.5f, y, 0.9f, 0)).x == texel(4, 3, x, y, 1));
            ASSERT(true, read_imagef(squares, edge, (int4)(x, y, 1, 0)).x == texel(4, 3, x, y, 1));
        }
    for (int z = 0; z < 5; z++) {
        ASSERT(true, of_cube(cube, sampler, 1, 2.25f, z) == texel(3, 4, 1, 2, z));
        ASSERT(true, of_cube(cube, edge, 2.99f, 3, z + 0.5f) == texel(3, 4, 2, 3, z));
        ASSERT(true, of_cube(cube, unit, 0.5f, 0.9f, (z + 0.5f) / 5) == texel(3, 4, 1, 3, z));
        ASSERT(true, read_imagef(cube, sampler, (int4)(2, 3, z, 0)).x == texel(3, 4, 2, 3, z));
        ASSERT(true, read_imagef(cube, edge, (int4)(0, 3, z, 0)).x == texel(3, 4, 0, 3, z));
    }
}
