// SPDX-License-Identifier: Apache-2.0
// The features that an application is to enable when it makes its device, and whether those that it enabled
// can be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "spirv/support/result.h"
#include "vulkan/interface.h"
#include "vulkan/runtime/device_features.h"

namespace caldera::runtime {

/// The error names what the device does not have, or the extension that a feature lacks.
Result<Done> check_enabled(VkPhysicalDevice physical, const EnabledFeatures& enabled);

/// What an application is to enable.
struct WantedFeatures {
    FeatureSet features = {};
    std::vector<const char*> extensions = {};  ///< static strings
};
/// All that the runtime and kernels can use on the device. `api_version` is that of the instance.
WantedFeatures usable_features(VkPhysicalDevice physical, uint32_t api_version);
/// What a module needs that was translated for the device, and what its translation checked
/// (Translation::checked_features).
WantedFeatures needed_features(VkPhysicalDevice physical, uint32_t api_version,
                               const vulkan::ProgramInterface& program,
                               std::span<const std::string_view> checked = {});
/// Adds those of `more`.
void add_features(WantedFeatures& to, const WantedFeatures& more);
/// Adds one, with its extension. The error says that the device does not have it.
Result<Done> add_feature(WantedFeatures& to, VkPhysicalDevice physical, uint32_t api_version, size_t feature);

}  // namespace caldera::runtime
