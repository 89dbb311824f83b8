// SPDX-License-Identifier: Apache-2.0
// How far programs with checks look for the object of an address (builtins/check/search.cl).
#pragma once

#include <cstddef>
#include <cstdint>

namespace caldera::vulkan {

/// The specialisation constant of such programs: CheckState has fewer objects. Compilers of Vulkan's drivers
/// inline the search into each access, and leave out its steps for more objects. A number that no other
/// constant of a program gets.
constexpr uint32_t kSearchSpecId = 1u << 30;

/// The constant's default: a list of objects must be shorter.
constexpr uint32_t kMostSearched = 1u << 20;

/// The least limit that builtins/check/search.cl knows, for so many objects.
constexpr uint32_t search_limit(size_t objects) {
    for (const uint32_t limit : {1u << 4, 1u << 8})
        if (objects < limit) return limit;
    return kMostSearched;
}

}  // namespace caldera::vulkan
