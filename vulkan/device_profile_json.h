// SPDX-License-Identifier: Apache-2.0
// Reads a device's profile from the JSON of `vulkaninfo --json`, to compile for a device of another machine.
#pragma once

#include <string>
#include <string_view>

#include "spirv/support/files.h"
#include "spirv/support/result.h"
#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// Reads the JSON of a Vulkan profile, as `vulkaninfo --json` of 1.3 writes it (capabilities with features
/// and properties), or of VulkanCapsViewer's older layout (the structures at top level). Features may be in
/// the structures of core versions (VkPhysicalDeviceVulkan12Features) or of the original extensions, with or
/// without KHR. A feature that the file does not name counts as missing. A limit that it does not name counts
/// as the minimum that Vulkan requires.
///
/// Properties that only a probe can find get the conservative value: fma() is not fused.
Result<DeviceProfile> profile_from_json(std::string_view json);
/// The same for a file; the error names it. `read` gives its text, or nothing with errno set.
Result<DeviceProfile> load_profile(const std::string& path, const ReadFile& read = read_file);

}  // namespace caldera::vulkan
