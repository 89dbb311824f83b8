// SPDX-License-Identifier: Apache-2.0
// From the number of an instruction to all that a reader wants to know of it.
#pragma once

#include <span>
#include <vector>

#include "spirv/fault.h"

namespace caldera::spirv {

/// Sorts the faults of a module by place and fills in the instruction, its function, its source line and,
/// with `has_places`, its bytes. It takes a module that cannot be read as a whole, too.
void describe(std::vector<Fault>& faults, std::span<const uint32_t> words, bool has_places);

}  // namespace caldera::spirv
