// SPDX-License-Identifier: Apache-2.0
// What the layer of layer.cpp offers to a test in the same process, which finds it by name: the loader has
// loaded it.
#pragma once

#include <cstdint>

namespace caldera::subgroups {

constexpr uint32_t kSmallest = 8, kLargest = 32, kMostOfRequiredSize = 16;

/// What the last pipeline asked for.
struct Asked {
    uint32_t size = 0;  ///< that it requires; 0: none
    bool full = false;
};

/// Exported as "caldera_subgroups_layer".
struct Layer {
    Asked (*last)() = nullptr;
};

}  // namespace caldera::subgroups
