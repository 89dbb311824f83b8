// SPDX-License-Identifier: Apache-2.0
// The numbers by which the host reaches arguments: specialisation constants and descriptor bindings.
#pragma once

#include <span>

#include "spirv/module.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// Numbers the arguments of all kernels as clspv does by default (docs/OpenCLCOnVulkan.md there), so that programs written
/// for its modules find everything in its place:
/// - Local sizes are constants 0 to 2. Then comes the work dimension where a constant gives it, then lengths of local
///   arguments; kernels share a constant when what the arguments point to is the same type.
/// - A binding belongs to a position, whichever kernel comes to it first; arguments by value are together one last
///   argument; local arguments have a position but no binding.
/// `pointees[kernel][argument]` is the type that a pointer argument points to.
void number_arguments(ProgramInterface& program, std::span<const std::vector<spirv::Id>> pointees,
                      bool has_work_dim_constant);

/// The specialisation constant after all that number_arguments() gave.
uint32_t first_free_spec_id(const ProgramInterface& program);

}  // namespace caldera::vulkan
