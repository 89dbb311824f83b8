// SPDX-License-Identifier: Apache-2.0
// Derives what OpenCL C offers on a device from what the Vulkan device can do.
#pragma once

#include <span>
#include <string>

#include "caldera/diagnostic.h"
#include "frontend/features.h"
#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera {

/// The extensions and features of OpenCL C on a device, for CompileOptions::extensions. Images of Vulkan's
/// have levels and samples.
frontend::ExtSet device_extensions(const vulkan::DeviceProfile& profile,
                                   vulkan::Images images = vulkan::Images::Memory);

/// Those of modules that are made without the runtime: images need addresses there, because only the runtime
/// has the argument table (ProgramInterface::argument_table_rows).
frontend::ExtSet offline_extensions(const vulkan::DeviceProfile& profile,
                                    vulkan::Images images = vulkan::Images::Memory);

/// A line for each of them that an error names and the device lacks: "note: cl_khr_fp16 needs the feature
/// shaderFloat16, which NAME does not have".
std::string explain_extensions(const vulkan::DeviceProfile& profile, std::span<const Diagnostic> diagnostics);

}  // namespace caldera
