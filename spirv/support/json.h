// SPDX-License-Identifier: Apache-2.0
// Strings of JSON (RFC 8259, 7).
#pragma once

#include <string>
#include <string_view>

namespace caldera {

/// The text in quotation marks.
inline std::string json_string(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 15];
            continue;
        }
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

}  // namespace caldera
