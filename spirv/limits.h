// SPDX-License-Identifier: Apache-2.0
// What every consumer of SPIR-V takes (2.17, "Universal Limits"), and the 16 bits that count an instruction's words (2.3).
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

constexpr uint32_t kMaxInstructionWords = 65535;
constexpr uint32_t kMaxIds = 4194303;
constexpr uint32_t kMaxMembers = 16383;
constexpr uint32_t kMaxNestedStructs = 255;
constexpr uint32_t kMaxLocalVariables = 524287;
constexpr uint32_t kMaxGlobalVariables = 65535;
constexpr uint32_t kMaxCases = 16383;
constexpr uint32_t kMaxParameters = 255;

/// The error says what of the module is too much. Parameters are not counted: translated for Vulkan, a kernel has none, and functions
/// that have too many are inlined.
Result<Done> check_limits(const Module& module);
/// For a module that is handed on as it is: the error names a function that has too many parameters.
Result<Done> check_parameters(const Module& module);

}  // namespace caldera::spirv
