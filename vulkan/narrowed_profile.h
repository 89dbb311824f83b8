// SPDX-License-Identifier: Apache-2.0
// What a program may use of a device, if it is to keep within another profile too.
#pragma once

#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// The features that both have, and the lesser limits. What is known of the driver, from tables or by probes,
/// is the device's. Doubles are emulated where `within` says so, and where the device does it.
DeviceProfile narrowed_profile(const DeviceProfile& device, const DeviceProfile& within);

}  // namespace caldera::vulkan
