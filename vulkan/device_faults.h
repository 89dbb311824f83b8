// SPDX-License-Identifier: Apache-2.0
// What a device does not take of a module that is valid for its version of Vulkan: features and limits.
#pragma once

#include <span>
#include <vector>

#include "spirv/fault.h"
#include "vulkan/device_profile.h"

namespace caldera::vulkan {

/// Compares a module for Vulkan with a device. The rules are those of device_capabilities.def, the version of
/// SPIR-V, the size of work-groups, and how much workgroup memory, how many storage buffers and how many push
/// constants an entry point has. Specialisation constants have their defaults. A module that cannot be read
/// has no faults here.
std::vector<spirv::Fault> device_faults(std::span<const uint32_t> words, const DeviceProfile& profile);

}  // namespace caldera::vulkan
