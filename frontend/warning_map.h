// SPDX-License-Identifier: Apache-2.0
// Which warnings are on, and as what, at each place: what the command line says, and from its place on what
// `#pragma clang diagnostic` says. The names of groups and how they hold each other are clang's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/source.h"

namespace caldera::frontend {

enum class Severity : uint8_t { Ignored, Note, Warning, Error, Fatal };

/// Warning groups, a row each in warnings.def: the enumerator, its -W spelling, whether it is on by default,
/// and the groups of groups that turn it on (-Wall, -Wextra, -Wpedantic).
enum class Warning : uint16_t {
#define WARNING(id, spelling, by_default, in_groups) id,
#include "frontend/warnings.def"
#undef WARNING
};

/// What -W options say. Plain data; the default is clang's default.
struct WarningOptions {
    bool no_warnings = false;              ///< -w
    bool all_errors = false;               ///< -Werror
    bool fatal_errors = false;             ///< -Wfatal-errors
    bool parseable_fixits = false;         ///< -fdiagnostics-parseable-fixits
    uint32_t error_limit = 20;             ///< -ferror-limit=N, 0 is no limit
    uint32_t spelling_limit = 50;          ///< -fspell-checking-limit=N, 0 is no limit
    std::vector<std::string> groups = {};  ///< in order: "all", "no-unused-variable", "error=shadow", ...
};

std::string_view warning_flag(Warning group);        ///< "-Wshadow"
std::string_view warning_error_flag(Warning group);  ///< "-Werror,-Wshadow"
bool is_error_by_default(Warning group);
/// The known group name that is meant by a misspelt one; empty when none is near.
std::string_view nearest_warning(std::string_view name);

class WarningMap {
 public:
    explicit WarningMap(const WarningOptions& options);

    /// At a place in a file (out of any macro); nowhere asks for what the command line says.
    Severity at(Warning group, SourceLoc place) const;
    bool on_somewhere(Warning group) const { return somewhere_[static_cast<size_t>(group)]; }
    bool has_pragmas() const { return settings_.size() > 1; }
    /// Names among the options that no group has.
    const std::vector<std::string>& unknown_groups() const { return unknown_groups_; }

    /// Files are stretches of the offset space: a file begins, or goes on after one that it included.
    void enter(SourceLoc place);
    void push() { pushed_.push_back(current_); }
    bool pop(SourceLoc place);  ///< false when nothing was pushed
    /// `group` without "-W". False when there is no such group.
    bool set(SourceLoc place, std::string_view group, Severity severity);

 private:
    /// What the options say of one group so far.
    struct Setting {
        bool enabled = false;
        enum class AsError : uint8_t { Unsaid, Yes, No } as_error = AsError::Unsaid;
    };
    static bool apply(std::string_view option, std::vector<Setting>& settings, bool& all_errors);

    bool no_warnings_;
    std::vector<std::vector<Severity>> settings_ = {};  ///< one for the command line and for each pragma
    std::vector<bool> somewhere_ = {};
    size_t current_ = 0;
    std::vector<size_t> pushed_ = {};
    std::map<uint32_t, size_t> from_ = {};  ///< which setting is in force from an offset on
    std::vector<std::string> unknown_groups_ = {};
};

}  // namespace caldera::frontend
