// SPDX-License-Identifier: Apache-2.0
// Reading without a sampler (OpenCL C 6.13.14.3) and writing (6.13.14.5). Coordinates outside the image are
// undefined: reads return a texel at the edge, and writes do nothing.
// OPTIONS: -cl-std=CL2.0
#include "image.h"

/// The descriptor that queries read.
Image *image_descriptor(Image *image) { return (Image *)descriptor(image); }

#define ACCESS(shape, coordinate, letter, color)                                                                   \
    color image_read_##shape##_##letter(Image *image, uint format, coordinate at) {                                \
        int4 place = clamp(place_##shape(at), (int4)(0), size_##shape(image) - 1);                                 \
        return image_decode_##letter(image, format, texel(image, format, place));                                  \
    }                                                                                                              \
    void image_write_##shape##_##letter(Image *image, uint format, coordinate at, color value) {                   \
        int4 place = place_##shape(at);                                                                            \
        if (is_inside(place, size_##shape(image))) image_encode_##letter(image, format, texel(image, format, place), value); \
    }
#define ACCESSES(shape, coordinate)                                                                                \
    ACCESS(shape, coordinate, f, float4)                                                                           \
    ACCESS(shape, coordinate, u, uint4)
ACCESSES(1d, int)
ACCESSES(1d_array, int2)
ACCESSES(2d, int2)
ACCESSES(2d_array, int4)
ACCESSES(3d, int4)
