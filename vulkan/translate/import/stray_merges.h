// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace caldera::vulkan {

/// llvm-spirv turns LLVM's unroll hints into OpLoopMerge wherever the hint is: between other instructions,
/// several in a block, or with one merge block for many loops. Kernels need no merge instructions, so this
/// removes all of them from a module with such faults. nullopt if the words are valid in this respect, or are
/// not SPIR-V at all.
std::optional<std::vector<uint32_t>> without_stray_merges(std::span<const uint32_t> words);

}  // namespace caldera::vulkan
