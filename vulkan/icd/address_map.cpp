// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/address_map.h"

namespace caldera::icd {

void AddressMap::add(const std::shared_ptr<Storage>& storage, std::span<const uint64_t> addresses,
                     uint64_t size_bytes) {
    is_empty_ = false;
    const std::lock_guard lock(mutex_);
    for (size_t place = 0; place < by_place_.size(); ++place) {
        // Another buffer may have had some of these addresses before.
        std::erase_if(by_place_[place], [](const auto& entry) { return entry.second.storage.expired(); });
        if (addresses[place] != 0) by_place_[place][addresses[place]] = {storage, size_bytes};
    }
}

std::shared_ptr<Storage> AddressMap::find(size_t place, uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const Storages& storages = by_place_[place];
    auto it = storages.upper_bound(address);
    if (it == storages.begin()) return nullptr;
    --it;
    return address - it->first < it->second.size_bytes ? it->second.storage.lock() : nullptr;
}

}  // namespace caldera::icd
