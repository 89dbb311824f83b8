// Functions that images are passed to know the formats of a launch, each call those of its own images: 1.13.14. A kernel with more than 16
// calls of image functions is compiled anew for its formats, and so is one whose functions read formats in images.
// OPTIONS: -cl-std=CL1.2
// RUN: by_format image=2d:RGBA:UNORM_INT8:7x3 image=2d:R:FLOAT:7x3 image=2d:RG:HALF_FLOAT:7x3
// RUN: by_format image=2d:R:FLOAT:7x3 image=2d:RGBA:SNORM_INT16:7x3 image=2d:RGBA:UNORM_INT8:7x3
// RUN: by_format image=2d:RGBA:UNSIGNED_INT8:7x3 image=2d:RGBA:SIGNED_INT16:7x3 image=2d:R:UNSIGNED_INT32:7x3
#include "assert.h"

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

bool is_signed(int type) { return type >= CLK_SIGNED_INT8 && type <= CLK_SIGNED_INT32; }
bool is_unsigned(int type) { return type >= CLK_UNSIGNED_INT8 && type <= CLK_UNSIGNED_INT32; }

// The bits of a texel, so that those of all kinds can be compared.
#define TEXEL(image, sampler, at)                                                                  \
    (is_unsigned(get_image_channel_data_type(image)) ? read_imageui(image, sampler, at)            \
     : is_signed(get_image_channel_data_type(image)) ? as_uint4(read_imagei(image, sampler, at))   \
                                                     : as_uint4(read_imagef(image, sampler, at)))

uint4 texel(read_only image2d_t image, sampler_t sampler, int2 at) { return TEXEL(image, sampler, at); }

uint4 sum_of(read_only image2d_t image, int2 at) {
    uint4 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum = sum * 3 + texel(image, nearest, at + (int2)(x, y));
    return sum;
}
uint4 either(read_only image2d_t a, read_only image2d_t b, bool first, int2 at) { return first ? sum_of(a, at) : sum_of(b, at); }

#define ADD(image, x, y) sum = sum * 3 + TEXEL(image, nearest, at + (int2)(x, y))
#define SUM(image)                                                                                         \
    sum = 0; ADD(image, -1, -1); ADD(image, 0, -1); ADD(image, 1, -1); ADD(image, -1, 0); ADD(image, 0, 0); \
    ADD(image, 1, 0); ADD(image, -1, 1); ADD(image, 0, 1); ADD(image, 1, 1)
#define SAME(a, b) ASSERT(true, (bool)all((a) == (b)))

kernel void test_reads(global uint *record, read_only image2d_t a, read_only image2d_t b, read_only image2d_t c) {
    AS_IT_STANDS for (int x = 0; x < 7; ++x) {
        int2 at = (int2)(x, x % 3);
        uint4 sum;
        SUM(a);
        SAME(sum, sum_of(a, at));
        SAME(sum, either(a, b, x >= 0, at));
        SUM(b);
        SAME(sum, sum_of(b, at));
        SAME(sum, either(a, b, x < 0, at));
        SUM(c);
        SAME(sum, sum_of(c, at));
        SAME(sum, either(c, a, x >= 0, at));
    }
    SAME(texel(a, border, (int2)(-1, 0)).xyz, (uint3)(0));
}
