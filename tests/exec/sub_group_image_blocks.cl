// SPDX-License-Identifier: Apache-2.0
// cl_intel_subgroups, _char, _short and _long: blocks of an image's bytes, at any byte and row, with bytes outside.
// OPTIONS: -cl-std=CL2.0
// NEEDS: sub-groups
// RUN: global=32 local=32 image=2d:RGBA:UNORM_INT8:37x9
// RUN: global=32 local=32 image=2d:R:UNSIGNED_INT32:70x5
// RUN: global=32 local=32 by_format image=2d:R:FLOAT:70x5
// RUN: global=32 local=32 image=2d:RG:UNSIGNED_INT8:61x7
// RUN: global=32 local=32 image=2d:R:UNSIGNED_INT8:131x7
// RUN: global=32 local=32 image=2d:R:UNSIGNED_INT8:1x1
#include "image_reference.h"
#include "sub_groups.h"

#ifndef VULKAN_IMAGES  // whose bytes no kernel sees

// Test images have three more texels from row to row than in a row.
#define SIZES                                                                                                        \
    const int height = get_image_height(image);                                                                      \
    const int texel = reference_texel_bytes(get_image_channel_order(image), get_image_channel_data_type(image));     \
    const int in_row = get_image_width(image) * texel, pitch = in_row + 3 * texel;

// The bytes of one value. Beyond an edge they are those of the last value in the row, as far as it has as many.
ulong bytes_at(global uchar *image_bytes, int in_row, int pitch, int height, int x, int y, int bytes) {
    x = clamp(x, 0, max(in_row - bytes, 0));
    y = clamp(y, 0, height - 1);
    ulong value = 0;
    for (int i = 0; i < bytes; i++) value |= (ulong)image_bytes[y * pitch + min(x + i, in_row - 1)] << 8 * i;
    return value;
}
#define EXPECTED(x, y, bytes) bytes_at(image_bytes, in_row, pitch, height, x, y, bytes)

kernel void test_reads(global uint *record, read_only image2d_t image, global uchar *image_bytes) {
    WHO_IS_WHERE
    SIZES
    const int2 kStarts[] = {(int2)(0), (int2)(8, 1), (int2)(3, 2), (int2)(-4, -1), (int2)(in_row - 12, height - 2)};
    for (int s = 0; s < 5; s++) {
        const int2 at = kStarts[s];
        const int word = at.x + 4 * lane, half_word = at.x + 2 * lane, byte = at.x + lane;
        ASSERT(EXPECTED(word, at.y, 4), intel_sub_group_block_read(image, at));
        ASSERT(EXPECTED(word, at.y + 1, 4), intel_sub_group_block_read2(image, at).y);
        uint4 four = intel_sub_group_block_read_ui4(image, at);
        AS_IT_STANDS for (int c = 0; c < 4; c++) ASSERT(EXPECTED(word, at.y + c, 4), four[c]);
        uint8 eight = intel_sub_group_block_read8(image, at);
        ASSERT(EXPECTED(word, at.y + 7, 4), eight.s7);
        ushort4 halves = intel_sub_group_block_read_us4(image, at);
        AS_IT_STANDS for (int c = 0; c < 4; c++) ASSERT(EXPECTED(half_word, at.y + c, 2), halves[c]);
        ushort16 sixteen = intel_sub_group_block_read_us16(image, at);
        AS_IT_STANDS for (int c = 0; c < 16; c++) ASSERT(EXPECTED(half_word, at.y + c, 2), sixteen[c]);
        ASSERT(EXPECTED(byte, at.y, 1), intel_sub_group_block_read_uc(image, at));
        uchar16 bytes = intel_sub_group_block_read_uc16(image, at);
        AS_IT_STANDS for (int c = 0; c < 16; c++) ASSERT(EXPECTED(byte, at.y + c, 1), bytes[c]);
        // Two words, each of which is inside or not.
        ulong2 longs = intel_sub_group_block_read_ul2(image, at);
        const int wide = at.x + 8 * lane;
        ASSERT_LONG(EXPECTED(wide, at.y, 4) | EXPECTED(wide + 4, at.y, 4) << 32, longs.x);
        ASSERT_LONG(EXPECTED(wide, at.y + 1, 4) | EXPECTED(wide + 4, at.y + 1, 4) << 32, longs.y);
    }
}

// The last row ends inside the image's memory, so that a write that runs over shows in the row below.
kernel void test_writes(global uint *record, write_only image2d_t image, global uchar *image_bytes,
                        global uchar *before) {
    WHO_IS_WHERE
    SIZES
    const bool writes = get_sub_group_id() == 0;
    const int mates = get_sub_group_size(), all = pitch * (height - 1) + in_row;
#define KEEP                                              \
    if (lane == 0 && writes)                              \
        for (int i = 0; i < all; i++) before[i] = image_bytes[i]; \
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
#define CHECK_WRITTEN(at, bytes, rows, value)                                                                         \
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);                                                    \
    if (lane == 0 && writes)                                                                                          \
        for (int i = 0; i < all; i++) {                                                                               \
            const int x = i % pitch - at.x, row = i / pitch - at.y, from = x / (bytes);                               \
            const bool is_written = x >= 0 && from < mates && row >= 0 && row < (rows) &&                             \
                                    at.x + from * (bytes) >= 0 && at.x + (from + 1) * (bytes) <= in_row;              \
            const ulong written = value(from, row);                                                                   \
            ASSERT(is_written ? (uchar)(written >> 8 * (x % (bytes))) : before[i], image_bytes[i]);                   \
        }                                                                                                             \
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);

    const int2 inside = (int2)(4, 1), outside = (int2)(in_row - 8, height - 1), above = (int2)(0, -1);
#define WORD(from, row) (0x83a5c719u * ((from) + 3 * (row) + 1))
#define HALF_WORD(from, row) (ushort)WORD(from, row)
#define BYTE(from, row) (uchar)WORD(from, row)
#define LONG(from, row) ((ulong)WORD(from, row) << 32 | WORD(row, from))
    KEEP
    if (writes)
        intel_sub_group_block_write4(image, inside,
                                     (uint4)(WORD(lane, 0), WORD(lane, 1), WORD(lane, 2), WORD(lane, 3)));
    CHECK_WRITTEN(inside, 4, 4, WORD)
    KEEP
    if (writes) intel_sub_group_block_write_ui2(image, outside, (uint2)(WORD(lane, 7), WORD(lane, 8)));
#define LATER_WORD(from, row) WORD(from, (row) + 7)
    CHECK_WRITTEN(outside, 4, 2, LATER_WORD)
    KEEP
    if (writes) intel_sub_group_block_write_us2(image, above, (ushort2)(HALF_WORD(lane, 0), HALF_WORD(lane, 1)));
    CHECK_WRITTEN(above, 2, 2, HALF_WORD)
    KEEP
    if (writes) intel_sub_group_block_write_uc4(image, inside,
                                      (uchar4)(BYTE(lane, 0), BYTE(lane, 1), BYTE(lane, 2), BYTE(lane, 3)));
    CHECK_WRITTEN(inside, 1, 4, BYTE)
    if (in_row % 8 != 0) return;  // each half of a long is inside or not
    KEEP
    if (writes) intel_sub_group_block_write_ul2(image, (int2)(0), (ulong2)(LONG(lane, 0), LONG(lane, 1)));
#define NOWHERE (int2)(0)
    CHECK_WRITTEN(NOWHERE, 8, 2, LONG)
}
#endif
