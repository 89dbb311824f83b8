// SPDX-License-Identifier: Apache-2.0
#include "frontend/diag.h"

#include <algorithm>

namespace caldera::frontend {
std::string to_text(std::string_view text) { return std::string(text); }
std::string to_text(const char* text) { return text; }
std::string to_text(const std::string& text) { return text; }

Diagnostics::Diagnostics(WarningOptions options) : options_(std::move(options)), map_(options_) {}

Diagnostics::Handle& Diagnostics::Handle::fixit(SourceRange replace, std::string text) {
    if (diagnostic_) diagnostic_->fixits.push_back({replace, std::move(text)});
    return *this;
}

Diagnostics::Handle& Diagnostics::Handle::highlight(SourceRange range) {
    if (diagnostic_) diagnostic_->highlights.push_back(range);
    return *this;
}

Diagnostics::Handle Diagnostics::report(Severity severity, SourceRange range, std::string text) {
    if (stopped_ || silences_ != 0) return Handle(nullptr);
    if (severity == Severity::Error && options_.fatal_errors) severity = Severity::Fatal;
    std::string_view flag = {};
    if (severity == Severity::Error && options_.error_limit != 0 && errors_ >= options_.error_limit) {
        severity = Severity::Fatal;
        range = {};
        text = "too many errors emitted, stopping now";
        flag = "-ferror-limit=";
    }
    ++errors_;
    stopped_ = severity == Severity::Fatal;
    bool is_limit = !flag.empty();
    diagnostics_.push_back({.severity = severity, .range = range, .text = std::move(text), .flag = flag});
    return is_limit ? Handle(nullptr) : Handle(&diagnostics_.back());
}

bool Diagnostics::seeks_meaning(Misspelt kind, std::string_view name) {
    if (stopped_ || silences_ != 0) return false;
    if (options_.spelling_limit != 0 && sought_ >= options_.spelling_limit) return false;
    if (hopeless_.contains(static_cast<char>(kind) + std::string(name))) return false;
    ++sought_;
    return true;
}

void Diagnostics::found_no_meaning(Misspelt kind, std::string_view name) {
    hopeless_.insert(static_cast<char>(kind) + std::string(name));
}

Diagnostics::Handle Diagnostics::report_warning(Warning group, SourceRange range, std::string text) {
    Severity severity = severity_at(group, range.begin);
    if (severity >= Severity::Error) {
        Handle handle = report(severity, range, std::move(text));
        if (Diagnostic* made = handle.diagnostic_) {
            if (!is_error_by_default(group)) ++promoted_;
            // As clang, which says -Werror of errors alone.
            made->flag = made->severity == Severity::Fatal ? warning_flag(group) : warning_error_flag(group);
        }
        return handle;
    }
    if (stopped_ || silences_ != 0) return Handle(nullptr);
    ++warnings_;
    diagnostics_.push_back({.severity = Severity::Warning,
                            .range = range,
                            .text = std::move(text),
                            .flag = warning_flag(group)});
    return Handle(&diagnostics_.back());
}

namespace {

/// The position of a place in reading order: its offset in the main file, then in the file included there,
/// ...
std::vector<uint32_t> reading_order(SourceLoc loc, const SourceManager& sources) {
    std::vector<uint32_t> path;
    for (loc = sources.expansion(loc); loc; loc = sources.expansion(sources.presumed(loc).included_from))
        path.push_back(loc.offset);
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace

void Diagnostics::sort_by_place(const SourceManager& sources) {
    std::vector<std::pair<std::vector<uint32_t>, Diagnostic>> items;
    for (Diagnostic& diagnostic : diagnostics_) {
        std::vector<uint32_t> order = reading_order(diagnostic.range.begin, sources);
        if (diagnostic.severity == Severity::Fatal) order = {~uint32_t{0}};
        items.emplace_back(std::move(order), std::move(diagnostic));
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    diagnostics_.clear();
    for (auto& item : items) diagnostics_.push_back(std::move(item.second));
}

}  // namespace caldera::frontend
