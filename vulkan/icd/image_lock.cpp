// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/image_lock.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace caldera::icd {

/// In the order of addresses, so that no two of them wait for each other.
ImageLock::ImageLock(std::span<Storage* const> storages) {
    for (Storage* storage : storages)
        if (storage && storage->may_have_textures_) locks_.emplace_back(storage->recording_, std::defer_lock);
    const auto mutex_of = [](const auto& lock) { return lock.mutex(); };
    std::ranges::sort(locks_, std::less{}, mutex_of);
    locks_.erase(std::ranges::unique(locks_, {}, mutex_of).begin(), locks_.end());
    for (std::unique_lock<std::mutex>& lock : locks_) lock.lock();
}

MemoryClaim::MemoryClaim(std::vector<std::shared_ptr<Storage>> storages, size_t place, runtime::Queue& queue,
                         const UsedBytes& used)
    : storages_(std::move(storages)) {
    try {
        for (; claimed_ < storages_.size(); ++claimed_) {
            Storage& storage = *storages_[claimed_];
            const std::lock_guard lock(storage.recording_);
            storage.newest_on(place, queue, used);
            ++storage.claims_;
        }
    } catch (...) {
        end();
        throw;
    }
}

MemoryClaim::~MemoryClaim() { end(); }

void MemoryClaim::end() {
    for (size_t i = 0; i < claimed_; ++i) {
        const std::lock_guard lock(storages_[i]->recording_);
        --storages_[i]->claims_;
        storages_[i]->note_write();
    }
}

}  // namespace caldera::icd
