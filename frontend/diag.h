// SPDX-License-Identifier: Apache-2.0
// Diagnostics as data. One renderer (diag_render.cpp) serves the command line, build logs and the tests.
#pragma once

#include <concepts>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "caldera/diagnostic.h"
#include "frontend/source.h"
#include "frontend/warning_map.h"
#include "spirv/support/finding.h"

namespace caldera::frontend {

struct Type;
struct QualType;

struct FixIt {
    SourceRange replace = {};  ///< an empty range (begin == end) inserts
    std::string text = {};
};

struct Note {
    SourceRange range = {};
    std::string text = {};
};

struct Diagnostic {
    Severity severity = Severity::Error;
    SourceRange range = {};
    std::string text = {};       ///< lower case, one sentence, no full stop
    std::string_view flag = {};  ///< "-Wunused-variable" or "-Werror,-Wunused-variable", else empty
    std::vector<Note> notes = {};
    std::vector<FixIt> fixits = {};
    std::vector<SourceRange> highlights = {};  ///< further ranges, underlined with ~
};

/// How a text part of a message is made: strings, numbers and types (types in clang's spelling).
std::string to_text(std::string_view text);
std::string to_text(const char* text);
std::string to_text(const std::string& text);
template <std::integral T>
std::string to_text(T value) {
    return std::to_string(value);
}
std::string to_text(const Type* type);
std::string to_text(const QualType& type);

/// Collects diagnostics. After the error limit it drops further errors and says so once.
class Diagnostics {
 public:
    explicit Diagnostics(WarningOptions options = {});

    /// A handle to the diagnostic just reported, to add notes, ranges and fix-its to. Lives until the next
    /// report.
    class Handle {
     public:
        Handle() = default;  ///< of a diagnostic that was suppressed: does nothing
        template <class... Parts>
        Handle& note(SourceRange range, const Parts&... parts) {
            if (diagnostic_) diagnostic_->notes.push_back({range, (to_text(parts) + ...)});
            return *this;
        }
        Handle& fixit(SourceRange replace, std::string text);
        Handle& highlight(SourceRange range);

     private:
        friend class Diagnostics;
        explicit Handle(Diagnostic* diagnostic) : diagnostic_(diagnostic) {}
        Diagnostic* diagnostic_ = nullptr;  // null: suppressed
    };

    template <class... Parts>
    Handle error(SourceRange range, const Parts&... parts) {
        return report(Severity::Error, range, (to_text(parts) + ...));
    }
    /// After a fatal error nothing else is reported, and the stages stop.
    template <class... Parts>
    Handle fatal(SourceRange range, const Parts&... parts) {
        return report(Severity::Fatal, range, (to_text(parts) + ...));
    }
    template <class... Parts>
    Handle warning(Warning group, SourceRange range, const Parts&... parts) {
        if (severity_at(group, range.begin) == Severity::Ignored) return Handle(nullptr);
        return report_warning(group, range, (to_text(parts) + ...));
    }

    /// Whether the command line or any pragma so far has enabled the group.
    bool enabled(Warning group) const { return map_.on_somewhere(group); }
    Severity severity_at(Warning group, SourceLoc place) const {
        if (!map_.on_somewhere(group)) return Severity::Ignored;
        return map_.at(group, sources_ && map_.has_pragmas() ? sources_->expansion(place) : SourceLoc());
    }
    /// From now on, diagnostic pragmas apply according to their places in `sources`.
    void place_warnings_in(const SourceManager& sources) { sources_ = &sources; }
    WarningMap& warning_map() { return map_; }
    /// Null if places have no text, as in some tests.
    const SourceManager* sources() const { return sources_; }
    bool in_main_file(SourceLoc place) const { return !sources_ || !sources_->presumed(place).included_from; }
    bool parseable_fixits() const { return options_.parseable_fixits; }
    /// While an instance exists, nothing is reported.
    class Silence {
     public:
        explicit Silence(Diagnostics& diags) : diags_(diags) { ++diags_.silences_; }
        ~Silence() { --diags_.silences_; }
        Silence(const Silence&) = delete;
        Silence& operator=(const Silence&) = delete;

     private:
        Diagnostics& diags_;
    };
    /// What kind of name a misspelt one may stand for.
    enum class Misspelt : char { Value = 'v', Function = 'f', Member = 'm', Type = 't', Tag = 'g' };
    /// Whether to look for what a misspelt name means, which takes a look at each name that there is: not
    /// after -fspell-checking-limit names, nor where found_no_meaning() said so.
    bool seeks_meaning(Misspelt kind, std::string_view name);
    void found_no_meaning(Misspelt kind, std::string_view name);
    bool has_errors() const { return errors_ != 0; }
    /// Errors that are no promoted warnings: what is faulty has no meaning to warn about. What an option or a
    /// pragma makes of a warning does not change what else is found.
    bool has_faults() const { return fault_count() != 0; }
    uint32_t fault_count() const { return errors_ - promoted_; }
    bool stopped() const { return stopped_; }  ///< a fatal error or the limit: give up quietly
    uint32_t error_count() const { return errors_; }
    uint32_t warning_count() const { return warnings_; }
    const std::deque<Diagnostic>& all() const { return diagnostics_; }
    /// Sorts the diagnostics of several passes over the source into source order. Those of an included file
    /// come at its #include, those without a place first, and the one that stopped the compilation last.
    /// Invalidates handles.
    void sort_by_place(const SourceManager& sources);
    /// Names in `options.groups` that are not warning groups, for -Wunknown-warning-option.
    const std::vector<std::string>& unknown_groups() const { return map_.unknown_groups(); }

 private:
    Handle report(Severity severity, SourceRange range, std::string text);
    Handle report_warning(Warning group, SourceRange range, std::string text);

    WarningOptions options_;
    WarningMap map_;
    const SourceManager* sources_ = nullptr;
    std::deque<Diagnostic> diagnostics_ = {};
    uint32_t errors_ = 0, warnings_ = 0;
    uint32_t promoted_ = 0;  // errors that options and pragmas make of warnings
    uint32_t silences_ = 0;
    uint32_t sought_ = 0;                            // misspelt names
    std::unordered_set<std::string> hopeless_ = {};  // by kind and name
    bool stopped_ = false;
};

/// Renders in clang's form: place, severity, text, flag, the line, carets, fix-its, include and macro
/// back-traces.
std::string render(const Diagnostics& diagnostics, const SourceManager& sources, bool colour);
std::string render(const Diagnostic& diagnostic, const SourceManager& sources, bool colour);

/// The same for programs: each diagnostic, and after it its notes. What macros put in has the place of their
/// use.
std::vector<caldera::Diagnostic> as_data(const Diagnostics& diagnostics, const SourceManager& sources);

/// All that is known of them, for -fdiagnostics-format=json and sarif. Macros between a place and its text
/// are notes. Fix-its are left out where a macro put in the text that they would change.
std::vector<Finding> as_findings(const Diagnostics& diagnostics, const SourceManager& sources);

}  // namespace caldera::frontend
