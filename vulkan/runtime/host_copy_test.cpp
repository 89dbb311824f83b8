// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/host_copy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace caldera::runtime;

namespace {

TEST_CASE("copies of any size, shared by threads or not, copy every byte and no other") {
    constexpr uint64_t kMiB = 1 << 20;
    for (const uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{4095}, 4 * kMiB - 1, 4 * kMiB,
                                6 * kMiB + 1, 8 * kMiB + 3, 33 * kMiB + 7}) {
        CAPTURE(size);
        std::vector<std::byte> from(size), to(size + 2, std::byte{0xee});
        for (uint64_t i = 0; i < size; ++i) from[i] = std::byte(i * 31 + (i >> 13));
        copy_bytes(to.data() + 1, from.data(), size);
        CHECK(std::equal(from.begin(), from.end(), to.begin() + 1));
        CHECK(to.front() == std::byte{0xee});
        CHECK(to.back() == std::byte{0xee});
    }
}

}  // namespace
