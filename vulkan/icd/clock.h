// SPDX-License-Identifier: Apache-2.0
// The clock of all times that programs see: the one that runtime::Timing has.
#pragma once

#include <chrono>
#include <cstdint>

namespace caldera::icd {

inline uint64_t now_ns() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace caldera::icd
