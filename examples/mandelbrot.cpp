// SPDX-License-Identifier: Apache-2.0
// The Mandelbrot set as a picture: mandelbrot.png, or the path given.
#include "support/example.h"

int main(int argc, char** argv) {
    constexpr uint32_t kWidth = 900, kHeight = 600, kLimit = 200;
    example::Session session("mandelbrot.cl");
    const auto pixels = session.buffer(std::vector<uint8_t>(kWidth * kHeight * 3)),
               counts = session.buffer(std::vector<uint32_t>(kWidth * kHeight));
    auto kernel = session.kernel("mandelbrot");
    example::set_arguments(kernel, pixels, counts, kWidth, kHeight, kLimit);
    const double time_ms = session.run(kernel, {.dimensions = 2, .global = {kWidth, kHeight, 1}});

    // Near the border one rounding decides between steps, so a few pixels may differ from the CPU's.
    const std::vector<uint32_t> steps = session.read<uint32_t>(counts);
    uint32_t different = 0;
    for (uint32_t y = 0; y < kHeight; ++y)
        for (uint32_t x = 0; x < kWidth; ++x) {
            const float cx = -2.25f + 3.0f * static_cast<float>(x) / kWidth,
                        cy = -1.0f + 2.0f * static_cast<float>(y) / kHeight;
            float zx = 0, zy = 0;
            uint32_t count = 0;
            while (count < kLimit && zx * zx + zy * zy < 4.0f) {
                const float next = zx * zx - zy * zy + cx;
                zy = 2.0f * zx * zy + cy;
                zx = next;
                ++count;
            }
            different += steps[y * kWidth + x] != count;
        }
    const std::vector<uint8_t> picture = session.read<uint8_t>(pixels);
    const bool written = example::write_png(argc > 1 ? argv[1] : "mandelbrot.png", kWidth, kHeight, picture);
    const int status = session.verdict(different < kWidth * kHeight / 100, time_ms);
    return written ? status : 1;
}
