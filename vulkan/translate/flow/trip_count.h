// SPDX-License-Identifier: Apache-2.0
// TripCounter: computes how often a loop runs whose counter has constant start, step and bound.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/builder.h"
#include "spirv/module.h"

namespace caldera::vulkan {

class TripCounter {
 public:
    /// `definitions` are the instructions of the function by result id; null for ids that are defined
    /// elsewhere.
    TripCounter(const spirv::Builder& builder, const std::vector<const spirv::Instruction*>& definitions)
        : builder_(builder), definitions_(definitions) {}

    /// How often the only block `latch` branches back to the header, if the only exit is `branch`, a
    /// conditional one with the loop's merge block among its targets. nullopt if this is not known, or is
    /// more than `most`.
    std::optional<uint32_t> count(const spirv::Block& header, spirv::Id latch,
                                  const spirv::Instruction& branch, uint32_t most) const;

 private:
    std::optional<uint64_t> evaluate(spirv::Id id, const spirv::Instruction& counter, uint64_t value,
                                     int depth) const;

    const spirv::Builder& builder_;
    const std::vector<const spirv::Instruction*>& definitions_;
};

}  // namespace caldera::vulkan
