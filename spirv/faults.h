// SPDX-License-Identifier: Apache-2.0
// All faults of a module, where spirv-val stops at the first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/fault.h"
#include "spirv/spirv.h"

namespace caldera::spirv {

struct Faults {
    std::vector<Fault> found = {};  ///< in the order of the module
    bool is_complete = true;        ///< false: the last one hides what else there may be
};

/// Finds the faults of a module for an environment, at most `limit`; without a target, only SPIR-V's own
/// rules count. A valid module costs one run of SPIRV-Tools' validator. After each fault, what is wrong is
/// replaced by something valid, and the module is judged again: faults that only follow from others are not
/// reported.
Faults find_faults(std::span<const uint32_t> words, std::optional<Target> target, size_t limit = 100);

}  // namespace caldera::spirv
