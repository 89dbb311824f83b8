// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_features.h"

#include <algorithm>
#include <array>
#include <cstring>

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

}  // namespace

const char* feature_name(size_t feature) { return kRows[feature].name; }

FeatureOrigin feature_origin(size_t feature) {
    return {.extension = kRows[feature].extension, .core_since = kRows[feature].core_since};
}

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
