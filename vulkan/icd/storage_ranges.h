// SPDX-License-Identifier: Apache-2.0
// StorageRanges: which storage a byte belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "vulkan/icd/purge.h"
#include "vulkan/icd/shared_heap.h"

namespace caldera::icd {

/// Storages by their addresses for the host, or for a device. Keeps no storage alive.
class StorageRanges {
 public:
    void add(uint64_t address, uint64_t size_bytes, const std::shared_ptr<Storage>& storage);
    /// The storage that contains the byte, from there on. Empty if there is none.
    StoredBytes find(uint64_t address) const;

 private:
    struct Entry {
        std::weak_ptr<Storage> storage = {};
        uint64_t size_bytes = 0;
    };
    std::map<uint64_t, Entry> entries_ = {};  // by the address of the first byte
    Purge purge_ = {};
};

}  // namespace caldera::icd
