// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/mappings.h"

#include <algorithm>

namespace caldera::icd {

// ---- MappedWrites ----

/// Calls call(mapping) for each that writes to bytes of the region. The lock is held.
template <class F>
void MappedWrites::for_each_in(const Box& box, const Size3& region, const F& call) const {
    const size_t first = box.offset < longest_ ? 0 : box.offset - longest_;
    const auto end = mappings_.lower_bound(box.end(region));
    for (auto it = mappings_.lower_bound(first); it != end; ++it)
        if (overlap(box, region, it->second->device, it->second->region)) call(*it->second);
}

void MappedWrites::add(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    mappings_.emplace(mapping->device.offset, mapping);
    longest_ = std::max(longest_, mapping->device.end(mapping->region) - mapping->device.offset);
}

void MappedWrites::remove(const Item& mapping) noexcept {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = mappings_.equal_range(mapping->device.offset);
    const auto found = std::find_if(begin, end, [&](const auto& each) { return each.second == mapping; });
    if (found != end) mappings_.erase(found);
    if (mappings_.empty()) longest_ = 0;
}

bool MappedWrites::has_any_in(const Box& box, const Size3& region) const {
    const std::lock_guard lock(mutex_);
    bool has_any = false;
    for_each_in(box, region, [&](const Mapping&) { has_any = true; });
    return has_any;
}

/// The lock is held.
void MappedWrites::add_ranges(const Box& box, const Size3& region, HostRanges& ranges) const {
    for_each_in(box, region, [&](const Mapping& mapping) {
        const Box& host = mapping.host;
        for_stretches(host, host, mapping.region, [&](size_t at, size_t, size_t size) {
            ranges.add(mapping.pointer - host.offset + at, size);
        });
    });
}

HostRanges MappedWrites::ranges(const Box& box, const Size3& region) const {
    const std::lock_guard lock(mutex_);
    HostRanges found;
    add_ranges(box, region, found);
    return found;
}

void MappedWrites::copy_around(const Box& box, const Size3& region, HostRanges left_alone,
                               const std::function<void(const HostRanges&)>& copy) const {
    const std::lock_guard lock(mutex_);
    add_ranges(box, region, left_alone);
    copy(left_alone);
}

void MappedWrites::remove_from(MappedWrites& others) const noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& [offset, mapping] : mappings_) others.remove(mapping);
}

// ---- Mappings ----

Mappings::~Mappings() {
    if (!shared_) return;
    writes_.remove_from(shared_->called);
    begun_.remove_from(shared_->begun);
    begun_.remove_from(shared_->held);
}

void Mappings::share_writes(const std::shared_ptr<StorageWrites>& writes, bool holds) {
    const std::lock_guard lock(mutex_);
    shared_ = writes;
    holds_ = holds;
}

void Mappings::insert(const Item& mapping) {
    const auto place = items_.emplace(mapping->pointer, mapping);
    if (!mapping->writes()) return;
    try {
        writes_.add(mapping);
        if (shared_ && !may_overlap_) shared_->called.add(mapping);
    } catch (...) {
        erase(place);
        throw;
    }
}

void Mappings::erase(Items::iterator place) noexcept {
    writes_.remove(place->second);
    if (shared_) shared_->called.remove(place->second);
    items_.erase(place);
}

/// The program does not write to the mapping's bytes any more.
void Mappings::forget(const Item& mapping) noexcept {
    mapping->state = MapState::Over;
    begun_.remove(mapping);
    if (!shared_) return;
    shared_->begun.remove(mapping);
    shared_->held.remove(mapping);
}

void Mappings::add(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    const MappedWrites& others = shared_ ? shared_->called : writes_;
    const bool checks = mapping->writes() && !may_overlap_;
    require(!(checks && others.has_any_in(mapping->device, mapping->region)), CL_INVALID_OPERATION);
    insert(mapping);
}

void Mappings::put_back(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    if (mapping->state != MapState::Over) insert(mapping);
}

void Mappings::remove(const Item& mapping) noexcept {
    const std::lock_guard lock(mutex_);
    forget(mapping);
    const auto [begin, end] = items_.equal_range(mapping->pointer);
    const auto found = std::find_if(begin, end, [&](const auto& each) { return each.second == mapping; });
    if (found != end) erase(found);
}

Mappings::Item Mappings::take(const void* pointer, const void* queue, bool may_follow) {
    const std::lock_guard lock(mutex_);
    const auto [begin, end] = items_.equal_range(pointer);
    if (begin == end) return nullptr;
    const auto is_likely = [&](const auto& each) {
        return may_follow || each.second->state == MapState::Arrived;
    };
    const auto is_own = [&](const auto& each) { return is_likely(each) && each.second->queue == queue; };
    auto found = std::find_if(begin, end, is_own);
    if (found == end) found = std::find_if(begin, end, is_likely);
    if (found == end) found = begin;
    Item taken = found->second;
    erase(found);
    return taken;
}

void Mappings::begin(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    if (mapping->state == MapState::Over) return;
    if (mapping->writes()) {
        const MappedWrites& others = shared_ ? shared_->begun : begun_;
        require(may_overlap_ || !others.has_any_in(mapping->device, mapping->region), CL_INVALID_OPERATION);
        begun_.add(mapping);
        if (shared_ && !may_overlap_) shared_->begun.add(mapping);
    }
    mapping->state = MapState::Begun;
}

void Mappings::arrive(const Item& mapping) {
    const std::lock_guard lock(mutex_);
    if (mapping->state == MapState::Over) return;
    if (mapping->writes() && holds_) shared_->held.add(mapping);
    mapping->state = MapState::Arrived;
}

bool Mappings::has_arrived(const Item& mapping) const {
    const std::lock_guard lock(mutex_);
    return mapping->state == MapState::Arrived;
}

void Mappings::end(const Item& mapping) noexcept {
    const std::lock_guard lock(mutex_);
    forget(mapping);
}

size_t Mappings::count() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
}

}  // namespace caldera::icd
