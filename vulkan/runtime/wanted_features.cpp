// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/wanted_features.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "vulkan/runtime/profile.h"

namespace caldera::runtime {
namespace {

bool contains(const std::vector<const char*>& names, const char* name) {
    return std::ranges::any_of(names, [&](const char* each) { return !std::strcmp(each, name); });
}

void add_extension(WantedFeatures& wanted, const char* name) {
    if (!contains(wanted.extensions, name)) wanted.extensions.push_back(name);
}

void add(WantedFeatures& wanted, uint32_t api_version, size_t feature) {
    wanted.features.set(feature);
    const FeatureOrigin origin = feature_origin(feature);
    if (origin.extension && api_version < origin.core_since) add_extension(wanted, origin.extension);
}

/// The features that a module needs for a capability. Where two are for the same one, a device has them or
/// the module does without.
struct NeededFor {
    std::string_view capability;
    Feature feature;
};
constexpr NeededFor kNeeded[] = {
    {"Int16", Feature::shaderInt16},
    {"Int64", Feature::shaderInt64},
    {"Float64", Feature::shaderFloat64},
    {"StorageImageReadWithoutFormat", Feature::shaderStorageImageReadWithoutFormat},
    {"StorageImageWriteWithoutFormat", Feature::shaderStorageImageWriteWithoutFormat},
    {"Int8", Feature::shaderInt8},
    {"Float16", Feature::shaderFloat16},
    {"StorageBuffer16BitAccess", Feature::storageBuffer16BitAccess},
    {"UniformAndStorageBuffer16BitAccess", Feature::uniformAndStorageBuffer16BitAccess},
    {"StoragePushConstant16", Feature::storagePushConstant16},
    {"StorageBuffer8BitAccess", Feature::storageBuffer8BitAccess},
    {"UniformAndStorageBuffer8BitAccess", Feature::uniformAndStorageBuffer8BitAccess},
    {"StoragePushConstant8", Feature::storagePushConstant8},
    {"Int64Atomics", Feature::shaderBufferInt64Atomics},
    {"Int64Atomics", Feature::shaderSharedInt64Atomics},
    {"PhysicalStorageBufferAddresses", Feature::bufferDeviceAddress},
    {"VulkanMemoryModel", Feature::vulkanMemoryModel},
    {"VulkanMemoryModel", Feature::vulkanMemoryModelDeviceScope},  // of modules without the model too
    {"VulkanMemoryModelDeviceScope", Feature::vulkanMemoryModelDeviceScope},
    {"AtomicFloat32AddEXT", Feature::shaderBufferFloat32AtomicAdd},
    {"AtomicFloat32AddEXT", Feature::shaderSharedFloat32AtomicAdd},
    {"DotProduct", Feature::shaderIntegerDotProduct},
    {"DotProductKHR", Feature::shaderIntegerDotProduct},
    {"FloatControls2", Feature::shaderFloatControls2},
    {"CooperativeMatrixKHR", Feature::cooperativeMatrix},
    {"BFloat16TypeKHR", Feature::shaderBFloat16Type},
    {"BFloat16CooperativeMatrixKHR", Feature::shaderBFloat16CooperativeMatrix},
    {"Float8EXT", Feature::shaderFloat8},
    {"Float8CooperativeMatrixEXT", Feature::shaderFloat8CooperativeMatrix},
    {"WorkgroupMemoryExplicitLayoutKHR", Feature::workgroupMemoryExplicitLayout},
    {"WorkgroupMemoryExplicitLayout8BitAccessKHR", Feature::workgroupMemoryExplicitLayout8BitAccess},
    {"WorkgroupMemoryExplicitLayout16BitAccessKHR", Feature::workgroupMemoryExplicitLayout16BitAccess},
    {"ShaderClockKHR", Feature::shaderDeviceClock},
    {"ShaderClockKHR", Feature::shaderSubgroupClock},
    {"GroupNonUniformVote", Feature::shaderSubgroupExtendedTypes},
    {"GroupNonUniformArithmetic", Feature::shaderSubgroupExtendedTypes},
    {"GroupNonUniformBallot", Feature::shaderSubgroupExtendedTypes},
    {"GroupNonUniformShuffle", Feature::shaderSubgroupExtendedTypes},
    {"GroupNonUniformShuffleRelative", Feature::shaderSubgroupExtendedTypes},
    {"GroupNonUniformClustered", Feature::shaderSubgroupExtendedTypes},
};

bool launches_sub_groups(const vulkan::Kernel& kernel) {
    return kernel.uses_sub_groups || kernel.attributes.find("sub_group_size") != std::string::npos;
}

}  // namespace

Result<Done> check_enabled(VkPhysicalDevice physical, const EnabledFeatures& enabled) {
    const auto lacks = [](const std::string& what) {
        return Error{.message = "the device cannot have been made with " + what,
                     .code = VK_ERROR_FEATURE_NOT_PRESENT};
    };
    for (const std::string& extension : enabled.extensions)
        if (!has_extension(physical, extension.c_str()))
            return lacks("the extension " + extension + ": the physical device does not have it");
    // No module may use Device scope then, whatever its memory model is
    // (VUID-RuntimeSpirv-vulkanMemoryModel-06265).
    const auto is_enabled = [&](Feature feature) {
        return enabled.features.test(static_cast<size_t>(feature));
    };
    if (is_enabled(Feature::vulkanMemoryModel) && !is_enabled(Feature::vulkanMemoryModelDeviceScope))
        return Error{.message =
                         "the device was made with vulkanMemoryModel, but without "
                         "vulkanMemoryModelDeviceScope, which atomic operations then need",
                     .code = VK_ERROR_FEATURE_NOT_PRESENT};
    const FeatureChain all(physical, enabled.api_version);
    const FeatureSet there = features_in(all.core);
    for (size_t i = 0; i < kFeatureCount; ++i) {
        if (!enabled.features.test(i)) continue;
        const std::string name = feature_name(i);
        const FeatureOrigin origin = feature_origin(i);
        if (origin.extension && all.api_version < origin.core_since &&
            !enabled.has_extension(origin.extension))
            return lacks("the feature " + name + ": the extension " + origin.extension + " is not enabled");
        // The runtime does not ask for features of extensions that it has no use for.
        if (!there.test(i) && has_structure_of(all.core, i))
            return lacks("the feature " + name + ": the physical device does not have it");
    }
    return Done{};
}

WantedFeatures usable_features(VkPhysicalDevice physical, uint32_t api_version) {
    const FeatureChain chain(physical, api_version);
    return {.features = features_in(chain.core), .extensions = chain.extensions};
}

WantedFeatures needed_features(VkPhysicalDevice physical, uint32_t api_version,
                               const vulkan::ProgramInterface& program,
                               std::span<const std::string_view> checked) {
    const FeatureChain chain(physical, api_version);
    const FeatureSet there = features_in(chain.core);
    WantedFeatures wanted;
    const auto want = [&](Feature feature) {
        const auto i = static_cast<size_t>(feature);
        if (there.test(i)) add(wanted, chain.api_version, i);
    };
    for (const NeededFor& needed : kNeeded)
        if (std::ranges::find(program.capabilities, needed.capability) != program.capabilities.end())
            want(needed.feature);
    for (const std::string_view name : checked)
        if (const std::optional<size_t> feature = feature_named(name)) want(static_cast<Feature>(*feature));
    if (std::ranges::any_of(program.kernels, launches_sub_groups)) {
        want(Feature::subgroupSizeControl);
        want(Feature::computeFullSubgroups);
        want(Feature::shaderSubgroupUniformControlFlow);
    }
    if (!program.float_controls.empty() &&
        contains(chain.extensions, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME))
        add_extension(wanted, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
    if (contains(chain.extensions, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME))
        add_extension(wanted, VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME);
    return wanted;
}

void add_features(WantedFeatures& to, const WantedFeatures& more) {
    to.features |= more.features;
    for (const char* extension : more.extensions) add_extension(to, extension);
}

Result<Done> add_feature(WantedFeatures& to, VkPhysicalDevice physical, uint32_t api_version,
                         size_t feature) {
    const FeatureChain chain(physical, api_version);
    if (!features_in(chain.core).test(feature))
        return Error{.message = "the device has no feature " + std::string(feature_name(feature)),
                     .code = VK_ERROR_FEATURE_NOT_PRESENT};
    add(to, chain.api_version, feature);
    return Done{};
}

}  // namespace caldera::runtime
