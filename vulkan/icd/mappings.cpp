// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/mappings.h"

#include <algorithm>

namespace caldera::icd {

/// Calls call(mapping) for each that writes to bytes of the region.
template <class F>
void Mappings::for_writes_to(const Box& box, const Size3& region, const F& call) const {
    const size_t first = box.offset < longest_ ? 0 : box.offset - longest_;
    const auto end = writes_.lower_bound(box.end(region));
    for (auto it = writes_.lower_bound(first); it != end; ++it)
        if (overlap(box, region, it->second->device, it->second->region)) call(*it->second);
}

void Mappings::insert(const Item& mapping) {
    const auto place = items_.emplace(mapping->pointer, mapping);
    if (!mapping->writes()) return;
    try {
        writes_.emplace(mapping->device.offset, mapping.get());
    } catch (...) {
        items_.erase(place);
        throw;
    }
    longest_ = std::max(longest_, mapping->device.end(mapping->region) - mapping->device.offset);
}

void Mappings::erase(Items::iterator place) noexcept {
    const auto [begin, end] = writes_.equal_range(place->second->device.offset);
    const auto write =
        std::find_if(begin, end, [&](const auto& each) { return each.second == place->second.get(); });
    if (write != end) writes_.erase(write);
    if (writes_.empty()) longest_ = 0;
    items_.erase(place);
}

void Mappings::add(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    bool collides = false;
    if (mapping->writes())
        for_writes_to(mapping->device, mapping->region, [&](const Mapping&) { collides = true; });
    require(!collides, CL_INVALID_OPERATION);
    insert(mapping);
}

void Mappings::put_back(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    insert(mapping);
}

void Mappings::remove(const Item& mapping) noexcept {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = items_.equal_range(mapping->pointer);
    const auto found = std::find_if(begin, end, [&](const auto& each) { return each.second == mapping; });
    if (found != end) erase(found);
}

Mappings::Item Mappings::take(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = items_.lower_bound(pointer);
    if (found == items_.end() || found->first != pointer) return nullptr;
    Item taken = found->second;
    erase(found);
    return taken;
}

size_t Mappings::count() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
}

void Mappings::add_written(const Box& box, const Size3& region, HostRanges& ranges) const {
    const std::lock_guard lock(mutex_);
    for_writes_to(box, region, [&](const Mapping& mapping) {
        const Box& host = mapping.host;
        for_stretches(host, host, mapping.region, [&](size_t at, size_t, size_t size) {
            ranges.add(mapping.pointer - host.offset + at, size);
        });
    });
}

}  // namespace caldera::icd
