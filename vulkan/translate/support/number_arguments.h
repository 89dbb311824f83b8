// SPDX-License-Identifier: Apache-2.0
// The numbers by which the host accesses arguments: specialisation constants and descriptor bindings.
#pragma once

#include <span>

#include "spirv/module.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Numbers the arguments of all kernels as clspv does by default (see its docs/OpenCLCOnVulkan.md), so that
/// programs written for its modules work without change:
/// - Local sizes are constants 0 to 2. Then comes the work dimension, if it is a constant, and then lengths
/// of
///   local arguments. Kernels share a constant if the arguments point to the same type.
/// - A binding belongs to a position; the first kernel that uses the position determines it. Arguments by
/// value
///   together count as one last argument. Local arguments have a position but no binding.
/// - By addresses, only images and samplers of Vulkan's have bindings, and positions.
/// `pointees[kernel][argument]` is the type that a pointer argument points to.
void number_arguments(ProgramInterface& program, std::span<const std::vector<spirv::Id>> pointees,
                      bool has_work_dim_constant);

/// With descriptors: numbers the constants that say which pointer arguments are not NULL. Kernels share them
/// by binding.
void number_nulls(ProgramInterface& program);

/// The first specialisation constant that these did not assign.
uint32_t first_free_spec_id(const ProgramInterface& program);

}  // namespace caldera::vulkan
