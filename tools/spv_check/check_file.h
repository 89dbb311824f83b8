// SPDX-License-Identifier: Apache-2.0
// One module of spv-check.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spirv/spirv.h"
#include "spirv/support/finding.h"
#include "spirv/support/result.h"
#include "vulkan/device_profile.h"

namespace caldera::tools {

struct CheckOptions {
    std::optional<spirv::Target> target = {};  ///< else the module's own: see target_of()
    std::optional<vulkan::DeviceProfile> profile = {};
    size_t max_faults = 100;  ///< of a module
};

/// The environment that a module seems to be for: Vulkan with the oldest version that takes its version of
/// SPIR-V if it declares Shader, and OpenCL if it declares Kernel; otherwise nothing but SPIR-V's own rules.
std::optional<spirv::Target> target_of(std::span<const uint32_t> words);

/// The findings of a .spv or, as text, .spvasm file. "-" is standard input, of either kind. An error if it
/// cannot be read.
Result<std::vector<Finding>> check_file(const std::string& path, const CheckOptions& options);

}  // namespace caldera::tools
