// SPDX-License-Identifier: Apache-2.0
// The sizes of sub-groups that kernels require.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::vulkan {

/// The size of sub-groups that the kernel requires (intel_reqd_sub_group_size), or 0.
inline uint32_t required_sub_group_size(const Kernel& kernel) {
    constexpr std::string_view kRequired = "intel_reqd_sub_group_size(";
    uint32_t size = 0;
    if (const size_t at = kernel.attributes.find(kRequired); at != std::string::npos) {
        const char* const text = kernel.attributes.data();
        std::from_chars(text + at + kRequired.size(), text + kernel.attributes.size(), size);
    }
    return size;
}

/// Whether kernels may require sub-groups of a size that the device does not have, and that the translator
/// makes by local memory and barriers of the work-group: where all work-items of the work-group reach each
/// sub-group function (check_supported).
inline bool emulates_subgroup_size(const DeviceProfile& profile, uint32_t size) {
    constexpr uint32_t kMost = 64;  // two words of a ballot
    if (!profile.subgroups || !std::has_single_bit(size) || size > kMost || size < profile.min_subgroup_size)
        return false;
    const std::vector<uint32_t> sizes = required_subgroup_sizes(profile);
    return std::find(sizes.begin(), sizes.end(), size) == sizes.end();
}

}  // namespace caldera::vulkan
