// SPDX-License-Identifier: Apache-2.0
// A tiled matrix product through local memory.
#include "support/example.h"

int main() {
    constexpr uint32_t kN = 256;
    example::Session session("matrix_product.cl");
    // Small integers: every sum is exact, so the order of the additions does not matter.
    std::vector<float> a(kN * kN), b(kN * kN), c(kN * kN);
    for (uint32_t i = 0; i < kN * kN; ++i) {
        a[i] = static_cast<float>(i * 7 % 13) - 6;
        b[i] = static_cast<float>(i * 5 % 11) - 5;
    }
    const auto a_buffer = session.buffer(a), b_buffer = session.buffer(b), c_buffer = session.buffer(c);
    auto kernel = session.kernel("matrix_product");
    example::set_arguments(kernel, a_buffer, b_buffer, c_buffer, kN);
    const double time_ms =
        session.run(kernel, {.dimensions = 2, .global = {kN, kN, 1}, .local = {16, 16, 1}});

    const std::vector<float> result = session.read<float>(c_buffer);
    bool right = true;
    for (uint32_t row = 0; row < kN; ++row)
        for (uint32_t column = 0; column < kN; ++column) {
            float sum = 0;
            for (uint32_t k = 0; k < kN; ++k) sum += a[row * kN + k] * b[k * kN + column];
            right = right && result[row * kN + column] == sum;
        }
    return session.verdict(right, time_ms);
}
