// SPDX-License-Identifier: Apache-2.0
// Computes instructions with trial numbers (trial_values.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "spirv/module.h"

namespace caldera::vulkan {

/// A number of up to 64 bits, or a truth value of one bit.
struct TrialNumber {
    uint64_t bits = 0;
    uint32_t width = 0;
    bool is_float = false;
};

/// Mixes a number into a hash.
constexpr uint64_t mixed_trial(uint64_t hash, uint64_t next) {
    hash = (hash ^ next) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 31) * 0xbf58476d1ce4e5b9u;
    return hash ^ hash >> 29;
}

/// The bits of one component of the result, a number like `result`. None for instructions that this function
/// does not know.
std::optional<uint64_t> trial_result(const spirv::Instruction& inst, const TrialNumber& result,
                                     std::span<const TrialNumber> operands);

}  // namespace caldera::vulkan
