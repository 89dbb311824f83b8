// SPDX-License-Identifier: Apache-2.0
#include "frontend/display.h"

#include <algorithm>

#include "frontend/utf8.h"

namespace caldera::frontend {
namespace {

constexpr size_t kTabStop = 8;

bool is_printable(uint32_t c) {
    return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && c != 0xAD && !(c >= 0x200B && c <= 0x200F) &&
           !(c >= 0x2028 && c <= 0x202E) && !(c >= 0x2060 && c <= 0x206F) && c != 0xFEFF &&
           !(c >= 0xE000 && c <= 0xF8FF) && c < 0xE0000;
}

size_t width(uint32_t c) {
    if (c >= 0x300 && c <= 0x36F) return 0;  // combining marks
    bool wide =
        (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
        (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
        (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
}

std::string byte_name(char byte) {
    auto value = static_cast<unsigned char>(byte);
    return {'<', "0123456789ABCDEF"[value >> 4], "0123456789ABCDEF"[value & 15], '>'};
}

}  // namespace

DisplayLine display(std::string_view line) {
    DisplayLine result;
    result.column_of_byte.reserve(line.size() + 1);
    size_t column = 0;
    for (size_t i = 0; i < line.size();) {
        CodePoint c = decode_utf8(line, i);
        size_t length = std::max<size_t>(c.length, 1);
        for (size_t k = 0; k < length; ++k) result.column_of_byte.push_back(column);
        std::string shown;
        size_t columns = 0;
        if (line[i] == '\t')
            shown.assign(kTabStop - column % kTabStop, ' ');
        else if (c.length == 0)
            shown = byte_name(line[i]);
        else if (!is_printable(c.value))
            shown = code_point_name(c.value);
        else {
            shown = std::string(line.substr(i, length));
            columns = width(c.value);
        }
        bool as_it_is = c.length != 0 && line[i] != '\t' && is_printable(c.value);
        column += as_it_is ? columns : shown.size();
        result.text += shown;
        i += length;
    }
    result.column_of_byte.push_back(column);
    return result;
}

std::string printable(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size();) {
        CodePoint c = decode_utf8(text, i);
        if (c.length == 0)
            result += byte_name(text[i]);
        else if (c.value != '\n' && c.value != '\t' && !is_printable(c.value))
            result += code_point_name(c.value);
        else
            result += text.substr(i, c.length);
        i += std::max<size_t>(c.length, 1);
    }
    return result;
}

}  // namespace caldera::frontend
