// SPDX-License-Identifier: Apache-2.0
// Mappings: the regions of an object that the program has mapped.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "vulkan/icd/box.h"
#include "vulkan/icd/host_ranges.h"
#include "vulkan/icd/shared_heap.h"
#include "vulkan/runtime/buffer.h"

namespace caldera::icd {

/// A region that the program has mapped.
struct Mapping {
    std::byte* pointer = nullptr;
    cl_map_flags flags = 0;
    Box device = {}, host = {};  ///< its place in the storage, and in the program's memory
    Size3 region = {};
    /// The program's copy, if it does not access the bytes directly: memory that the device can see, or other
    /// memory if the region is large.
    std::shared_ptr<runtime::Buffer> copy = {};
    size_t copy_place = 0;  ///< the place of the device that can see `copy`
    std::shared_ptr<std::byte[]> pages = {};

    bool writes() const { return map_writes(flags); }
};

/// The mappings of one object; several may cover the same bytes. Commands that map and unmap keep it alive.
/// Thread-safe.
class Mappings {
 public:
    using Item = std::shared_ptr<const Mapping>;
    /// Throws CL_INVALID_OPERATION if the program would map bytes for writing twice (OpenCL API 5.2.5).
    void add(const Item& mapping);
    /// Adds a mapping again that was taken out before.
    void put_back(const Item& mapping);
    void remove(const Item& mapping) noexcept;
    /// Removes and returns the mapping with this pointer that was added first. Null if there is none.
    Item take(const void* pointer);
    size_t count() const;
    /// Adds the bytes that are mapped for writing, and may overlap a region of the storage.
    void add_written(const Box& box, const Size3& region, HostRanges& ranges) const;

 private:
    template <class F>
    void for_writes_to(const Box& box, const Size3& region, const F& call) const;
    void insert(const Item& mapping);
    using Items = std::multimap<const void*, Item>;
    void erase(Items::iterator place) noexcept;

    mutable std::mutex mutex_ = {};
    Items items_ = {};  // by pointer
    std::multimap<size_t, const Mapping*> writes_ =
        {};               // those of them that write, by Mapping::device.offset
    size_t longest_ = 0;  // from the first to behind the last byte of one that writes
};

}  // namespace caldera::icd
