// Writes to levels of images in memory (cl_khr_mipmap_image_writes), and levels of integers.
// OPTIONS: -cl-std=CL3.0
// NEEDS: addresses
// RUN: levels=3 sampler=0x53 image=2d:RGBA:SIGNED_INT8:11x6 image=3d:RG:UNSIGNED_INT16:7x5x6 image=1d_array:RGBA:UNORM_INT8:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:RGBA:HALF_FLOAT:13
// RUN: levels=3 sampler=0x13 by_format image=2d:RGBA:SIGNED_INT8:11x6 image=3d:RG:UNSIGNED_INT16:7x5x6 image=1d_array:RGBA:UNORM_INT8:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:RGBA:HALF_FLOAT:13
#include "assert.h"

#ifndef cl_khr_mipmap_image_writes
#error "the runner's device writes levels"
#endif
#define WRITTEN() atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item)

// Rows have 3 more texels than the level is wide, and slices 5 more. Levels follow one another.

/// 11 x 6, 5 x 3, 2 x 1
kernel void test_signed(global uint *record, read_write image2d_t image, sampler_t sampler, global char *image_bytes) {
    const int first[] = {0, 14 * 6 + 5, 14 * 6 + 5 + 8 * 3 + 5}, width[] = {11, 5, 2}, height[] = {6, 3, 1};
    AS_IT_STANDS for (int level = 0; level < 3; level++)
        AS_IT_STANDS for (int n = 0; n < 4; n++) {
            const int2 at = (int2)(n * 3 % width[level], n % height[level]);
            const float2 s = (convert_float2(at) + 0.5f) / (float2)(width[level], height[level]);
            global char *texel = image_bytes + 4 * (first[level] + at.x + at.y * (width[level] + 3));
            const int4 before = (int4)(texel[0], texel[1], texel[2], texel[3]);
            ASSERT(true, all(read_imagei(image, sampler, s, (float)level) == before));
            const int4 color = (int4)(-n, n, 200, level);
            write_imagei(image, at, level, color);
            WRITTEN();
            ASSERT(true, all((int4)(texel[0], texel[1], texel[2], texel[3]) == (int4)(-n, n, 127, level)));
            ASSERT(true, all(read_imagei(image, sampler, s, level + 0.3f) == (int4)(-n, n, 127, level)));
        }
}

/// Where there is no texel, nothing is written. 7 x 5 x 6, 3 x 2 x 3, 1 x 1 x 1
kernel void test_unsigned(global uint *record, read_only image2d_t a, read_write image3d_t image, sampler_t sampler,
                          global ushort *image_bytes) {
    const int second = (10 * 5 + 5) * 6, third = second + (6 * 2 + 5) * 3;
    uint sum = 0;
    AS_IT_STANDS for (int i = 0; i < 2 * (third + 4 + 5); i++) sum += image_bytes[i];
    write_imageui(image, (int4)(0), 3, (uint4)(12345));
    write_imageui(image, (int4)(0), -1, (uint4)(12345));
    write_imageui(image, (int4)(3, 0, 0, 0), 1, (uint4)(12345));
    write_imageui(image, (int4)(0, 2, 0, 0), 1, (uint4)(12345));
    write_imageui(image, (int4)(0, 0, 3, 0), 1, (uint4)(12345));
    write_imageui(image, (int4)(0, 0, -1, 0), 2, (uint4)(12345));
    WRITTEN();
    AS_IT_STANDS for (int i = 0; i < 2 * (third + 4 + 5); i++) sum -= image_bytes[i];
    ASSERT(0, sum);
    write_imageui(image, (int4)(2, 1, 2, 0), 1, (uint4)(70000, 7, 9, 9));
    write_imageui(image, (int4)(0), 2, (uint4)(8, 9, 0, 0));
    WRITTEN();
    global ushort *texel = image_bytes + 2 * (second + 2 + 6 + 2 * (6 * 2 + 5));
    ASSERT(65535, texel[0]);
    ASSERT(7, texel[1]);
    ASSERT(8, image_bytes[2 * third]);
    ASSERT(9, image_bytes[2 * third + 1]);
    ASSERT(true, all(read_imageui(image, sampler, (float4)(0.9f, 0.9f, 0.9f, 0), 1.0f) == (uint4)(65535, 7, 0, 1)));
    ASSERT(true, all(read_imageui(image, sampler, (float4)(0.9f, 0.1f, 0.4f, 0), (float4)(1), (float4)(0)) ==
                     (uint4)(8, 9, 0, 1)));
    ASSERT(3, get_image_num_mip_levels(image));
}

/// 9, 4, 2 of 3 layers
kernel void test_unorm(global uint *record, read_only image2d_t a, read_only image3d_t b,
                       read_write image1d_array_t image, sampler_t sampler, global uchar *image_bytes) {
    const int second = (12 + 5) * 3, third = second + (7 + 5) * 3;
    write_imagef(image, (int2)(3, 2), 1, (float4)(0.2f, 0.4f, 0.6f, 2));
    write_imagef(image, (int2)(1, 1), 2, (float4)(0, 1, 0, -1));
    WRITTEN();
    global uchar *texel = image_bytes + 4 * (second + 3 + 2 * (7 + 5)), *other = image_bytes + 4 * (third + 1 + 5 + 5);
    ASSERT(true, texel[0] == 51 && texel[1] == 102 && texel[2] == 153 && texel[3] == 255);
    ASSERT(true, other[0] == 0 && other[1] == 255 && other[2] == 0 && other[3] == 0);
    const float4 back = read_imagef(image, sampler, (float2)(0.9f, 2), 1.0f);
    ASSERT(true, all(fabs(back - (float4)(0.2f, 0.4f, 0.6f, 1)) < 1e-5f));
}

/// 5 x 9, 2 x 4, 1 x 2 of 2 layers
kernel void test_float(global uint *record, read_only image2d_t a, read_only image3d_t b, read_only image1d_array_t c,
                       write_only image2d_array_t image, global float *image_bytes) {
    const int second = (8 * 9 + 5) * 2, third = second + (5 * 4 + 5) * 2;
    write_imagef(image, (int4)(1, 3, 1, 0), 1, (float4)(0.3f));
    write_imagef(image, (int4)(0, 1, 1, 0), 2, (float4)(-7));
    ASSERT(true, get_image_num_mip_levels(image) == 3);
    WRITTEN();
    ASSERT_BITS(as_uint(0.3f), image_bytes[second + 1 + 3 * 5 + (5 * 4 + 5)]);
    ASSERT_BITS(as_uint(-7.0f), image_bytes[third + 4 + (4 * 2 + 5)]);
}

/// 13, 6, 3
kernel void test_half(global uint *record, read_only image2d_t a, read_only image3d_t b, read_only image1d_array_t c,
                      read_only image2d_array_t d, write_only image1d_t image, global half *image_bytes) {
    const int second = 16 + 5, third = second + 9 + 5;
    write_imagef(image, 5, 1, (float4)(1, 2, 3, 4));
    write_imagef(image, 2, 2, (float4)(0.5f));
    WRITTEN();
    ASSERT(true, all(vload_half4(second + 5, image_bytes) == (float4)(1, 2, 3, 4)));
    ASSERT(true, all(vload_half4(third + 2, image_bytes) == (float4)(0.5f)));
}
