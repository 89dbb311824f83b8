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
    return std::move(allocations_.extract(found).mapped());
}

SharedHeap::Item SharedHeap::find(const void* pointer) const {
    const auto* bytes = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    auto it = allocations_.upper_bound(bytes);
    if (it == allocations_.begin()) return nullptr;
    --it;
    return static_cast<size_t>(bytes - it->first) < it->second->size ? it->second : nullptr;
}

}  // namespace caldera::icd
