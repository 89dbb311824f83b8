// SPDX-License-Identifier: Apache-2.0
// Rules of SPIR-V that newer SPIRV-Tools check, and those of 2023.1 do not.
#pragma once

#include <optional>
#include <vector>

#include "spirv/spirv.h"
#include "spirv/violations.h"

namespace caldera::spirv {

/// What a module for the target breaks of these rules; without a target, of SPIR-V's own ones. A module that
/// the newest SPIRV-Tools take breaks none. verify() must find nothing.
std::vector<Violation> newer_violations(const Module& module, std::optional<Target> target);

}  // namespace caldera::spirv
