// SPDX-License-Identifier: Apache-2.0
// The door of the runtime: opens or adopts a device, and finds out by probes what Vulkan's queries do not
// report.
#pragma once

#include <memory>

#include "spirv/support/result.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

Result<std::unique_ptr<Device>> open_device(const DeviceOptions& options = {});
/// Works on an application's device. Handles are told from garbage only where Vulkan can tell.
Result<std::unique_ptr<Device>> adopt_device(const AdoptedDevice& given);

}  // namespace caldera::runtime
