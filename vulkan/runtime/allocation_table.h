// SPDX-License-Identifier: Apache-2.0
// AllocationTable: the stretches of a device's memory that programs have, for the checks of accesses.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "vulkan/interface.h"

namespace caldera::runtime {

/// No object begins before it, so an address below comes from a pointer that is NULL.
inline constexpr uint64_t kNullPageBytes = 4096;

/// Thread-safe. Stretches may overlap, as those of an application's buffer do.
class AllocationTable {
 public:
    void add(const vulkan::CheckObject& object);
    void remove(const vulkan::CheckObject& object);
    /// Something else has memory where removed stretches were: they are no longer named.
    void take(const vulkan::CheckObject& object);
    /// All of them, sorted, without overlaps.
    std::vector<vulkan::CheckObject> all() const;
    /// The smallest stretch that contains the byte.
    std::optional<vulkan::CheckObject> find(uint64_t address) const;
    /// The last one that contained the byte, and was removed lately.
    std::optional<vulkan::CheckObject> find_removed(uint64_t address) const;
    /// The stretch that is nearest to a byte that is in none.
    std::optional<vulkan::CheckObject> nearest(uint64_t address) const;

 private:
    void forget(const vulkan::CheckObject& object);  ///< of removed ones

    mutable std::mutex mutex_ = {};
    std::multimap<uint64_t, uint64_t> sizes_ = {};  // by begin
    std::deque<vulkan::CheckObject> removed_ = {};
};

/// Sorts objects, joins those that overlap, and drops empty ones.
std::vector<vulkan::CheckObject> joined(std::vector<vulkan::CheckObject> objects);

/// A stretch in a table, which must outlive it. Movable.
class TableEntry {
 public:
    TableEntry() = default;
    TableEntry(AllocationTable& table, const vulkan::CheckObject& object) : table_(&table), object_(object) {
        table.add(object);
    }
    TableEntry(TableEntry&& other) noexcept
        : table_(std::exchange(other.table_, nullptr)), object_(other.object_) {}
    TableEntry& operator=(TableEntry&& other) noexcept {
        std::swap(table_, other.table_);
        std::swap(object_, other.object_);
        return *this;
    }
    ~TableEntry() {
        if (table_) table_->remove(object_);
    }

 private:
    AllocationTable* table_ = nullptr;
    vulkan::CheckObject object_ = {};
};

}  // namespace caldera::runtime
