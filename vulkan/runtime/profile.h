// SPDX-License-Identifier: Apache-2.0
// Derives a DeviceProfile from a physical device's features, and the features to enable.
#pragma once

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

#include "vulkan/device_profile.h"
#include "vulkan/runtime/subgroup_launch.h"

#ifndef VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME  // of vulkan_beta.h, which is not for products
#define VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME "VK_KHR_portability_subset"
#endif

#ifndef VK_KHR_shader_float_controls2  // Vulkan-Headers have this from 1.3.275 on
#define VK_KHR_SHADER_FLOAT_CONTROLS_2_EXTENSION_NAME "VK_KHR_shader_float_controls2"
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR =
    static_cast<VkStructureType>(1000528000);
struct VkPhysicalDeviceShaderFloatControls2FeaturesKHR {
    VkStructureType sType;
    void* pNext;
    VkBool32 shaderFloatControls2;
};
#endif

namespace caldera::runtime {

/// The chain of feature structures that the runtime queries and enables. Not movable: it points into itself.
struct FeatureChain {
    explicit FeatureChain(VkPhysicalDevice physical);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    VkPhysicalDeviceFeatures2 core = {};
    /// On a device of Vulkan 1.1 these two are made of `older`, and not for vkCreateDevice.
    VkPhysicalDeviceVulkan11Features v11 = {};
    VkPhysicalDeviceVulkan12Features v12 = {};
    struct {
        VkPhysicalDevice16BitStorageFeatures storage_16bit = {};
        VkPhysicalDevice8BitStorageFeatures storage_8bit = {};
        VkPhysicalDeviceShaderFloat16Int8Features float16_int8 = {};
        VkPhysicalDeviceShaderAtomicInt64Features atomic_int64 = {};
        VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {};
        VkPhysicalDeviceVulkanMemoryModelFeatures memory_model = {};
        VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {};
        VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types = {};
    } older = {};
    VkPhysicalDeviceVulkan13Features v13 = {};
    VkPhysicalDeviceShaderIntegerDotProductFeatures integer_dot = {};  ///< for devices older than Vulkan 1.3
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size = {};    ///< for devices older than Vulkan 1.3
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float = {};
    VkPhysicalDeviceShaderFloatControls2FeaturesKHR float_controls2 = {};
    std::vector<const char*> extensions = {};  ///< to enable

    bool controls_subgroup_size() const {
        return v13.subgroupSizeControl || subgroup_size.subgroupSizeControl;
    }
    bool has_full_subgroups() const { return v13.computeFullSubgroups || subgroup_size.computeFullSubgroups; }

 private:
    void collect_older();
};

bool has_extension(VkPhysicalDevice physical, const char* name);
/// Whether it has what an extension brings, which is a part of this version of Vulkan.
bool has_core_or_extension(VkPhysicalDevice physical, uint32_t version, const char* name);

/// What the runtime cannot do without, by Vulkan's name of the first one missing; empty when all is there.
std::string missing_feature(VkPhysicalDevice physical);

SubgroupLaunch subgroup_launch(VkPhysicalDevice physical, const FeatureChain& features);

vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, const FeatureChain& features);

}  // namespace caldera::runtime
