// SPDX-License-Identifier: Apache-2.0
// What the layer of layer.cpp offers to a test in the same process, which finds it by name: the loader has
// loaded it.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace caldera::subgroups {

constexpr uint32_t kMostOfRequiredSize = 16;

/// The sizes that sub-groups may have. CALDERA_TEST_SUBGROUP_SIZES=4,64 is both.
struct Sizes {
    uint32_t smallest = 8, largest = 32;
};
inline Sizes sizes() {
    Sizes found;
    const char* const value = std::getenv("CALDERA_TEST_SUBGROUP_SIZES");
    if (!value) return found;
    const std::string_view text = value;
    const size_t comma = text.find(',');
    if (comma == text.npos) return found;
    std::from_chars(text.data(), text.data() + comma, found.smallest);
    std::from_chars(text.data() + comma + 1, text.data() + text.size(), found.largest);
    return found;
}

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
