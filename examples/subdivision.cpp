// SPDX-License-Identifier: Apache-2.0
// Kernels that enqueue kernels: the Mandelbrot set, computed where it is not even. subdivision.png, or the
// path given.
#include <algorithm>
#include <chrono>

#include "support/example.h"

int main(int argc, char** argv) {
    constexpr uint32_t kWidth = 960, kHeight = 640, kLimit = 200, kSquare = 64, kGroup = 32;
    example::Session session("subdivision.cl", {.compile = {.options = "-cl-std=CL2.0"}});
    auto device_queue = example::check(caldera::DeviceQueue::create(session.device));
    const auto times = session.buffer(std::vector<uint32_t>(kWidth * kHeight)),
               computed = session.buffer(std::vector<uint32_t>(1));
    struct {
        uint32_t width = kWidth, height = kHeight, limit = kLimit;
    } view;
    auto kernel = session.kernel("subdivision");
    example::set_arguments(kernel, times, computed, view, kSquare, device_queue);
    const uint32_t squares = kWidth / kSquare * (kHeight / kSquare);
    const auto start = std::chrono::steady_clock::now();
    const auto outcome = example::check(device_queue.run(
        session.queue, kernel, {.global = {squares * kGroup, 1, 1}, .local = {kGroup, 1, 1}}));
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;

    // A thread of the set may slip between the pixels of a border.
    const std::vector<uint32_t> steps = session.read<uint32_t>(times);
    uint32_t different = 0;
    std::vector<uint8_t> picture;
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
            const uint32_t found = steps[y * kWidth + x];
            different += found != count;
            const auto shade = static_cast<uint8_t>(std::min(255u, 40 + 9 * found));
            const uint8_t inside[] = {0, 0, 0}, outside[] = {shade, static_cast<uint8_t>(shade / 2),
                                                             static_cast<uint8_t>(255 - shade)};
            const uint8_t* colour = found == kLimit ? inside : outside;
            picture.insert(picture.end(), colour, colour + 3);
        }
    const uint32_t pixels = session.read<uint32_t>(computed)[0];
    std::printf("%u of %u pixels computed, by %llu enqueued commands\n", pixels, kWidth * kHeight,
                static_cast<unsigned long long>(outcome.commands));
    const bool written = example::write_png(argc > 1 ? argv[1] : "subdivision.png", kWidth, kHeight, picture);
    const bool right = outcome.status == 0 && different < kWidth * kHeight / 100 && pixels < kWidth * kHeight;
    const int status = session.verdict(right, time.count());
    return written ? status : 1;
}
