// SPDX-License-Identifier: Apache-2.0
// Texels as up to four words of memory, and channels in words.
#pragma once
#include "image.h"

static inline bool is_srgb(uint order) { return order >= CLK_sRGB && order <= CLK_sBGRA; }

// The first channel of a packed format is in the highest bits.
#define SHIFTS_565 (uint4)(11, 5, 0, 0)
#define MOST_565 (uint4)(31, 63, 31, 0)
#define SHIFTS_555 (uint4)(10, 5, 0, 0)
#define MOST_555 (uint4)(31, 31, 31, 0)
#define SHIFTS_101010 (uint4)(20, 10, 0, 0)
#define MOST_101010 (uint4)(1023, 1023, 1023, 0)
#define SHIFTS_101010_2 (uint4)(22, 12, 2, 0)
#define MOST_101010_2 (uint4)(1023, 1023, 1023, 3)
#define SHIFTS_2_101010 (uint4)(30, 20, 10, 0)
#define MOST_2_101010 (uint4)(3, 1023, 1023, 1023)

/// How a texel's channels become floats: bits of words, a factor, and what else kCoding... says.
typedef struct {
    uint4 shifts, most;
    float4 scale;
    uint kind;
} Coding;

#define kCodingIsFloat 1u
#define kCodingIsHalf 2u
#define kCodingIsWide 4u     // two channels in a word
#define kCodingSignShift 8u  // the bits above those of a channel with a sign, at this bit of `kind`

// Reciprocals, which times their numbers give 1.
#define kPer255 0x1.010102p-8f
#define kPer65535 0x1.0001p-16f
#define kPer127 0x1.020408p-7f
#define kPer32767 0x1.0002p-15f
#define kPer31 0x1.08421p-5f
#define kPer63 0x1.041042p-6f
#define kPer1023 0x1.00401p-10f
#define kPer3 0x1.555556p-2f

#define SHIFTS_BYTES (uint4)(0, 8, 16, 24)
#define SHIFTS_HALVES (uint4)(0, 16, 0, 16)

static inline Coding coding(uint4 shifts, uint4 most, float4 scale, uint kind) {
    Coding made = {shifts, most, scale, kind};
    return made;
}
static Coding coding_of(uint type) {
    switch (type) {
        case CLK_UNORM_INT8: return coding(SHIFTS_BYTES, 0xff, kPer255, 0);
        case CLK_HALF_FLOAT: return coding(SHIFTS_HALVES, 0xffff, 0, kCodingIsHalf | kCodingIsWide);
        case CLK_UNORM_INT16: return coding(SHIFTS_HALVES, 0xffff, kPer65535, kCodingIsWide);
        case CLK_SNORM_INT8: return coding(SHIFTS_BYTES, 0xff, kPer127, 24 << kCodingSignShift);
        case CLK_SNORM_INT16:
            return coding(SHIFTS_HALVES, 0xffff, kPer32767, 16 << kCodingSignShift | kCodingIsWide);
        case CLK_UNORM_SHORT_565: return coding(SHIFTS_565, MOST_565, (float4)(kPer31, kPer63, kPer31, 0), 0);
        case CLK_UNORM_SHORT_555: return coding(SHIFTS_555, MOST_555, kPer31, 0);
        case CLK_UNORM_INT_101010: return coding(SHIFTS_101010, MOST_101010, kPer1023, 0);
        case CLK_UNORM_INT_101010_2:
            return coding(SHIFTS_101010_2, MOST_101010_2, (float4)((float3)(kPer1023), kPer3), 0);
        case CLK_UNORM_INT_2_101010_EXT:
            return coding(SHIFTS_2_101010, MOST_2_101010, (float4)(kPer3, (float3)(kPer1023)), 0);
        default: return coding(0, 0, 0, type == CLK_FLOAT ? kCodingIsFloat : 0);
    }
}
