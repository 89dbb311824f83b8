// SPDX-License-Identifier: Apache-2.0
// Images: texels in device memory, found through a descriptor (vulkan/interface.h, ImageDescriptor). Kernels' instructions become
// calls of these functions (vulkan/translate/passes/lower_images.cpp). A texel is read and written in two forms: four floats,
// and four integers, which are signed or unsigned as the image's data type is.
#pragma once

typedef struct {
    ulong data, row_pitch, slice_pitch;  // bytes
    uint width, height, depth, array_size;
    uint order, type;  // CLK_RGBA, CLK_FLOAT
    uint texel_bytes;
} Image;

typedef global uchar Texel;  // the first byte of one

// Colours of a texel in memory, and back (6.13.14.10, and 8.3 "Conversion rules").
float4 image_decode_f(constant Image *image, Texel *at);
uint4 image_decode_u(constant Image *image, Texel *at);
void image_encode_f(constant Image *image, Texel *at, float4 color);
void image_encode_u(constant Image *image, Texel *at, uint4 color);

/// A place is column, row and slice; slices are the layers of an array. What an image does not have is 0.
static inline Texel *texel(constant Image *image, int4 place) {
    ulong column = (ulong)(uint)place.x * image->texel_bytes, row = (ulong)(uint)place.y * (uint)image->row_pitch;
    return (Texel *)(image->data + column + row + (uint)place.z * image->slice_pitch);
}

// Coordinates and sizes as places.
static inline int4 place_1d(int at) { return (int4)(at, 0, 0, 0); }
static inline int4 place_1d_array(int2 at) { return (int4)(at.x, 0, at.y, 0); }
static inline int4 place_2d(int2 at) { return (int4)(at, 0, 0); }
static inline int4 place_2d_array(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 place_3d(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 size_1d(constant Image *image) { return (int4)(image->width, 1, 1, 1); }
static inline int4 size_1d_array(constant Image *image) { return (int4)(image->width, 1, image->array_size, 1); }
static inline int4 size_2d(constant Image *image) { return (int4)(image->width, image->height, 1, 1); }
static inline int4 size_2d_array(constant Image *image) {
    return (int4)(image->width, image->height, image->array_size, 1);
}
static inline int4 size_3d(constant Image *image) { return (int4)(image->width, image->height, image->depth, 1); }

static inline bool is_inside(int4 place, int4 size) {
    return (uint)place.x < (uint)size.x && (uint)place.y < (uint)size.y && (uint)place.z < (uint)size.z;
}
