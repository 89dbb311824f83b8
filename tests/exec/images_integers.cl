// Data types that are read and written as integers.
// OPTIONS: -cl-std=CL2.0
// RUN: image=2d:RGBA:SIGNED_INT8:7x3
// RUN: image=2d:RGBA:SIGNED_INT16:7x3
// RUN: image=2d:RGBA:SIGNED_INT32:7x3
// RUN: image=2d:RGBA:UNSIGNED_INT8:7x3
// RUN: image=2d:RGBA:UNSIGNED_INT16:7x3
// RUN: image=2d:RGBA:UNSIGNED_INT32:7x3
// RUN: image=2d:BGRA:UNSIGNED_INT8:7x3
// RUN: image=2d:ARGB:SIGNED_INT8:7x3
// RUN: image=2d:R:SIGNED_INT8:7x3
// RUN: image=2d:R:SIGNED_INT16:7x3
// RUN: image=2d:R:SIGNED_INT32:7x3
// RUN: image=2d:RG:UNSIGNED_INT8:7x3
// RUN: image=2d:RG:UNSIGNED_INT16:7x3
// RUN: by_format image=2d:RG:UNSIGNED_INT16:7x3
// RUN: image=2d:RG:UNSIGNED_INT32:7x3
// RUN: image=2d:A:UNSIGNED_INT8:7x3
// RUN: image=2d:RA:SIGNED_INT16:7x3
// RUN: image=2d:RGx:UNSIGNED_INT32:7x3
#include "image_reference.h"

constant sampler_t clamp_to_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

bool is_signed(uint type) { return type == CLK_SIGNED_INT8 || type == CLK_SIGNED_INT16 || type == CLK_SIGNED_INT32; }

void compare(global uint *record, global uchar *p, uint order, uint type, int4 color) {
    AS_IT_STANDS for (uint c = 0; c < 4; c++) ASSERT(reference_color_integer(p, order, type, c), color[c]);
}

// 1.13.14-37, 3.3.4-1
kernel void test_read(global uint *record, read_only image2d_t image, global uchar *image_bytes) {
    uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 7; x++) {
            global uchar *p = reference_texel(image_bytes, order, type, 7, 3, (int4)(x, y, 0, 0));
            AS_IT_STANDS for (int way = 0; way < 3; way++) {
                float2 middle = (float2)(x, y) + 0.5f;
                int4 color;
#ifndef ONLY_UNSIGNED  // an image of Vulkan's is one or the other
                if (is_signed(type))
                    color = way == 0   ? read_imagei(image, (int2)(x, y))
                            : way == 1 ? read_imagei(image, clamp_to_edge, (int2)(x, y))
                                       : read_imagei(image, clamp_to_edge, middle);
#endif
#ifndef ONLY_SIGNED
                if (!is_signed(type))
                    color = as_int4(way == 0   ? read_imageui(image, (int2)(x, y))
                                    : way == 1 ? read_imageui(image, clamp_to_edge, (int2)(x, y))
                                               : read_imageui(image, clamp_to_edge, middle));
#endif
                compare(record, p, order, type, color);
            }
        }
}

#ifndef VULKAN_IMAGES  // where a kernel does not see an image's memory
uint saturated(int value, uint type) {
    switch (type) {
        case CLK_SIGNED_INT8: return convert_char_sat(value);
        case CLK_SIGNED_INT16: return convert_short_sat(value);
        case CLK_UNSIGNED_INT8: return convert_uchar_sat(as_uint(value));
        case CLK_UNSIGNED_INT16: return convert_ushort_sat(as_uint(value));
        default: return value;
    }
}

// 3.3.4-1: with saturation
kernel void test_write(global uint *record, read_write image2d_t image, global uchar *image_bytes) {
    uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    const int4 kColors[4] = {(int4)(0, 1, 127, 128), (int4)(255, 256, 32767, 32768),
                             (int4)(65535, 65536, INT_MAX, INT_MIN), (int4)(-1, -128, -129, -32769)};
    AS_IT_STANDS for (int i = 0; i < 4; i++) {
        int2 at = (int2)(i + 1, i % 3);
        if (is_signed(type))
            write_imagei(image, at, kColors[i]);
        else
            write_imageui(image, at, as_uint4(kColors[i]));
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
        int4 color = is_signed(type) ? read_imagei(image, at) : as_int4(read_imageui(image, at));
        AS_IT_STANDS for (uint c = 0; c < 4; c++) {
            uint place = reference_place(order, c);
            ASSERT(place >= 4 ? place - 4 : saturated(kColors[i][c], type), color[c]);
        }
        compare(record, reference_texel(image_bytes, order, type, 7, 3, (int4)(at, 0, 0)), order, type, color);
    }
}
#endif
