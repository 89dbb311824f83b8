// SPDX-License-Identifier: Apache-2.0
// The 2D wave equation: two drops in a square pond, drawn to wave.png, or to the path given.
#include <cmath>

#include "support/example.h"

int main(int argc, char** argv) {
    constexpr int32_t kN = 512;
    constexpr int kSteps = 200;
    constexpr float kC = 0.25f;
    example::Session session("wave.cl");
    std::vector<float> start(kN * kN);
    for (int y = 1; y < kN - 1; ++y)
        for (int x = 1; x < kN - 1; ++x) {
            auto drop = [&](int cx, int cy) {
                return std::exp(-static_cast<float>((x - cx) * (x - cx) + (y - cy) * (y - cy)) / 200.0f);
            };
            start[static_cast<size_t>(y * kN + x)] = 2 * drop(kN / 3, kN / 3) + 2 * drop(kN * 2 / 3, kN / 2);
        }
    auto previous = session.buffer(start), current = session.buffer(start),
         next = session.buffer(std::vector<float>(start.size()));
    auto step = session.kernel("step_wave");
    double time_ms = 0;
    for (int i = 0; i < kSteps; ++i) {
        example::set_arguments(step, previous, current, next, kN, kC);
        time_ms += session.run(step, {.dimensions = 2, .global = {kN, kN, 1}, .local = {32, 8, 1}});
        std::swap(previous, current);
        std::swap(current, next);
    }
    const std::vector<float> result = session.read<float>(current);

    std::vector<float> p = start, c = start, n(start.size());
    for (int i = 0; i < kSteps; ++i) {
        for (size_t y = 1; y < kN - 1; ++y)
            for (size_t x = 1; x < kN - 1; ++x) {
                const size_t at = y * kN + x;
                n[at] =
                    2 * c[at] - p[at] + kC * (c[at - 1] + c[at + 1] + c[at - kN] + c[at + kN] - 4 * c[at]);
            }
        std::swap(p, c);
        std::swap(c, n);
    }
    float worst = 0;
    for (size_t i = 0; i < result.size(); ++i) worst = std::max(worst, std::fabs(result[i] - c[i]));

    const auto pixels = session.buffer(std::vector<uint8_t>(start.size() * 3));
    auto draw = session.kernel("draw_wave");
    example::set_arguments(draw, current, pixels);
    session.run(draw, {.global = {start.size(), 1, 1}});
    const bool written =
        example::write_png(argc > 1 ? argv[1] : "wave.png", kN, kN, session.read<uint8_t>(pixels));
    const int status = session.verdict(worst < 1e-4f, time_ms);
    return written ? status : 1;
}
