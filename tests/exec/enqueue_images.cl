// Device-side enqueue: blocks capture images and samplers (OpenCL C 2.0 6.12.5, 6.13.17).
// NEEDS: addresses
// OPTIONS: -cl-std=CL2.0
// RUN: image=2d:RGBA:UNSIGNED_INT8:7x3 image=2d:RGBA:SIGNED_INT32:7x3 sampler=0x12
#include "assert.h"

global atomic_int ran = ATOMIC_VAR_INIT(0);

kernel void test_images(global uint *record, read_only image2d_t from, sampler_t sampler, write_only image2d_t to, global int *to_bytes,
                        global int *a, queue_t q) {
    constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int plus = a[5];
    char one = (char)a[1];
    uint4 expected = read_imageui(from, sampler, (int2)(6, 2));
    size_t size[2] = {7, 3};
    clk_event_t written;
    ASSERT(0, enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(size), 0, NULL, &written, ^{
        int2 at = (int2)(get_global_id(0), get_global_id(1));
        uint4 color = read_imageui(from, sampler, at);
        write_imagei(to, at, convert_int4(color) + plus + one);
        if (at.x == 6 && at.y == 2) {
            ASSERT(expected.x, color.x);
            ASSERT(expected.w, read_imageui(from, nearest, (int2)(100, 100)).w);
            ASSERT(7, get_image_width(to));
        }
    }));
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &written, NULL, ^{
        uint4 color = read_imageui(from, sampler, (int2)(0, 0));
        ASSERT(color.x + 6, to_bytes[0]);
        ASSERT(color.w + 6, to_bytes[3]);
        atomic_fetch_add(&ran, 1);
    });
}
kernel void test_images_after(global uint *record) { ASSERT(1, atomic_exchange(&ran, 0)); }
