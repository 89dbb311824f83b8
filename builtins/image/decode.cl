// SPDX-License-Identifier: Apache-2.0
// Decodes a texel's colour (OpenCL C 6.13.14.10 "Mapping image channels to color values", 8.3 "Conversion
// rules"). All branches are uniform for the texels of an image.
// OPTIONS: -cl-std=CL2.0
#include "channels.h"

// Reciprocals, which times their numbers give 1.
#define kPer255 0x1.010102p-8f
#define kPer65535 0x1.0001p-16f
#define kPer127 0x1.020408p-7f
#define kPer32767 0x1.0002p-15f
#define kPer31 0x1.08421p-5f
#define kPer63 0x1.041042p-6f
#define kPer1023 0x1.00401p-10f
#define kPer3 0x1.555556p-2f

static uint4 load_words(Texel *at, uint bytes) {
    global ushort *halves = (global ushort *)at;
    global uint *words = (global uint *)at;
    switch (bytes) {
        case 1: return (uint4)(*at, 0, 0, 0);
        case 2: return (uint4)(*halves, 0, 0, 0);
        case 3: return (uint4)(at[0] | at[1] << 8 | at[2] << 16, 0, 0, 0);
        case 4: return (uint4)(*words, 0, 0, 0);
        case 6: return (uint4)(halves[0] | halves[1] << 16, halves[2], 0, 0);
        case 8: return (uint4)(*(global uint2 *)at, 0, 0);
        case 12: return (uint4)(words[0], words[1], words[2], 0);
        default: return *(global uint4 *)at;
    }
}

static uint4 bytes_of(uint4 words) { return words.xxxx >> (uint4)(0, 8, 16, 24) & 0xff; }
static uint4 halves_of(uint4 words) { return words.xxyy >> (uint4)(0, 16, 0, 16) & 0xffff; }
static int4 signed_bytes_of(uint4 words) { return as_int4(words.xxxx << (uint4)(24, 16, 8, 0)) >> 24; }
static int4 signed_halves_of(uint4 words) { return as_int4(words.xxyy << (uint4)(16, 0, 16, 0)) >> 16; }

static float4 unpack(uint4 words, uint4 shifts, uint4 most, float4 scale) {
    return convert_float4(words.xxxx >> shifts & most) * scale;
}

/// Lossless: no denormal takes part.
static float4 float_of_half(uint4 half_bits) {
    uint4 magnitude = half_bits & 0x7fff;
    uint4 exponent = magnitude >= 0x7c00 ? (uint4)(0x70000000) : (uint4)(0x38000000);
    uint4 normal = (magnitude << 13) + exponent, small = as_uint4(convert_float4(magnitude) * 0x1p-24f);
    return as_float4((magnitude < 0x400 ? small : normal) | (half_bits & 0x8000) << 16);
}

/// Channels in the order of memory.
static float4 channels_f(uint4 words, uint type) {
    switch (type) {
        case CLK_UNORM_INT8: return convert_float4(bytes_of(words)) * kPer255;
        case CLK_FLOAT: return as_float4(words);
        case CLK_HALF_FLOAT: return float_of_half(halves_of(words));
        case CLK_UNORM_INT16: return convert_float4(halves_of(words)) * kPer65535;
        case CLK_SNORM_INT8: return max(convert_float4(signed_bytes_of(words)) * kPer127, -1.0f);
        case CLK_SNORM_INT16: return max(convert_float4(signed_halves_of(words)) * kPer32767, -1.0f);
        case CLK_UNORM_SHORT_565:
            return unpack(words, SHIFTS_565, MOST_565, (float4)(kPer31, kPer63, kPer31, 0));
        case CLK_UNORM_SHORT_555: return unpack(words, SHIFTS_555, MOST_555, (float4)(kPer31));
        case CLK_UNORM_INT_101010: return unpack(words, SHIFTS_101010, MOST_101010, (float4)(kPer1023));
        case CLK_UNORM_INT_101010_2:
            return unpack(words, SHIFTS_101010_2, MOST_101010_2, (float4)((float3)(kPer1023), kPer3));
        default: return (float4)(0);
    }
}
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

static float3 linear_of_srgb(float3 c) {
    float3 curve = native_exp2(2.4f * native_log2(max((c + 0.055f) / 1.055f, 0x1p-20f)));
    return c <= 0.04045f ? c / 12.92f : curve;
}

float4 FUNCTION(decode_f)(IMAGE_PARAMS, Texel *at) {
    float4 color = color_f(channels_f(load_words(at, texel_bytes_of(IMAGE)), type_of(IMAGE)), order_of(IMAGE));
    if (is_srgb(order_of(IMAGE))) color.xyz = linear_of_srgb(color.xyz);
    return color;
}
uint4 FUNCTION(decode_u)(IMAGE_PARAMS, Texel *at) {
    return color_u(channels_u(load_words(at, texel_bytes_of(IMAGE)), type_of(IMAGE)), order_of(IMAGE));
}
