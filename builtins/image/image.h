// SPDX-License-Identifier: Apache-2.0
// Images: texels in device memory, found through a descriptor (caldera/device_abi.h, ImageDescriptor).
// Kernels' instructions become calls of these functions (vulkan/translate/link/lower_images.cpp). A texel is
// read and written in two forms: four floats, and four integers, which are signed or unsigned as the image's
// data type is.
#pragma once
#include "caldera/device_abi.h"

// The files of this folder are compiled twice: for images that are the addresses of their descriptors, and
// for images that are storage buffers, whose descriptors are rows of the argument table (BY_TABLE,
// by_table/).

typedef constant uint Described;  // what leads to a descriptor
#ifdef BY_TABLE
/// The first texel. A descriptor is a separate argument.
typedef global uint Image;
#define FUNCTION(name) bound_image_##name
#define IMAGE_PARAMS Image *image, Described *about, uint format
#define IMAGE image, about, format
#define DESCRIBED about
#else
/// The address of a descriptor. Its highest 7 bits are the number of the image's format
/// (caldera/device_abi.h, image_format_number), if the kernel is compiled for one. Functions take the number
/// as a separate argument, because it is then a constant for the driver's compiler.
typedef Described Image;
#define FUNCTION(name) image_##name
#define IMAGE_PARAMS Image *image, uint format
#define IMAGE image, format
#define DESCRIBED image
#endif

typedef global uchar Texel;  // the first byte of one

// Colours of the texel at a place, and back into a texel (6.13.14.10, and 8.3 "Conversion rules").
float4 FUNCTION(decode_f)(IMAGE_PARAMS, int4 place);
uint4 FUNCTION(decode_u)(IMAGE_PARAMS, int4 place);
void FUNCTION(encode_f)(IMAGE_PARAMS, Texel* at, float4 color);
void FUNCTION(encode_u)(IMAGE_PARAMS, Texel* at, uint4 color);

// The same in two steps, so that filters need the second one once: channels as floats in the order of
// memory, by a Coding (channels.h), and the colour that they are.
float4 FUNCTION(channels)(IMAGE_PARAMS, Texel* at, uint4 shifts, uint4 most, float4 scale, uint kind);
float4 FUNCTION(color)(IMAGE_PARAMS, float4 channels);

#ifdef BY_TABLE
static inline constant ImageDescriptor* descriptor(Described* about) {
    return (constant ImageDescriptor*)about;
}
#else
static inline constant ImageDescriptor* descriptor(Described* image) {
    return (constant ImageDescriptor*)((ulong)image & (1ul << 57) - 1);
}
#endif

static inline uint order_of(IMAGE_PARAMS) {
    switch (format >> kFormatOrderShift) {
#define ORDER(number, order) \
    case number:             \
        return order;
#include "caldera/image_orders.def"
#undef ORDER
        default: return descriptor(DESCRIBED)->channel_order;
    }
}
static inline uint type_of(IMAGE_PARAMS) {
    return format == 0 ? descriptor(DESCRIBED)->channel_data_type
                       : kFirstFormatType + (format & kFormatTypeMask);
}
static inline uint texel_bytes_of(IMAGE_PARAMS) {
    if (format == 0) return descriptor(DESCRIBED)->element_bytes;
    uint order = order_of(IMAGE), channels = order == CLK_RGBA || order == CLK_BGRA ? 4
                                             : order == CLK_RG                      ? 2
                                                                                    : 1;
    switch (type_of(IMAGE)) {
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
static inline Texel* texel(IMAGE_PARAMS, int4 place) {
    constant ImageDescriptor* of = descriptor(DESCRIBED);
#ifdef BY_TABLE
    uint row_pitch = *(constant uint*)&of->row_pitch_bytes,
         slice_pitch = *(constant uint*)&of->slice_pitch_bytes;
    return (Texel*)image +
           ((uint)place.x * texel_bytes_of(IMAGE) + (uint)place.y * row_pitch + (uint)place.z * slice_pitch);
#else
    ulong column = (ulong)(uint)place.x * texel_bytes_of(IMAGE),
          row = (ulong)(uint)place.y * (uint)of->row_pitch_bytes;
    return (Texel*)(of->data_address + column + row + (uint)place.z * of->slice_pitch_bytes);
#endif
}

// Coordinates and sizes as places.
static inline int4 place_1d(int at) { return (int4)(at, 0, 0, 0); }
static inline int4 place_1d_array(int2 at) { return (int4)(at.x, 0, at.y, 0); }
static inline int4 place_2d(int2 at) { return (int4)(at, 0, 0); }
static inline int4 place_2d_array(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 place_3d(int4 at) { return (int4)(at.xyz, 0); }
static inline int4 size_1d(Described* image) { return (int4)(descriptor(image)->width, 1, 1, 1); }
static inline int4 size_1d_array(Described* image) {
    return (int4)(descriptor(image)->width, 1, descriptor(image)->array_size, 1);
}
static inline int4 size_2d(Described* image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, 1, 1);
}
static inline int4 size_2d_array(Described* image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, descriptor(image)->array_size, 1);
}
static inline int4 size_3d(Described* image) {
    return (int4)(descriptor(image)->width, descriptor(image)->height, descriptor(image)->depth, 1);
}

static inline bool is_inside(int4 place, int4 size) {
    return (uint)place.x < (uint)size.x && (uint)place.y < (uint)size.y && (uint)place.z < (uint)size.z;
}
