// SPDX-License-Identifier: Apache-2.0
// What generate.py's kernels are called with, on every implementation: sizes in elements, contents before,
// digest after.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

namespace differential {

inline constexpr uint32_t kGlobal = 64, kLocal = 16;
inline constexpr uint32_t kOut = kGlobal * 2, kData = kGlobal * 128, kTable = 64, kScope = kGlobal * 8;
inline constexpr uint32_t kDynamicBytes = kLocal * 8 * 8;

/// Words that look random and are the same everywhere.
inline std::vector<uint32_t> contents(uint32_t count) {
    std::vector<uint32_t> words(count);
    for (uint32_t i = 0; i < count; ++i) words[i] = (i + 1) * 2654435761u ^ i * i;
    return words;
}

/// The argument that is passed by value: 48 bytes, of which the float is no denormal and no NaN.
inline std::vector<uint32_t> given() {
    std::vector<uint32_t> words = contents(12);
    words[8] = 0xc0b40000;  // -5.625f
    return words;
}

/// The buffers in the kernel's order of arguments; `dynamic` and `given` follow them.
inline std::vector<std::vector<uint32_t>> buffers() {
    return {std::vector<uint32_t>(kOut), contents(kData), contents(kTable), std::vector<uint32_t>(kScope)};
}

/// FNV-1a over the words.
inline uint64_t digest(std::span<const uint32_t> words, uint64_t hash = 0xcbf29ce484222325) {
    for (uint32_t word : words)
        for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (word >> shift & 0xff)) * 0x100000001b3;
    return hash;
}

/// The words of out and data, a work-item's part a line.
inline void print(const std::vector<std::vector<uint32_t>>& contents) {
    for (size_t buffer : {0, 1})
        for (size_t i = 0; i < contents[buffer].size(); ++i)
            std::printf("%x%c", contents[buffer][i],
                        (i + 1) % (contents[buffer].size() / kGlobal) ? ' ' : '\n');
}

}  // namespace differential
