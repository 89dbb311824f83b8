// SPDX-License-Identifier: Apache-2.0
// Depth images have one channel, which is written and read as a float.
// OPTIONS: -cl-std=CL2.0
// RUN: image=2d_depth:DEPTH:FLOAT:5x2 image=2d_array_depth:DEPTH:FLOAT:3x2x4
#include "assert.h"

kernel void write_depths(write_only image2d_depth_t depth, write_only image2d_array_depth_t depths) {
    write_imagef(depth, (int2)(4, 1), -5.0f);
    write_imagef(depths, (int4)(1, 1, 3, 0), -6.0f);
}
kernel void test_written(global uint *record, global const float *depth_bytes, global const float *depths_bytes) {
    ASSERT(true, depth_bytes[4 + 8] == -5.0f);
    ASSERT(true, depth_bytes[3 + 8] == 11 / 4.0f);
    ASSERT(true, depths_bytes[1 + 6 + 3 * (6 * 2 + 5)] == -6.0f);
}
