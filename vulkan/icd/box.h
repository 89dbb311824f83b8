// SPDX-License-Identifier: Apache-2.0
// Box: where a region of rows and slices lies in linear memory.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "vulkan/icd/object.h"
#include "vulkan/runtime/handle.h"

namespace caldera::icd {

using Size3 = std::array<size_t, 3>;  ///< in bytes, rows, slices where it is a region of memory
inline Size3 size3(const size_t* values) { return {values[0], values[1], values[2]}; }

/// Where a region begins in memory, and how far it is from row to row and from slice to slice, in bytes.
struct Box {
    size_t offset = 0, row_pitch = 0, slice_pitch = 0;
    size_t at(size_t y, size_t z) const { return offset + z * slice_pitch + y * row_pitch; }
    /// What begins there.
    Box from(const Size3& origin) const {
        return {at(origin[1], origin[2]) + origin[0], row_pitch, slice_pitch};
    }
    /// After its last byte.
    size_t end(const Size3& region) const { return at(region[1] - 1, region[2] - 1) + region[0]; }
    bool operator==(const Box&) const = default;
};

/// Its rows one after the other.
inline Box packed_box(const Size3& region) { return {0, region[0], region[0] * region[1]}; }

/// Calls copy(from, to, size) for each stretch that is the same in both, as few as there are.
template <class F>
void for_stretches(const Box& from, const Box& to, Size3 region, const F& copy) {
    const auto rows_touch = [&](const Box& box) { return region[1] == 1 || box.row_pitch == region[0]; };
    if (rows_touch(from) && rows_touch(to)) region = {region[0] * region[1], 1, region[2]};
    const auto slices_touch = [&](const Box& box) { return region[2] == 1 || box.slice_pitch == region[0]; };
    if (region[1] == 1 && slices_touch(from) && slices_touch(to)) region = {region[0] * region[2], 1, 1};
    for (size_t z = 0; z < region[2]; ++z)
        for (size_t y = 0; y < region[1]; ++y) copy(from.at(y, z), to.at(y, z), region[0]);
}

/// Calls part(origin, size) for parts of a region that have at most so many bytes each, rows or slices together where they can be.
template <class F>
void for_parts(const Size3& origin, const Size3& region, size_t most_bytes, const F& part) {
    if (region[0] * region[1] * region[2] <= most_bytes) return part(origin, region);
    const size_t d = region[2] > 1 ? 2 : region[1] > 1 ? 1 : 0;
    Size3 first = region, second = region, second_origin = origin;
    first[d] = region[d] / 2;
    second[d] -= first[d];
    second_origin[d] += first[d];
    for_parts(origin, first, most_bytes, part);
    for_parts(second_origin, second, most_bytes, part);
}

/// The same as regions of a Vulkan copy.
inline std::vector<VkBufferCopy> stretches(const Box& from, const Box& to, const Size3& region) {
    std::vector<VkBufferCopy> out;
    for_stretches(from, to, region, [&](size_t a, size_t b, size_t size) { out.push_back({a, b, size}); });
    return out;
}

/// OpenCL API, appendix D: whether regions of one memory overlap.
inline bool overlap(const Box& a, const Size3& a_region, const Box& b, const Size3& b_region) {
    if (a.end(a_region) <= b.offset || b.end(b_region) <= a.offset) return false;
    const auto is_row = [](const Size3& region) { return region[1] == 1 && region[2] == 1; };
    if (is_row(a_region) && is_row(b_region)) return true;
    if (a.row_pitch != b.row_pitch || a.slice_pitch != b.slice_pitch) return true;
    const auto coordinates = [](const Box& box) {
        const size_t rest = box.offset % box.slice_pitch;
        return Size3{rest % box.row_pitch, rest / box.row_pitch, box.offset / box.slice_pitch};
    };
    const Size3 p = coordinates(a), q = coordinates(b);
    // Regions whose rows run over into the next row are told apart by their ends alone.
    if (p[0] + a_region[0] > a.row_pitch || q[0] + b_region[0] > b.row_pitch) return true;
    for (size_t d = 0; d < 3; ++d)
        if (p[d] + a_region[d] <= q[d] || q[d] + b_region[d] <= p[d]) return false;
    return true;
}

}  // namespace caldera::icd
