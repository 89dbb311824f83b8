// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/free_ranges.h"

#include <iterator>

#include "spirv/support/align.h"

namespace caldera::runtime {

FreeRanges::FreeRanges(uint64_t size_bytes)
    : size_(size_bytes), by_offset_{{0, size_bytes}}, by_size_{{size_bytes, 0}} {}

/// A range may be large enough by its size, but begin where an aligned allocation does not fit. After a few
/// of these comes one that is so much larger that the allocation fits wherever it begins.
FreeRanges::BySize::iterator FreeRanges::find(uint64_t size_bytes, uint64_t alignment) {
    constexpr int kTries = 8;
    auto range = by_size_.lower_bound({size_bytes, 0});
    for (int i = 0; i < kTries && range != by_size_.end(); ++i, ++range) {
        ++looked_at_;
        const auto [size, offset] = *range;
        if (align_up(offset, alignment) - offset <= size - size_bytes) return range;
    }
    if (range == by_size_.end()) return range;
    ++looked_at_;
    return by_size_.lower_bound({size_bytes + alignment - 1, 0});
}

std::optional<FreeRanges::Taken> FreeRanges::take(uint64_t size_bytes, uint64_t alignment) {
    const auto found = find(size_bytes, alignment);
    if (found == by_size_.end()) return std::nullopt;
    const auto [size, begin] = *found;
    const uint64_t at = align_up(begin, alignment), end = begin + size;
    ByOffset rests;  // first what needs memory
    BySize their_sizes;
    const auto leave = [&](uint64_t from, uint64_t to) {
        if (from == to) return;
        rests.emplace(from, to - from);
        their_sizes.emplace(to - from, from);
    };
    leave(begin, at);
    leave(at + size_bytes, end);
    Taken taken;
    taken.offset_ = at;
    taken.size_ = size_bytes;
    taken.by_offset_ = by_offset_.extract(begin);
    taken.by_size_ = by_size_.extract(found);
    by_offset_.merge(rests);
    by_size_.merge(their_sizes);
    return taken;
}

void FreeRanges::give_back(Taken taken) noexcept {
    uint64_t begin = taken.offset_, end = begin + taken.size_;
    auto next = by_offset_.lower_bound(begin);
    if (next != by_offset_.end() && next->first == end) {
        end += next->second;
        by_size_.erase({next->second, next->first});
        next = by_offset_.erase(next);
    }
    if (next != by_offset_.begin())
        if (const auto previous = std::prev(next); previous->first + previous->second == begin) {
            begin = previous->first;
            by_size_.erase({previous->second, previous->first});
            by_offset_.erase(previous);
        }
    taken.by_offset_.key() = begin;
    taken.by_offset_.mapped() = end - begin;
    taken.by_size_.value() = {end - begin, begin};
    by_offset_.insert(std::move(taken.by_offset_));
    by_size_.insert(std::move(taken.by_size_));
}

}  // namespace caldera::runtime
