// SPDX-License-Identifier: Apache-2.0
// Decodes a texel's colour (OpenCL C 6.13.14.10 "Mapping image channels to color values", 8.3 "Conversion
// rules"). All branches are uniform for the texels of an image.
// OPTIONS: -cl-std=CL2.0
#include "channels.h"

/// Formats that have a number have no texels of 3, 6 or 12 bytes (texel_bytes_of).
static uint4 load_known(Texel *at, uint bytes) {
    switch (bytes) {
        case 1: return (uint4)(*at, 0, 0, 0);
        case 2: return (uint4)(*(global ushort *)at, 0, 0, 0);
        case 4: return (uint4)(*(global uint *)at, 0, 0, 0);
        case 8: return (uint4)(*(global uint2 *)at, 0, 0);
        default: return *(global uint4 *)at;
    }
}

/// Without branches: any texel's bytes are in the words around it. What is behind it in the last one is not
/// looked at later.
static uint4 load_any(Texel *at, uint bytes) {
    uint before = (uint)(size_t)at & 3, last = (before + bytes - 1) >> 2, shift = 8 * before;
    global uint *from = (global uint *)(at - before);
    uint4 words = (uint4)(from[0], from[min(1u, last)], from[min(2u, last)], from[min(3u, last)]);
    uint4 moved = (uint4)(words.xy >> shift | words.yz << (32 - shift & 31), 0, 0);
    return before == 0 ? words : moved;
}
static uint4 load_words(IMAGE_PARAMS, Texel *at) {
    uint bytes = texel_bytes_of(IMAGE);
    if (format == 0) return load_any(at, bytes);
    return load_known(at, bytes);
}

static uint4 bytes_of(uint4 words) { return words.xxxx >> (uint4)(0, 8, 16, 24) & 0xff; }
static uint4 halves_of(uint4 words) { return words.xxyy >> (uint4)(0, 16, 0, 16) & 0xffff; }
static int4 signed_bytes_of(uint4 words) { return as_int4(words.xxxx << (uint4)(24, 16, 8, 0)) >> 24; }
static int4 signed_halves_of(uint4 words) { return as_int4(words.xxyy << (uint4)(16, 0, 16, 0)) >> 16; }

/// Lossless: no denormal takes part. A small half is the part of a float above 2^-14, which a subtraction leaves: a
/// conversion of integers costs several times as much on GPUs.
static float4 float_of_half(uint4 half_bits) {
    uint4 magnitude = half_bits & 0x7fff;
    uint4 exponent = magnitude >= 0x7c00 ? (uint4)(0x70000000) : (uint4)(0x38000000);
    uint4 normal = (magnitude << 13) + exponent, small = as_uint4(as_float4(normal + 0x800000) - 0x1p-14f);
    return as_float4((magnitude < 0x400 ? small : normal) | (half_bits & 0x8000) << 16);
}

static float3 linear_of_srgb(float3 c) {
    float3 curve = native_exp2(2.4f * native_log2(max((c + 0.055f) / 1.055f, 0x1p-20f)));
    return c <= 0.04045f ? c / 12.92f : curve;
}

/// Without branches between the formats, which a driver's compiler would have in each texel of a filter.
float4 FUNCTION(channels)(IMAGE_PARAMS, Texel *at, uint4 shifts, uint4 most, float4 scale, uint kind) {
    uint4 words = load_words(IMAGE, at);
    uint4 bits = (kind & kCodingIsWide ? words.xxyy : words.xxxx) >> shifts & most;
    uint above = kind >> kCodingSignShift;
    float4 numbers = convert_float4(as_int4(bits << above) >> above) * scale;
    numbers = above != 0 ? max(numbers, -1.0f) : numbers;
    numbers = kind & kCodingIsHalf ? float_of_half(bits) : numbers;
    numbers = kind & kCodingIsFloat ? as_float4(words) : numbers;
    if (is_srgb(order_of(IMAGE))) numbers.xyz = linear_of_srgb(numbers.xyz);
    return numbers;
}

/// Channels in the order of memory.
static uint4 channels_u(uint4 words, uint type) {
    switch (type) {
        case CLK_UNSIGNED_INT8: return bytes_of(words);
        case CLK_UNSIGNED_INT16: return halves_of(words);
        case CLK_SIGNED_INT8: return as_uint4(signed_bytes_of(words));
        case CLK_SIGNED_INT16: return as_uint4(signed_halves_of(words));
        default: return words;
    }
}

#define COLOR(color, letter)                                                                            \
    static color color_##letter(color c, uint order) {                                                  \
        switch (order) {                                                                                \
            case CLK_BGRA:                                                                              \
            case CLK_sBGRA: return c.zyxw;                                                              \
            case CLK_R:                                                                                 \
            case CLK_DEPTH:                                                                             \
            case CLK_Rx: return (color)(c.x, 0, 0, 1);                                                  \
            case CLK_A: return (color)(0, 0, 0, c.x);                                                   \
            case CLK_RG:                                                                                \
            case CLK_RGx: return (color)(c.xy, 0, 1);                                                   \
            case CLK_RA: return (color)(c.x, 0, 0, c.y);                                                \
            case CLK_RGB:                                                                               \
            case CLK_RGBx:                                                                              \
            case CLK_sRGB:                                                                              \
            case CLK_sRGBx: return (color)(c.xyz, 1);                                                   \
            case CLK_ARGB: return c.yzwx;                                                               \
            case CLK_ABGR: return c.wzyx;                                                               \
            case CLK_INTENSITY: return c.xxxx;                                                          \
            case CLK_LUMINANCE: return (color)(c.xxx, 1);                                               \
            default: return c;                                                                          \
        }                                                                                               \
    }
COLOR(float4, f)
COLOR(uint4, u)

float4 FUNCTION(color)(IMAGE_PARAMS, float4 channels) { return color_f(channels, order_of(IMAGE)); }

float4 FUNCTION(decode_f)(IMAGE_PARAMS, int4 place) {
    Coding by = coding_of(type_of(IMAGE));
    Texel *at = texel(IMAGE, place);
    return FUNCTION(color)(IMAGE, FUNCTION(channels)(IMAGE, at, by.shifts, by.most, by.scale, by.kind));
}

/// Texels that share bytes (cl_ext_image_raw10_raw12). A group of four texels of 10 bits, or two of 12 bits, has a byte
/// for the highest bits of each. Behind these, a byte has the lowest bits of all.
static bool is_raw(uint type) { return type == CLK_UNSIGNED_INT_RAW10_EXT || type == CLK_UNSIGNED_INT_RAW12_EXT; }
static uint load_raw(IMAGE_PARAMS, int4 place, uint type) {
    bool is_of_10 = type == CLK_UNSIGNED_INT_RAW10_EXT;
    uint column = place.x, size = is_of_10 ? 4 : 2, low_bits = is_of_10 ? 2 : 4, i = column & (size - 1);
    Texel *group = texel(IMAGE, (int4)(0, place.yzw)) + (column >> (is_of_10 ? 2 : 1)) * (size + 1);
    uint lowest = (uint)group[size] >> low_bits * i & ((1u << low_bits) - 1);
    return (uint)group[i] << low_bits | lowest;
}

uint4 FUNCTION(decode_u)(IMAGE_PARAMS, int4 place) {
    uint type = type_of(IMAGE);
    if (format == 0 && is_raw(type)) return (uint4)(load_raw(IMAGE, place, type), 0, 0, 1);
    return color_u(channels_u(load_words(IMAGE, texel(IMAGE, place)), type), order_of(IMAGE));
}
