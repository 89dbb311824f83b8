// SPDX-License-Identifier: Apache-2.0
// The types that operands and results of groups' instructions and of pipes' have. SPIRV-Tools do not look at
// all of them.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Whether the result and the operands of an instruction have types that it takes (SPIR-V 3.42.21
/// and 3.42.24). Device-side enqueue has has_enqueue_operands(). True for the instructions that
/// spirv::validate() checks.
bool has_operand_types(const spirv::Builder& builder, const spirv::Instruction& inst);

}  // namespace caldera::vulkan
