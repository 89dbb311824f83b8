// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/address_map.h"

namespace caldera::icd {

void AddressMap::add(const std::shared_ptr<Storage>& storage, std::span<const uint64_t> addresses,
                     uint64_t size_bytes) {
    is_empty_ = false;
    const std::lock_guard lock(mutex_);
    for (size_t place = 0; place < by_place_.size(); ++place)
        if (addresses[place] != 0) by_place_[place].add(addresses[place], size_bytes, storage);
}

std::shared_ptr<Storage> AddressMap::find(size_t place, uint64_t address) const {
    const std::lock_guard lock(mutex_);
    return by_place_[place].find(address).storage;
}

}  // namespace caldera::icd
