// SPDX-License-Identifier: Apache-2.0
// The text of a file and the protocol's positions in it: lines from 0, and UTF-16 code units from 0.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::language_server {

struct Position {
    uint32_t line = 0;
    uint32_t character = 0;  ///< in UTF-16 code units
    auto operator<=>(const Position&) const = default;
};

struct Range {
    Position start = {};
    Position end = {};  ///< exclusive
    auto operator<=>(const Range&) const = default;
};

/// Finds lines. '\n', '\r' and "\r\n" end a line. Keeps a view of the text. Questions take no longer where a
/// line is long.
class LineTable {
 public:
    explicit LineTable(std::string_view text);

    /// A byte that is no UTF-8 counts as one unit. An offset beyond the end means the end.
    Position position(size_t offset) const;
    /// A position beyond a line's end means that end, and one inside a surrogate pair means before the pair.
    size_t offset(Position position) const;
    Range range(size_t begin, size_t end) const { return {position(begin), position(end)}; }
    size_t line_count() const { return starts_.size(); }
    /// Without its end.
    std::string_view line(size_t number) const;
    size_t line_start(size_t number) const { return starts_[number]; }

 private:
    /// A place in the text, and the units before it.
    struct Mark {
        size_t offset = 0;
        size_t units = 0;
    };
    size_t units_before(size_t offset) const;

    std::string_view text_;
    std::vector<size_t> starts_ = {};
    std::vector<Mark> marks_ = {};  // from the beginning on, each a little behind the one before
};

/// How many UTF-16 code units the text takes.
uint32_t utf16_length(std::string_view text);

}  // namespace caldera::language_server
