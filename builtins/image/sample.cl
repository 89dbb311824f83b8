// SPDX-License-Identifier: Apache-2.0
// Reading with a sampler (OpenCL C 6.13.14.2, 8 "Image Addressing and Filtering"). A sampler is the bits of
// its literal. In undefined cases, reads return some texel of the image.
// OPTIONS: -cl-std=CL2.0
#include "channels.h"

#define ADDRESS_MODES 0x0e

// ---- One axis ----

/// The texels on both sides of a coordinate. The second one is nearer the larger `weight` is, from 0 to 1.
/// One that is outside the image, which only CLK_ADDRESS_CLAMP has, shows the border.
typedef struct {
    int first, second;
    bool shows_first, shows_second;
    float weight;
} Taps;

/// 8.1, and what the repeat modes do before the scaling.
static inline float unnormalize(float s, uint sampler, int size) {
    if (!(sampler & CLK_NORMALIZED_COORDS_TRUE)) return s;
    if ((sampler & ADDRESS_MODES) == CLK_ADDRESS_REPEAT) s -= floor(s);
    if ((sampler & ADDRESS_MODES) == CLK_ADDRESS_MIRRORED_REPEAT) s = fabs(s - 2 * rint(0.5f * s));
    return s * size;
}

/// The position of the i-th texel inside the image.
static inline int inside(int i, uint sampler, int size) {
    if ((sampler & ADDRESS_MODES) == CLK_ADDRESS_REPEAT) i = i < 0 ? i + size : i >= size ? i - size : i;
    return clamp(i, 0, size - 1);
}
static inline bool clamps(uint sampler) { return (sampler & ADDRESS_MODES) == CLK_ADDRESS_CLAMP; }
static inline int address(int i, uint sampler, int size) {
    return clamps(sampler) ? i : inside(i, sampler, size);
}
static inline bool shows(int i, uint sampler, int size) { return !clamps(sampler) | ((uint)i < (uint)size); }

/// Coordinates far away are cut to where their texels and the next ones are as far outside, but an int.
static inline int whole(float u, int size) { return (int)fmin(fmax(floor(u), -2.0f), (float)size); }

static inline int nearest(float s, uint sampler, int size) {
    return address(whole(unnormalize(s, sampler, size), size), sampler, size);
}
static Taps taps(float s, uint sampler, int size) {
    float u = unnormalize(s, sampler, size) - 0.5f;
    int first = whole(u, size);
    Taps found = {inside(first, sampler, size), inside(first + 1, sampler, size), shows(first, sampler, size),
                  shows(first + 1, sampler, size), u - floor(u)};
    return found;
}
/// 8.4: of arrays, whatever the sampler says.
static inline int layer(float w, int layers) { return (int)fmin(fmax(rint(w), 0.0f), (float)(layers - 1)); }

// ---- One texel, or the border's colour ----

/// 6.13.14.1 "Determining the border color or value". sRGB has an alpha of 1 as RGB has.
static bool border_is_opaque(uint order) {
    return order == CLK_R || order == CLK_RG || order == CLK_RGB || order == CLK_LUMINANCE || order == CLK_sRGB;
}

#define TEXEL(color, letter)                                                                \
    static inline color texel_##letter(IMAGE_PARAMS, uint sampler, int4 size, int4 place) { \
        if (clamps(sampler) && !is_inside(place, size))                                     \
            return (color)(0, 0, 0, border_is_opaque(order_of(IMAGE)) ? 1 : 0);             \
        return FUNCTION(decode_##letter)(IMAGE, place);                                     \
    }
TEXEL(float4, f)
TEXEL(uint4, u)

/// The channels of a filter's texel. Those of the border are 0: they are selected, not branched to, so that
/// no load waits for another one.
static inline float4 tap(IMAGE_PARAMS, Coding by, int x, int y, int z, bool is_shown) {
    float4 channels =
        FUNCTION(channels)(IMAGE, texel(IMAGE, (int4)(x, y, z, 0)), by.shifts, by.most, by.scale, by.kind);
    return is_shown ? channels : (float4)(0);
}

// ---- Linear filters: a line of two texels, a square of two lines, a cube of two squares ----

static float4 line(IMAGE_PARAMS, Coding by, Taps x, int y, int z, bool is_shown) {
    float4 first = tap(IMAGE, by, x.first, y, z, x.shows_first & is_shown);
    float4 second = tap(IMAGE, by, x.second, y, z, x.shows_second & is_shown);
    return first * (1 - x.weight) + second * x.weight;
}
static float4 square(IMAGE_PARAMS, Coding by, Taps x, Taps y, int z, bool is_shown) {
    float4 first = line(IMAGE, by, x, y.first, z, y.shows_first & is_shown);
    float4 second = line(IMAGE, by, x, y.second, z, y.shows_second & is_shown);
    return first * (1 - y.weight) + second * y.weight;
}
static float4 cube(IMAGE_PARAMS, Coding by, Taps x, Taps y, Taps z) {
    float4 first = square(IMAGE, by, x, y, z.first, z.shows_first);
    float4 second = square(IMAGE, by, x, y, z.second, z.shows_second);
    return first * (1 - z.weight) + second * z.weight;
}

/// How much of a line is no border.
static inline float shown(Taps x) {
    return (x.shows_first ? 1 - x.weight : 0) + (x.shows_second ? x.weight : 0);
}
/// The colour of channels that were mixed. Where texels have an alpha of 1 and the border one of 0, it is how
/// much the filter shows of the image.
static float4 color_of(IMAGE_PARAMS, float4 channels, float shown) {
    float4 color = FUNCTION(color)(IMAGE, channels);
    uint order = order_of(IMAGE);
    bool fades = order == CLK_Rx || order == CLK_RGx || order == CLK_RGBx || order == CLK_sRGBx;
    color.w = fades ? shown : color.w;
    return color;
}

// ---- The functions ----

#define AXIS(how, axis) how(at.axis, sampler, size.axis)

static float4 filter_line(IMAGE_PARAMS, Taps x, int z) {
    Coding by = coding_of(type_of(IMAGE));
    return color_of(IMAGE, line(IMAGE, by, x, 0, z, true), shown(x));
}
static float4 filter_square(IMAGE_PARAMS, Taps x, Taps y, int z) {
    Coding by = coding_of(type_of(IMAGE));
    return color_of(IMAGE, square(IMAGE, by, x, y, z, true), shown(x) * shown(y));
}
static float4 filter_cube(IMAGE_PARAMS, Taps x, Taps y, Taps z) {
    Coding by = coding_of(type_of(IMAGE));
    return color_of(IMAGE, cube(IMAGE, by, x, y, z), shown(x) * shown(y) * shown(z));
}

#define FILTER_1d filter_line(IMAGE, taps(at, sampler, size.x), 0)
#define FILTER_1d_array filter_line(IMAGE, AXIS(taps, x), layer(at.y, size.z))
#define FILTER_2d filter_square(IMAGE, AXIS(taps, x), AXIS(taps, y), 0)
#define FILTER_2d_array filter_square(IMAGE, AXIS(taps, x), AXIS(taps, y), layer(at.z, size.z))
#define FILTER_3d filter_cube(IMAGE, AXIS(taps, x), AXIS(taps, y), AXIS(taps, z))

#define PLACE_1d(how) (int4)(how(at, sampler, size.x), 0, 0, 0)
#define PLACE_1d_array(how) (int4)(AXIS(how, x), 0, layer(at.y, size.z), 0)
#define PLACE_2d(how) (int4)(AXIS(how, x), AXIS(how, y), 0, 0)
#define PLACE_2d_array(how) (int4)(AXIS(how, x), AXIS(how, y), layer(at.z, size.z), 0)
#define PLACE_3d(how) (int4)(AXIS(how, x), AXIS(how, y), AXIS(how, z), 0)

/// Coordinates are whole numbers (fetch) or real ones (sample, and nearest for samplers that do not filter);
/// filtered are floats alone.
#define FETCH(shape, coordinate, letter, color)                                           \
    color FUNCTION(fetch_##shape##_##letter)(IMAGE_PARAMS, uint sampler, coordinate at) { \
        int4 size = size_##shape(DESCRIBED);                                              \
        return texel_##letter(IMAGE, sampler, size, PLACE_##shape(address));              \
    }
#define NEAREST(name, shape, coordinate, letter, color)                                    \
    color FUNCTION(name##_##shape##_##letter)(IMAGE_PARAMS, uint sampler, coordinate at) { \
        int4 size = size_##shape(DESCRIBED);                                               \
        return texel_##letter(IMAGE, sampler, size, PLACE_##shape(nearest));               \
    }
#define SAMPLE(shape, coordinate)                                                       \
    float4 FUNCTION(sample_##shape##_f)(IMAGE_PARAMS, uint sampler, coordinate at) {    \
        int4 size = size_##shape(DESCRIBED);                                            \
        if (sampler & CLK_FILTER_LINEAR) return FILTER_##shape;                         \
        return texel_f(IMAGE, sampler, size, PLACE_##shape(nearest));                   \
    }
#define SAMPLERS(shape, whole, real)           \
    FETCH(shape, whole, f, float4)             \
    FETCH(shape, whole, u, uint4)              \
    SAMPLE(shape, real)                        \
    NEAREST(nearest, shape, real, f, float4)   \
    NEAREST(sample, shape, real, u, uint4)
SAMPLERS(1d, int, float)
SAMPLERS(1d_array, int2, float2)
SAMPLERS(2d, int2, float2)
SAMPLERS(2d_array, int4, float4)
SAMPLERS(3d, int4, float4)
