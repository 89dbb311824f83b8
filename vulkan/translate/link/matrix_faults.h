// SPDX-License-Identifier: Apache-2.0
// The rules of cooperative matrices (SPV_KHR_cooperative_matrix), which not all SPIRV-Tools know.
#pragma once

#include <string>

#include "spirv/module.h"

namespace caldera::vulkan {

/// The first fault of the module's matrix types, of a constant of theirs or of an instruction on them, or the
/// first one that no pass takes. It names the instruction, and its place if the module has it. "" if there is
/// none.
std::string matrix_fault(spirv::Module& module);

}  // namespace caldera::vulkan
