// Levels of images in memory (cl_khr_mipmap_image) by their numbers and by gradients, through every filter and
// with limits of the level of detail.
// OPTIONS: -cl-std=CL3.0
// NEEDS: addresses
// RUN: levels=3 sampler=0x13 image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
// RUN: levels=3 sampler=0x23 by_format image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
// RUN: levels=3 sampler=0x53 by_format image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
// RUN: levels=3 sampler=0x63 by_format image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
// RUN: levels=3 sampler=0xe7f0c063 by_format image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
// RUN: levels=1 sampler=0x63 by_format image=2d:R:FLOAT:11x6 image=3d:R:FLOAT:7x5x6 image=1d_array:R:FLOAT:9x3 image=2d_array:R:FLOAT:5x9x2 image=1d:R:FLOAT:13
#include "assert.h"

#ifdef VULKAN_IMAGES  // devices mix texels with weights of 8 bits (VkPhysicalDeviceLimits::subTexelPrecisionBits)
#define WEIGHT_ERROR(bits) ((bits & CLK_FILTER_LINEAR) ? 1.5f / 256 : 0)
#define ENDLESS 1000.0f
#else
#define WEIGHT_ERROR(bits) 0
#define ENDLESS INFINITY
#endif

#ifndef cl_khr_mipmap_image
#error "the runner's device has levels"
#endif

/// The size of a level, and how many texels of memory precede it. Rows have 3 more texels, slices 5 more.
typedef struct {
    int4 size;
    int first;
} Level;

Level level_of(int4 size, bool is_array, int level) {
    Level found = {size, 0};
    for (; level > 0; --level) {
        found.first += ((found.size.x + 3) * found.size.y + 5) * found.size.z;
        int4 half_size = max(found.size / 2, (int4)(1));
        if (is_array) half_size.z = size.z;
        found.size = half_size;
    }
    return found;
}

/// What a filter finds at `s` of one level: the edge goes on outside it. The last coordinate of an array is a layer.
float reference(uint bits, Level level, float4 s, bool is_array) {
    bool is_linear = bits & CLK_FILTER_LINEAR;
    float4 u = s * convert_float4(level.size) - (is_linear ? 0.5f : 0.0f);
    int4 first = convert_int4(floor(u));
    float4 weight = is_linear ? u - floor(u) : (float4)(0);
    if (is_array) {
        first.z = (int)rint(s.z);
        weight.z = 0;
    }
    float sum = 0;
    for (int t = 0; t < 8; t++) {
        int4 second = (int4)(t & 1, t >> 1 & 1, t >> 2, 0);
        int4 at = clamp(first + second, (int4)(0), level.size - 1);
        float4 part = second == 1 ? weight : 1 - weight;
        int texel = level.first + at.x + at.y * (level.size.x + 3) +
                    at.z * ((level.size.x + 3) * level.size.y + 5);
        sum += part.x * part.y * part.z * texel / 4.0f;
    }
    return sum;
}

float reference_levels(uint bits, int levels, int4 size, float4 s, float lod, bool is_array) {
    float least = (bits >> 8 & 0xfff) / 256.0f, most = (0xfff - (bits >> 20)) / 256.0f;
    lod = clamp(min(max(lod, least), most), 0.0f, levels - 1.0f);
    bool is_mixed = bits & 0x40;
    int first = is_mixed ? (int)floor(lod) : lod > 0.5f ? (int)ceil(lod + 0.5f) - 1 : 0;
    float sum = reference(bits, level_of(size, is_array, first), s, is_array);
    if (is_mixed && lod > first)
        sum = mix(sum, reference(bits, level_of(size, is_array, first + 1), s, is_array), lod - first);
    return sum;
}

/// `span` is how far apart the texels are that are mixed.
bool is_near(float expected, float4 color, float span, uint bits) {
    const float error = 1e-3f + 1e-5f * fabs(expected) + span * WEIGHT_ERROR(bits);
    return fabs(expected - color.x) <= error && color.y == 0 && color.z == 0 && color.w == 1;
}

/// By a number and by gradients. The larger gradient counts, in texels of the first level.
#define TEST(shape, image_t, dimensions, size, is_array, coordinate, by_x, by_y, ...)                                  \
    kernel void test_##shape(global uint *record, __VA_ARGS__ read_only image_t image, sampler_t sampler,              \
                             uint sampler_bits) {                                                                      \
        const int levels = get_image_num_mip_levels(image);                                                            \
        const float span = level_of(size, is_array, 2).first / 4.0f;                                                   \
        AS_IT_STANDS for (int n = 0; n < 12; n++) {                                                                    \
            float lod = n * 0.27f - 0.4f, texels = exp2(lod), less = texels * (n % 2 ? 0.9f : -0.3f);                  \
            float4 s = (float4)(n * 0.173f - 0.61f, 0.93f - n * 0.119f, is_array ? n % 2 : 0.4f + n * 0.03f, 0);       \
            if (dimensions < 2) s.y = 0.5f;                                                                            \
            if (dimensions < 3 && !is_array) s.z = 0.5f;                                                               \
            float expected = reference_levels(sampler_bits, levels, size, s, lod, is_array);                           \
            float4 color = read_imagef(image, sampler, coordinate, lod);                                               \
            ASSERT(true, is_near(expected, color, span, sampler_bits));                                                \
            color = read_imagef(image, sampler, coordinate, by_x, by_y);                                               \
            ASSERT(true, fabs(expected - color.x) < 0.02f + span * WEIGHT_ERROR(sampler_bits));                        \
        }                                                                                                              \
    }
TEST(2d, image2d_t, 2, (int4)(11, 6, 1, 1), false, s.xy, (float2)(less / 11, 0),
     (float2)(0.6f * texels / 11, -0.8f * texels / 6))
TEST(3d, image3d_t, 3, (int4)(7, 5, 6, 1), false, s, (float4)(0, 0, texels / 6, 9), (float4)(less / 7, 0, 0, 9),
     read_only image2d_t a, )
TEST(1d_array, image1d_array_t, 1, (int4)(9, 1, 3, 1), true, s.xz, less / 9, -texels / 9, read_only image2d_t a,
     read_only image3d_t b, )
TEST(2d_array, image2d_array_t, 2, (int4)(5, 9, 2, 1), true, s, (float2)(0, -texels / 9), (float2)(less / 5, 0),
     read_only image2d_t a, read_only image3d_t b, read_only image1d_array_t c, )
TEST(1d, image1d_t, 1, (int4)(13, 1, 1, 1), false, s.x, texels / 13, less / 13, read_only image2d_t a,
     read_only image3d_t b, read_only image1d_array_t c, read_only image2d_array_t d, )

/// A depth image has levels as others do.
kernel void test_depth(global uint *record, read_only image2d_depth_t image, sampler_t sampler, uint sampler_bits) {
    const int levels = get_image_num_mip_levels(image);
    const int4 size = (int4)(11, 6, 1, 1);
    const float span = level_of(size, false, 2).first / 4.0f;
    const float4 at = (float4)(0.3f, 0.7f, 0.5f, 0);
    AS_IT_STANDS for (int n = 0; n < 4; n++) {
        float expected = reference_levels(sampler_bits, levels, size, at, n * 0.7f, false);
        float depth = read_imagef(image, sampler, at.xy, n * 0.7f);
        ASSERT(true, is_near(expected, (float4)(depth, 0, 0, 1), span, sampler_bits));
    }
}

/// No change at all is the first level that the sampler lets be read, and endless change the last one.
kernel void test_endless(global uint *record, read_only image2d_t image, sampler_t sampler, uint sampler_bits) {
    const int levels = get_image_num_mip_levels(image);
    const float4 at = (float4)(0.3f, 0.3f, 0.5f, 0);
    AS_IT_STANDS for (int n = 0; n < 2; n++) {
        float change = n == 0 ? 0 : ENDLESS;
        float expected = reference_levels(sampler_bits, levels, (int4)(11, 6, 1, 1), at, n == 0 ? -9 : 9, false);
        float4 color = read_imagef(image, sampler, at.xy, (float2)(change, 0), (float2)(0));
        ASSERT(true, is_near(expected, color, 30, sampler_bits));
    }
}

/// Sizes are those of the first level. Reads without a level are of that one. So are those of a level that is the
/// constant 0, whatever the sampler lets be read: SPIR-V says both in one way.
kernel void test_first(global uint *record, read_only image2d_t a, read_only image3d_t b, read_only image1d_array_t c,
                       read_only image2d_array_t d, read_only image1d_t e, sampler_t sampler) {
    const int levels = get_image_num_mip_levels(a);
    ASSERT(true, levels == 3 || levels == 1);
    ASSERT(levels, get_image_num_mip_levels(b));
    ASSERT(levels, get_image_num_mip_levels(c));
    ASSERT(levels, get_image_num_mip_levels(d));
    ASSERT(levels, get_image_num_mip_levels(e));
    ASSERT(11, get_image_width(a));
    ASSERT(6, get_image_height(a));
    ASSERT(6, get_image_depth(b));
    ASSERT(3, (int)get_image_array_size(c));
    ASSERT(2, (int)get_image_array_size(d));
    ASSERT(13, get_image_width(e));
    const float2 corner = (float2)(10.5f / 11, 5.5f / 6);
    ASSERT(true, is_near((14 * 5 + 10) / 4.0f, read_imagef(a, sampler, corner), 4, 0x60));
    ASSERT(true, is_near((14 * 5 + 10) / 4.0f, read_imagef(a, sampler, corner, 0.0f), 4, 0x60));
    ASSERT(true, read_imagef(a, (int2)(10, 5)).x == (14 * 5 + 10) / 4.0f);
}

/// A sampler of the source has no limits.
kernel void test_literal(global uint *record, read_only image2d_t image) {
    const sampler_t nearest = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    const bool has_levels = get_image_num_mip_levels(image) == 3;
    const float last = has_levels ? (14 * 6 + 5 + 8 * 3 + 5 + 1) / 4.0f : (14 * 5 + 10) / 4.0f;
    ASSERT(true, read_imagef(image, nearest, (float2)(0.99f, 0.99f), 2.0f).x == last);
}
