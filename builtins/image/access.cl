// SPDX-License-Identifier: Apache-2.0
// Reading without a sampler (OpenCL C 6.13.14.3) and writing (6.13.14.5). Coordinates outside the image are
// undefined: reads return a texel at the edge, and writes do nothing.
// OPTIONS: -cl-std=CL2.0
#include "image.h"

#ifndef BY_TABLE
/// The descriptor that queries read.
Image *image_descriptor(Image *image) { return (Image *)descriptor(image); }
#endif

#define ACCESS(shape, coordinate, letter, color)                                                                     \
    color FUNCTION(read_##shape##_##letter)(IMAGE_PARAMS, coordinate at) {                                           \
        int4 place = clamp(place_##shape(at), (int4)(0), size_##shape(DESCRIBED) - 1);                               \
        return FUNCTION(decode_##letter)(IMAGE, place);                                                              \
    }                                                                                                                \
    void FUNCTION(write_##shape##_##letter)(IMAGE_PARAMS, coordinate at, color value) {                              \
        int4 place = place_##shape(at);                                                                              \
        if (is_inside(place, size_##shape(DESCRIBED))) FUNCTION(encode_##letter)(IMAGE, texel(IMAGE, place), value); \
    }
#define ACCESSES(shape, coordinate)      \
    ACCESS(shape, coordinate, f, float4) \
    ACCESS(shape, coordinate, u, uint4)
ACCESSES(1d, int)
ACCESSES(1d_array, int2)
ACCESSES(2d, int2)
ACCESSES(2d_array, int4)
ACCESSES(3d, int4)
