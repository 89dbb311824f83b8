// SPDX-License-Identifier: Apache-2.0
// SvmHeap: the allocations of shared virtual memory in a context, which can be found by their addresses.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "vulkan/icd/object.h"

namespace caldera::icd {

class Storage;

/// A part of a storage that begins here. Empty without a storage.
struct StoredBytes {
    std::shared_ptr<Storage> storage = {};
    uint64_t offset = 0;
    uint64_t size_bytes = 0;  ///< to the storage's end
};

/// Thread-safe.
class SvmHeap {
 public:
    /// `place` is that of the device whose buffers the allocations are, or empty if no allocation is
    /// possible.
    explicit SvmHeap(std::optional<size_t> place) : place_(place) {}

    std::optional<size_t> place() const { return place_; }
    /// Whether kernels of the context may access the host's memory while they run.
    bool is_direct() const { return is_direct_; }

    /// Adds an allocation. `is_direct`: kernels may access the host's memory through it.
    void add(const std::byte* pointer, StoredBytes bytes, bool is_direct);
    /// Does nothing if no allocation begins there.
    void release(const void* pointer);
    /// The allocation that contains the byte. The allocation may end before the program's range does.
    StoredBytes find(const void* pointer) const;

    /// What a program has mapped, if the storage has a mirror (Storage::mirror()).
    struct Mapping {
        size_t size = 0;
        cl_map_flags flags = 0;
    };
    void add_mapping(const void* pointer, const Mapping& mapping);
    std::optional<Mapping> take_mapping(const void* pointer);

 private:
    const std::optional<size_t> place_;
    std::atomic<bool> is_direct_ = false;
    mutable std::mutex mutex_ = {};  // guards the members below
    std::map<const std::byte*, StoredBytes> allocations_ = {};
    std::multimap<const void*, Mapping> mappings_ = {};
};

}  // namespace caldera::icd
