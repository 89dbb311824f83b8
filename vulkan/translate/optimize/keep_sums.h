// SPDX-License-Identifier: Apache-2.0
// Turns memory that a loop stores to repeatedly into a value while the loop runs.
#pragma once

#include "vulkan/translate/optimize/memory_versions.h"

namespace caldera::vulkan {

/// "sum[i] = 0; for (...) sum[i] += x;": replaces the stores in the loop by one store at its end. The address
/// must not change, and must have been stored to before the loop: that store stays, and shows that the
/// address is writable even if the loop has no iteration. The loop must not access other memory that may
/// overlap these bytes, and must do nothing that lets others see them. It must have one exit. Returns whether
/// the function has changed.
bool keep_sums(spirv::Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
               const MemoryAnalysis& analysis, spirv::Function& function);

}  // namespace caldera::vulkan
