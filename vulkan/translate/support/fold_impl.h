// SPDX-License-Identifier: Apache-2.0
// What several files of Folder use.
#pragma once

#include "vulkan/translate/support/fold.h"
#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {

/// The four ways in which two floats can compare; exactly one holds. Unordered: one of them is NaN.
enum Outcome : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8, kAnyOutcome = 15 };

/// The outcomes for which the comparison is true; 0 where `op` compares no floats.
unsigned float_outcomes(spv::Op op);

}  // namespace caldera::vulkan
