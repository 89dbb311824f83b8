// SPDX-License-Identifier: Apache-2.0
// FreeRanges: what is free of one block of memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace caldera::runtime {

/// The free ranges of a block, found by size. Adjacent ranges are merged. A search looks at a few ranges,
/// however many there are.
class FreeRanges {
    using ByOffset = std::map<uint64_t, uint64_t>;           // the size
    using BySize = std::set<std::pair<uint64_t, uint64_t>>;  // size and offset

 public:
    /// Sizes and offsets are multiples of this. So each free range is of use: no allocation is smaller.
    static constexpr uint64_t kGrain = 128;

    /// All of a block is free. Its size may be no multiple of kGrain, if it is only taken in one piece.
    explicit FreeRanges(uint64_t size_bytes);

    /// A range that is not free. Movable.
    class Taken {
     public:
        uint64_t offset_bytes() const { return offset_; }
        uint64_t size_bytes() const { return size_; }

     private:
        friend class FreeRanges;
        uint64_t offset_ = 0, size_ = 0;
        // The nodes to return with it, so that returning needs no host memory.
        ByOffset::node_type by_offset_ = {};
        BySize::node_type by_size_ = {};
    };
    /// The smallest range that is found to be large enough. The alignment is a power of two.
    std::optional<Taken> take(uint64_t size_bytes, uint64_t alignment);
    void give_back(Taken taken) noexcept;
    /// Whether nothing is taken.
    bool are_all() const { return by_offset_.size() == 1 && by_offset_.begin()->second == size_; }
    /// How many ranges the searches so far have looked at.
    uint64_t looked_at() const { return looked_at_; }

 private:
    BySize::iterator find(uint64_t size_bytes, uint64_t alignment);

    uint64_t size_;  // of the block
    ByOffset by_offset_;
    BySize by_size_;
    uint64_t looked_at_ = 0;
};

}  // namespace caldera::runtime
