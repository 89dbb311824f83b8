// SPDX-License-Identifier: Apache-2.0
// The limits that every consumer of SPIR-V must support (2.17, "Universal Limits"), and the 16 bits of an
// instruction's word count (2.3).
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

/// The error says which limit the module exceeds. Parameters are not checked: after translation for Vulkan,
/// kernels have none, and functions with too many have been inlined.
Result<Done> check_limits(const Module& module);
/// For a module that is output without translation: the error names a function with too many parameters.
Result<Done> check_parameters(const Module& module);

}  // namespace caldera::spirv
