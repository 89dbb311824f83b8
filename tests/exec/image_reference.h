// SPDX-License-Identifier: Apache-2.0
// What image functions must do, channel by channel and from the bytes alone. The runner's images have rows 3
// texels and slices 5 texels apart.
#include "assert.h"

uint reference_channels(uint order) {  // in memory
    switch (order) {
        case CLK_R:
        case CLK_Rx:
        case CLK_A:
        case CLK_INTENSITY:
        case CLK_LUMINANCE:
        case CLK_DEPTH: return 1;
        case CLK_RG:
        case CLK_RGx:
        case CLK_RA: return 2;
        case CLK_RGB:
        case CLK_RGBx:
        case CLK_sRGB: return 3;
        default: return 4;
    }
}
uint reference_texel_bytes(uint order, uint type) {
    switch (type) {
        case CLK_UNORM_SHORT_565:
        case CLK_UNORM_SHORT_555: return 2;
        case CLK_UNORM_INT_101010:
        case 0x10E0:
        case 0x10E5: return 4;
        case CLK_SNORM_INT8:
        case CLK_UNORM_INT8:
        case CLK_SIGNED_INT8:
        case CLK_UNSIGNED_INT8: return reference_channels(order);
        case CLK_SIGNED_INT32:
        case CLK_UNSIGNED_INT32:
        case CLK_FLOAT: return 4 * reference_channels(order);
        default: return 2 * reference_channels(order);
    }
}
global uchar* reference_texel(global uchar* bytes, uint order, uint type, int width, int height, int4 at) {
    uint texel = reference_texel_bytes(order, type), row = (width + 3) * texel;
    return bytes + at.x * texel + at.y * row + at.z * (row * height + 5 * texel);
}

uint half_word(global uchar* p) { return p[0] | p[1] << 8; }
uint word(global uchar* p) { return half_word(p) | half_word(p + 2) << 16; }

/// The i-th channel in memory. 3.3.1-1 to 3.3.1-5, 3.3.2-1, 3.3.3-1
float reference_channel(global uchar* p, uint type, uint i) {
    switch (type) {
        case CLK_UNORM_INT8: return p[i] / 255.0f;
        case CLK_SNORM_INT8: return max((char)p[i] / 127.0f, -1.0f);
        case CLK_UNORM_INT16: return half_word(p + 2 * i) / 65535.0f;
        case CLK_SNORM_INT16: return max((short)half_word(p + 2 * i) / 32767.0f, -1.0f);
        case CLK_HALF_FLOAT: return vload_half(i, (global half*)p);
        case CLK_FLOAT: return as_float(word(p + 4 * i));
        case CLK_UNORM_SHORT_565:
            return i == 0   ? (half_word(p) >> 11) / 31.0f
                   : i == 1 ? (half_word(p) >> 5 & 63) / 63.0f
                            : (half_word(p) & 31) / 31.0f;
        case CLK_UNORM_SHORT_555: return (half_word(p) >> (10 - 5 * i) & 31) / 31.0f;
        case CLK_UNORM_INT_101010: return (word(p) >> (20 - 10 * i) & 1023) / 1023.0f;
        case 0x10E5: return i == 0 ? (word(p) >> 30) / 3.0f : (word(p) >> (30 - 10 * i) & 1023) / 1023.0f;
        case 0x10E0: return i == 3 ? (word(p) & 3) / 3.0f : (word(p) >> (22 - 10 * i) & 1023) / 1023.0f;
    }
    return 0;
}
int reference_integer(global uchar* p, uint type, uint i) {
    switch (type) {
        case CLK_UNSIGNED_INT8: return p[i];
        case CLK_SIGNED_INT8: return (char)p[i];
        case CLK_UNSIGNED_INT16: return half_word(p + 2 * i);
        case CLK_SIGNED_INT16: return (short)half_word(p + 2 * i);
        default: return word(p + 4 * i);
    }
}

/// Which channel in memory a component of the colour is: 4 is 0 and 5 is 1. 1.13.14-53 to 1.13.14-62
uint reference_place(uint order, uint component) {
    const uint kPlaces[4] = {0, 1, 2, 3};
    switch (order) {
        case CLK_R:
        case CLK_Rx:
        case CLK_DEPTH: return component == 0 ? 0 : component == 3 ? 5 : 4;
        case CLK_A: return component == 3 ? 0 : 4;
        case CLK_RG:
        case CLK_RGx: return component < 2 ? component : component == 3 ? 5 : 4;
        case CLK_RA: return component == 0 ? 0 : component == 3 ? 1 : 4;
        case CLK_RGB:
        case CLK_RGBx:
        case CLK_sRGB:
        case CLK_sRGBx: return component < 3 ? component : 5;
        case CLK_BGRA:
        case CLK_sBGRA: return component == 3 ? 3 : 2 - component;
        case CLK_ARGB: return (component + 1) % 4;
        case CLK_ABGR: return 3 - component;
        case CLK_INTENSITY: return 0;
        case CLK_LUMINANCE: return component == 3 ? 5 : 0;
    }
    return kPlaces[component];
}

float reference_color(global uchar* p, uint order, uint type, uint component) {
    uint place = reference_place(order, component);
    float value = place >= 4 ? place - 4 : reference_channel(p, type, place);
    if (order >= CLK_sRGB && order <= CLK_sBGRA && component < 3)  // 3.3.5-1
        value = value <= 0.04045f ? value / 12.92f : powr((value + 0.055f) / 1.055f, 2.4f);
    return value;
}
int reference_color_integer(global uchar* p, uint order, uint type, uint component) {
    uint place = reference_place(order, component);
    return place >= 4 ? place - 4 : reference_integer(p, type, place);
}

/// By 1.5 ulp at most (3.3.1-6); sRGB by half a step of its 8 bits.
bool is_close(float expected, float actual, uint order) {
    bool is_srgb = order >= CLK_sRGB && order <= CLK_sBGRA;
#ifdef VULKAN_IMAGES  // a device may decode as 3.3.5-1 lets it
    if (is_srgb) return fabs(expected - actual) <= 0.5f / 255;
#endif
    if (is_srgb) return fabs(expected - actual) <= 0.001f * expected + 1e-6f;
    return expected == actual || abs_diff(as_int(expected), as_int(actual)) <= 1;
}
