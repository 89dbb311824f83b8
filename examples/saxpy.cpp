// SPDX-License-Identifier: Apache-2.0
// y = a x + y: the smallest whole program.
#include <cmath>

#include "support/example.h"

int main() {
    constexpr size_t kCount = 1 << 20;
    example::Session session("saxpy.cl");
    std::vector<float> x(kCount), y(kCount);
    for (size_t i = 0; i < kCount; ++i) {
        x[i] = static_cast<float>(i);
        y[i] = 1.0f / static_cast<float>(i + 1);
    }
    const auto x_buffer = session.buffer(x), y_buffer = session.buffer(y);
    auto kernel = session.kernel("saxpy");
    example::set_arguments(kernel, 2.5f, x_buffer, y_buffer);
    const double time_ms = session.run(kernel, {.global = {kCount, 1, 1}});

    const std::vector<float> result = session.read<float>(y_buffer);
    bool right = true;
    for (size_t i = 0; i < kCount; ++i) {
        // With or without a fused multiply-add: one rounding or two.
        const float fused = std::fma(2.5f, x[i], y[i]), separate = 2.5f * x[i] + y[i];
        right = right && (result[i] == fused || result[i] == separate);
    }
    return session.verdict(right, time_ms);
}
