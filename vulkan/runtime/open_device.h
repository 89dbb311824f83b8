// SPDX-License-Identifier: Apache-2.0
// The door of the runtime: opens a device, and finds out by probes what Vulkan's queries do not report.
#pragma once

#include <memory>

#include "spirv/support/result.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options = {});

}  // namespace caldera::runtime
