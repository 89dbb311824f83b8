// SPDX-License-Identifier: Apache-2.0
// Blocks of a 2D image's bytes, which a sub-group reads and writes without conversion (cl_intel_subgroups).
// A coordinate is a byte of a row, and a row. Outside the image, a read returns the bytes at the edge, and a
// write does nothing.
// OPTIONS: -cl-std=CL2.0
#include "image.h"

static int row_bytes(IMAGE_PARAMS) { return (int)(descriptor(DESCRIBED)->width * texel_bytes_of(IMAGE)); }
static Texel* byte_at(IMAGE_PARAMS, int2 at) { return texel(IMAGE, (int4)(0, at.y, 0, 0)) + at.x; }

#define BLOCK(bits, type)                                                                             \
    type FUNCTION(read_block_##bits)(IMAGE_PARAMS, int2 at) {                                         \
        int in_row = row_bytes(IMAGE), bytes = sizeof(type);                                          \
        at = clamp(at, (int2)(0), max((int2)(in_row - bytes, descriptor(DESCRIBED)->height - 1), 0)); \
        Texel* from = byte_at(IMAGE, at);                                                             \
        if (in_row >= bytes && ((size_t)from & (bytes - 1)) == 0) return *(global type*)from;         \
        type value = 0;                                                                               \
        for (int i = 0; i < bytes; ++i) value |= (type)from[min(i, in_row - 1)] << 8 * i;             \
        return value;                                                                                 \
    }                                                                                                 \
    void FUNCTION(write_block_##bits)(IMAGE_PARAMS, int2 at, type value) {                            \
        int in_row = row_bytes(IMAGE), bytes = sizeof(type);                                          \
        if (at.x < 0 || at.x > in_row - bytes || (uint)at.y >= descriptor(DESCRIBED)->height) return; \
        Texel* to = byte_at(IMAGE, at);                                                               \
        if (((size_t)to & (bytes - 1)) == 0) {                                                        \
            *(global type*)to = value;                                                                \
            return;                                                                                   \
        }                                                                                             \
        for (int i = 0; i < bytes; ++i) to[i] = (uchar)(value >> 8 * i);                              \
    }
BLOCK(8, uchar)
BLOCK(16, ushort)
BLOCK(32, uint)
#undef BLOCK

// Each half is inside or not.
ulong FUNCTION(read_block_64)(IMAGE_PARAMS, int2 at) {
    return as_ulong(
        (uint2)(FUNCTION(read_block_32)(IMAGE, at), FUNCTION(read_block_32)(IMAGE, at + (int2)(4, 0))));
}
void FUNCTION(write_block_64)(IMAGE_PARAMS, int2 at, ulong value) {
    FUNCTION(write_block_32)(IMAGE, at, as_uint2(value).x);
    FUNCTION(write_block_32)(IMAGE, at + (int2)(4, 0), as_uint2(value).y);
}
