// SPDX-License-Identifier: Apache-2.0
// Maps and sets whose keys are ids, or other small numbers that are close together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/operands.h"

namespace caldera::spirv {

/// The key of IdMap and IdSet: an id, or a number that serves as one (the index of a block).
struct IdKey {
    uint32_t value;
    IdKey(Id id) : value(id.value) {}
    IdKey(uint32_t number) : value(number) {}
};

/// Maps a key to its place in a list, with open addressing, at most half full. Ids are allocated
/// consecutively, and multiples of the golden ratio are distributed evenly (Knuth, "The Art of Computer
/// Programming" 6.4).
class IdIndex {
 public:
    static constexpr uint32_t kNone = ~0u;

    uint32_t find(IdKey key) const {
        if (slots_.empty()) return kNone;
        for (uint32_t at = home(key.value);; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.place == kNone || slot.key == key.value) return slot.place;
        }
    }
    /// Returns the key's place. A new key is added at `place`, and kNone is returned.
    uint32_t find_or_add(IdKey key, uint32_t place) {
        if (2 * (size_t{place} + 1) > slots_.size()) grow();
        for (uint32_t at = home(key.value);; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.place == kNone) {
                slot = {key.value, place};
                return kNone;
            }
            if (slot.key == key.value) return slot.place;
        }
    }
    void clear() { slots_.clear(); }

 private:
    struct Slot {
        uint32_t key = 0, place = kNone;
    };
    uint32_t home(uint32_t key) const { return (key * 0x9e3779b1u) >> shift_; }
    void grow() {
        std::vector<Slot> old = std::move(slots_);
        slots_.assign(old.empty() ? 32 : old.size() * 2, Slot{});
        shift_ = old.empty() ? 27 : shift_ - 1;
        mask_ = static_cast<uint32_t>(slots_.size() - 1);
        for (const Slot& slot : old) {
            if (slot.place == kNone) continue;
            uint32_t at = home(slot.key);
            while (slots_[at].place != kNone) at = (at + 1) & mask_;
            slots_[at] = slot;
        }
    }

    std::vector<Slot> slots_ = {};
    uint32_t mask_ = 0, shift_ = 0;
};

/// A map from ids to T. It lists its entries in insertion order. References are valid until the next
/// insertion.
template <class T>
class IdMap {
 public:
    using Entry = std::pair<Id, T>;
    using iterator = typename std::vector<Entry>::iterator;
    using const_iterator = typename std::vector<Entry>::const_iterator;

    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }
    size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    void reserve(size_t count) { entries_.reserve(count); }
    void clear() {
        index_.clear();
        entries_.clear();
    }

    iterator find(IdKey key) { return at_place(*this, index_.find(key)); }
    const_iterator find(IdKey key) const { return at_place(*this, index_.find(key)); }
    bool contains(IdKey key) const { return index_.find(key) != IdIndex::kNone; }
    /// The key must exist.
    T& at(IdKey key) { return entries_.at(index_.find(key)).second; }
    const T& at(IdKey key) const { return entries_.at(index_.find(key)).second; }

    template <class... Args>
    std::pair<iterator, bool> try_emplace(IdKey key, Args&&... args) {
        const auto place = static_cast<uint32_t>(entries_.size());
        const uint32_t found = index_.find_or_add(key, place);
        if (found == IdIndex::kNone) entries_.emplace_back(Id{key.value}, T(std::forward<Args>(args)...));
        return {at_place(*this, found == IdIndex::kNone ? place : found), found == IdIndex::kNone};
    }
    template <class U>
    std::pair<iterator, bool> emplace(IdKey key, U&& value) {
        return try_emplace(key, std::forward<U>(value));
    }
    T& operator[](IdKey key) { return try_emplace(key).first->second; }

 private:
    template <class Self>
    static auto at_place(Self& self, uint32_t place) {
        return place == IdIndex::kNone ? self.end() : self.begin() + static_cast<ptrdiff_t>(place);
    }

    IdIndex index_ = {};
    std::vector<Entry> entries_ = {};
};

/// A T for each id, T{} until it is set: an array with pages of 256 entries, which are allocated when first
/// written. Use it for data about most ids of a function, which are close together; IdMap is smaller for few
/// entries.
template <class T>
class IdTable {
 public:
    const T& operator[](IdKey key) const {
        const uint32_t page = key.value / kPage;
        const bool exists = page < pages_.size() && pages_[page] != kNone;
        return exists ? entries_[pages_[page] + key.value % kPage] : nothing();
    }
    /// The entry, for writing. The reference is valid until the next call.
    T& set(IdKey key) {
        const uint32_t page = key.value / kPage;
        if (page >= pages_.size()) pages_.resize(page + 1, kNone);
        if (pages_[page] == kNone) {
            pages_[page] = static_cast<uint32_t>(entries_.size());
            entries_.resize(entries_.size() + kPage);
        }
        return entries_[pages_[page] + key.value % kPage];
    }
    void clear() {
        pages_.clear();
        entries_.clear();
    }

 private:
    static constexpr uint32_t kPage = 256, kNone = ~0u;
    static const T& nothing() {  // created on demand, because clc2spv starts in only 2 ms
        static const T& none =
            *new const T{};  // never destroyed: threads may translate while the process exits
        return none;
    }
    std::vector<uint32_t> pages_ = {};  // where each begins in entries_
    std::vector<T> entries_ = {};
};

/// A set of ids.
class IdSet {
 public:
    bool contains(IdKey key) const { return index_.find(key) != IdIndex::kNone; }
    /// Returns whether the id was added.
    bool insert(IdKey key) {
        if (index_.find_or_add(key, size_) != IdIndex::kNone) return false;
        ++size_;
        return true;
    }
    bool empty() const { return size_ == 0; }
    void clear() {
        index_.clear();
        size_ = 0;
    }

 private:
    IdIndex index_ = {};
    uint32_t size_ = 0;
};

}  // namespace caldera::spirv
