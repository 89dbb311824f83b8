// SPDX-License-Identifier: Apache-2.0
// The features that kernels and the runtime can use, in chains of Vulkan's structures: what a device has, and
// what an application enabled.
#pragma once

#include <vulkan/vulkan.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

#ifndef VK_KHR_cooperative_matrix  // Vulkan-Headers have this from 1.3.255 on
#define VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME "VK_KHR_cooperative_matrix"
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR =
    static_cast<VkStructureType>(1000506000);
constexpr auto VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR = static_cast<VkStructureType>(1000506001);
struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
    VkStructureType sType;
    void* pNext;
    VkBool32 cooperativeMatrix;
    VkBool32 cooperativeMatrixRobustBufferAccess;
};
enum VkComponentTypeKHR : uint32_t { VK_COMPONENT_TYPE_UINT64_KHR = 10 };
enum VkScopeKHR : uint32_t { VK_SCOPE_SUBGROUP_KHR = 3 };
struct VkCooperativeMatrixPropertiesKHR {
    VkStructureType sType;
    void* pNext;
    uint32_t MSize;
    uint32_t NSize;
    uint32_t KSize;
    VkComponentTypeKHR AType;
    VkComponentTypeKHR BType;
    VkComponentTypeKHR CType;
    VkComponentTypeKHR ResultType;
    VkBool32 saturatingAccumulation;
    VkScopeKHR scope;
};
using PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR =
    VkResult(VKAPI_PTR*)(VkPhysicalDevice, uint32_t*, VkCooperativeMatrixPropertiesKHR*);
#endif

#ifndef VK_KHR_shader_bfloat16  // Vulkan-Headers have this from 1.4.311 on
#define VK_KHR_SHADER_BFLOAT16_EXTENSION_NAME "VK_KHR_shader_bfloat16"
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR =
    static_cast<VkStructureType>(1000141000);
struct VkPhysicalDeviceShaderBfloat16FeaturesKHR {
    VkStructureType sType;
    void* pNext;
    VkBool32 shaderBFloat16Type;
    VkBool32 shaderBFloat16DotProduct;
    VkBool32 shaderBFloat16CooperativeMatrix;
};
#endif

#ifndef VK_EXT_shader_float8  // Vulkan-Headers have this from 1.4.317 on
#define VK_EXT_SHADER_FLOAT8_EXTENSION_NAME "VK_EXT_shader_float8"
constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT =
    static_cast<VkStructureType>(1000567000);
struct VkPhysicalDeviceShaderFloat8FeaturesEXT {
    VkStructureType sType;
    void* pNext;
    VkBool32 shaderFloat8;
    VkBool32 shaderFloat8CooperativeMatrix;
};
#endif

namespace caldera::runtime {

constexpr auto kFloat8E4M3Component = static_cast<VkComponentTypeKHR>(1000491002);
constexpr auto kFloat8E5M2Component = static_cast<VkComponentTypeKHR>(1000491003);
constexpr auto kBfloat16Component = static_cast<VkComponentTypeKHR>(1000141000);

/// The rows of device_features.def, in its order.
enum class Feature : uint8_t {
#define CORE(name) name,
#define FEATURE(name, ...) name,
#define EXTENSION_FEATURE(name, ...) name,
#include "vulkan/runtime/device_features.def"
    Count
};
constexpr size_t kFeatureCount = static_cast<size_t>(Feature::Count);
using FeatureSet = std::bitset<kFeatureCount>;

/// Vulkan's name of a feature.
const char* feature_name(size_t feature);
/// What brings a feature: an extension, or null where Vulkan has always had it, and the version that contains
/// the extension.
struct FeatureOrigin {
    const char* extension = nullptr;
    uint32_t core_since = 0;
};
FeatureOrigin feature_origin(size_t feature);
/// The feature of this name.
std::optional<size_t> feature_named(std::string_view name);
/// The features that the chain has set.
FeatureSet features_in(const VkPhysicalDeviceFeatures2& chain);
/// Sets or clears a feature in the structure of the chain that has it. False if no structure has it.
bool set_feature(VkPhysicalDeviceFeatures2& chain, size_t feature, bool is_enabled);
/// Whether a structure of the chain has it.
bool has_structure_of(const VkPhysicalDeviceFeatures2& chain, size_t feature);

bool has_extension(VkPhysicalDevice physical, const char* name);

/// What an application enabled when it made its device.
struct EnabledFeatures {
    uint32_t api_version = 0;  ///< of its instance
    std::vector<std::string> extensions = {};
    FeatureSet features = {};
    bool has_extension(std::string_view name) const;
};
/// Structures that enable features.
class FeatureStructures {
 public:
    /// Sets the features in the structures of the chain. What these do not have is in structures of this
    /// object, which become the end of the chain.
    void enable_in(VkPhysicalDeviceFeatures2& chain, const FeatureSet& features);

 private:
    std::vector<std::unique_ptr<std::byte[]>> structures_ = {};
};

}  // namespace caldera::runtime
