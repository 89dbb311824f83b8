// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/name_table.h"

#include <cstring>

namespace caldera::frontend {
namespace {

/// Eight bytes at a time, each multiplied into the rest. The high bits of a product depend on all of both
/// factors.
uint32_t hash_of(std::string_view text) {
    uint64_t hash = text.size();
    auto mix = [&](uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    };
    const char* at = text.data();
    size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        mix(word);
    }
    uint64_t word = 0;
    if (left >= 4) {
        uint32_t low, high;
        std::memcpy(&low, at, 4);
        std::memcpy(&high, at + left - 4, 4);
        word = low | uint64_t{high} << 32;
    } else if (left > 0) {
        auto byte = [&](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])}; };
        word = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
    }
    mix(word);
    return static_cast<uint32_t>(hash * 0x9e3779b97f4a7c15u >> 32);
}

}  // namespace

NameTable::NameTable() : names_(1), slots_(1024) {}

/// The slot that contains the name, or the free slot for it.
size_t NameTable::slot(std::string_view text, uint32_t hash) const {
    const size_t mask = slots_.size() - 1;
    size_t at = hash & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask) {
        const Name& name = names_[slots_[at]];
        if (name.hash == hash && name.text == text) break;
    }
    return at;
}

NameId NameTable::find(std::string_view text) const { return slots_[slot(text, hash_of(text))]; }

NameId NameTable::intern(std::string_view text) {
    const uint32_t hash = hash_of(text);
    NameId& name = slots_[slot(text, hash)];
    if (name != 0) return name;
    const NameId added = name = static_cast<NameId>(names_.size());
    names_.push_back({text, hash});
    if (names_.size() * 2 > slots_.size()) grow();
    return added;
}

void NameTable::grow() {
    slots_.assign(slots_.size() * 2, 0);
    size_t mask = slots_.size() - 1;
    for (size_t id = 1; id < names_.size(); ++id) {
        size_t at = names_[id].hash & mask;
        while (slots_[at] != 0) at = (at + 1) & mask;
        slots_[at] = static_cast<NameId>(id);
    }
}

}  // namespace caldera::frontend
