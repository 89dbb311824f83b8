// SPDX-License-Identifier: Apache-2.0
// UsmHeap: the allocations of unified shared memory in a context (cl_intel_unified_shared_memory).
#pragma once

#include <CL/cl_ext.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "vulkan/icd/svm_heap.h"

namespace caldera::icd {

struct UsmAllocation {
    cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
    std::byte* base = nullptr;
    size_t size = 0;
    cl_device_id device = nullptr;  ///< that the program named; null if it named none
    cl_mem_alloc_flags_intel flags = 0;
    size_t place = 0;  ///< of the device whose buffer it is
    std::shared_ptr<Storage> storage = {};
    uint64_t offset = 0;  ///< where it begins in the storage

    bool is_of_host() const { return type != CL_MEM_TYPE_DEVICE_INTEL; }
    /// From a byte of the allocation on.
    StoredBytes bytes_from(const void* pointer) const {
        const auto into = static_cast<size_t>(static_cast<const std::byte*>(pointer) - base);
        return {storage, offset + into, size - into};
    }
};

/// Thread-safe.
class UsmHeap {
 public:
    void add(UsmAllocation allocation);
    /// Removes the allocation that begins there. Empty if there is none.
    std::optional<UsmAllocation> take(const void* pointer);
    /// The allocation that contains the byte. Empty if there is none.
    std::optional<UsmAllocation> find(const void* pointer) const;
    /// Whether kernels of the context may access the host's memory while they run.
    bool is_direct() const { return is_direct_; }

 private:
    std::atomic<bool> is_direct_ = false;
    mutable std::mutex mutex_ = {};
    std::map<const std::byte*, UsmAllocation> allocations_ = {};
};

}  // namespace caldera::icd
