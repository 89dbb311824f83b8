// SPDX-License-Identifier: Apache-2.0
// Images: texels in device memory, found through a descriptor (caldera/device_abi.h, ImageDescriptor).
// Kernels' instructions become calls of these functions (vulkan/translate/link/lower_images.cpp). A texel is
// read and written in two forms: four floats, and four integers, which are signed or unsigned as the image's
// data type is.
#pragma once
#include "caldera/device_abi.h"

/// The address of a descriptor. Its highest 7 bits are the number of the image's format (caldera/device_abi.h,
/// image_format_number), if the kernel is compiled for one. Functions take the number as a separate argument,
/// because it is then a constant for the driver's compiler.
typedef constant uint Image;

typedef global uchar Texel;  // the first byte of one

// Colours of a texel in memory, and back (6.13.14.10, and 8.3 "Conversion rules").
float4 image_decode_f(Image *image, uint format, Texel *at);
uint4 image_decode_u(Image *image, uint format, Texel *at);
void image_encode_f(Image *image, uint format, Texel *at, float4 color);
void image_encode_u(Image *image, uint format, Texel *at, uint4 color);

static inline constant ImageDescriptor *descriptor(Image *image) {
    return (constant ImageDescriptor *)((ulong)image & (1ul << 57) - 1);
}

static inline uint order_of(Image *image, uint format) {
    switch (format >> kFormatOrderShift) {
#define ORDER(number, order) \
    case number: return order;
#include "caldera/image_orders.def"
#undef ORDER
        default: return descriptor(image)->channel_order;
    }
}
static inline uint type_of(Image *image, uint format) {
    return format == 0 ? descriptor(image)->channel_data_type : kFirstFormatType + (format & kFormatTypeMask);
}
static inline uint texel_bytes_of(Image *image, uint format) {
    if (format == 0) return descriptor(image)->element_bytes;
    uint order = order_of(image, format), channels = order == CLK_RGBA || order == CLK_BGRA ? 4 : order == CLK_RG ? 2 : 1;
    switch (type_of(image, format)) {
        case CLK_SNORM_INT8:
        case CLK_UNORM_INT8:
        case CLK_SIGNED_INT8:
        case CLK_UNSIGNED_INT8: return channels;
        case CLK_SIGNED_INT32:
        case CLK_UNSIGNED_INT32:
        case CLK_FLOAT: return 4 * channels;
        default: return 2 * channels;
    }
}

/// A place is column, row and slice; slices are the layers of an array. What an image does not have is 0.
static inline Texel *texel(Image *image, uint format, int4 place) {
    constant ImageDescriptor *of = descriptor(image);
    ulong column = (ulong)(uint)place.x * texel_bytes_of(image, format), row = (ulong)(uint)place.y * (uint)of->row_pitch_bytes;
    return (Texel *)(of->data_address + column + row + (uint)place.z * of->slice_pitch_bytes);
}

// Coordinates and sizes as places.
static inline int4 place_1d(int at) { return (int4)(at, 0, 0, 0); }
static inline int4 place_1d_array(int2 at) { return (int4)(at.x, 0, at.y, 0); }
static inline int4 place_2d(int2 at) { return (int4)(at, 0, 0); }
static inline int4 place_2d_array(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 place_3d(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 size_1d(Image *image) { return (int4)(descriptor(image)->width, 1, 1, 1); }
static inline int4 size_1d_array(Image *image) {
    return (int4)(descriptor(image)->width, 1, descriptor(image)->array_size, 1);
}
static inline int4 size_2d(Image *image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, 1, 1);
}
static inline int4 size_2d_array(Image *image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, descriptor(image)->array_size, 1);
}
static inline int4 size_3d(Image *image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, descriptor(image)->depth, 1);
}

static inline bool is_inside(int4 place, int4 size) {
    return (uint)place.x < (uint)size.x && (uint)place.y < (uint)size.y && (uint)place.z < (uint)size.z;
}
