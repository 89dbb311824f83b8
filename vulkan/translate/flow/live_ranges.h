// SPDX-License-Identifier: Apache-2.0
// LiveRanges: goes back from the uses of one value after the other to the block that makes it (Brandner and
// others, "Computing Liveness Sets for SSA-Form Programs", 2011, path exploration).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/cfg.h"

namespace caldera::vulkan {

class LiveRanges {
 public:
    /// The place of a terminator in its block, and of what phis of the next blocks use.
    static constexpr uint32_t kAtEnd = ~0u;
    /// How many blocks callers look at for each instruction. Only values of huge functions live longer.
    static constexpr uint64_t kBlocksPerInstruction = 64;
    /// A part of a block in which a value lives. It begins with the block, or behind what makes the value.
    struct Range {
        uint32_t block = 0;
        uint32_t until = 0;   ///< its last use there, or kAtEnd
        bool leaves = false;  ///< it lives at the block's end, too
    };

    explicit LiveRanges(const spirv::Cfg& cfg) : cfg_(cfg), seen_(cfg.size()), range_of_(cfg.size()) {}

    /// Says where one of the caller's values is used; they have numbers.
    void add_use(uint32_t value, uint32_t block, uint32_t at) { uses_.push_back({value, block, at}); }

    /// Calls visit(value, ranges) for each value that is used. `block_of` gives the block that makes it. The
    /// ranges are empty if it lives in so many blocks that all values together would have more than `most`.
    template <class BlockOf, class Visit>
    void for_each_value(uint64_t most, BlockOf block_of, Visit visit) {
        std::ranges::stable_sort(uses_, {}, &Use::value);
        for (size_t begin = 0, end = 0; begin < uses_.size(); begin = end) {
            const uint32_t value = uses_[begin].value;
            while (end < uses_.size() && uses_[end].value == value) ++end;
            follow(std::span(uses_).subspan(begin, end - begin), block_of(value), most);
            visit(value, std::span<const Range>(ranges_));
        }
    }

 private:
    struct Use {
        uint32_t value = 0, block = 0, at = 0;
    };

    Range& range_in(uint32_t block);
    void follow(std::span<const Use> uses, uint32_t made_in, uint64_t& most);

    const spirv::Cfg& cfg_;
    std::vector<Use> uses_ = {};
    std::vector<Range> ranges_ = {};              // of one value
    std::vector<uint32_t> seen_ = {}, range_of_;  // by block: the last value with a range there, and which
    uint32_t stamp_ = 0;
};

}  // namespace caldera::vulkan
