// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/host_copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <thread>

#include "spirv/support/threads.h"

namespace caldera::runtime {

void copy_bytes(std::byte* to, const std::byte* from, uint64_t size) {
    constexpr uint64_t kShare = 2ull << 20;
    if (size < 2 * kShare) {
        if (size != 0) std::memcpy(to, from, size);  // no bytes may have null pointers
        return;
    }
    std::array<std::thread, 3> helpers;
    const uint64_t shares =
        std::min<uint64_t>({helpers.size() + 1, std::thread::hardware_concurrency() / 2, size / kShare});
    uint64_t at = 0;
    for (uint64_t i = 1; i < shares; ++i, at += size / shares) try {
            helpers[i - 1] = start_thread([=] { std::memcpy(to + at, from + at, size / shares); });
        } catch (const std::exception&) {  // no thread, or no memory for one: this thread does the rest
            break;
        }
    std::memcpy(to + at, from + at, size - at);
    for (std::thread& helper : helpers)
        if (helper.joinable()) helper.join();
}

}  // namespace caldera::runtime
