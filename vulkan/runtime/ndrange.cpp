// SPDX-License-Identifier: Apache-2.0
// NDRanges as dispatches: the choice of a local size, and the split into uniform regions.
#include "vulkan/runtime/ndrange.h"

#include <algorithm>

#include "vulkan/local_size.h"
#include "vulkan/runtime/device.h"
#include "vulkan/sub_group_sizes.h"

namespace caldera::runtime {
namespace {

/// One dimension of a region.
struct Extent {
    uint32_t local_size;
    uint32_t group_count;
    uint32_t group_base;
    uint64_t id_base;
    uint32_t size;
};

enum class Edge : uint8_t {
    SmallerGroup,  ///< the work-items that full work-groups leave over are a smaller group
    PartialGroup,  ///< a full work-group extends beyond the range
};

/// A piece has fewer than 2^32 work-items, so that 32-bit arithmetic suffices inside a region.
uint64_t groups_of_piece(uint64_t local, uint32_t max_groups) {
    return std::min<uint64_t>(max_groups, 0xffffffffull / local);
}

/// Full work-groups, in pieces of at most `max_groups`, then the edge.
std::vector<Extent> extents(uint64_t global, uint64_t local, uint32_t max_groups, Edge edge) {
    std::vector<Extent> out;
    const uint64_t rest = global % local;
    const uint64_t full = global / local + (rest != 0 && edge == Edge::PartialGroup);
    const uint64_t piece = groups_of_piece(local, max_groups);
    for (uint64_t base = 0; base < full; base += piece) {
        const uint64_t groups = std::min(piece, full - base);
        out.push_back({.local_size = static_cast<uint32_t>(local),
                       .group_count = static_cast<uint32_t>(groups),
                       .group_base = static_cast<uint32_t>(base),
                       .id_base = base * local,
                       .size = static_cast<uint32_t>(std::min(groups * local, global - base * local))});
    }
    if (rest != 0 && edge == Edge::SmallerGroup)
        out.push_back({.local_size = static_cast<uint32_t>(rest),
                       .group_count = 1,
                       .group_base = static_cast<uint32_t>(full),
                       .id_base = full * local,
                       .size = static_cast<uint32_t>(rest)});
    return out;
}

std::vector<Region> regions_of(const NDRange& range, const std::array<uint32_t, 3>& max_group_count,
                               Edge edge) {
    std::array<std::vector<Extent>, 3> parts;
    for (size_t d = 0; d < 3; ++d)
        parts[d] = extents(range.global[d], range.local[d], max_group_count[d], edge);
    std::vector<Region> regions;
    for (const Extent& z : parts[2])
        for (const Extent& y : parts[1])
            for (const Extent& x : parts[0])
                regions.push_back({.local_size = {x.local_size, y.local_size, z.local_size},
                                   .group_count = {x.group_count, y.group_count, z.group_count},
                                   .group_base = {x.group_base, y.group_base, z.group_base},
                                   .id_base = {x.id_base, y.id_base, z.id_base},
                                   .size = {x.size, y.size, z.size}});
    return regions;
}

}  // namespace

std::vector<Region> split(const NDRange& range, const std::array<uint32_t, 3>& max_group_count) {
    return regions_of(range, max_group_count, Edge::SmallerGroup);
}

std::vector<Region> cover(const NDRange& range, const std::array<uint32_t, 3>& max_group_count) {
    return regions_of(range, max_group_count, Edge::PartialGroup);
}

uint64_t region_count(const NDRange& range, const std::array<uint32_t, 3>& max_group_count, bool covers) {
    uint64_t count = 1;
    for (size_t d = 0; d < 3; ++d) {
        const uint64_t local = range.local[d], rest = range.global[d] % local;
        const uint64_t full = range.global[d] / local + (rest != 0 && covers);
        const uint64_t piece = groups_of_piece(local, max_group_count[d]);
        const uint64_t here = full / piece + (full % piece != 0) + (rest != 0 && !covers);
        if (__builtin_mul_overflow(count, here, &count)) return ~uint64_t{0};
    }
    return count;
}

uint32_t required_sub_group_size(const vulkan::Kernel& kernel) {
    return vulkan::required_sub_group_size(kernel);
}

uint32_t sub_group_size(const Device& device, const vulkan::Kernel& kernel) {
    const uint32_t required = required_sub_group_size(kernel);
    return required != 0 ? required : device.subgroup_launch().size;
}

SubGroups sub_groups(const Device& device, const vulkan::Kernel& kernel,
                     const std::array<uint64_t, 3>& local_size) {
    uint64_t work_items = 1;  // the program may ask about sizes that no device has
    for (const uint64_t size : local_size)
        if (size != 0 && work_items > ~uint64_t{0} / size)
            work_items = ~uint64_t{0};
        else
            work_items *= size;
    if (!device.profile().subgroups) return {work_items, 1};
    const uint64_t size = sub_group_size(device, kernel);
    return {size, work_items / size + (work_items % size != 0)};
}

uint64_t most_work_items(const vulkan::Kernel& kernel, const vulkan::DeviceProfile& profile) {
    const uint64_t most = profile.max_local_invocations;
    const uint32_t size = required_sub_group_size(kernel);
    if (vulkan::emulates_subgroup_size(profile, size)) return most;
    return size == 0 ? most : std::min(most, uint64_t{size} * profile.max_required_subgroups);
}

uint64_t largest_group(const vulkan::Kernel& kernel, const vulkan::DeviceProfile& profile) {
    const uint64_t most = most_work_items(kernel, profile);
    if (kernel.local_bytes_per_work_item == 0) return most;
    const uint64_t left = profile.max_local_bytes - std::min(profile.max_local_bytes, kernel.local_bytes);
    return std::clamp<uint64_t>(left / kernel.local_bytes_per_work_item, 1, most);
}

std::array<uint64_t, 3> choose_local_size(const NDRange& range, const vulkan::Kernel& kernel,
                                          const vulkan::DeviceProfile& profile) {
    if (const auto& size = kernel.required_local_size; size[0] != 0) return {size[0], size[1], size[2]};
    const uint64_t most = largest_group(kernel, profile);
    const auto& max = profile.max_local_size;
    const vulkan::Extent3 max_local = {{max[0], max[1], max[2]}};
    const auto fits = [&](const Size3& size) {
        return vulkan::extent_fits({{size[0], size[1], size[2]}}, most, max_local);
    };
    const auto& hint = kernel.local_size_hint;
    if (const Size3 size = {hint[0], hint[1], hint[2]}; fits(size)) return size;

    // Groups that cover a range of few work-items have one size.
    uint64_t work_items = 1;
    for (size_t d = 0; d < range.dimensions; ++d) work_items *= std::min(range.global[d], kFewWorkItems + 1);
    constexpr std::array<Size3, 3> kOfFew = {{{64, 1, 1}, {8, 8, 1}, {4, 4, 4}}};
    const Size3& of_few = kOfFew[std::clamp(range.dimensions, 1u, 3u) - 1];
    if (kernel.ignores_groups && work_items <= kFewWorkItems && fits(of_few)) return of_few;
    const vulkan::Extent3 local = vulkan::choose_local_extent(
        range.dimensions, {{range.global[0], range.global[1], range.global[2]}}, most, max_local);
    return {local.in[0], local.in[1], local.in[2]};
}

}  // namespace caldera::runtime
