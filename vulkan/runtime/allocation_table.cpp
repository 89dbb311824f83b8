// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/allocation_table.h"

#include <algorithm>

namespace caldera::runtime {
namespace {

constexpr size_t kMaxRemoved = 4096;

bool contains(const vulkan::CheckObject& object, uint64_t address) {
    return address - object.begin < object.size_bytes;
}

}  // namespace

void AllocationTable::add(const vulkan::CheckObject& object) {
    const std::lock_guard lock(mutex_);
    sizes_.emplace(object.begin, object.size_bytes);
    forget(object);
}

void AllocationTable::take(const vulkan::CheckObject& object) {
    const std::lock_guard lock(mutex_);
    forget(object);
}

void AllocationTable::forget(const vulkan::CheckObject& object) {
    std::erase_if(removed_, [&](const vulkan::CheckObject& freed) {
        return object.begin < freed.begin + freed.size_bytes &&
               freed.begin < object.begin + object.size_bytes;
    });
}

void AllocationTable::remove(const vulkan::CheckObject& object) {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = sizes_.equal_range(object.begin);
    const auto found =
        std::find_if(first, last, [&](const auto& each) { return each.second == object.size_bytes; });
    if (found == last) return;
    sizes_.erase(found);
    try {
        removed_.push_back(object);
        if (removed_.size() > kMaxRemoved) removed_.pop_front();
    } catch (const std::bad_alloc&) {  // a report will say less
    }
}

std::vector<vulkan::CheckObject> AllocationTable::all() const {
    std::vector<vulkan::CheckObject> objects;
    {
        const std::lock_guard lock(mutex_);
        objects.reserve(sizes_.size());
        for (const auto& [begin, size] : sizes_) objects.push_back({begin, size});
    }
    return joined(std::move(objects));
}

std::optional<vulkan::CheckObject> AllocationTable::find(uint64_t address) const {
    std::optional<vulkan::CheckObject> smallest;
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, size] : sizes_) {
        if (begin > address) break;
        if (contains({begin, size}, address) && (!smallest || size < smallest->size_bytes))
            smallest = vulkan::CheckObject{begin, size};
    }
    return smallest;
}

std::optional<vulkan::CheckObject> AllocationTable::find_removed(uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(removed_.rbegin(), removed_.rend(),
                     [&](const vulkan::CheckObject& object) { return contains(object, address); });
    return found == removed_.rend() ? std::nullopt : std::optional(*found);
}

std::optional<vulkan::CheckObject> AllocationTable::nearest(uint64_t address) const {
    std::optional<vulkan::CheckObject> best;
    uint64_t best_distance = ~uint64_t{0};
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, size] : sizes_) {
        const uint64_t distance = begin > address ? begin - address : address - begin - size;
        if (distance < best_distance) best = vulkan::CheckObject{begin, size};
        best_distance = std::min(best_distance, distance);
    }
    return best;
}

std::vector<vulkan::CheckObject> joined(std::vector<vulkan::CheckObject> objects) {
    std::ranges::sort(objects, {}, &vulkan::CheckObject::begin);
    std::vector<vulkan::CheckObject> out;
    for (const vulkan::CheckObject& object : objects) {
        if (object.size_bytes == 0) continue;
        if (!out.empty() && object.begin - out.back().begin < out.back().size_bytes)
            out.back().size_bytes =
                std::max(out.back().size_bytes, object.begin - out.back().begin + object.size_bytes);
        else
            out.push_back(object);
    }
    return out;
}

}  // namespace caldera::runtime
