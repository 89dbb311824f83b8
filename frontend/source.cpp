// SPDX-License-Identifier: Apache-2.0
#include "frontend/source.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "spirv/support/files.h"

namespace caldera::frontend {
namespace {

struct LineDirective {
    uint32_t offset = 0;         // of the directive, in the file
    uint32_t line = 0;           // that the next physical line has
    uint32_t physical_line = 0;  // of the directive, from 0
    std::string file = {};       // empty: the file's own name
};

struct File {
    std::string name = {};
    std::string text = {};
    uint32_t start = 0;
    SourceLoc included_from = {};
    mutable std::vector<uint32_t> line_starts = {};  // filled when first asked for
    std::vector<LineDirective> line_directives = {};
};

/// A part of the offset space: a file, or one expansion of a macro.
struct Stretch {
    uint32_t start = 0;
    int32_t file = -1;  // index into files, or -1 for an expansion
    SourceLoc spelled = {};
    SourceLoc expanded_at = {};
    SourceLoc expanded_end = {};
    SourceLoc in_file = {};  // of expanded_at, out of all macros
    const char* macro_name = nullptr;
    uint32_t macro_name_size = 0;
};

// '\n', '\r' and "\r\n" end a line, as they do for the lexer.
void find_lines(const File& file) {
    if (!file.line_starts.empty()) return;
    file.line_starts.push_back(0);
    const std::string& text = file.text;
    auto ends_at = [&](size_t last) { file.line_starts.push_back(static_cast<uint32_t>(last + 1)); };
    size_t carriage_return = text.find('\r');
    for (size_t from = 0;;) {
        const size_t newline = text.find('\n', from);
        for (; carriage_return < newline; carriage_return = text.find('\r', carriage_return + 1))
            if (carriage_return + 1 != newline) ends_at(carriage_return);
        if (newline == std::string::npos) return;
        ends_at(newline);
        from = newline + 1;
    }
}

uint32_t physical_line(const File& file, uint32_t offset) {
    find_lines(file);
    auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
    return static_cast<uint32_t>(after - file.line_starts.begin() - 1);
}

std::string_view line_text(const File& file, uint32_t line) {
    uint32_t begin = file.line_starts[line];
    uint32_t end = line + 1 < file.line_starts.size() ? file.line_starts[line + 1]
                                                      : static_cast<uint32_t>(file.text.size());
    while (end > begin && (file.text[end - 1] == '\n' || file.text[end - 1] == '\r')) --end;
    return std::string_view(file.text).substr(begin, end - begin);
}

}  // namespace

struct SourceManager::Impl {
    std::deque<File> files = {};
    std::vector<Stretch> stretches = {};  // by start
    uint64_t next = 1;
    mutable size_t last = 0;  // the stretch that was found last: most questions are about one place

    bool has_room(uint64_t length) const { return next + length < std::numeric_limits<uint32_t>::max(); }

    const Stretch* find(SourceLoc loc) const {
        if (!loc || stretches.empty()) return nullptr;
        auto holds = [&](size_t i) {
            return stretches[i].start <= loc.offset &&
                   (i + 1 == stretches.size() || loc.offset < stretches[i + 1].start);
        };
        if (last < stretches.size() && holds(last)) return &stretches[last];
        auto after = std::upper_bound(stretches.begin(), stretches.end(), loc.offset,
                                      [](uint32_t offset, const Stretch& s) { return offset < s.start; });
        last = static_cast<size_t>(after - stretches.begin() - 1);
        return &stretches[last];
    }
    const Stretch* find_expansion(SourceLoc loc) const {
        const Stretch* stretch = find(loc);
        return stretch && stretch->file < 0 ? stretch : nullptr;
    }
    const File* find_file(SourceLoc loc) const {
        const Stretch* stretch = find(loc);
        return stretch && stretch->file >= 0 ? &files[static_cast<size_t>(stretch->file)] : nullptr;
    }
};

SourceManager::SourceManager() : impl_(std::make_unique<Impl>()) {}
SourceManager::~SourceManager() = default;

std::optional<std::string> read_text_file(const std::string& name) {
    return is_regular_file(name) ? read_file(name) : std::nullopt;
}

SourceLoc SourceManager::add_file(std::string name, std::string text, SourceLoc included_from) {
    if (!impl_->has_room(text.size() + 1)) return {};
    auto start = static_cast<uint32_t>(impl_->next);
    impl_->next += text.size() + 1;  // the end of the file is a place too
    impl_->stretches.push_back({.start = start, .file = static_cast<int32_t>(impl_->files.size())});
    impl_->files.push_back(
        {.name = std::move(name), .text = std::move(text), .start = start, .included_from = included_from});
    return {start};
}

std::string_view SourceManager::file_text(SourceLoc in_file) const {
    const File* file = impl_->find_file(in_file);
    return file ? std::string_view(file->text) : std::string_view();
}

std::string_view SourceManager::file_name(SourceLoc in_file) const {
    const File* file = impl_->find_file(expansion(in_file));
    return file ? std::string_view(file->name) : std::string_view();
}

SourceLoc SourceManager::add_expansion(SourceLoc spelled, uint32_t length, SourceLoc expanded_at,
                                       std::string_view macro_name, SourceLoc expanded_end) {
    if (!impl_->has_room(uint64_t{length} + 1)) return spelled;
    auto start = static_cast<uint32_t>(impl_->next);
    impl_->next += uint64_t{length} + 1;
    if (!expanded_end) expanded_end = {expanded_at.offset + static_cast<uint32_t>(macro_name.size())};
    impl_->stretches.push_back({.start = start,
                                .spelled = spelled,
                                .expanded_at = expanded_at,
                                .expanded_end = expanded_end,
                                .in_file = expansion(expanded_at),
                                .macro_name = macro_name.data(),
                                .macro_name_size = static_cast<uint32_t>(macro_name.size())});
    return {start};
}

bool SourceManager::is_macro(SourceLoc loc) const { return impl_->find_expansion(loc) != nullptr; }

SourceLoc SourceManager::immediate_spelling(SourceLoc loc) const {
    const Stretch* stretch = impl_->find_expansion(loc);
    return stretch ? SourceLoc{stretch->spelled.offset + (loc.offset - stretch->start)} : loc;
}

SourceLoc SourceManager::spelling(SourceLoc loc) const {
    while (is_macro(loc)) loc = immediate_spelling(loc);
    return loc;
}

SourceLoc SourceManager::immediate_expansion(SourceLoc loc) const {
    const Stretch* stretch = impl_->find_expansion(loc);
    return stretch ? stretch->expanded_at : loc;
}

SourceLoc SourceManager::expansion_end(SourceLoc loc) const {
    while (is_macro(loc)) loc = immediate_expansion_end(loc);
    return loc;
}

SourceLoc SourceManager::immediate_expansion_end(SourceLoc loc) const {
    const Stretch* stretch = impl_->find_expansion(loc);
    return stretch ? stretch->expanded_end : loc;
}

SourceLoc SourceManager::expansion(SourceLoc loc) const {
    const Stretch* stretch = impl_->find_expansion(loc);
    return stretch ? stretch->in_file : loc;
}

std::string_view SourceManager::macro_name(SourceLoc loc) const {
    const Stretch* stretch = impl_->find_expansion(loc);
    return stretch ? std::string_view(stretch->macro_name, stretch->macro_name_size) : std::string_view();
}

void SourceManager::add_line_directive(SourceLoc loc, uint32_t line, std::string name) {
    auto* file = const_cast<File*>(impl_->find_file(expansion(loc)));
    if (!file) return;
    uint32_t offset = expansion(loc).offset - file->start;
    if (name.empty() && !file->line_directives.empty()) name = file->line_directives.back().file;
    file->line_directives.push_back({.offset = offset,
                                     .line = line,
                                     .physical_line = physical_line(*file, offset),
                                     .file = std::move(name)});
}

PresumedLoc SourceManager::presumed(SourceLoc loc) const {
    loc = expansion(loc);
    const File* file = impl_->find_file(loc);
    if (!file) return {};
    uint32_t offset = loc.offset - file->start;
    uint32_t line = physical_line(*file, offset);
    PresumedLoc result{.file = file->name,
                       .line = line + 1,
                       .column = offset - file->line_starts[line] + 1,
                       .line_text = line_text(*file, line),
                       .included_from = file->included_from};
    auto after = std::upper_bound(file->line_directives.begin(), file->line_directives.end(), offset,
                                  [](uint32_t o, const LineDirective& d) { return o < d.offset; });
    if (after == file->line_directives.begin()) return result;
    const LineDirective& directive = *--after;
    if (line <= directive.physical_line) return result;  // the directive's own line
    result.line = directive.line + (line - directive.physical_line - 1);
    if (!directive.file.empty()) result.file = directive.file;
    return result;
}

}  // namespace caldera::frontend
