// SPDX-License-Identifier: Apache-2.0
// Full unrolling of loops that run a constant number of times.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// Unrolls innermost loops whose only exit tests a counter with constant start, step and bound: those with the hint Unroll,
/// those with a barrier (drivers leave such loops alone: scans, reductions), and those whose counter is all that keeps a
/// private array from being taken apart; with `nested` those in other loops too. Where the kernel's tables and arrays are then indexed by constants, they need no
/// memory. What may be added is bounded. Returns the indices of the functions that it changed.
///
/// Before: functions are structured, variables promoted.   After: the same, but for folding and new promotions.
std::vector<uint32_t> unroll_counted_loops(spirv::Module& module, bool nested);

}  // namespace caldera::vulkan
