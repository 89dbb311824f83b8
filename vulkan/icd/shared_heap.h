// SPDX-License-Identifier: Apache-2.0
// SharedHeap: the allocations of a context that programs name by pointers (OpenCL API 5.6,
// cl_khr_unified_svm, cl_intel_unified_shared_memory).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/icd/object.h"
#include "vulkan/icd/svm_kinds.h"

namespace caldera::icd {

class Mappings;
class Storage;

/// Whether the program may write to what it maps so.
inline bool map_writes(cl_map_flags flags) { return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION); }

/// A part of a storage that begins here. Empty without a storage.
struct StoredBytes {
    std::shared_ptr<Storage> storage = {};
    uint64_t offset = 0;
    uint64_t size_bytes = 0;  ///< to the storage's end
};

struct SharedAllocation {
    SvmKind kind = SvmKind::CoarseBuffer;
    std::byte* base = nullptr;
    size_t size = 0;
    cl_device_id device = nullptr;  ///< that the program named; null if it named none
    size_t place = 0;               ///< of the device whose buffer it is
    std::shared_ptr<Storage> storage = {};
    std::shared_ptr<Mappings> mappings = {};  ///< those of its mirror (Storage::mirror())
    uint64_t offset = 0;                      ///< where it begins in the storage
    cl_mem_alloc_flags_intel flags = 0;       ///< of cl_intel_unified_shared_memory
    cl_svm_alloc_access_flags_khr access = 0;
    std::vector<cl_svm_alloc_properties_khr> properties = {};  ///< those that the program passed

    bool is_of_host() const { return kind != SvmKind::Device; }
    /// Whether it is of a kind that cl_intel_unified_shared_memory knows.
    bool is_usm() const {
        return kind == SvmKind::Host || kind == SvmKind::Device || kind == SvmKind::Shared;
    }
    /// From a byte of the allocation on.
    StoredBytes bytes_from(const void* pointer) const {
        const auto into = static_cast<size_t>(static_cast<const std::byte*>(pointer) - base);
        return {storage, offset + into, size - into};
    }
};

/// Thread-safe.
class SharedHeap {
 public:
    using Item = std::shared_ptr<const SharedAllocation>;

    /// `is_direct`: kernels may access the host's memory through the allocation.
    void add(SharedAllocation allocation, bool is_direct);
    /// Removes the allocation that begins there. Null if there is none.
    Item take(const void* pointer);
    /// The allocation that contains the byte, which may end before the program's range does. Null if there is
    /// none.
    Item find(const void* pointer) const;
    /// Whether kernels of the context may access the host's memory while they run.
    bool is_direct() const { return is_direct_; }

 private:
    std::atomic<bool> is_direct_ = false;
    mutable std::mutex mutex_ = {};  // guards the members below
    std::map<const std::byte*, Item> allocations_ = {};
};

}  // namespace caldera::icd
