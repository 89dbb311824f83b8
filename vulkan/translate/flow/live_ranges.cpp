// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/live_ranges.h"

namespace caldera::vulkan {

LiveRanges::Range& LiveRanges::range_in(uint32_t block) {
    if (seen_[block] != stamp_) {
        seen_[block] = stamp_;
        range_of_[block] = static_cast<uint32_t>(ranges_.size());
        ranges_.push_back({.block = block});
    }
    return ranges_[range_of_[block]];
}

void LiveRanges::follow(std::span<const Use> uses, uint32_t made_in, uint64_t& most) {
    ++stamp_;
    ranges_.clear();
    for (const Use& use : uses) {
        Range& range = range_in(use.block);
        range.until = std::max(range.until, use.at);
    }
    for (size_t i = 0; i < ranges_.size(); ++i) {  // more come meanwhile
        const uint32_t block = ranges_[i].block;
        if (block == made_in) continue;
        if (most == 0) return ranges_.clear();
        --most;
        for (const uint32_t before : cfg_.predecessors[block]) {
            if (!cfg_.reachable(before)) continue;
            Range& range = range_in(before);
            range.until = kAtEnd;
            range.leaves = true;
        }
    }
}

}  // namespace caldera::vulkan
