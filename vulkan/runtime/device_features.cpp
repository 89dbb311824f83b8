// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_features.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "spirv/support/try.h"
#include "vulkan/runtime/profile.h"

namespace caldera::runtime {
namespace {

constexpr VkStructureType kNoStructure = VK_STRUCTURE_TYPE_MAX_ENUM;
constexpr uint32_t kNever = ~0u;

struct Row {
    const char* name;
    VkStructureType structure;
    size_t offset, structure_bytes;
    VkStructureType version_structure;
    size_t version_offset;
    const char* extension;  // null: Vulkan has always had it
    uint32_t core_since;
};

#define CORE_ROW(name)                                                                            \
    Row{#name,                                                                                    \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,                                             \
        offsetof(VkPhysicalDeviceFeatures2, features) + offsetof(VkPhysicalDeviceFeatures, name), \
        sizeof(VkPhysicalDeviceFeatures2),                                                        \
        kNoStructure,                                                                             \
        0,                                                                                        \
        nullptr,                                                                                  \
        VK_API_VERSION_1_0},
#define FEATURE_ROW(name, structure, type, extension, version, version_type, since)                           \
    Row{#name,     type, offsetof(structure, name), sizeof(structure), version_type, offsetof(version, name), \
        extension, since},
#define EXTENSION_ROW(name, structure, type, extension) \
    Row{#name, type, offsetof(structure, name), sizeof(structure), kNoStructure, 0, extension, kNever},

constexpr std::array<Row, kFeatureCount> kRows = {{
#define CORE(name) CORE_ROW(name)
#define FEATURE(name, ...) FEATURE_ROW(name, __VA_ARGS__)
#define EXTENSION_FEATURE(name, ...) EXTENSION_ROW(name, __VA_ARGS__)
#include "vulkan/runtime/device_features.def"
}};
#undef CORE_ROW
#undef FEATURE_ROW
#undef EXTENSION_ROW

/// The place of a feature in a structure, or null.
template <class Structure>
auto* find(Structure& structure, const Row& row) {
    using Byte = std::conditional_t<std::is_const_v<Structure>, const std::byte, std::byte>;
    using Value = std::conditional_t<std::is_const_v<Structure>, const VkBool32, VkBool32>;
    auto* const bytes = reinterpret_cast<Byte*>(&structure);
    if (structure.sType == row.structure) return reinterpret_cast<Value*>(bytes + row.offset);
    if (structure.sType == row.version_structure) return reinterpret_cast<Value*>(bytes + row.version_offset);
    return static_cast<Value*>(nullptr);
}

bool contains(const std::vector<const char*>& names, const char* name) {
    return std::ranges::any_of(names, [&](const char* each) { return !std::strcmp(each, name); });
}

void add_extension(WantedFeatures& wanted, const char* name) {
    if (!contains(wanted.extensions, name)) wanted.extensions.push_back(name);
}

void add(WantedFeatures& wanted, uint32_t api_version, size_t feature) {
    wanted.features.set(feature);
    const Row& row = kRows[feature];
    if (row.extension && api_version < row.core_since) add_extension(wanted, row.extension);
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

const char* feature_name(size_t feature) { return kRows[feature].name; }

std::optional<size_t> feature_named(std::string_view name) {
    const auto row = std::ranges::find(kRows, name, &Row::name);
    if (row == kRows.end()) return std::nullopt;
    return static_cast<size_t>(row - kRows.begin());
}

FeatureSet features_in(const VkPhysicalDeviceFeatures2& chain) {
    FeatureSet found;
    for (auto* at = reinterpret_cast<const VkBaseInStructure*>(&chain); at; at = at->pNext)
        for (size_t i = 0; i < kFeatureCount; ++i)
            if (const VkBool32* const value = find(*at, kRows[i]); value && *value != VK_FALSE) found.set(i);
    return found;
}

bool set_feature(VkPhysicalDeviceFeatures2& chain, size_t feature, bool is_enabled) {
    bool is_there = false;
    for (auto* at = reinterpret_cast<VkBaseOutStructure*>(&chain); at; at = at->pNext)
        if (VkBool32* const value = find(*at, kRows[feature])) {
            *value = is_enabled ? VK_TRUE : VK_FALSE;
            is_there = true;
        }
    return is_there;
}

bool has_structure_of(const VkPhysicalDeviceFeatures2& chain, size_t feature) {
    for (auto* at = reinterpret_cast<const VkBaseInStructure*>(&chain); at; at = at->pNext)
        if (find(*at, kRows[feature])) return true;
    return false;
}

bool has_extension(VkPhysicalDevice physical, const char* name) {
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> list(count);
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, list.data());
    return std::ranges::any_of(
        list, [&](const VkExtensionProperties& e) { return !std::strcmp(e.extensionName, name); });
}

bool EnabledFeatures::has_extension(std::string_view name) const {
    return std::ranges::find(extensions, name) != extensions.end();
}

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
        const Row& row = kRows[i];
        if (!enabled.features.test(i)) continue;
        if (row.extension && all.api_version < row.core_since && !enabled.has_extension(row.extension))
            return lacks("the feature " + std::string(row.name) + ": the extension " + row.extension +
                         " is not enabled");
        // The runtime does not ask for features of extensions that it has no use for.
        if (!there.test(i) && has_structure_of(all.core, i))
            return lacks("the feature " + std::string(row.name) + ": the physical device does not have it");
    }
    return Done{};
}

WantedFeatures usable_features(VkPhysicalDevice physical, uint32_t api_version) {
    const FeatureChain chain(physical, api_version);
    return {.features = features_in(chain.core), .extensions = chain.extensions};
}

WantedFeatures needed_features(VkPhysicalDevice physical, uint32_t api_version,
                               const vulkan::ProgramInterface& program) {
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
    if (std::ranges::any_of(program.kernels, launches_sub_groups)) {
        want(Feature::subgroupSizeControl);
        want(Feature::computeFullSubgroups);
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

void FeatureStructures::enable_in(VkPhysicalDeviceFeatures2& chain, const FeatureSet& features) {
    for (size_t i = 0; i < kFeatureCount; ++i) {
        if (!features.test(i) || set_feature(chain, i, true)) continue;
        const Row& row = kRows[i];
        // The structure of an extension, not that of a version: a chain must not have both, and may have
        // others of the former.
        structures_.push_back(std::make_unique<std::byte[]>(row.structure_bytes));
        auto* const made = reinterpret_cast<VkBaseOutStructure*>(structures_.back().get());
        made->sType = row.structure;
        auto* last = reinterpret_cast<VkBaseOutStructure*>(&chain);
        while (last->pNext) last = last->pNext;
        last->pNext = made;
        set_feature(chain, i, true);
    }
}

}  // namespace caldera::runtime
