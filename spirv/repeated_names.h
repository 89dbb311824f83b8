// SPDX-License-Identifier: Apache-2.0
// SPIRV-Tools makes a friendly name of each OpName. Where a name is taken, it tries "x_0", "x_1" and so on
// from the first, which takes time by the square of how often a name is repeated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::spirv {

/// A name that stands in for another one.
struct NewName {
    std::string name = {}, original = {};
};

/// A module whose names are those that SPIRV-Tools would find in the end.
struct DistinctNames {
    std::vector<uint32_t> words = {};
    std::vector<NewName> names = {};  ///< the new ones, in the order of the module
};

/// None where no name is repeated often.
std::optional<DistinctNames> distinct_names(std::span<const uint32_t> words);

/// The disassembly of DistinctNames::words, with the names in OpName as they were.
std::string restore_names(std::string_view disassembly, std::span<const NewName> names);

}  // namespace caldera::spirv
