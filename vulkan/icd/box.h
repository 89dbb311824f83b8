// SPDX-License-Identifier: Apache-2.0
// Box: the place of a region of rows and slices in linear memory.
#pragma once

#include <array>
#include <cstddef>

#include "vulkan/icd/object.h"
#include "vulkan/runtime/copy_region.h"

namespace caldera::icd {

using Size3 = std::array<size_t, 3>;  ///< in bytes, rows and slices, for a region of memory
inline Size3 size3(const size_t* values) { return {values[0], values[1], values[2]}; }

/// Where a region begins in memory, and its row and slice pitches in bytes.
struct Box {
    size_t offset = 0, row_pitch = 0, slice_pitch = 0;
    size_t at(size_t y, size_t z) const { return offset + z * slice_pitch + y * row_pitch; }
    /// The box that begins at this origin.
    Box from(const Size3& origin) const {
        return {at(origin[1], origin[2]) + origin[0], row_pitch, slice_pitch};
    }
    /// The position after the last byte of the region.
    size_t end(const Size3& region) const { return at(region[1] - 1, region[2] - 1) + region[0]; }
    bool operator==(const Box&) const = default;
};

/// A box without gaps between rows.
inline Box packed_box(const Size3& region) { return {0, region[0], region[0] * region[1]}; }

/// No memory holds as many bytes. Sums of a few sizes up to this one do not overflow.
constexpr size_t kMostBoxBytes = size_t{1} << 48;

/// The box that begins at 0 with these pitches. A pitch of 0 means the least. Throws `if_small` for a pitch
/// that is smaller than that, and `if_large` if no memory could hold the region.
inline Box checked_pitches(const Size3& region, size_t row_pitch, size_t slice_pitch, cl_int if_small,
                           cl_int if_large) {
    const auto product = [&](size_t count, size_t pitch) {
        size_t bytes = 0;
        require(!__builtin_mul_overflow(count, pitch, &bytes) && bytes <= kMostBoxBytes, if_large);
        return bytes;
    };
    require(row_pitch == 0 || row_pitch >= region[0], if_small);
    if (row_pitch == 0) row_pitch = region[0];
    const size_t slice_bytes = product(region[1], row_pitch);
    require(slice_pitch == 0 || slice_pitch >= slice_bytes, if_small);
    if (slice_pitch == 0) slice_pitch = slice_bytes;
    product(region[2], slice_pitch);
    return {0, row_pitch, slice_pitch};
}

/// A region as a copy from one box to another, of as few and as long rows as possible.
inline runtime::CopyRegion stretches(const Box& from, const Box& to, const Size3& region) {
    runtime::CopyRegion out{.from = {from.offset, from.row_pitch, from.slice_pitch},
                            .to = {to.offset, to.row_pitch, to.slice_pitch},
                            .size = region[0],
                            .rows = region[1],
                            .slices = region[2]};
    using Side = runtime::CopyRegion::Side;
    const auto both = [&](const auto& is_so) { return is_so(out.from) && is_so(out.to); };
    const auto join_rows = [&] {
        if (out.rows > 1 && !both([&](const Side& side) { return side.row_pitch == out.size; })) return;
        out.size *= out.rows;
        out.rows = 1;
    };
    join_rows();
    if (out.rows == 1) {
        out.from.row_pitch = out.from.slice_pitch;
        out.to.row_pitch = out.to.slice_pitch;
    }
    const auto slices_follow = [&](const Side& side) {
        return side.slice_pitch == out.rows * side.row_pitch;
    };
    if (out.slices > 1 && !both(slices_follow)) return out;
    out.rows *= out.slices;
    out.slices = 1;
    out.from.slice_pitch = out.to.slice_pitch = 0;
    join_rows();
    return out;
}

/// Calls copy(from, to, size) for each range that is contiguous in both, with as few calls as possible.
template <class F>
void for_stretches(const Box& from, const Box& to, const Size3& region, const F& copy) {
    runtime::for_rows(stretches(from, to, region), copy);
}

/// Calls part(origin, size) for parts of a region with at most so many bytes each. A part has several rows or
/// slices where they fit.
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

/// Whether two regions of the same memory overlap (OpenCL API, appendix D). The rows within a region do not
/// overlap; the two regions may have different pitches.
inline bool overlap(const Box& a, const Size3& a_region, const Box& b, const Size3& b_region) {
    if (a.end(a_region) <= b.offset || b.end(b_region) <= a.offset) return false;
    const auto row = [](const Box& box, const Size3& region, size_t i) {
        return box.at(i % region[1], i / region[1]);
    };
    const size_t a_rows = a_region[1] * a_region[2], b_rows = b_region[1] * b_region[2];
    for (size_t i = 0, j = 0; i < a_rows && j < b_rows;) {
        const size_t x = row(a, a_region, i), y = row(b, b_region, j);
        if (x < y + b_region[0] && y < x + a_region[0]) return true;
        if (x < y)
            ++i;
        else
            ++j;
    }
    return false;
}

}  // namespace caldera::icd
