// SPDX-License-Identifier: Apache-2.0
// NDRange: the sizes of a launch, and how they are cut into dispatches of uniform work-groups.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vulkan/device_profile.h"
#include "vulkan/interface.h"

namespace caldera::runtime {

class Device;

using Size3 = std::array<uint64_t, 3>;

/// An NDRange (OpenCL API 3.2). Dimensions past `dimensions` count as size 1, offset 0.
struct NDRange {
    uint32_t dimensions = 1;
    Size3 global = {1, 1, 1};
    Size3 local = {0, 0,
                   0};  ///< a zero in the first dimension: the runtime chooses; need not divide `global`
    Size3 offset = {0, 0, 0};
};

/// A stretch of an NDRange that one vkCmdDispatch covers, in work-groups of one size.
struct Region {
    std::array<uint32_t, 3> local_size = {};
    std::array<uint32_t, 3> group_count = {};
    std::array<uint32_t, 3> group_base = {};  ///< first work-group, in the numbering of the whole NDRange
    Size3 id_base = {};                       ///< first global id, without the NDRange's offset
    std::array<uint32_t, 3> size = {};        ///< in work-items; the last groups may reach beyond it

    bool has_full_groups() const {
        for (size_t d = 0; d < 3; ++d)
            if (size[d] != local_size[d] * group_count[d]) return false;
        return true;
    }
};

/// Splits an NDRange (with its local size chosen) into up to eight uniform parts, and those by the device's
/// limit of work-groups per dispatch. Empty when any size is 0. OpenCL API 5.8, non-uniform work-groups.
std::vector<Region> split(const NDRange& range, const std::array<uint32_t, 3>& max_group_count);
/// The same with groups that reach beyond the range where the local size does not divide it: one region, but
/// for the device's limit. For kernels that cannot tell (vulkan::Kernel::ignores_groups).
std::vector<Region> cover(const NDRange& range, const std::array<uint32_t, 3>& max_group_count);
/// A launch with more regions is an error: each takes memory of the host.
constexpr uint64_t kMostRegions = uint64_t{1} << 20;
/// How many regions cover() gives if `covers`, else split(): 2^64 - 1 if there are more.
uint64_t region_count(const NDRange& range, const std::array<uint32_t, 3>& max_group_count, bool covers);

/// Up to so many work-items, one pipeline serves all ranges of a kernel that ignores groups: making another
/// takes longer.
constexpr uint64_t kFewWorkItems = 1024;

/// Into how many sub-groups, and how large ones, a work-group is cut; the last may be smaller.
struct SubGroups {
    uint64_t max_size = 1, count = 1;
};
SubGroups sub_groups(const Device& device, const vulkan::Kernel& kernel,
                     const std::array<uint64_t, 3>& local_size);
/// The size that the kernel requires (intel_reqd_sub_group_size), or 0.
uint32_t required_sub_group_size(const vulkan::Kernel& kernel);
/// The size of the sub-groups: the one that the kernel requires, else the device's.
uint32_t sub_group_size(const Device& device, const vulkan::Kernel& kernel);

/// The most work-items that the device lets a work-group of the kernel have.
uint64_t most_work_items(const vulkan::Kernel& kernel, const vulkan::DeviceProfile& profile);
/// The same for which local memory suffices, which may grow with them. Arguments in local memory are not
/// counted.
uint64_t largest_group(const vulkan::Kernel& kernel, const vulkan::DeviceProfile& profile);
/// The local size that the runtime uses when the caller leaves it open.
std::array<uint64_t, 3> choose_local_size(const NDRange& range, const vulkan::Kernel& kernel,
                                          const vulkan::DeviceProfile& profile);

}  // namespace caldera::runtime
