// What write_imagef stores in signed normalised images for floats beyond -1 and 1 (OpenCL C 8.3.1.2).
// OPTIONS: -cl-std=CL2.0
// RUN: image=2d:RGBA:SNORM_INT8:7x3
// RUN: image=2d:A:SNORM_INT8:7x3
// RUN: by_format image=2d:RG:SNORM_INT8:7x3
// RUN: image=2d:R:SNORM_INT16:7x3
// RUN: image=2d:RA:SNORM_INT16:7x3
// RUN: by_format image=2d:RGBA:SNORM_INT16:7x3
#include "image_reference.h"

// 3.3.1-4, 3.3.1-5
kernel void test_write(global uint *record, read_write image2d_t image, global uchar *image_bytes) {
    const uint order = get_image_channel_order(image), type = get_image_channel_data_type(image);
    global uchar *p = reference_texel(image_bytes, order, type, 7, 3, (int4)(1, 1, 0, 0));
    const int most = type == CLK_SNORM_INT8 ? 127 : 32767;
    const float kWritten[8] = {-2, -INFINITY, -1e30f, -1, -(most + 0.4f) / most, -(most + 0.6f) / most, 2, NAN};
    const int kRight[8] = {-most - 1, -most - 1, -most - 1, -most, -most, -most - 1, most, 0};
    AS_IT_STANDS for (int i = 0; i < 8; i++) {
        write_imagef(image, (int2)(1, 1), (float4)(kWritten[i]));
        ASSERT(kRight[i], type == CLK_SNORM_INT8 ? *(global char *)p : *(global short *)p);
        float4 color = read_imagef(image, (int2)(1, 1));
        ASSERT(true, (order == CLK_A ? color.w : color.x) >= -1);
    }
}
