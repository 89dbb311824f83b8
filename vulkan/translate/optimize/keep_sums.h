// SPDX-License-Identifier: Apache-2.0
// Places in memory that a loop stores to again and again are values while it runs.
#pragma once

#include "vulkan/translate/optimize/memory_versions.h"

namespace caldera::vulkan {

/// "sum[i] = 0; for (...) sum[i] += x;": where a place that does not change was stored to before a loop, and the loop accesses
/// those bytes and no others that may overlap them, with nothing that lets others see them, then its stores are one store
/// where it ends. The store before the loop stays; it is why the address may be stored to even if the loop runs no iteration.
/// The loop must have one exit. Returns whether the function has changed.
bool keep_sums(spirv::Builder& builder, const OpenclLayout& layout, const MemoryFacts& facts,
               const MemoryAnalysis& analysis, spirv::Function& function);

}  // namespace caldera::vulkan
