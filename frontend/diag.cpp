// SPDX-License-Identifier: Apache-2.0
#include "frontend/diag.h"

#include <algorithm>
#include <array>

namespace caldera::frontend {
namespace {

struct Group {
    std::string_view spelling;
    bool by_default;
    std::string_view in_groups;  // separated by spaces
    std::string_view flag;
    std::string_view error_flag;
};

constexpr Group kGroups[] = {
#define WARNING(id, spelling, by_default, in_groups) \
    {spelling, by_default, in_groups, "-W" spelling, "-Werror,-W" spelling},
#include "frontend/warnings.def"
#undef WARNING
};

bool lists(std::string_view words, std::string_view word) {
    while (!words.empty()) {
        size_t space = words.find(' ');
        if (words.substr(0, space) == word) return true;
        if (space == std::string_view::npos) return false;
        words.remove_prefix(space + 1);
    }
    return false;
}

/// What the options say of one group so far.
struct Setting {
    bool enabled = false;
    enum class AsError : uint8_t { Unsaid, Yes, No } as_error = AsError::Unsaid;
};

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// Applies one -W option ("all", "no-shadow", "error=x", "no-error=x") to every group that it names; false when
/// it names none.
bool apply(std::string_view option, std::array<Setting, std::size(kGroups)>& settings, bool& all_errors) {
    if (option == "error" || option == "no-error") {
        all_errors = option == "error";
        return true;
    }
    bool negative = take_prefix(option, "no-");
    bool error = take_prefix(option, "error=");
    // Groups of clang's that hold none of ours yet are known all the same.
    bool found = option == "everything" || option == "all" || option == "extra" || option == "most" ||
                 option == "pedantic" || option == "default";
    if (option == "most") option = "all";
    for (size_t i = 0; i < settings.size(); ++i) {
        if (option != "everything" && option != kGroups[i].spelling && !lists(kGroups[i].in_groups, option))
            continue;
        found = true;
        if (error) {
            settings[i].as_error = negative ? Setting::AsError::No : Setting::AsError::Yes;
            if (!negative) settings[i].enabled = true;
        } else {
            settings[i].enabled = !negative;
        }
    }
    return found;
}

}  // namespace

std::string to_text(std::string_view text) { return std::string(text); }
std::string to_text(const char* text) { return text; }
std::string to_text(const std::string& text) { return text; }
std::string to_text(uint64_t value) { return std::to_string(value); }
std::string to_text(int64_t value) { return std::to_string(value); }
std::string to_text(int value) { return std::to_string(value); }
std::string to_text(unsigned value) { return std::to_string(value); }

Diagnostics::Diagnostics(WarningOptions options) : options_(std::move(options)) {
    std::array<Setting, std::size(kGroups)> settings;
    for (size_t i = 0; i < settings.size(); ++i) settings[i] = {.enabled = kGroups[i].by_default};
    for (const std::string& group : options_.groups)
        if (!apply(group, settings, options_.all_errors)) unknown_groups_.push_back(group);

    severities_.resize(settings.size(), Severity::Ignored);
    for (size_t i = 0; i < settings.size(); ++i) {
        using enum Setting::AsError;
        if (!settings[i].enabled) continue;
        if (settings[i].as_error == Yes)
            severities_[i] = Severity::Error;
        else if (!options_.no_warnings)
            severities_[i] =
                options_.all_errors && settings[i].as_error != No ? Severity::Error : Severity::Warning;
    }
}

Diagnostics::Handle& Diagnostics::Handle::fixit(SourceRange replace, std::string text) {
    if (diagnostic_) diagnostic_->fixits.push_back({replace, std::move(text)});
    return *this;
}

Diagnostics::Handle& Diagnostics::Handle::highlight(SourceRange range) {
    if (diagnostic_) diagnostic_->highlights.push_back(range);
    return *this;
}

Diagnostics::Handle Diagnostics::report(Severity severity, SourceRange range, std::string text) {
    if (stopped_) return Handle(nullptr);
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

Diagnostics::Handle Diagnostics::report_warning(Warning group, SourceRange range, std::string text) {
    const Group& row = kGroups[static_cast<size_t>(group)];
    if (severities_[static_cast<size_t>(group)] == Severity::Error) {
        Handle handle = report(Severity::Error, range, std::move(text));
        if (handle.diagnostic_) handle.diagnostic_->flag = row.error_flag;
        return handle;
    }
    if (stopped_) return Handle(nullptr);
    ++warnings_;
    diagnostics_.push_back(
        {.severity = Severity::Warning, .range = range, .text = std::move(text), .flag = row.flag});
    return Handle(&diagnostics_.back());
}

namespace {

/// Where a place is met when the source is read: its offset in the main file, then in the file included there, ...
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
