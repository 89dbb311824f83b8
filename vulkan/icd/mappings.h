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

/// Mappings that write, by their place in a storage. Whoever adds one keeps it alive until it is removed.
/// Thread-safe.
class MappedWrites {
 public:
    void add(const Mapping& mapping);
    void remove(const Mapping& mapping) noexcept;
    bool has_any_in(const Box& box, const Size3& region) const;
    /// Their bytes of the program's memory, if they may overlap a region of the storage.
    HostRanges ranges(const Box& box, const Size3& region) const;

 private:
    template <class F>
    void for_each_in(const Box& box, const Size3& region, const F& call) const;

    mutable std::mutex mutex_ = {};
    std::multimap<size_t, const Mapping*> mappings_ = {};  // by Mapping::device.offset
    size_t longest_ = 0;                                   // from the first to behind the last byte of one
};

/// The mappings of one object; several may cover the same bytes. Commands that map and unmap keep it alive.
/// Thread-safe.
class Mappings {
 public:
    using Item = std::shared_ptr<const Mapping>;

    Mappings() = default;
    ~Mappings();
    Mappings(const Mappings&) = delete;
    Mappings& operator=(const Mappings&) = delete;

    /// From now on, those that write are also among these, of all objects on a storage. Call this before the
    /// first is added.
    void share_writes(const std::shared_ptr<MappedWrites>& writes);
    /// Throws CL_INVALID_OPERATION if the program would map bytes for writing twice (OpenCL API 5.2.5).
    void add(const Item& mapping);
    /// Adds a mapping again that was taken out before.
    void put_back(const Item& mapping);
    void remove(const Item& mapping) noexcept;
    /// Removes and returns the mapping with this pointer that was added first. Null if there is none.
    Item take(const void* pointer);
    size_t count() const;

 private:
    void insert(const Item& mapping);
    using Items = std::multimap<const void*, Item>;
    void erase(Items::iterator place) noexcept;

    mutable std::mutex mutex_ = {};
    Items items_ = {};  // by pointer
    MappedWrites writes_ = {};
    std::shared_ptr<MappedWrites> shared_writes_ = {};
};

}  // namespace caldera::icd
