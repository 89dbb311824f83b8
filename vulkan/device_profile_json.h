// SPDX-License-Identifier: Apache-2.0
// A device as `vulkaninfo --json` describes it, to compile for a device that is not there.
#pragma once

#include <string>
#include <string_view>

#include "spirv/support/result.h"
#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// Reads the JSON of a Vulkan profile (what `vulkaninfo --json` of 1.3 writes: capabilities with features and properties)
/// or of VulkanCapsViewer's older layout (the structures at top level). Features may stand in the structures of
/// core versions (VkPhysicalDeviceVulkan12Features) or of the extensions they came from, with or without KHR. What the
/// file does not name the device does not have; limits that are not there are the least that Vulkan allows.
///
/// What takes a probe to know is assumed as it is safe: fma() is not fused.
Result<DeviceProfile> profile_from_json(std::string_view json);
/// The error says which file.
Result<DeviceProfile> load_profile(const std::string& path);

}  // namespace caldera::vulkan
