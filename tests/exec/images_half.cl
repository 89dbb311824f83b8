// Images read and written as halves (checklist C-2).
// OPTIONS: -cl-std=CL2.0
// NEEDS: half
// RUN: image=2d:RGBA:HALF_FLOAT:7x3
// RUN: image=2d:RG:UNORM_INT8:7x3
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#include "assert.h"

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void test_half(global uint *record, read_write image2d_t image, read_only image2d_t same) {
    int2 at = (int2)(4, 2);
    half4 color = read_imageh(same, at);
    ASSERT(true, all(color == convert_half4(read_imagef(same, at))));
    ASSERT(true, all(color == read_imageh(same, nearest, at)));
    ASSERT(true, all(color == read_imageh(same, nearest, (float2)(4.5f, 2.5f))));
    write_imageh(image, at, (half4)(0.25h, 1.0h, 0.5h, 0.75h));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    bool has_blue = get_image_channel_order(image) == CLK_RGBA;
    half4 wrote = has_blue ? (half4)(0.25h, 1.0h, 0.5h, 0.75h) : (half4)(0.25h, 1.0h, 0.0h, 1.0h);
    ASSERT(true, all(fabs(read_imageh(image, at) - wrote) < (half)0.003h));
}
