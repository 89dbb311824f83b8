// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/address_map.h"

#include "vulkan/icd/memory.h"

namespace caldera::icd {

void AddressMap::add(const std::shared_ptr<Storage>& storage) {
    is_empty_ = false;
    const std::lock_guard lock(mutex_);
    for (size_t place = 0; place < by_place_.size(); ++place) {
        // Another buffer may have had some of these addresses before.
        std::erase_if(by_place_[place], [](const auto& entry) { return entry.second.expired(); });
        if (const uint64_t address = storage->address(place)) by_place_[place][address] = storage;
    }
}

std::shared_ptr<Storage> AddressMap::find(size_t place, uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const Storages& storages = by_place_[place];
    auto it = storages.upper_bound(address);
    if (it == storages.begin()) return nullptr;
    --it;
    std::shared_ptr<Storage> storage = it->second.lock();
    return storage && address - it->first < storage->size_bytes() ? storage : nullptr;
}

}  // namespace caldera::icd
