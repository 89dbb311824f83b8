// SPDX-License-Identifier: Apache-2.0
// Describes the interface inside the module, with NonSemantic.ClspvReflection, which clvk, ANGLE and Amber
// read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/support/result.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Adds instructions of NonSemantic.ClspvReflection.5 that describe the interface to the finished Vulkan
/// module `words`. The interface must have descriptors and no hidden arguments
/// (TranslateOptions::simple_ndrange). The instructions name functions and must come after them, hence after
/// the last function. spirv::Module has no place there, so they are added to the words. Declines constant
/// data that is longer than an OpString.
Result<std::vector<uint32_t>> with_clspv_reflection(std::span<const uint32_t> words,
                                                    const ProgramInterface& interface);

}  // namespace caldera::vulkan
