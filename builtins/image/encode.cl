// SPDX-License-Identifier: Apache-2.0
// Encodes a colour as a texel (OpenCL C 6.13.14.10, 8.3). All branches are uniform for the texels of an
// image.
// OPTIONS: -cl-std=CL2.0
#include "channels.h"

static void store_words(Texel *at, uint bytes, uint4 words) {
    global ushort *halves = (global ushort *)at;
    switch (bytes) {
        case 1: *at = words.x; break;
        case 2: *halves = words.x; break;
        case 3:
            at[0] = words.x;
            at[1] = words.x >> 8;
            at[2] = words.x >> 16;
            break;
        case 4: *(global uint *)at = words.x; break;
        case 6:
            halves[0] = words.x;
            halves[1] = words.x >> 16;
            halves[2] = words.y;
            break;
        case 8: *(global uint2 *)at = words.xy; break;
        case 12: vstore3(words.xyz, 0, (global uint *)at); break;
        default: *(global uint4 *)at = words; break;
    }
}

static uint4 word(uint value) { return (uint4)(value, 0, 0, 0); }
static uint4 words_of_bytes(uint4 b) {
    b = (b & 0xff) << (uint4)(0, 8, 16, 24);
    return word(b.x | b.y | b.z | b.w);
}
static uint4 words_of_halves(uint4 h) { return (uint4)((h.xz & 0xffff) | h.yw << 16, 0, 0); }

/// From 0 to `most` for 0 to 1; 0 for NaN.
static uint4 normalized(float4 c, float4 most) { return convert_uint4(rint(fmin(fmax(c, 0.0f), 1.0f) * most)); }
/// From -most for -1 to `most` for 1, and the least integer below; 0 for NaN.
static uint4 signed_normalized(float4 c, float most) {
    c = isnan(c) ? (float4)(0) : clamp(c * most, -most - 1, most);
    return as_uint4(convert_int4(rint(c)));
}
static uint4 pack(float4 c, uint4 shifts, uint4 most) {
    uint4 p = normalized(c, convert_float4(most)) << shifts;
    return word(p.x | p.y | p.z | p.w);
}

static uint4 half_of_float(float4 c) {
    ushort4 bits;
    vstore_half4_rte(c, 0, (private half *)&bits);
    return convert_uint4(bits);
}

/// Channels in the order of memory, from those of the colour.
static uint4 words_f(float4 c, uint type) {
    switch (type) {
        case CLK_UNORM_INT8: return words_of_bytes(normalized(c, 255));
        case CLK_FLOAT: return as_uint4(c);
        case CLK_HALF_FLOAT: return words_of_halves(half_of_float(c));
        case CLK_UNORM_INT16: return words_of_halves(normalized(c, 65535));
        case CLK_SNORM_INT8: return words_of_bytes(signed_normalized(c, 127));
        case CLK_SNORM_INT16: return words_of_halves(signed_normalized(c, 32767));
        case CLK_UNORM_SHORT_565: return pack(c, SHIFTS_565, MOST_565);
        case CLK_UNORM_SHORT_555: return pack(c, SHIFTS_555, MOST_555);
        case CLK_UNORM_INT_101010: return pack(c, SHIFTS_101010, MOST_101010);
        case CLK_UNORM_INT_101010_2: return pack(c, SHIFTS_101010_2, MOST_101010_2);
        case CLK_UNORM_INT_2_101010_EXT: return pack(c, SHIFTS_2_101010, MOST_2_101010);
        default: return (uint4)(0);
    }
}
static uint4 words_u(uint4 c, uint type) {
    switch (type) {
        case CLK_UNSIGNED_INT8: return words_of_bytes(min(c, 255));
        case CLK_UNSIGNED_INT16: return words_of_halves(min(c, 65535));
        case CLK_SIGNED_INT8: return words_of_bytes(as_uint4(clamp(as_int4(c), -128, 127)));
        case CLK_SIGNED_INT16: return words_of_halves(as_uint4(clamp(as_int4(c), -32768, 32767)));
        default: return c;
    }
}

#define CHANNELS(color, letter)                                                                         \
    static color channels_##letter(color c, uint order) {                                               \
        switch (order) {                                                                                \
            case CLK_BGRA:                                                                              \
            case CLK_sBGRA: return c.zyxw;                                                              \
            case CLK_A: return c.wwww;                                                                  \
            case CLK_RA: return c.xwww;                                                                 \
            case CLK_ARGB: return c.wxyz;                                                               \
            case CLK_ABGR: return c.wzyx;                                                               \
            default: return c;                                                                          \
        }                                                                                               \
    }
CHANNELS(float4, f)
CHANNELS(uint4, u)

static float3 srgb_of_linear(float3 c) {
    c = fmin(fmax(c, 0.0f), 1.0f);
    float3 curve = 1.055f * native_exp2(native_log2(max(c, 0x1p-20f)) / 2.4f) - 0.055f;
    return c < 0.0031308f ? 12.92f * c : curve;
}

void FUNCTION(encode_f)(IMAGE_PARAMS, Texel *at, float4 color) {
    if (is_srgb(order_of(IMAGE))) color.xyz = srgb_of_linear(color.xyz);
    store_words(at, texel_bytes_of(IMAGE), words_f(channels_f(color, order_of(IMAGE)), type_of(IMAGE)));
}
void FUNCTION(encode_u)(IMAGE_PARAMS, Texel *at, uint4 color) {
    store_words(at, texel_bytes_of(IMAGE), words_u(channels_u(color, order_of(IMAGE)), type_of(IMAGE)));
}
