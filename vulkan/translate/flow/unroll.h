// SPDX-License-Identifier: Apache-2.0
// Fully unrolls loops with a constant trip count.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// Unrolls innermost loops whose only exit tests a counter with constant start, step and bound. These are
/// loops with the hint Unroll, loops with a barrier (which drivers do not unroll, as in scans and
/// reductions), and loops whose counter is all that prevents a private array from being split. With `nested`,
/// this includes loops inside other loops. If all indices of a kernel's tables and arrays are then constant,
/// they need no memory. The growth is limited. Returns the indices of the functions that changed.
///
/// Before: functions are structured, variables promoted.   After: the same, except for folding and new
/// promotions.
std::vector<uint32_t> unroll_counted_loops(spirv::Module& module, bool nested);

}  // namespace caldera::vulkan
