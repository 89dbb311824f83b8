// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/svm_heap.h"

#include <utility>

namespace caldera::icd {

void SvmHeap::add(const std::byte* pointer, StoredBytes bytes, bool is_direct) {
    if (is_direct) is_direct_ = true;
    const std::lock_guard lock(mutex_);
    allocations_[pointer] = std::move(bytes);
}

void SvmHeap::release(const void* pointer) {
    const auto* begin = static_cast<const std::byte*>(pointer);
    StoredBytes last;  // destroyed after unlocking
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(begin);
    if (found == allocations_.end()) return;
    last = std::move(found->second);
    allocations_.erase(found);
    mappings_.erase(mappings_.lower_bound(begin), mappings_.lower_bound(begin + last.size_bytes));
}

StoredBytes SvmHeap::find(const void* pointer) const {
    const auto* bytes = static_cast<const std::byte*>(pointer);
    const std::lock_guard lock(mutex_);
    auto it = allocations_.upper_bound(bytes);
    if (it == allocations_.begin()) return {};
    --it;
    const auto into = static_cast<uint64_t>(bytes - it->first);
    if (into >= it->second.size_bytes) return {};
    return {it->second.storage, it->second.offset + into, it->second.size_bytes - into};
}

void SvmHeap::add_mapping(const void* pointer, const Mapping& mapping) {
    const std::lock_guard lock(mutex_);
    mappings_.emplace(pointer, mapping);
}

std::optional<SvmHeap::Mapping> SvmHeap::take_mapping(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = mappings_.find(pointer);
    if (found == mappings_.end()) return std::nullopt;
    return mappings_.extract(found).mapped();
}

}  // namespace caldera::icd
