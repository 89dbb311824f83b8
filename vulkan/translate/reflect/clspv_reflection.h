// SPDX-License-Identifier: Apache-2.0
// The interface inside the module, as NonSemantic.ClspvReflection: what clvk, ANGLE and Amber read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/support/result.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// The finished Vulkan module `words` with instructions of NonSemantic.ClspvReflection.5 that tell its interface, which
/// must have descriptors and no hidden arguments (TranslateOptions::simple_ndrange). They name functions, and may not do so
/// before these, hence stand after the last function: where spirv::Module has no place, so they are added to the words.
/// Declines constant data longer than an OpString.
Result<std::vector<uint32_t>> with_clspv_reflection(std::span<const uint32_t> words,
                                                    const ProgramInterface& interface);

}  // namespace caldera::vulkan
