// SPDX-License-Identifier: Apache-2.0
// UTF-8, for the lexer's identifiers and the renderer's columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caldera::frontend {

/// A code point and the bytes it took; length 0 when they are malformed.
struct CodePoint {
    size_t length = 0;
    uint32_t value = 0;
};

inline CodePoint decode_utf8(std::string_view text, size_t i) {
    auto byte = [&](size_t k) -> uint32_t { return static_cast<unsigned char>(text[k]); };
    uint32_t first = byte(i);
    size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (length == 1) return {1, first};
    if (first < 0xC2 || first > 0xF4 || i + length > text.size()) return {};
    uint32_t value = first & (0x7Fu >> length);
    for (size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xC0) != 0x80) return {};
        value = value << 6 | (byte(i + k) & 0x3F);
    }
    constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (value < kSmallest[length] || (value >= 0xD800 && value < 0xE000) || value > 0x10FFFF) return {};
    return {length, value};
}

/// The code units of UTF-16 that are halves of a pair.
constexpr bool is_high_surrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

inline void append_utf8(std::string& text, uint32_t c) {
    auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
    if (c < 0x80) {
        put(c);
    } else if (c < 0x800) {
        put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
        put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)),
            put(0x80 | (c & 0x3F));
    }
}

/// "<U+00E9>", as diagnostics name a code point.
inline std::string code_point_name(uint32_t c) {
    std::string text = "<U+";
    for (int digit = c > 0xFFFF ? 5 : 3; digit >= 0; --digit)
        text += "0123456789ABCDEF"[c >> (4 * digit) & 15];
    return text + ">";
}

}  // namespace caldera::frontend
