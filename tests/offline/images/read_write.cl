// SPDX-License-Identifier: Apache-2.0
// A read_write image is read after a write, as floats and as each kind of integer, with a fence between.
// OPTIONS: -cl-std=CL2.0
// RUN: image=2d:R:FLOAT:4x3 image=2d:R:SIGNED_INT32:4x3 image=2d:R:UNSIGNED_INT32:4x3 image=1d_buffer:R:UNSIGNED_INT32:9 image=3d:R:FLOAT:3x3x3
#include "assert.h"

kernel void test_read_write(global uint *record, read_write image2d_t reals, read_write image2d_t integers,
                            read_write image2d_t numbers, read_write image1d_buffer_t buffer,
                            read_write image3d_t cube) {
    ASSERT_BITS(as_uint(9 / 4.0f), read_imagef(reals, (int2)(2, 1)).x);
    write_imagef(reals, (int2)(2, 1), (float4)(-1.5f));
    write_imagei(integers, (int2)(3, 2), (int4)(-7));
    write_imageui(numbers, (int2)(1, 1), (uint4)(0xfffffff0u));
    write_imageui(buffer, 8, (uint4)(0x80000001u));
    write_imagef(cube, (int4)(1, 2, 0, 0), (float4)(0.125f));
    atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
    ASSERT_BITS(as_uint(-1.5f), read_imagef(reals, (int2)(2, 1)).x);
    ASSERT(-7, read_imagei(integers, (int2)(3, 2)).x);
    ASSERT(0xfffffff0u, read_imageui(numbers, (int2)(1, 1)).x);
    ASSERT(0x80000001u, read_imageui(buffer, 8).x);
    ASSERT_BITS(as_uint(0.125f), read_imagef(cube, (int4)(1, 2, 0, 0)).x);
    ASSERT(1, read_imageui(numbers, (int2)(1, 1)).w);
}
