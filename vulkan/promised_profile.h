// SPDX-License-Identifier: Apache-2.0
// What a target promises where no device is known.
#pragma once

#include "spirv/spirv.h"
#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// The profile of a full device of a Vulkan target.
DeviceProfile promised_profile(spirv::Target target);

/// The newest Vulkan target that a device takes.
spirv::Target newest_target(const DeviceProfile& profile);

}  // namespace caldera::vulkan
