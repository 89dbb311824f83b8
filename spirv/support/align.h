// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace caldera {

/// The least multiple of `alignment` (not 0) that is no less than `value`.
constexpr uint64_t align_up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

/// The largest power of two that divides `value`, but at most `limit`, a power of two: how an object is
/// aligned that lies so many bytes behind one that is aligned to `limit`.
constexpr uint64_t power_of_two_in(uint64_t value, uint64_t limit = uint64_t{1} << 31) {
    return value == 0 ? limit : std::min(limit, uint64_t{1} << std::countr_zero(value));
}

}  // namespace caldera
