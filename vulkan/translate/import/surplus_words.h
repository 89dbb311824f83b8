// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace caldera::vulkan {

/// LLVM 23's back end writes a value behind OpConstantNull where OpenCL C has `event_t e = 0`. Removes words
/// that this instruction cannot have. nullopt if there are none.
std::optional<std::vector<uint32_t>> without_surplus_words(std::span<const uint32_t> words);

}  // namespace caldera::vulkan
