// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/storage_ranges.h"

namespace caldera::icd {

void StorageRanges::add(uint64_t address, uint64_t size_bytes, const std::shared_ptr<Storage>& storage) {
    const auto is_dead = [](const auto& entry) { return entry.second.storage.expired(); };
    purge_.before_addition(entries_, is_dead);
    // Storages that are gone may have had some of these addresses.
    for (auto it = entries_.lower_bound(address); it != entries_.end() && it->first - address < size_bytes;)
        it = is_dead(*it) ? entries_.erase(it) : std::next(it);
    entries_[address] = {storage, size_bytes};
}

StoredBytes StorageRanges::find(uint64_t address) const {
    auto it = entries_.upper_bound(address);
    if (it == entries_.begin()) return {};
    --it;
    const uint64_t offset = address - it->first;
    if (offset >= it->second.size_bytes) return {};
    std::shared_ptr<Storage> storage = it->second.storage.lock();
    return storage ? StoredBytes{std::move(storage), offset, it->second.size_bytes - offset} : StoredBytes{};
}

}  // namespace caldera::icd
