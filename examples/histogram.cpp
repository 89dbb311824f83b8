// SPDX-License-Identifier: Apache-2.0
// A histogram with local atomics.
#include "support/example.h"

int main() {
    constexpr uint32_t kCount = (1 << 20) + 3;
    example::Session session("histogram.cl");
    std::vector<uint8_t> data(kCount);
    std::vector<uint32_t> expected(256);
    uint32_t random = 1;
    for (uint8_t& byte : data) {
        random = random * 1664525 + 1013904223;
        byte = static_cast<uint8_t>((random >> 24) & (random >> 16));  // uneven on purpose
        ++expected[byte];
    }
    const auto data_buffer = session.buffer(data), bins_buffer = session.buffer(std::vector<uint32_t>(256));
    auto kernel = session.kernel("histogram");
    example::set_arguments(kernel, data_buffer, kCount, bins_buffer);
    const double time_ms = session.run(kernel, {.global = {128 * 64, 1, 1}, .local = {128, 1, 1}});
    return session.verdict(session.read<uint32_t>(bins_buffer) == expected, time_ms);
}
