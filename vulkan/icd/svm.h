// SPDX-License-Identifier: Apache-2.0
// Shared virtual memory of a context: the allocations of clSVMAlloc, which can be found by their addresses.
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

/// A part of a storage that begins here. Empty without a storage.
struct StoredBytes {
    std::shared_ptr<Storage> storage = {};
    uint64_t offset = 0;
    uint64_t size() const;  ///< to the storage's end
};

/// Thread-safe.
class SvmHeap {
 public:
    explicit SvmHeap(const _cl_context& context);

    /// The place of the device whose buffers the allocations are. If there is none, no allocation is
    /// possible. Devices that all use the host's addresses share it.
    std::optional<size_t> place() const { return place_; }
    /// Whether kernels of the context may access the host's memory while they run.
    bool is_direct() const { return is_direct_; }

    /// `alignment` is a power of two, `size` not 0.
    void* allocate(_cl_context& context, size_t size, size_t alignment);
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
    std::optional<size_t> place_ = {};
    std::atomic<bool> is_direct_ = false;
    mutable std::mutex mutex_ = {};  // guards the members below
    std::map<const std::byte*, StoredBytes> allocations_ = {};
    std::multimap<const void*, Mapping> mappings_ = {};
};

}  // namespace caldera::icd
