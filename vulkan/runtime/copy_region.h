// SPDX-License-Identifier: Apache-2.0
// CopyRegion: what a command copies from one buffer to another.
#pragma once

#include <cstdint>

namespace caldera::runtime {

/// Rows of one size, and slices of so many rows, that lie evenly in both buffers. A range is one row. No two
/// rows overlap where they are written. All in bytes.
struct CopyRegion {
    /// Where the first row begins in a buffer, and how far the rows of a slice and the slices are apart.
    struct Side {
        uint64_t offset = 0, row_pitch = 0, slice_pitch = 0;
        uint64_t at(uint64_t row, uint64_t slice) const {
            return offset + slice * slice_pitch + row * row_pitch;
        }
        bool operator==(const Side&) const = default;
    };
    Side from = {}, to = {};
    uint64_t size = 0;  ///< of a row
    uint64_t rows = 1, slices = 1;

    uint64_t count() const { return rows * slices; }
    uint64_t bytes() const { return size * count(); }
    /// From the first byte to behind the last one.
    uint64_t span_of(const Side& side) const { return side.at(rows - 1, slices - 1) - side.offset + size; }
    bool operator==(const CopyRegion&) const = default;
};

/// Calls copy(from, to, size) for each row.
template <class F>
void for_rows(const CopyRegion& region, const F& copy) {
    for (uint64_t slice = 0; slice < region.slices; ++slice)
        for (uint64_t row = 0; row < region.rows; ++row)
            copy(region.from.at(row, slice), region.to.at(row, slice), region.size);
}

}  // namespace caldera::runtime
