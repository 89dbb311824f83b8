// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace caldera {

/// The least multiple of `alignment` (not 0) that is no less than `value`.
constexpr uint64_t align_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

}  // namespace caldera
