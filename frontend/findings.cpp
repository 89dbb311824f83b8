// SPDX-License-Identifier: Apache-2.0
// Diagnostics as findings: every place with its line and its columns, macros and includes as places.
#include <algorithm>
#include <unordered_map>

#include "frontend/diag.h"
#include "frontend/display.h"
#include "frontend/macro_uses.h"
#include "frontend/utf8.h"

namespace caldera::frontend {
namespace {

constexpr size_t kMaxMacroNotes = 16;  // of a place: deeper macros are those of a program that makes macros

/// The columns before which each byte of a line stands, from 0, and one more.
struct Columns {
    std::vector<uint32_t> character = {};
    std::vector<size_t> cell = {};
};

Columns columns_of(std::string_view line) {
    Columns columns{.cell = display(line).column_of_byte};
    uint32_t characters = 0;
    for (size_t i = 0; i < line.size(); ++characters) {
        const size_t length = std::max<size_t>(decode_utf8(line, i).length, 1);
        columns.character.insert(columns.character.end(), length, characters);
        i += length;
    }
    columns.character.push_back(characters);
    return columns;
}

class Finder {
 public:
    explicit Finder(const SourceManager& sources) : sources_(sources) {}

    Finding finding(const Diagnostic& diagnostic);

 private:
    TextPosition position(const PresumedLoc& place);
    TextRange range(SourceRange range);
    void add_note(Finding& finding, SourceRange where, std::string text) {
        finding.notes.push_back({range(where), std::move(text)});
    }
    void add_macros(Finding& finding, SourceRange where);

    const SourceManager& sources_;
    std::unordered_map<const char*, Columns> columns_ = {};  // by the line's text, which does not move
};

TextPosition Finder::position(const PresumedLoc& place) {
    const auto [found, is_new] = columns_.try_emplace(place.line_text.data());
    if (is_new) found->second = columns_of(place.line_text);
    const Columns& columns = found->second;
    const size_t before = std::min<size_t>(place.column - 1, place.line_text.size());
    return {.line = place.line,
            .byte = place.column,
            .character = columns.character[before] + 1,
            .cell = static_cast<uint32_t>(columns.cell[before]) + 1};
}

TextRange Finder::range(SourceRange given) {
    if (!given) return {};
    const SourceRange in_file = range_in_file(given, sources_);
    const PresumedLoc begin = sources_.presumed(in_file.begin);
    TextRange result{.file = std::string(begin.file), .begin = position(begin)};
    result.end = result.begin;
    if (in_file.end.offset <= in_file.begin.offset) return result;
    const PresumedLoc end = sources_.presumed(in_file.end);
    if (end.file == begin.file && end.line >= begin.line) result.end = position(end);
    return result;
}

void Finder::add_macros(Finding& finding, SourceRange where) {
    const std::vector<MacroUse> uses = macro_uses(where, sources_);
    for (size_t i = 0; i < uses.size() && i < kMaxMacroNotes; ++i)
        add_note(finding, uses[i].in_definition, "expanded from macro '" + std::string(uses[i].name) + "'");
}

Finding::Level level_of(Severity severity) {
    switch (severity) {
        case Severity::Ignored:
        case Severity::Note: return Finding::Level::Note;
        case Severity::Warning: return Finding::Level::Warning;
        case Severity::Error: return Finding::Level::Error;
        case Severity::Fatal: return Finding::Level::FatalError;
    }
    return Finding::Level::Error;
}

Finding Finder::finding(const Diagnostic& diagnostic) {
    Finding result{.level = level_of(diagnostic.severity), .text = diagnostic.text};
    constexpr std::string_view kPromoted = "-Werror,";
    result.is_promoted = diagnostic.flag.starts_with(kPromoted);
    result.rule = diagnostic.flag.substr(result.is_promoted ? kPromoted.size() : 0);
    result.place = range(diagnostic.range);
    for (const SourceRange highlight : diagnostic.highlights)
        if (TextRange each = range(highlight);
            each != result.place && std::ranges::find(result.highlights, each) == result.highlights.end())
            result.highlights.push_back(std::move(each));
    if (diagnostic.range)
        for (SourceLoc loc = sources_.presumed(diagnostic.range.begin).included_from; loc;
             loc = sources_.presumed(loc).included_from)
            result.included_from.push_back(range({loc, loc}));
    add_macros(result, diagnostic.range);
    for (const Note& note : diagnostic.notes) {
        add_note(result, note.range, note.text);
        add_macros(result, note.range);
    }
    if (can_edit(diagnostic.fixits, sources_))
        for (const FixIt& fix : diagnostic.fixits) result.edits.push_back({range(fix.replace), fix.text});
    return result;
}

}  // namespace

std::vector<Finding> as_findings(const Diagnostics& diagnostics, const SourceManager& sources) {
    Finder finder(sources);
    std::vector<Finding> findings;
    for (const Diagnostic& diagnostic : diagnostics.all()) findings.push_back(finder.finding(diagnostic));
    return findings;
}

}  // namespace caldera::frontend
