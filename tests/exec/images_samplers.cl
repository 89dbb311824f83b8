// Every addressing and filter mode against the specification's words (3.2), with samplers that are arguments: 1.13.14-18, 1.13.14-19.
// OPTIONS: -cl-std=CL2.0
// RUN: sampler=0x10 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x12 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x14 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x20 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x22 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x24 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x11 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x13 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x15 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x17 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x19 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x21 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x23 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x25 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x27 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
// RUN: sampler=0x29 image=2d:R:FLOAT:8x4 image=3d:RGBA:FLOAT:4x3x2 image=1d_array:RA:UNORM_INT8:5x2 image=2d:RGx:UNORM_INT8:5x4
#include "assert.h"

#ifdef VULKAN_IMAGES  // devices filter with weights of 8 bits (VkPhysicalDeviceLimits::subTexelPrecisionBits)
#define FILTERED_8_BITS (1.5f / 255)
#define WEIGHT_ERROR (2.0f / 256)
#else
#define FILTERED_8_BITS 1e-3f
#define WEIGHT_ERROR 0
#endif

/// Two texels, or the one twice; -1 is the border.
typedef struct {
    int i[2];
    float weight;
} Reference;

Reference reference(uint sampler, float s, int size) {
    bool is_linear = sampler & CLK_FILTER_LINEAR, is_normalized = sampler & CLK_NORMALIZED_COORDS_TRUE;
    uint mode = sampler & 14;
    Reference found;
    float u;
    if (mode == CLK_ADDRESS_REPEAT) {  // 3.2-11, 3.2-12, 1.13.14-13
        u = (s - floor(s)) * size;
    } else if (mode == CLK_ADDRESS_MIRRORED_REPEAT) {  // 3.2-13, 3.2-14, 1.13.14-12
        u = fabs(s - 2.0f * rint(0.5f * s)) * size;
    } else {
        u = is_normalized ? s * size : s;  // 3.1-1, 1.13.14-11
    }
    found.weight = is_linear ? u - 0.5f - floor(u - 0.5f) : 0;       // 3.2-7
    found.i[0] = is_linear ? (int)floor(u - 0.5f) : (int)floor(u);  // 3.2-2
    found.i[1] = found.i[0] + 1;
    for (int t = 0; t < 2; t++) {
        int i = found.i[t];
        if (mode == CLK_ADDRESS_REPEAT)
            i = i < 0 ? i + size : i > size - 1 ? i - size : i;
        else if (mode == CLK_ADDRESS_CLAMP)  // 1.13.14-15
            i = i < 0 || i >= size ? -1 : i;
        else  // 1.13.14-14, 3.2-3
            i = clamp(i, 0, size - 1);
        found.i[t] = i;
    }
    return found;
}
float part(Reference r, int t) { return t == 0 ? 1 - r.weight : r.weight; }

kernel void test_2d(global uint *record, read_only image2d_t image, sampler_t sampler, uint sampler_bits) {
    bool is_none = (sampler_bits & 14) == CLK_ADDRESS_NONE, is_normalized = sampler_bits & 1;  // 1.13.14-16, 3.2-5
    for (int n = 0; n < 40; n++) {
        float2 s = (float2)(n * 0.173f - 2.9f, 2.3f - n * 0.119f);
        if (is_none) s = (float2)(n / 50.0f + 0.103f, 0.807f - n / 60.0f);
        float2 at = is_normalized ? s : s * (float2)(8, 4);
        Reference x = reference(sampler_bits, at.x, 8), y = reference(sampler_bits, at.y, 4);
        float expected = 0, along_x = 0, along_y = 0;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {  // 3.2-8, 3.2-9
                if (x.i[i] < 0 || y.i[j] < 0) continue;
                const float texel = (x.i[i] + 11 * y.i[j]) / 4.0f;
                expected += part(x, i) * part(y, j) * texel;
                along_x += i ? part(y, j) * texel : -part(y, j) * texel;
                along_y += j ? part(x, i) * texel : -part(x, i) * texel;
            }
        float4 color = read_imagef(image, sampler, at);
        ASSERT(true, fabs(expected - color.x) < 1e-3f + WEIGHT_ERROR * (fabs(along_x) + fabs(along_y)));
        ASSERT(true, fabs(color.w - 1) < 1e-6f);
    }
}

kernel void test_3d(global uint *record, read_only image2d_t unused, read_only image3d_t image, sampler_t sampler,
                    uint sampler_bits) {
    bool is_none = (sampler_bits & 14) == CLK_ADDRESS_NONE, is_normalized = sampler_bits & 1;
    for (int n = 0; n < 12; n++) {
        float4 s = (float4)(n * 0.473f - 2.9f, 2.3f - n * 0.319f, n * 0.2f - 1, 99);
        if (is_none) s = (float4)(n / 50.0f + 0.2f, 0.81f - n / 60.0f, n / 50.0f + 0.31f, 99);
        float4 at = is_normalized ? s : s * (float4)(4, 3, 2, 1);
        Reference x = reference(sampler_bits, at.x, 4), y = reference(sampler_bits, at.y, 3),
                  z = reference(sampler_bits, at.z, 2);
        float4 expected = 0;
        float along_x = 0, along_y = 0, along_z = 0;
        for (int t = 0; t < 8; t++) {
            int i = t & 1, j = t >> 1 & 1, k = t >> 2;
            int texel = x.i[i] + 7 * y.i[j] + (7 * 3 + 5) * z.i[k];
            if (x.i[i] < 0 || y.i[j] < 0 || z.i[k] < 0) continue;  // 1.13.14-21
            expected += part(x, i) * part(y, j) * part(z, k) * (texel + (float4)(0, 0.25f, 0.5f, 0.75f));
            along_x += (i ? texel : -texel) * part(y, j) * part(z, k);
            along_y += (j ? texel : -texel) * part(x, i) * part(z, k);
            along_z += (k ? texel : -texel) * part(x, i) * part(y, j);
        }
        float4 color = read_imagef(image, sampler, at);
        ASSERT(true, all(fabs(expected - color) < 1e-3f + WEIGHT_ERROR * (1 + fabs(along_x) + fabs(along_y) + fabs(along_z))));
    }
}

kernel void test_1d_array(global uint *record, read_only image2d_t unused, read_only image3d_t unused_too,
                          read_only image1d_array_t image, sampler_t sampler, uint sampler_bits,
                          global uchar *image_bytes) {
    bool is_none = (sampler_bits & 14) == CLK_ADDRESS_NONE, is_normalized = sampler_bits & 1;
    for (int n = 0; n < 20; n++) {
        float s = is_none ? n / 30.0f + 0.21f : n * 0.373f - 2.9f;
        int layer = clamp((int)rint(n * 0.3f - 2), 0, 1);
        float2 at = (float2)(is_normalized ? s : s * 5, n * 0.3f - 2), expected = 0;
        Reference x = reference(sampler_bits, at.x, 5);
        for (int i = 0; i < 2; i++) {
            global uchar *texel = image_bytes + 2 * (x.i[i] + 13 * layer);
            if (x.i[i] >= 0) expected += part(x, i) * (float2)(texel[0], texel[1]) / 255;
        }
        float4 color = read_imagef(image, sampler, at);  // 1.13.14-25: conversion before filtering
        ASSERT(true, all(fabs((float4)(expected.x, 0, 0, expected.y) - color) < FILTERED_8_BITS));  // 1.13.14-56
    }
}

#ifndef VULKAN_IMAGES  // there, the border of a format without alpha has one of 1
/// Texels without alpha have 1, and the border has 0 (1.13.14-21). Some format that has no number of its own.
kernel void test_faded(global uint *record, read_only image2d_t unused, read_only image3d_t unused_too,
                       read_only image1d_array_t unused_again, read_only image2d_t image, sampler_t sampler,
                       uint sampler_bits, global uchar *image_bytes) {
    bool is_none = (sampler_bits & 14) == CLK_ADDRESS_NONE, is_normalized = sampler_bits & 1;
    for (int n = 0; n < 24; n++) {
        float2 s = (float2)(n * 0.13f - 1.1f, 1.9f - n * 0.119f);
        if (is_none) s = (float2)(n / 50.0f + 0.203f, 0.707f - n / 60.0f);
        float2 at = is_normalized ? s : s * (float2)(5, 4);
        Reference x = reference(sampler_bits, at.x, 5), y = reference(sampler_bits, at.y, 4);
        float4 expected = 0;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                if (x.i[i] < 0 || y.i[j] < 0) continue;
                global uchar *texel = image_bytes + 2 * (x.i[i] + 8 * y.i[j]);
                expected += part(x, i) * part(y, j) * (float4)(texel[0] / 255.0f, texel[1] / 255.0f, 0, 1);
            }
        ASSERT(true, all(fabs(expected - read_imagef(image, sampler, at)) < 1e-5f));
    }
}
#endif

// Integer coordinates want the nearest texel without normalization (1.13.14-35).
kernel void test_whole(global uint *record, read_only image2d_t image, sampler_t sampler, uint sampler_bits) {
    uint mode = sampler_bits & 14;
    bool is_defined = !(sampler_bits & 0x21);
    for (int n = 0; is_defined && n < 40; n++) {
        int2 at = mode == CLK_ADDRESS_NONE ? (int2)(n % 8, n % 4) : (int2)(n % 13 - 3, n % 9 - 3);
        bool is_border = mode == CLK_ADDRESS_CLAMP && (any(at < 0) || at.x > 7 || at.y > 3);
        int2 texel = clamp(at, (int2)(0), (int2)(7, 3));
        ASSERT(true, read_imagef(image, sampler, at).x == (is_border ? 0 : (texel.x + 11 * texel.y) / 4.0f));
        ASSERT(true, read_imagef(image, sampler, convert_float2(at) + 0.5f).x ==
                         (is_border ? 0 : (texel.x + 11 * texel.y) / 4.0f));  // 3.2-15
    }
    ASSERT(true, true);
}
