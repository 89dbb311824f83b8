// SPDX-License-Identifier: Apache-2.0
// AddressMap: the buffers of a context whose device addresses the program knows
// (cl_ext_buffer_device_address).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vulkan/icd/storage_ranges.h"

namespace caldera::icd {

/// Finds buffers by addresses that kernels receive. Each device has addresses of its own. Keeps no buffer
/// alive. Thread-safe.
class AddressMap {
 public:
    explicit AddressMap(size_t places) : by_place_(places) {}

    /// Adds a storage of so many bytes at its address on each device, by place. 0: it has none there.
    void add(const std::shared_ptr<Storage>& storage, std::span<const uint64_t> addresses,
             uint64_t size_bytes);
    /// Whether no storage was ever added.
    bool is_empty() const { return is_empty_; }
    /// The storage that contains the byte on the device of a place. Null if there is none.
    std::shared_ptr<Storage> find(size_t place, uint64_t address) const;

 private:
    std::atomic<bool> is_empty_ = true;
    mutable std::mutex mutex_ = {};
    std::vector<StorageRanges> by_place_;
};

}  // namespace caldera::icd
