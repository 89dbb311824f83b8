// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/shared_heap.h"

#include <utility>

namespace caldera::icd {

void SharedHeap::add(SharedAllocation allocation, bool is_direct) {
    if (is_direct) is_direct_ = true;
    auto item = std::make_shared<const SharedAllocation>(std::move(allocation));
    const std::lock_guard lock(mutex_);
    allocations_[item->base] = std::move(item);
}

SharedHeap::Item SharedHeap::take(const void* pointer) {
    const auto* begin = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) return nullptr;
    Item taken = std::move(allocations_.extract(found).mapped());
    mappings_.erase(mappings_.lower_bound(begin), mappings_.lower_bound(begin + taken->size));
    return taken;
}

SharedHeap::Item SharedHeap::find(const void* pointer) const {
    const auto* bytes = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    auto it = allocations_.upper_bound(bytes);
    if (it == allocations_.begin()) return nullptr;
    --it;
    return static_cast<size_t>(bytes - it->first) < it->second->size ? it->second : nullptr;
}

void SharedHeap::add_mapping(const void* pointer, const Mapping& mapping) {
    const std::lock_guard lock(mutex_);
    mappings_.emplace(pointer, mapping);
}

std::optional<SharedHeap::Mapping> SharedHeap::take_mapping(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = mappings_.find(pointer);
    if (found == mappings_.end()) return std::nullopt;
    return mappings_.extract(found).mapped();
}

HostRanges SharedHeap::mapped_for_writing(const void* pointer) const {
    HostRanges ranges;
    const Item item = find(pointer);
    if (!item) return ranges;
    const std::lock_guard lock(mutex_);
    for (auto it = mappings_.lower_bound(item->base);
         it != mappings_.end() && it->first < item->base + item->size; ++it)
        if (it->second.writes()) ranges.add(static_cast<const std::byte*>(it->first), it->second.size);
    return ranges;
}

}  // namespace caldera::icd
