// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/usm_heap.h"

#include <utility>

namespace caldera::icd {

void UsmHeap::add(UsmAllocation allocation) {
    if (allocation.is_of_host()) is_direct_ = true;
    const std::byte* const base = allocation.base;
    const std::lock_guard lock(mutex_);
    allocations_[base] = std::move(allocation);
}

std::optional<UsmAllocation> UsmHeap::take(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(static_cast<const std::byte*>(pointer));
    if (found == allocations_.end()) return std::nullopt;
    return std::move(allocations_.extract(found).mapped());
}

std::optional<UsmAllocation> UsmHeap::find(const void* pointer) const {
    const auto* bytes = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    auto it = allocations_.upper_bound(bytes);
    if (it == allocations_.begin()) return std::nullopt;
    --it;
    if (static_cast<size_t>(bytes - it->first) >= it->second.size) return std::nullopt;
    return it->second;
}

}  // namespace caldera::icd
