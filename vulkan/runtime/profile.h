// SPDX-License-Identifier: Apache-2.0
// Derives a DeviceProfile from a physical device's features, and the features to enable.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/device_profile.h"
#include "vulkan/runtime/device_features.h"
#include "vulkan/runtime/subgroup_launch.h"

namespace caldera::runtime {

/// The chain of feature structures that the runtime queries and enables. Not movable: it points into itself.
struct FeatureChain {
    /// What the device has, for an instance that was made for this version of Vulkan.
    explicit FeatureChain(VkPhysicalDevice physical, uint32_t instance_version = ~0u);
    /// What an application enabled of that.
    FeatureChain(VkPhysicalDevice physical, const EnabledFeatures& enabled);
    FeatureChain(const FeatureChain&) = delete;
    FeatureChain& operator=(const FeatureChain&) = delete;

    uint32_t api_version = 0;  ///< the lesser one of the device's and the instance's
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
        VkPhysicalDeviceHostQueryResetFeatures query_reset = {};
        VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types = {};
    } older = {};
    VkPhysicalDeviceVulkan13Features v13 = {};
    VkPhysicalDeviceShaderIntegerDotProductFeatures integer_dot = {};  ///< for devices older than Vulkan 1.3
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_size = {};    ///< for devices older than Vulkan 1.3
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float = {};
    VkPhysicalDeviceShaderFloatControls2FeaturesKHR float_controls2 = {};
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR cooperative_matrix = {};
    VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16 = {};
    VkPhysicalDeviceShaderFloat8FeaturesEXT float8 = {};
    VkPhysicalDeviceShaderClockFeaturesKHR clock = {};
    VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform_flow = {};
    VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR local_layout = {};
    std::vector<const char*> extensions = {};  ///< to enable, or enabled

    bool has_extension(std::string_view name) const;
    /// Whether it has what an extension brings, which is a part of this version of Vulkan.
    bool has_core_or_extension(uint32_t version, std::string_view name) const;

    bool controls_subgroup_size() const {
        return v13.subgroupSizeControl || subgroup_size.subgroupSizeControl;
    }
    bool has_full_subgroups() const { return v13.computeFullSubgroups || subgroup_size.computeFullSubgroups; }

 private:
    void make(VkPhysicalDevice physical, const EnabledFeatures* enabled);
    void collect_older();
};

/// Whether it has what an extension brings, which is a part of this version of Vulkan.
bool has_core_or_extension(VkPhysicalDevice physical, uint32_t version, const char* name);

/// What the runtime cannot do without, by Vulkan's name of the first one missing; empty when all is there.
std::string missing_feature(VkPhysicalDevice physical);

/// What VK_KHR_cooperative_matrix offers, where the chain has it.
std::vector<vulkan::MatrixProduct> matrix_products(VkInstance instance, VkPhysicalDevice physical,
                                                   const FeatureChain& features);

SubgroupLaunch subgroup_launch(VkPhysicalDevice physical, const FeatureChain& features);

/// CALDERA_EMULATE_DOUBLES: compute with doubles as integers, on a device that has none or flushes denormals.
bool wants_emulated_doubles();

vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, const FeatureChain& features);
/// With all features that there are for an instance of this version of Vulkan.
vulkan::DeviceProfile make_profile(VkPhysicalDevice physical, uint32_t instance_version);

}  // namespace caldera::runtime
