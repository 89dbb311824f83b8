// SPDX-License-Identifier: Apache-2.0
// Levels of images (cl_khr_mipmap_image, cl_khr_mipmap_image_writes), where an image is the address of its
// descriptor. The descriptors of all its levels lie behind one another (caldera/device_abi.h), so a level is
// an image of its own. Vulkan's formulas choose it, since OpenCL has none ("Image Level(s) Selection").
// OPTIONS: -cl-std=CL2.0
#include "image.h"

int image_levels(Image *image) { return max((int)descriptor(image)->num_mip_levels, 1); }

static inline Image *level_at(Image *image, int level) {
    return (Image *)((constant ImageDescriptor *)image + level);
}
/// In undefined cases, some level of the image.
Image *image_level(Image *image, int level) {
    return level_at(image, clamp(level, 0, image_levels(image) - 1));
}

// ---- The level of detail ----

/// The levels that a sampler reads: one, or two, of which the last one is nearer the larger `weight` is.
typedef struct {
    int first, last;
    float weight;
} Levels;

static Levels levels(Image *image, uint sampler, float lod) {
    const float least = (float)(sampler >> kSamplerLeastLodShift & kSamplerLodMask) / kSamplerLodUnit;
    const float cut = (float)(sampler >> kSamplerLodCutShift & kSamplerLodMask) / kSamplerLodUnit;
    const float most = (float)kSamplerLodMask / kSamplerLodUnit - cut;
    lod = fmin(fmin(fmax(lod, least), most), (float)(image_levels(image) - 1));
    if (!(sampler & kSamplerLinearLevels)) {
        const int nearest = max((int)ceil(lod + 0.5f) - 1, 0);
        Levels found = {nearest, nearest, 0};
        return found;
    }
    Levels found = {(int)lod, (int)ceil(lod), lod - floor(lod)};
    return found;
}

/// How much a coordinate changes, in texels of the first level, gives the level where that is one texel.
static float lod_of(float4 by_x, float4 by_y) {
    return 0.5f * native_log2(fmax(fmax(dot(by_x, by_x), dot(by_y, by_y)), 0x1p-100f));
}

// ---- The functions ----

#define CHANGE_1d(by) (float4)(by, 0, 0, 0)
#define CHANGE_1d_array(by) (float4)(by, 0, 0, 0)
#define CHANGE_2d(by) (float4)(by, 0, 0)
#define CHANGE_2d_array(by) (float4)(by, 0, 0)
#define CHANGE_3d(by) (float4)(by.xyz, 0)

/// Both levels are written out: SwiftShader's compiler takes minutes for a loop of one of them.
#define SAMPLE_FLOATS(shape, real)                                                                             \
    float4 FUNCTION(sample_##shape##_f)(IMAGE_PARAMS, uint sampler, real at);                                  \
    float4 image_sample_level_##shape##_f(IMAGE_PARAMS, uint sampler, real at, float lod) {                    \
        const Levels from = levels(image, sampler, lod);                                                       \
        const float4 first = FUNCTION(sample_##shape##_f)(level_at(image, from.first), format, sampler, at);   \
        if (from.weight == 0) return first;                                                                    \
        image = level_at(image, from.last);                                                                    \
        return first * (1 - from.weight) + FUNCTION(sample_##shape##_f)(IMAGE, sampler, at) * from.weight;     \
    }
/// Integers are not mixed.
#define SAMPLE_INTEGERS(shape, real)                                                                           \
    uint4 FUNCTION(sample_##shape##_u)(IMAGE_PARAMS, uint sampler, real at);                                   \
    uint4 image_sample_level_##shape##_u(IMAGE_PARAMS, uint sampler, real at, float lod) {                     \
        const Levels from = levels(image, sampler & ~(uint)kSamplerLinearLevels, lod);                         \
        return FUNCTION(sample_##shape##_u)(level_at(image, from.first), format, sampler, at);                 \
    }
#define SAMPLE_GRADIENT(shape, real, gradient, letter, color)                                                  \
    color image_sample_gradient_##shape##_##letter(IMAGE_PARAMS, uint sampler, real at, gradient by_x,         \
                                                   gradient by_y) {                                            \
        const float4 size = convert_float4(size_##shape(image));                                               \
        const float lod = lod_of(size * CHANGE_##shape(by_x), size * CHANGE_##shape(by_y));                    \
        return image_sample_level_##shape##_##letter(IMAGE, sampler, at, lod);                                 \
    }
/// As without levels, reads outside the image or its levels return some texel, and writes do nothing.
#define ACCESS(shape, whole, letter, color)                                                                    \
    color FUNCTION(read_##shape##_##letter)(IMAGE_PARAMS, whole at);                                           \
    color image_read_level_##shape##_##letter(IMAGE_PARAMS, whole at, int level) {                             \
        return FUNCTION(read_##shape##_##letter)(image_level(image, level), format, at);                       \
    }                                                                                                          \
    void FUNCTION(write_##shape##_##letter)(IMAGE_PARAMS, whole at, color value);                              \
    void image_write_level_##shape##_##letter(IMAGE_PARAMS, whole at, int level, color value) {                \
        if ((uint)level >= (uint)image_levels(image)) return;                                                  \
        FUNCTION(write_##shape##_##letter)(level_at(image, level), format, at, value);                         \
    }
#define LEVELS(shape, whole, real, gradient)                      \
    SAMPLE_FLOATS(shape, real)                                    \
    SAMPLE_INTEGERS(shape, real)                                  \
    SAMPLE_GRADIENT(shape, real, gradient, f, float4)             \
    SAMPLE_GRADIENT(shape, real, gradient, u, uint4)              \
    ACCESS(shape, whole, f, float4)                               \
    ACCESS(shape, whole, u, uint4)
LEVELS(1d, int, float, float)
LEVELS(1d_array, int2, float2, float)
LEVELS(2d, int2, float2, float2)
LEVELS(2d_array, int4, float4, float2)
LEVELS(3d, int4, float4, float4)
