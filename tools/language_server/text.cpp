// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/text.h"

#include <algorithm>

#include "frontend/utf8.h"

namespace caldera::language_server {
namespace {

struct Step {
    size_t bytes = 1;
    uint32_t units = 1;
};

Step step_at(std::string_view text, size_t i) {
    if (static_cast<unsigned char>(text[i]) < 0x80) return {};
    const frontend::CodePoint point = frontend::decode_utf8(text, i);
    if (point.length == 0) return {};
    return {point.length, point.value > 0xFFFF ? 2u : 1u};
}

}  // namespace

LineTable::LineTable(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (size_t i = text.find_first_of("\r\n"); i != text.npos; i = text.find_first_of("\r\n", i)) {
        i += text.substr(i).starts_with("\r\n") ? 2 : 1;
        starts_.push_back(i);
    }
}

std::string_view LineTable::line(size_t number) const {
    if (number >= starts_.size()) return {};
    const size_t begin = starts_[number];
    size_t end = number + 1 < starts_.size() ? starts_[number + 1] : text_.size();
    while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    return text_.substr(begin, end - begin);
}

Position LineTable::position(size_t offset) const {
    offset = std::min(offset, text_.size());
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto number = static_cast<size_t>(after - starts_.begin() - 1);
    const std::string_view text = line(number).substr(0, offset - starts_[number]);
    return {static_cast<uint32_t>(number), utf16_length(text)};
}

size_t LineTable::offset(Position position) const {
    if (position.line >= starts_.size()) return text_.size();
    const std::string_view text = line(position.line);
    uint32_t units = 0;
    size_t at = 0;
    while (at < text.size() && units < position.character) {
        const Step step = step_at(text, at);
        if (units + step.units > position.character) break;
        units += step.units;
        at += step.bytes;
    }
    return starts_[position.line] + at;
}

uint32_t utf16_length(std::string_view text) {
    uint32_t units = 0;
    for (size_t at = 0; at < text.size();) {
        const Step step = step_at(text, at);
        units += step.units;
        at += step.bytes;
    }
    return units;
}

}  // namespace caldera::language_server
