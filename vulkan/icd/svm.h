// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory of a context: what clSVMAlloc gives, found again by its addresses.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "vulkan/icd/object.h"

struct _cl_context;

namespace caldera::icd {

class Storage;

/// A stretch of a storage that begins here; without a storage there is none.
struct StoredBytes {
    std::shared_ptr<Storage> storage = {};
    uint64_t offset = 0;
    uint64_t size() const;  ///< to the storage's end
};

/// Thread-safe.
class SvmHeap {
 public:
    explicit SvmHeap(const _cl_context& context);

    /// Of the device whose buffers the allocations are; none: no allocation can be had. Devices that all take the host's
    /// addresses share it.
    std::optional<size_t> place() const { return place_; }
    /// Kernels of the context may read and write the host's memory while they run.
    bool is_direct() const { return is_direct_; }

    /// `alignment` is a power of two, `size` not 0.
    void* allocate(_cl_context& context, size_t size, size_t alignment);
    /// Nothing happens where no allocation begins there.
    void release(const void* pointer);
    /// The allocation that has the byte; its bytes may end before the program's.
    StoredBytes find(const void* pointer) const;

    /// What a program has mapped, where that matters (Storage::mirror()).
    struct Mapping {
        size_t size = 0;
        cl_map_flags flags = 0;
    };
    void add_mapping(const void* pointer, const Mapping& mapping);
    std::optional<Mapping> take_mapping(const void* pointer);

 private:
    std::optional<size_t> place_ = {};
    std::atomic<bool> is_direct_ = false;
    mutable std::mutex mutex_ = {};  // guards what follows
    std::map<const std::byte*, StoredBytes> allocations_ = {};
    std::multimap<const void*, Mapping> mappings_ = {};
};

}  // namespace caldera::icd
