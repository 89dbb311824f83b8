// Each channel order and data type that is read and written as floats.
// OPTIONS: -cl-std=CL2.0 -cl-fp32-correctly-rounded-divide-sqrt
// RUN: image=2d:RGBA:UNORM_INT8:7x3
// RUN: by_format image=2d:RGBA:UNORM_INT8:7x3
// RUN: image=2d:BGRA:UNORM_INT8:7x3
// RUN: image=2d:ARGB:UNORM_INT8:7x3
// RUN: image=2d:ABGR:UNORM_INT8:7x3
// RUN: image=2d:R:UNORM_INT8:7x3
// RUN: image=2d:A:UNORM_INT8:7x3
// RUN: image=2d:RG:UNORM_INT8:7x3
// RUN: image=2d:RA:UNORM_INT8:7x3
// RUN: image=2d:Rx:UNORM_INT8:7x3
// RUN: image=2d:RGx:UNORM_INT8:7x3
// RUN: image=2d:RGBx:UNORM_INT8:7x3
// RUN: image=2d:INTENSITY:UNORM_INT8:7x3
// RUN: image=2d:LUMINANCE:UNORM_INT8:7x3
// RUN: image=2d:sRGB:UNORM_INT8:7x3
// RUN: image=2d:sRGBx:UNORM_INT8:7x3
// RUN: image=2d:sRGBA:UNORM_INT8:7x3
// RUN: image=2d:sBGRA:UNORM_INT8:7x3
// RUN: image=2d:RGBA:SNORM_INT8:7x3
// RUN: image=2d:RG:SNORM_INT8:7x3
// RUN: image=2d:R:SNORM_INT8:7x3
// RUN: image=2d:RGBA:UNORM_INT16:7x3
// RUN: image=2d:RG:UNORM_INT16:7x3
// RUN: image=2d:R:UNORM_INT16:7x3
// RUN: image=2d:A:UNORM_INT16:7x3
// RUN: by_format image=2d:A:UNORM_INT16:7x3
// RUN: image=2d:RGx:UNORM_INT16:7x3
// RUN: image=2d:RGBA:SNORM_INT16:7x3
// RUN: image=2d:RA:SNORM_INT16:7x3
// RUN: image=2d:LUMINANCE:SNORM_INT16:7x3
// RUN: image=2d:RGB:UNORM_SHORT_565:7x3
// RUN: image=2d:RGBx:UNORM_SHORT_555:7x3
// RUN: image=2d:RGB:UNORM_INT_101010:7x3
// RUN: image=2d:RGBA:UNORM_INT_101010_2:7x3
// RUN: image=2d:ABGR:UNORM_INT_2_101010_EXT:7x3
// RUN: image=2d:RGBA:HALF_FLOAT:7x3
// RUN: image=2d:RG:HALF_FLOAT:7x3
// RUN: image=2d:R:HALF_FLOAT:7x3
// RUN: image=2d:INTENSITY:HALF_FLOAT:7x3
// RUN: image=2d:RGBA:FLOAT:7x3
// RUN: image=2d:BGRA:FLOAT:7x3
// RUN: by_format image=2d:BGRA:FLOAT:7x3
// RUN: image=2d:RG:FLOAT:7x3
// RUN: image=2d:R:FLOAT:7x3
// RUN: image=2d:A:FLOAT:7x3
// RUN: image=2d:RGx:FLOAT:7x3
#include "image_reference.h"

constant sampler_t clamp_to_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

void compare(global uint *record, global uchar *p, uint order, uint type, float4 color) {
    AS_IT_STANDS for (uint c = 0; c < 4; c++)
        ASSERT(true, is_close(reference_color(p, order, type, c), color[c], order));  // 1.13.14-6
}

kernel void test_read(global uint *record, read_only image2d_t image, global uchar *image_bytes) {
    uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);  // 1.13.14-47, -48, -51
    int width = get_image_width(image), height = get_image_height(image);                    // 1.13.14-46
    ASSERT(7, width);
    ASSERT(3, height);
    ASSERT(true, all(get_image_dim(image) == (int2)(7, 3)));  // 1.13.14-49
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            global uchar *p = reference_texel(image_bytes, order, type, width, height, (int4)(x, y, 0, 0));
            AS_IT_STANDS for (int way = 0; way < 3; way++) {
                float4 color = way == 0   ? read_imagef(image, (int2)(x, y))                 // 1.13.14-39, -41
                               : way == 1 ? read_imagef(image, clamp_to_edge, (int2)(x, y))  // 1.13.14-27
                                          : read_imagef(image, clamp_to_edge, (float2)(x + 0.25f, y + 0.75f));
                compare(record, p, order, type, color);
            }
        }
}

#ifndef VULKAN_IMAGES  // where a kernel does not see an image's memory
// 3.3.1-7 to 3.3.1-11: what is written as 0, 1 or -1 is read as that. 1.13.14-36, -42, -44
kernel void test_write(global uint *record, read_write image2d_t image, global uchar *image_bytes) {
    uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    bool is_signed = type == CLK_SNORM_INT8 || type == CLK_SNORM_INT16 || type == CLK_HALF_FLOAT || type == CLK_FLOAT;
    bool is_srgb = order >= CLK_sRGB && order <= CLK_sBGRA;
    const float4 kColors[4] = {(float4)(0, 1, 0, 1), (float4)(1, 0, 1, 0), (float4)(-1, 0.5f, 2, 0.25f),
                               (float4)(0.1f, 0.7f, 0.33f, 0.9f)};
    AS_IT_STANDS for (int i = 0; i < 4; i++) {
        int2 at = (int2)(i + 2, i % 3);
        global uchar *p = reference_texel(image_bytes, order, type, 7, 3, (int4)(at, 0, 0));
        uchar before = p[-1], after = p[reference_texel_bytes(order, type)];
        write_imagef(image, at, kColors[i]);
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);  // 1.13.14-63, 1.13.11-25
        float4 color = read_imagef(image, at);
        AS_IT_STANDS for (uint c = 0; c < 4; c++) {
            float wrote = kColors[i][c], read = color[c];
            uint place = reference_place(order, c);
            if (place >= 4) {
                ASSERT(place - 4, read);
                continue;
            }
            if (order == CLK_INTENSITY || order == CLK_LUMINANCE) wrote = kColors[i].x;
            if (type != CLK_FLOAT && type != CLK_HALF_FLOAT) wrote = clamp(wrote, is_signed ? -1.0f : 0.0f, 1.0f);
            if (wrote == 0 || wrote == 1 || wrote == -1) ASSERT(true, wrote == read);
            float step = type == CLK_UNORM_SHORT_565 || type == CLK_UNORM_SHORT_555 ? 1 / 31.0f
                       : (type == 0x10E0 || type == 0x10E5) && c == 3 ? 1 / 3.0f : is_srgb ? 1 / 100.0f : 1 / 127.0f;
            ASSERT(true, fabs(read - wrote) <= 0.6f * step);  // 3.3.1-12, 3.3.1-13, 3.3.5-2
        }
        compare(record, p, order, type, color);
        ASSERT(before, p[-1]);
        ASSERT(after, p[reference_texel_bytes(order, type)]);
    }
}

// 1.13.14-45: nothing is written that is not there.
kernel void test_write_outside(global uint *record, write_only image2d_t image, global uchar *image_bytes) {
    uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    global uchar *p = reference_texel(image_bytes, order, type, 7, 3, (int4)(7, 0, 0, 0));
    uchar before = *p;
    write_imagef(image, (int2)(7, 0), (float4)(0.3f));
    write_imagef(image, (int2)(-1, 1), (float4)(0.3f));
    ASSERT(before, *p);
}
#endif
