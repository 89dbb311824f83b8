// SPDX-License-Identifier: Apache-2.0
// From what a Vulkan device can do to what OpenCL C has on it.
#pragma once

#include "frontend/features.h"
#include "vulkan/device_profile.h"

namespace caldera {

/// The extensions and features of OpenCL C on a device: for CompileOptions::extensions.
frontend::ExtSet device_extensions(const vulkan::DeviceProfile& profile);

}  // namespace caldera
