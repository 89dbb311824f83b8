// Every type of image: reading with and without samplers, writing, queries. Texels hold a quarter of their number in memory.
// ALWAYS: descriptors
// OPTIONS: -cl-std=CL2.0
// RUN: image=1d:R:FLOAT:9 image=1d_buffer:R:FLOAT:6 image=1d_array:R:FLOAT:5x3 image=2d:R:FLOAT:4x3 image=2d_array:R:FLOAT:4x3x2 image=3d:R:FLOAT:3x4x5 image=2d_depth:DEPTH:FLOAT:5x2 image=2d_array_depth:DEPTH:FLOAT:3x2x4
// RUN: by_format image=1d:R:FLOAT:9 image=1d_buffer:R:FLOAT:6 image=1d_array:R:FLOAT:5x3 image=2d:R:FLOAT:4x3 image=2d_array:R:FLOAT:4x3x2 image=3d:R:FLOAT:3x4x5 image=2d_depth:DEPTH:FLOAT:5x2 image=2d_array_depth:DEPTH:FLOAT:3x2x4
#include "assert.h"

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

float texel(int width, int height, int x, int y, int z) {
    return (x + y * (width + 3) + z * ((width + 3) * height + 5)) / 4.0f;
}
bool is_red(float expected, float4 color) { return all(color == (float4)(expected, 0, 0, 1)); }  // 1.13.14-53, -62

// Images and samplers pass through functions.
float4 read(read_only image2d_array_t image, sampler_t sampler, float4 at) { return read_imagef(image, sampler, at); }
int width_of(read_only image3d_t image) { return get_image_width(image); }

// Few reads in a kernel: all in one take a driver twice as long. The images come in the order of the RUN lines.
#define TEST_READ(name)                                                                                            \
    kernel void name(global uint *record, read_only image1d_t line, read_only image1d_buffer_t buffer,             \
                     read_only image1d_array_t lines, read_only image2d_t square, read_only image2d_array_t squares, \
                     read_only image3d_t cube, read_only image2d_depth_t depth, read_only image2d_array_depth_t depths)
TEST_READ(test_read_lines) {
    ASSERT(true, is_red(texel(9, 1, 4, 0, 0), read_imagef(line, 4)));  // 1.13.14-39
    ASSERT(true, is_red(texel(9, 1, 4, 0, 0), read_imagef(line, nearest, 4)));  // 1.13.14-30
    ASSERT(true, is_red(texel(9, 1, 4, 0, 0), read_imagef(line, nearest, 4.9f)));
    ASSERT(true, is_red(texel(9, 1, 8, 0, 0), read_imagef(line, nearest, 20)));
    ASSERT(true, is_red(0, read_imagef(line, border, -1)));  // 1.13.14-22
    ASSERT(true, is_red(0, read_imagef(line, border, 9.0f)));
    ASSERT(true, is_red((texel(9, 1, 0, 0, 0) + texel(9, 1, 8, 0, 0)) / 2, read_imagef(line, linear, 0.0f)));
    ASSERT(true, is_red(texel(6, 1, 5, 0, 0), read_imagef(buffer, 5)));
    ASSERT(true, is_red(texel(5, 1, 3, 0, 2), read_imagef(lines, (int2)(3, 2))));
    ASSERT(true, is_red(texel(5, 1, 3, 0, 2), read_imagef(lines, nearest, (int2)(3, 7))));      // 1.13.14-17, -31
    ASSERT(true, is_red(texel(5, 1, 3, 0, 2), read_imagef(lines, border, (float2)(3, 1.6f))));  // 3.4-1
    ASSERT(true, is_red(texel(5, 1, 3, 0, 0), read_imagef(lines, border, (float2)(3, -9))));
    ASSERT(true, is_red((texel(5, 1, 2, 0, 1) + texel(5, 1, 3, 0, 1)) / 2,
                        read_imagef(lines, linear, (float2)(0.6f, 0.7f))));
}
TEST_READ(test_read_squares) {
    ASSERT(true, is_red(texel(4, 3, 2, 1, 0), read_imagef(square, (int2)(2, 1))));
    ASSERT(true, is_red(texel(4, 3, 3, 2, 0), read_imagef(square, nearest, (float2)(1e9f, INFINITY))));  // 1.13.14-14
    ASSERT(true, is_red(texel(4, 3, 0, 0, 0), read_imagef(square, nearest, (float2)(-1e30f, -0.0f))));
    ASSERT(true, is_red(0, read_imagef(square, border, (float2)(1e30f, 0))));  // 3.2-4, 3.2-6
    ASSERT(true, is_red(texel(4, 3, 2, 1, 1), read_imagef(squares, (int4)(2, 1, 1, 77))));
    ASSERT(true, is_red(texel(4, 3, 2, 1, 1), read_imagef(squares, border, (int4)(2, 1, 5, 77))));  // 1.13.14-29
    ASSERT(true, is_red(texel(4, 3, 2, 1, 1), read(squares, nearest, (float4)(2.5f, 1.5f, 0.75f, 77))));
    ASSERT(true, is_red(0, read(squares, border, (float4)(2.5f, 3.5f, 0.75f, 77))));
}
TEST_READ(test_read_cube) {
    ASSERT(true, is_red(texel(3, 4, 2, 3, 4), read_imagef(cube, (int4)(2, 3, 4, 77))));
    ASSERT(true, is_red(texel(3, 4, 2, 3, 4), read_imagef(cube, nearest, (int4)(2, 3, 9, 77))));  // 1.13.14-28
    ASSERT(true, is_red(0, read_imagef(cube, border, (int4)(2, 3, 5, 0))));
    ASSERT(true, is_red(texel(3, 4, 1, 2, 3), read_imagef(cube, nearest, (float4)(1.1f, 2.2f, 3.3f, 0))));
}
TEST_READ(test_read_depths) {
    ASSERT_BITS(as_uint(texel(5, 2, 4, 1, 0)), read_imagef(depth, (int2)(4, 1)));  // 1.13.14-38, -40, -61
    ASSERT_BITS(as_uint(texel(5, 2, 4, 1, 0)), read_imagef(depth, nearest, (int2)(4, 1)));  // 1.13.14-32
    ASSERT_BITS(as_uint(texel(5, 2, 4, 1, 0)), read_imagef(depth, nearest, (float2)(4, 1)));
    ASSERT_BITS(0, read_imagef(depth, border, (float2)(4, 2)));  // 1.13.14-23
    ASSERT_BITS(as_uint(texel(3, 2, 1, 1, 3)), read_imagef(depths, (int4)(1, 1, 3, 0)));
    ASSERT_BITS(as_uint(texel(3, 2, 1, 1, 3)), read_imagef(depths, nearest, (int4)(1, 1, 8, 0)));  // 1.13.14-33
    ASSERT_BITS(as_uint(texel(3, 2, 1, 1, 3)), read_imagef(depths, nearest, (float4)(1, 1, 3.2f, 0)));
}

kernel void test_queries(global uint *record, read_only image1d_t line, write_only image1d_buffer_t buffer,
                         read_only image1d_array_t lines, read_write image2d_t square, read_only image2d_array_t squares,
                         read_only image3d_t cube, read_only image2d_depth_t depth, write_only image2d_array_depth_t depths) {
    ASSERT(9, get_image_width(line));  // 1.13.14-46
    ASSERT(6, get_image_width(buffer));
    ASSERT(5, get_image_width(lines));
    ASSERT(4, get_image_width(square));
    ASSERT(4, get_image_width(squares));
    ASSERT(3, width_of(cube));
    ASSERT(5, get_image_width(depth));
    ASSERT(3, get_image_width(depths));
    ASSERT(3, get_image_height(square));
    ASSERT(3, get_image_height(squares));
    ASSERT(4, get_image_height(cube));
    ASSERT(2, get_image_height(depth));
    ASSERT(2, get_image_height(depths));
    ASSERT(5, get_image_depth(cube));
    ASSERT_LONG(3, get_image_array_size(lines));  // 1.13.14-50
    ASSERT_LONG(2, get_image_array_size(squares));
    ASSERT_LONG(4, get_image_array_size(depths));
    ASSERT(true, all(get_image_dim(square) == (int2)(4, 3)));  // 1.13.14-49
    ASSERT(true, all(get_image_dim(squares) == (int2)(4, 3)));
    ASSERT(true, all(get_image_dim(depths) == (int2)(3, 2)));
    ASSERT(true, all(get_image_dim(cube) == (int4)(3, 4, 5, 0)));
    ASSERT(CLK_R, get_image_channel_order(line));  // 1.13.14-48
    ASSERT(CLK_R, get_image_channel_order(buffer));
    ASSERT(CLK_DEPTH, get_image_channel_order(depth));
    ASSERT(CLK_FLOAT, get_image_channel_data_type(cube));  // 1.13.14-47
    ASSERT(0x10e0, CLK_UNORM_INT_101010_2);
}

void write_both(write_only image3d_t image, int4 at) { write_imagef(image, at, (float4)(-at.z, 2, 3, 4)); }

kernel void test_write(global uint *record, write_only image1d_t line, write_only image1d_buffer_t buffer,
                       write_only image1d_array_t lines, write_only image2d_t square, write_only image2d_array_t squares,
                       write_only image3d_t cube, write_only image2d_depth_t depth, write_only image2d_array_depth_t depths,
                       global float *line_bytes, global float *buffer_bytes, global float *lines_bytes,
                       global float *square_bytes, global float *squares_bytes, global float *cube_bytes,
                       global float *depth_bytes, global float *depths_bytes) {
    const float4 color = (float4)(-1, 2, 3, 4);
    write_imagef(line, 4, color);  // 1.13.14-42
    write_imagef(line, 9, color);
    write_imagef(buffer, 5, color);
    write_imagef(lines, (int2)(3, 2), color);
    write_imagef(square, (int2)(2, 1), color);
    write_imagef(squares, (int4)(2, 1, 1, 0), color);
    write_imagef(squares, (int4)(2, 1, 2, 0), color);
    write_both(cube, (int4)(2, 3, 4, 0));
    write_imagef(depth, (int2)(4, 1), -5.0f);  // 1.13.14-43, -44
    write_imagef(depths, (int4)(1, 1, 3, 0), -6.0f);
    work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);  // 1.13.14-64
    ASSERT_BITS(as_uint(-1.0f), line_bytes[4]);
    ASSERT_BITS(as_uint(9 / 4.0f), line_bytes[9]);
    ASSERT_BITS(as_uint(-1.0f), buffer_bytes[5]);
    ASSERT_BITS(as_uint(-1.0f), lines_bytes[(int)(4 * texel(5, 1, 3, 0, 2))]);
    ASSERT_BITS(as_uint(-1.0f), square_bytes[(int)(4 * texel(4, 3, 2, 1, 0))]);
    ASSERT_BITS(as_uint(-1.0f), squares_bytes[(int)(4 * texel(4, 3, 2, 1, 1))]);
    ASSERT_BITS(as_uint(-4.0f), cube_bytes[(int)(4 * texel(3, 4, 2, 3, 4))]);
    ASSERT_BITS(as_uint(-5.0f), depth_bytes[(int)(4 * texel(5, 2, 4, 1, 0))]);
    ASSERT_BITS(as_uint(-6.0f), depths_bytes[(int)(4 * texel(3, 2, 1, 1, 3))]);
    ASSERT_BITS(as_uint(texel(4, 3, 3, 1, 1)), squares_bytes[(int)(4 * texel(4, 3, 3, 1, 1))]);
}
