// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace caldera::vulkan {

/// llvm-spirv turns LLVM's unroll hints into OpLoopMerge wherever the hint stands: between other instructions, several in a
/// block, for one merge block of many loops. Kernels need no merge instructions, so a module with such faults goes on
/// without any. Nothing when the words are sound, or no SPIR-V at all.
std::optional<std::vector<uint32_t>> without_stray_merges(std::span<const uint32_t> words);

}  // namespace caldera::vulkan
