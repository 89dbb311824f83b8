// SPDX-License-Identifier: Apache-2.0
#include "frontend/warning_map.h"

#include "frontend/typo.h"

namespace caldera::frontend {
namespace {

constexpr int kError = 2;

struct Group {
    std::string_view spelling;
    int by_default;              ///< false, true or kError
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

/// Groups of clang that contain none of our warnings. -W accepts them nevertheless.
constexpr std::string_view kOtherGroups[] = {
#define GROUP(spelling) spelling,
#include "frontend/warning_groups.def"
#undef GROUP
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

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool is_in(const Group& group, std::string_view name) {
    return name == "everything" || name == group.spelling || lists(group.in_groups, name);
}

/// -w hides all but what is an error by default, and neither options nor pragmas make it hide less.
Severity shown(const Group& group, Severity wanted, bool no_warnings) {
    const bool stays = wanted >= Severity::Error && group.by_default == kError;
    return no_warnings && !stays ? Severity::Ignored : wanted;
}

bool is_known_elsewhere(std::string_view name) {
    for (std::string_view other : kOtherGroups)
        if (other == name) return true;
    return name == "everything";
}

}  // namespace

std::string_view warning_flag(Warning group) {
    const Group& row = kGroups[static_cast<size_t>(group)];
    return row.spelling.empty() ? std::string_view() : row.flag;
}
std::string_view warning_error_flag(Warning group) {
    const Group& row = kGroups[static_cast<size_t>(group)];
    return row.by_default == kError ? row.flag : row.error_flag;
}

bool is_error_by_default(Warning group) { return kGroups[static_cast<size_t>(group)].by_default == kError; }

std::string_view nearest_warning(std::string_view name) {
    Nearest nearest(name);
    for (const Group& group : kGroups) nearest.consider(group.spelling);
    for (std::string_view other : kOtherGroups) nearest.consider(other);
    return nearest.found();
}

/// Applies one -W option ("all", "no-shadow", "error=x", "no-error=x") to every group that it names; false
/// when it names none.
bool WarningMap::apply(std::string_view option, std::vector<Setting>& settings, bool& all_errors) {
    if (option == "error" || option == "no-error") {
        all_errors = option == "error";
        return true;
    }
    bool negative = take_prefix(option, "no-");
    bool error = take_prefix(option, "error=");
    bool found = is_known_elsewhere(option);
    for (size_t i = 0; i < settings.size(); ++i) {
        if (!is_in(kGroups[i], option)) continue;
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

WarningMap::WarningMap(const WarningOptions& options) : no_warnings_(options.no_warnings) {
    std::vector<Setting> settings;
    for (const Group& group : kGroups)
        settings.push_back(
            {.enabled = group.by_default != 0,
             .as_error = group.by_default == kError ? Setting::AsError::Yes : Setting::AsError::Unsaid});
    bool all_errors = options.all_errors;
    for (const std::string& group : options.groups)
        if (!apply(group, settings, all_errors)) unknown_groups_.push_back(group);

    std::vector<Severity> severities(settings.size(), Severity::Ignored);
    somewhere_.resize(settings.size());
    for (size_t i = 0; i < settings.size(); ++i) {
        using enum Setting::AsError;
        if (!settings[i].enabled) continue;
        const bool is_error = settings[i].as_error == Yes || (all_errors && settings[i].as_error != No);
        severities[i] = shown(kGroups[i], is_error ? Severity::Error : Severity::Warning, no_warnings_);
        somewhere_[i] = severities[i] != Severity::Ignored;
    }
    settings_.push_back(std::move(severities));
}

Severity WarningMap::at(Warning group, SourceLoc place) const {
    size_t setting = 0;
    if (has_pragmas() && place) {
        auto after = from_.upper_bound(place.offset);
        if (after != from_.begin()) setting = std::prev(after)->second;
    }
    return settings_[setting][static_cast<size_t>(group)];
}

void WarningMap::enter(SourceLoc place) { from_[place.offset] = current_; }

bool WarningMap::pop(SourceLoc place) {
    if (pushed_.empty()) return false;
    current_ = pushed_.back();
    pushed_.pop_back();
    enter(place);
    return true;
}

bool WarningMap::set(SourceLoc place, std::string_view group, Severity severity) {
    bool found = is_known_elsewhere(group);
    std::vector<Severity> severities = settings_[current_];
    for (size_t i = 0; i < severities.size(); ++i) {
        if (!is_in(kGroups[i], group)) continue;
        found = true;
        // No error is made less by a pragma that asks for a warning.
        if (severity != Severity::Warning || severities[i] < Severity::Warning)
            severities[i] = shown(kGroups[i], severity, no_warnings_);
        if (severities[i] != Severity::Ignored) somewhere_[i] = true;
    }
    settings_.push_back(std::move(severities));
    current_ = settings_.size() - 1;
    enter(place);
    return found;
}

}  // namespace caldera::frontend
