// SPDX-License-Identifier: Apache-2.0
// The formats that a module may fix for storage images, for devices that want it to.
#pragma once

#include <algorithm>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>

namespace caldera::vulkan {

enum class TexelKind : uint8_t { Float, Signed, Unsigned };

struct StorageFormat {
    std::string_view name = {};
    spv::ImageFormat format = {};
    TexelKind kind = {};
};

/// Those that need no capability but Shader (SPIR-V 3.11), which are the ones that every device has (Vulkan,
/// "Required Format Support").
constexpr StorageFormat kStorageFormats[] = {
    {"rgba32f", spv::ImageFormat::Rgba32f, TexelKind::Float},
    {"rgba16f", spv::ImageFormat::Rgba16f, TexelKind::Float},
    {"r32f", spv::ImageFormat::R32f, TexelKind::Float},
    {"rgba8", spv::ImageFormat::Rgba8, TexelKind::Float},
    {"rgba8_snorm", spv::ImageFormat::Rgba8Snorm, TexelKind::Float},
    {"rgba32i", spv::ImageFormat::Rgba32i, TexelKind::Signed},
    {"rgba16i", spv::ImageFormat::Rgba16i, TexelKind::Signed},
    {"rgba8i", spv::ImageFormat::Rgba8i, TexelKind::Signed},
    {"r32i", spv::ImageFormat::R32i, TexelKind::Signed},
    {"rgba32ui", spv::ImageFormat::Rgba32ui, TexelKind::Unsigned},
    {"rgba16ui", spv::ImageFormat::Rgba16ui, TexelKind::Unsigned},
    {"rgba8ui", spv::ImageFormat::Rgba8ui, TexelKind::Unsigned},
    {"r32ui", spv::ImageFormat::R32ui, TexelKind::Unsigned},
};

/// Null if there is no such format.
constexpr const StorageFormat* find_storage_format(std::string_view name) {
    const auto* found = std::ranges::find(kStorageFormats, name, &StorageFormat::name);
    return found == std::end(kStorageFormats) ? nullptr : found;
}

/// The first of the names that is a format of this kind; null if none is.
inline const StorageFormat* storage_format_of(std::span<const std::string> names, TexelKind kind) {
    for (const std::string& name : names)
        if (const StorageFormat* found = find_storage_format(name); found && found->kind == kind)
            return found;
    return nullptr;
}

}  // namespace caldera::vulkan
