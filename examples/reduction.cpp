// SPDX-License-Identifier: Apache-2.0
// A work-group reduction whose scratch memory is a local pointer argument. It takes two passes, the second
// over the partial sums.
#include <numeric>

#include "support/example.h"

int main() {
    constexpr uint32_t kCount = 1000003, kGroups = 64, kLocal = 128;
    example::Session session("reduction.cl");
    std::vector<uint32_t> data(kCount);
    std::iota(data.begin(), data.end(), 7u);
    const auto data_buffer = session.buffer(data),
               partial_buffer = session.buffer(std::vector<uint32_t>(kGroups)),
               total_buffer = session.buffer(std::vector<uint32_t>(1));

    auto reduce = [&](const auto& from, uint32_t count, const auto& to, uint32_t groups) {
        auto kernel = session.kernel("reduction");
        example::check(kernel.set(0, from));
        example::check(kernel.set(1, count));
        example::check(kernel.set_local(2, kLocal * sizeof(uint32_t)));
        example::check(kernel.set(3, to));
        return session.run(kernel, {.global = {uint64_t{groups} * kLocal, 1, 1}, .local = {kLocal, 1, 1}});
    };
    double time_ms = reduce(data_buffer, kCount, partial_buffer, kGroups);
    time_ms += reduce(partial_buffer, kGroups, total_buffer, 1);
    const uint32_t expected = std::accumulate(data.begin(), data.end(), 0u);
    return session.verdict(session.read<uint32_t>(total_buffer)[0] == expected, time_ms);
}
