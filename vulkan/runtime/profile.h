// SPDX-License-Identifier: Apache-2.0
// From a physical device's features to a DeviceProfile, and the features to enable.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

#include "vulkan/device_profile.h"
#include "vulkan/known_drivers.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {

/// The chain of feature structures that the runtime queries and enables. Not movable: it points into itself.
struct FeatureChain {
    explicit FeatureChain(VkPhysicalDevice physical);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    VkPhysicalDeviceFeatures2 core = {};
    VkPhysicalDeviceVulkan11Features v11 = {};
    VkPhysicalDeviceVulkan12Features v12 = {};
    VkPhysicalDeviceVulkan13Features v13 = {};
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float = {};
    std::vector<const char*> extensions = {};  ///< to enable
};

bool has_extension(VkPhysicalDevice physical, const char* name);

vulkan::Driver driver_of(VkPhysicalDevice physical);

/// What the runtime cannot do without, by Vulkan's name of the first one missing; empty when all is there.
std::string missing_feature(VkPhysicalDevice physical);

SubgroupLaunch subgroup_launch(VkPhysicalDevice physical, const FeatureChain& features);

vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, const FeatureChain& features);

}  // namespace caldera::runtime
