// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace caldera {

/// A 128-bit hash that distinguishes different data with high probability. It does not resist deliberate
/// collisions.
struct Hash128 {
    uint64_t high = 0, low = 0;
    bool operator==(const Hash128&) const = default;
};

/// Two independent sums over the 64-bit words. Each step is a bijection of the state and of the word, so a
/// change in one word always changes the result.
inline Hash128 hash128(std::span<const std::byte> bytes) {
    uint64_t a = 0x243f6a8885a308d3 ^ bytes.size(), b = 0x13198a2e03707344;
    const auto step = [&](uint64_t word) {
        a = (a ^ word) * 0x9e3779b97f4a7c15;
        a ^= a >> 32;
        b = (std::rotl(b, 29) + word) * 0xd1b54a32d192ed03;
        b ^= b >> 31;
    };
    uint64_t word = 0;
    size_t at = 0;
    for (; at + sizeof word <= bytes.size(); at += sizeof word) {
        std::memcpy(&word, bytes.data() + at, sizeof word);
        step(word);
    }
    word = 0;
    if (at < bytes.size()) std::memcpy(&word, bytes.data() + at, bytes.size() - at);
    step(word);
    step(~word);
    return {.high = a, .low = b};
}

}  // namespace caldera
