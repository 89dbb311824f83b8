// SPDX-License-Identifier: Apache-2.0
// Phases 1 and 2 of C99 5.1.1.2: trigraphs and line splices.
#include <algorithm>
#include <string>

#include "frontend/lex/lexer.h"

namespace caldera::frontend {
namespace {

/// C99 5.2.1.1; 0 when ??c is no trigraph.
char trigraph(char c) {
    constexpr std::string_view kFrom = "=/'()!<>-", kTo = "#\\^[]|{}~";
    size_t i = kFrom.find(c);
    return i == std::string_view::npos || c == '\0' ? '\0' : kTo[i];
}

/// The length of a splice's newline after a backslash at text[i - 1], blanks before the newline included (as
/// clang and gcc take them); 0 when it is no splice.
size_t newline_after(std::string_view text, size_t i) {
    size_t at = i;
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    if (at >= text.size()) return 0;
    if (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n') return at + 2 - i;
    return text[at] == '\n' || text[at] == '\r' ? at + 1 - i : 0;
}

bool is_clean(std::string_view text) {
    for (size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1))
        if (newline_after(text, at + 1) != 0) return false;
    for (size_t at = text.find("??"); at != std::string_view::npos; at = text.find("??", at + 1))
        if (at + 2 < text.size() && trigraph(text[at + 2])) return false;
    return true;
}

}  // namespace

CleanText::CleanText(std::string_view text, SourceLoc start, Arena& arena)
    : text_(text), original_(text), start_(start) {
    if (is_clean(text)) return;
    std::string clean;
    clean.reserve(text.size() + 1);
    uint32_t left_out = 0;
    auto leave_out = [&](size_t bytes) {
        left_out += static_cast<uint32_t>(bytes);
        shifts_.push_back({static_cast<uint32_t>(clean.size()), left_out});
    };
    // Text without splices and trigraphs is copied in long pieces.
    size_t backslash = text.find('\\'), question = text.find('?');
    for (size_t i = 0; i < text.size();) {
        if (backslash < i) backslash = text.find('\\', i);
        if (question < i) question = text.find('?', i);
        size_t stretch = std::min({backslash, question, text.size()}) - i;
        clean.append(text, i, stretch);
        i += stretch;
        if (i == text.size()) break;
        char c = text[i];
        size_t length = 1;
        if (c == '?' && i + 2 < text.size() && text[i + 1] == '?' && trigraph(text[i + 2])) {
            c = trigraph(text[i + 2]);
            length = 3;
            trigraphs_.push_back({clean.size(), {start.offset + static_cast<uint32_t>(i)}, c});
        }
        size_t newline = c == '\\' ? newline_after(text, i + length) : 0;
        if (newline != 0) {
            leave_out(length + newline);
        } else {
            clean += c;
            if (length > 1) leave_out(length - 1);
        }
        i += length + newline;
    }
    clean += '\0';
    text_ = arena.copy(std::string_view(clean));
    text_.remove_suffix(1);
}

std::optional<CleanText::Splice> CleanText::splice_between(size_t begin, size_t end) const {
    auto shift = std::upper_bound(shifts_.begin(), shifts_.end(), begin,
                                  [](size_t o, const Shift& s) { return o < s.clean; });
    for (; shift != shifts_.end() && shift->clean < end; ++shift) {
        size_t at = shift->clean + (shift == shifts_.begin() ? 0 : (shift - 1)->added);
        if (original_.substr(at, 3) == "\?\?/")
            at += 2;
        else if (original_[at] != '\\')
            continue;  // a trigraph
        return Splice{shift->clean, {start_.offset + static_cast<uint32_t>(at)}};
    }
    return std::nullopt;
}

void CleanText::find_stretch(size_t offset) const {
    auto after = std::upper_bound(shifts_.begin(), shifts_.end(), offset,
                                  [](size_t o, const Shift& s) { return o < s.clean; });
    stretch_begin_ = after == shifts_.begin() ? 0 : (after - 1)->clean;
    added_ = after == shifts_.begin() ? 0 : (after - 1)->added;
    size_t end = after == shifts_.end() ? text_.size() + 1 : after->clean;
    stretch_length_ = end - stretch_begin_;
}

}  // namespace caldera::frontend
