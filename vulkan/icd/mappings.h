// SPDX-License-Identifier: Apache-2.0
// Mappings: the regions of an object that the program has mapped.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "vulkan/icd/box.h"
#include "vulkan/icd/host_ranges.h"
#include "vulkan/icd/shared_heap.h"
#include "vulkan/runtime/buffer.h"

namespace caldera::icd {

/// How far the commands of a mapping are.
enum class MapState : uint8_t {
    Enqueued,  ///< the map has not been recorded
    Begun,     ///< it has
    Arrived,   ///< the program has the bytes, or has them when the device has done what is recorded
    Over,      ///< the map failed, or the unmap no longer needs the program's bytes
};

/// A region that the program has mapped.
struct Mapping {
    std::byte* pointer = nullptr;
    cl_map_flags flags = 0;
    const void* queue = nullptr;  ///< that maps it; it may be gone
    Box device = {}, host = {};   ///< its place in the storage, and in the program's memory
    Size3 region = {};
    /// The program's copy, if it does not access the bytes directly: memory that the device can see, or other
    /// memory if the region is large.
    std::shared_ptr<runtime::Buffer> copy = {};
    size_t copy_place = 0;  ///< the place of the device that can see `copy`
    std::shared_ptr<std::byte[]> pages = {};
    mutable MapState state = MapState::Enqueued;  ///< guarded by the Mappings

    bool writes() const { return map_writes(flags); }
};

/// Mappings that write, by their place in a storage. Thread-safe.
class MappedWrites {
 public:
    using Item = std::shared_ptr<const Mapping>;

    void add(const Item& mapping);
    void remove(const Item& mapping) noexcept;
    bool has_any_in(const Box& box, const Size3& region) const;
    /// Their bytes of the program's memory, if they may overlap a region of the storage.
    HostRanges ranges(const Box& box, const Size3& region) const;
    /// Calls copy(left_alone) with these ranges and those of now. None is added or removed meanwhile.
    void copy_around(const Box& box, const Size3& region, HostRanges left_alone,
                     const std::function<void(const HostRanges& left_alone)>& copy) const;
    /// Removes all of these from others.
    void remove_from(MappedWrites& others) const noexcept;

 private:
    void add_ranges(const Box& box, const Size3& region, HostRanges& ranges) const;
    template <class F>
    void for_each_in(const Box& box, const Size3& region, const F& call) const;

    mutable std::mutex mutex_ = {};
    std::multimap<size_t, Item> mappings_ = {};  // by Mapping::device.offset
    size_t longest_ = 0;                         // from the first to behind the last byte of one
};

/// Mappings that write to a storage, of all objects on it.
struct StorageWrites {
    MappedWrites called = {};  ///< the program has not called for an unmap
    MappedWrites begun = {};   ///< recorded and not over
    MappedWrites held = {};    ///< the program has the bytes, in memory of its own
};

/// The mappings of one object; several may cover the same bytes. Commands that map and unmap keep it alive
/// until they are recorded. Thread-safe.
///
/// The program has a mapping from the call that maps to the one that unmaps. Commands may wait long after
/// these calls, so what writes to the bytes goes by what has been recorded.
class Mappings {
 public:
    using Item = std::shared_ptr<const Mapping>;

    /// `may_overlap`: the program may map bytes for writing twice, also through other objects.
    explicit Mappings(bool may_overlap = false) : may_overlap_(may_overlap) {}
    ~Mappings();
    Mappings(const Mappings&) = delete;
    Mappings& operator=(const Mappings&) = delete;

    /// From now on, those that write are also among these, of the object's storage. `holds`: the object's
    /// memory is the program's own. Call this before the first is added.
    void share_writes(const std::shared_ptr<StorageWrites>& writes, bool holds);
    /// Throws CL_INVALID_OPERATION if the program would map bytes for writing twice, through whatever objects
    /// (OpenCL API 5.5.3).
    void add(const Item& mapping);
    /// Removes and returns the mapping with this pointer that an unmap in the queue is for. If there are
    /// several, that is the first one of the queue, because parts of a program with queues of their own do
    /// not know of each other, or else the first one. Unless the unmap `may_follow` the map, it is for one
    /// that the program has. Null if there is none.
    Item take(const void* pointer, const void* queue, bool may_follow);
    /// Adds a mapping again that was taken out before, unless its map failed.
    void put_back(const Item& mapping);
    /// The map failed.
    void remove(const Item& mapping) noexcept;
    size_t count() const;

    /// The map is recorded. Throws CL_INVALID_OPERATION if what writes to the same bytes has not been
    /// unmapped by then, through whatever objects.
    void begin(const Item& mapping);
    /// From now on the program may have written to the bytes.
    void arrive(const Item& mapping);
    bool has_arrived(const Item& mapping) const;
    /// The unmap needs the program's bytes no more.
    void end(const Item& mapping) noexcept;

 private:
    void insert(const Item& mapping);
    void forget(const Item& mapping) noexcept;
    using Items = std::multimap<const void*, Item>;
    void erase(Items::iterator place) noexcept;

    mutable std::mutex mutex_ = {};
    Items items_ = {};          // by pointer
    MappedWrites writes_ = {};  // of these
    MappedWrites begun_ = {};   // recorded and not over
    const bool may_overlap_;
    std::shared_ptr<StorageWrites> shared_ = {};
    bool holds_ = false;
};

}  // namespace caldera::icd
