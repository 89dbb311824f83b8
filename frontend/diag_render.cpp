// SPDX-License-Identifier: Apache-2.0
// The caret text, in clang's form: place, severity, sentence, flag, the source line, ^ and ~, fix-its, and
// back-traces of includes and macros.
#include <algorithm>
#include <optional>

#include "frontend/diag.h"
#include "frontend/display.h"
#include "frontend/macro_uses.h"

namespace caldera::frontend {
namespace {

constexpr size_t kMaxLineToPrint = 4096;  // longer lines are data, not something that a person reads
constexpr size_t kMacroBacktraceLimit = 6;

/// As clang escapes the texts of -fdiagnostics-parseable-fixits.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\\')
            result += "\\\\";
        else if (c == '\t')
            result += "\\t";
        else if (c == '\n')
            result += "\\n";
        else if (c == '"')
            result += "\\\"";
        else if (byte >= 0x20 && byte < 0x7F)
            result += c;
        else
            result += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                       static_cast<char>('0' + (byte & 7))};
    }
    return result;
}

class Renderer {
 public:
    Renderer(const SourceManager& sources, bool colour, bool parseable_fixits = false)
        : sources_(sources), colour_(colour), parseable_fixits_(parseable_fixits) {}

    void diagnostic(const Diagnostic& d) {
        message(d.severity, d.range, d.text, d.flag, d.highlights, d.fixits);
        if (parseable_fixits_) fixits_for_programs(d.fixits);
        for (const Note& note : d.notes) message(Severity::Note, note.range, note.text, {}, {}, {});
    }
    std::string take() { return std::move(out_); }

 private:
    void message(Severity severity, SourceRange range, std::string_view text, std::string_view flag,
                 const std::vector<SourceRange>& highlights, const std::vector<FixIt>& fixits);
    void include_stack(SourceLoc included_from, bool print);
    void heading(Severity severity, const PresumedLoc* place, std::string_view text, std::string_view flag);
    void snippet(const PresumedLoc& place, SourceLoc caret, SourceRange range,
                 const std::vector<SourceRange>& highlights, const std::vector<FixIt>& fixits);
    void macro_notes(SourceRange range);
    void fixits_for_programs(const std::vector<FixIt>& fixits);
    SourceRange in_file(SourceRange range) const { return range_in_file(range, sources_); }
    void style(const char* code) {
        if (colour_) out_ += code;
    }

    const SourceManager& sources_;
    bool colour_, parseable_fixits_;
    std::string out_ = {};
    SourceLoc last_include_ = {};
    SourceRange last_range_ = {};
    Severity last_severity_ = Severity::Ignored;
};

constexpr const char* kBold = "\033[1m";
constexpr const char* kReset = "\033[0m";
constexpr const char* kGreen = "\033[0;1;32m";

void Renderer::message(Severity severity, SourceRange range, std::string_view text, std::string_view flag,
                       const std::vector<SourceRange>& highlights, const std::vector<FixIt>& fixits) {
    if (!range) {
        heading(severity, nullptr, text, flag);
        last_severity_ = severity;
        return;
    }
    PresumedLoc place = sources_.presumed(range.begin);
    include_stack(place.included_from, severity != Severity::Note);
    heading(severity, &place, text, flag);
    // Two messages about the same place show the source line only once.
    bool again = range == last_range_ && highlights.empty() && fixits.empty() &&
                 (last_severity_ != Severity::Note || severity == last_severity_);
    last_range_ = range;
    last_severity_ = severity;
    if (!again) {
        std::vector<SourceRange> underlined;
        for (SourceRange h : highlights) underlined.push_back(in_file(h));
        std::vector<FixIt> edits;
        for (const FixIt& f : fixits)
            if (!sources_.is_macro(f.replace.begin) && !sources_.is_macro(f.replace.end)) edits.push_back(f);
        snippet(place, sources_.expansion(range.begin), in_file(range), underlined, edits);
    }
    macro_notes(range);
}

void Renderer::include_stack(SourceLoc included_from, bool print) {
    if (included_from == last_include_) return;
    last_include_ = included_from;
    if (!print) return;
    std::vector<std::string> lines;
    for (SourceLoc loc = included_from; loc;) {
        PresumedLoc place = sources_.presumed(loc);
        lines.push_back("In file included from " + printable(place.file) + ":" + std::to_string(place.line) +
                        ":\n");
        loc = place.included_from;
    }
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) out_ += *line;
}

void Renderer::heading(Severity severity, const PresumedLoc* place, std::string_view text,
                       std::string_view flag) {
    style(kBold);
    if (place)
        out_ += printable(place->file) + ":" + std::to_string(place->line) + ":" +
                std::to_string(place->column) + ": ";
    switch (severity) {
        case Severity::Ignored: break;
        case Severity::Note: style("\033[0;1;36m"), out_ += "note: "; break;
        case Severity::Warning: style("\033[0;1;35m"), out_ += "warning: "; break;
        case Severity::Error: style("\033[0;1;31m"), out_ += "error: "; break;
        case Severity::Fatal: style("\033[0;1;31m"), out_ += "fatal error: "; break;
    }
    style(kReset);
    if (severity != Severity::Note) style(kBold);
    out_ += printable(text);
    if (!flag.empty()) {
        out_ += " [";
        out_ += flag;
        out_ += "]";
    }
    style(kReset);
    out_ += "\n";
}

/// The bytes [begin, end) of the line that a range covers; nothing if it does not touch the line.
struct Span {
    size_t begin, end;
};
std::optional<Span> on_line(SourceRange range, SourceLoc line_begin, size_t line_size) {
    uint64_t first = line_begin.offset, last = first + line_size;
    if (!range || range.end.offset < range.begin.offset || range.begin.offset > last ||
        range.end.offset <= first)
        return std::nullopt;
    Span span{range.begin.offset > first ? range.begin.offset - size_t{line_begin.offset} : 0,
              std::min<size_t>(range.end.offset - size_t{line_begin.offset}, line_size)};
    if (span.begin >= span.end) return std::nullopt;
    return span;
}

/// The line of replacement texts below the carets.
std::string fixit_line(const std::vector<FixIt>& fixits, SourceLoc line_begin, const DisplayLine& shown) {
    std::string line;
    size_t size = shown.column_of_byte.size() - 1;
    for (const FixIt& fix : fixits) {
        uint32_t at = fix.replace.begin.offset;
        if (at < line_begin.offset || at > line_begin.offset + size) continue;
        if (fix.text.find_first_of("\n\t") != std::string::npos) continue;
        size_t column = shown.column_of_byte[at - line_begin.offset];
        if (!line.empty() && column < line.size()) column = line.size() + 1;
        if (fix.text.empty()) continue;
        line.resize(std::max(line.size(), column), ' ');
        line += fix.text;
    }
    return line;
}

void Renderer::snippet(const PresumedLoc& place, SourceLoc caret, SourceRange range,
                       const std::vector<SourceRange>& highlights, const std::vector<FixIt>& fixits) {
    std::string_view text = place.line_text;
    if (text.size() > kMaxLineToPrint) return;
    DisplayLine shown = display(text);
    SourceLoc line_begin{caret.offset - (place.column - 1)};

    std::string marks(shown.column_of_byte.back() + 1, ' ');
    auto underline = [&](SourceRange r) {
        std::optional<Span> span = on_line(r, line_begin, text.size());
        if (!span) return;
        while (span->end > span->begin && (text[span->end - 1] == ' ' || text[span->end - 1] == '\t'))
            --span->end;
        while (span->begin < span->end && (text[span->begin] == ' ' || text[span->begin] == '\t'))
            ++span->begin;
        for (size_t c = shown.column_of_byte[span->begin]; c < shown.column_of_byte[span->end]; ++c)
            marks[c] = '~';
    };
    underline(range);
    for (SourceRange h : highlights) underline(h);
    for (const FixIt& f : fixits)
        if (f.replace.begin != f.replace.end) underline(f.replace);
    marks[shown.column_of_byte[std::min<size_t>(place.column - 1, text.size())]] = '^';
    marks.erase(marks.find_last_not_of(' ') + 1);

    out_ += shown.text + "\n";
    style(kGreen);
    out_ += marks;
    style(kReset);
    out_ += "\n";
    std::string edits = fixit_line(fixits, line_begin, shown);
    if (edits.empty()) return;
    style("\033[0;32m");
    out_ += printable(edits);
    style(kReset);
    out_ += "\n";
}

/// "expanded from macro 'M'", a note for each macro between the file and the place, the outermost first.
void Renderer::macro_notes(SourceRange range) {
    const std::vector<MacroUse> uses = macro_uses(range, sources_);
    const size_t depth = uses.size();
    for (size_t level = 0; level < depth; ++level) {  // from the file inwards
        if (depth > kMacroBacktraceLimit && level == kMacroBacktraceLimit / 2) {
            size_t skipped = depth - kMacroBacktraceLimit;
            heading(Severity::Note, nullptr,
                    "(skipping " + std::to_string(skipped) + " expansions in backtrace)", {});
            level += skipped;
        }
        const SourceRange in_definition = uses[level].in_definition;
        PresumedLoc place = sources_.presumed(in_definition.begin);
        include_stack(place.included_from, false);
        heading(Severity::Note, &place, "expanded from macro '" + std::string(uses[level].name) + "'", {});
        snippet(place, in_definition.begin, in_definition, {}, {});
    }
}

/// -fdiagnostics-parseable-fixits, as clang prints them; none where a macro put the text in.
void Renderer::fixits_for_programs(const std::vector<FixIt>& fixits) {
    if (!can_edit(fixits, sources_)) return;
    for (const FixIt& fix : fixits) {
        const PresumedLoc begin = sources_.presumed(fix.replace.begin);
        const PresumedLoc end = sources_.presumed(fix.replace.end);
        const auto position = [](const PresumedLoc& place) {
            return std::to_string(place.line) + ":" + std::to_string(place.column);
        };
        out_ += "fix-it:\"" + escaped(begin.file) + "\":{" + position(begin) + "-" + position(end) + "}:\"" +
                escaped(fix.text) + "\"\n";
    }
}

}  // namespace

std::string render(const Diagnostics& diagnostics, const SourceManager& sources, bool colour) {
    Renderer renderer(sources, colour, diagnostics.parseable_fixits());
    for (const Diagnostic& diagnostic : diagnostics.all()) renderer.diagnostic(diagnostic);
    return renderer.take();
}

std::string render(const Diagnostic& diagnostic, const SourceManager& sources, bool colour) {
    Renderer renderer(sources, colour);
    renderer.diagnostic(diagnostic);
    return renderer.take();
}

std::vector<caldera::Diagnostic> as_data(const Diagnostics& diagnostics, const SourceManager& sources) {
    std::vector<caldera::Diagnostic> out;
    const auto add = [&](caldera::Severity severity, SourceRange range, const std::string& text,
                         std::string_view flag) {
        caldera::Diagnostic each{.severity = severity, .text = text, .flag = std::string(flag)};
        if (range) {
            const PresumedLoc place = sources.presumed(range.begin);
            each.file = place.file;
            each.line = place.line;
            each.column = place.column;
        }
        out.push_back(std::move(each));
    };
    for (const Diagnostic& diagnostic : diagnostics.all()) {
        const bool is_warning = diagnostic.severity == Severity::Warning;
        add(is_warning ? caldera::Severity::Warning : caldera::Severity::Error, diagnostic.range,
            diagnostic.text, diagnostic.flag);
        for (const Note& note : diagnostic.notes) add(caldera::Severity::Note, note.range, note.text, {});
    }
    return out;
}

}  // namespace caldera::frontend
