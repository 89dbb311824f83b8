// SPDX-License-Identifier: Apache-2.0
// The rules of cooperative matrices (SPV_KHR_cooperative_matrix), which not all SPIRV-Tools know.
#pragma once

#include <string>

#include "spirv/module.h"

namespace caldera::vulkan {

/// What is wrong with the module's matrix types, with a constant of theirs or with an instruction on them, or
/// what no pass takes. It names the instruction, and its place if the module has it. "" if there is nothing.
std::string matrix_fault(spirv::Module& module);

}  // namespace caldera::vulkan
