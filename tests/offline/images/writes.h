// SPDX-License-Identifier: Apache-2.0
// Writes one texel of each type of image. COLOR is four of CHANNEL, which a texel holds as STORED; WRITE is
// the function. Texels that nobody writes keep what they have.
#include "assert.h"

#define COLOR_OF(n) (COLOR)((n), (n) + 1, (n) + 2, (n) + 3)

// Functions take images too.
void write_cube(write_only image3d_t image, int4 at, COLOR color) { WRITE(image, at, color); }

kernel void write_all(write_only image1d_t line, write_only image1d_buffer_t buffer,
                      write_only image1d_array_t lines, write_only image2d_t square,
                      write_only image2d_array_t squares, write_only image3d_t cube) {
    WRITE(line, 4, COLOR_OF(LEAST));
    WRITE(line, 9, COLOR_OF(7));  // outside
    WRITE(buffer, 5, COLOR_OF(LEAST + 1));
    WRITE(lines, (int2)(3, 2), COLOR_OF(LEAST + 2));
    WRITE(square, (int2)(2, 1), COLOR_OF(LEAST + 3));
    WRITE(square, (int2)(-1, 1), COLOR_OF(7));
    WRITE(squares, (int4)(2, 1, 1, 77), COLOR_OF(LEAST + 4));
    write_cube(cube, (int4)(2, 3, 4, 77), COLOR_OF(LEAST + 5));
    write_cube(cube, (int4)(2, 3, 5, 77), COLOR_OF(7));
}

int texel(int width, int height, int x, int y, int z) {
    return x + y * (width + 3) + z * ((width + 3) * height + 5);
}
#define CHECK(bytes, at, n)                                  \
    for (int c = 0; c < 4; c++) /* as the format holds it */ \
    ASSERT(true, (bytes)[4 * (at) + c] == (STORED)((n) + c))

kernel void test_all(global uint* record, global const STORED* line_bytes, global const STORED* buffer_bytes,
                     global const STORED* lines_bytes, global const STORED* square_bytes,
                     global const STORED* squares_bytes, global const STORED* cube_bytes) {
    CHECK(line_bytes, 4, LEAST);
    CHECK(buffer_bytes, 5, LEAST + 1);
    CHECK(lines_bytes, texel(5, 1, 3, 0, 2), LEAST + 2);
    CHECK(square_bytes, texel(4, 3, 2, 1, 0), LEAST + 3);
    CHECK(squares_bytes, texel(4, 3, 2, 1, 1), LEAST + 4);
    CHECK(cube_bytes, texel(3, 4, 2, 3, 4), LEAST + 5);
}
