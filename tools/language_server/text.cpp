// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/text.h"

#include <algorithm>
#include <iterator>

#include "frontend/utf8.h"

namespace caldera::language_server {
namespace {

constexpr size_t kMarkBytes = 256;

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
    Mark now;
    for (marks_.push_back(now); now.offset < text.size();) {
        const Step step = step_at(text, now.offset);
        now.offset += step.bytes;
        now.units += step.units;
        if (now.offset - marks_.back().offset >= kMarkBytes) marks_.push_back(now);
    }
}

size_t LineTable::units_before(size_t offset) const {
    const Mark& mark = *std::prev(std::ranges::upper_bound(marks_, offset, {}, &Mark::offset));
    return mark.units + utf16_length(text_.substr(mark.offset, offset - mark.offset));
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
    const size_t in_line = std::min(offset, starts_[number] + line(number).size());
    return {static_cast<uint32_t>(number),
            static_cast<uint32_t>(units_before(in_line) - units_before(starts_[number]))};
}

size_t LineTable::offset(Position position) const {
    if (position.line >= starts_.size()) return text_.size();
    const size_t begin = starts_[position.line], end = begin + line(position.line).size();
    const size_t wanted = units_before(begin) + position.character;
    Mark now = *std::prev(std::ranges::upper_bound(marks_, wanted, {}, &Mark::units));
    if (now.offset < begin) now = {.offset = begin, .units = wanted - position.character};
    while (now.offset < end && now.units < wanted) {
        const Step step = step_at(text_, now.offset);
        if (now.units + step.units > wanted) break;
        now.units += step.units;
        now.offset += step.bytes;
    }
    return std::min(now.offset, end);
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
