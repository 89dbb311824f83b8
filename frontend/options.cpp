// SPDX-License-Identifier: Apache-2.0
#include "frontend/options.h"

#include <charconv>

namespace caldera::frontend {
namespace {

using Outcome = Result<Done>;

Error bad_value(std::string_view value, std::string_view option) {
    return {.message = "invalid value '" + std::string(value) + "' in '" + std::string(option) +
                       std::string(value) + "'"};
}

Outcome define_macro(std::string_view value, CompileOptions& options) {
    size_t equals = value.find('=');
    MacroOption macro{.name = std::string(value.substr(0, equals)), .text = "1"};
    if (equals != std::string_view::npos) macro.text = value.substr(equals + 1);
    options.macros.push_back(std::move(macro));
    return Done{};
}

Outcome undefine_macro(std::string_view value, CompileOptions& options) {
    options.macros.push_back({.name = std::string(value), .undefine = true});
    return Done{};
}

Outcome include_directory(std::string_view value, CompileOptions& options) {
    options.include_dirs.emplace_back(value);
    return Done{};
}

Outcome include_file(std::string_view value, CompileOptions& options) {
    options.includes.emplace_back(value);
    return Done{};
}

/// The value of -cl-std= or -std=.
Outcome set_standard(std::string_view value, std::string_view option, CompileOptions& options) {
    struct Row {
        std::string_view upper, lower;
        Standard standard;
    };
    static constexpr Row kRows[] = {{"CL1.0", "cl1.0", Standard::CL10}, {"CL", "cl", Standard::CL10},
                                    {"CL1.1", "cl1.1", Standard::CL11}, {"CL1.2", "cl1.2", Standard::CL12},
                                    {"CL2.0", "cl2.0", Standard::CL20}, {"CL3.0", "cl3.0", Standard::CL30}};
    for (const Row& row : kRows) {
        if (value != row.upper && value != row.lower) continue;
        options.standard = row.standard;
        return Done{};
    }
    return bad_value(value, option);
}

Outcome standard(std::string_view value, CompileOptions& options) {
    return set_standard(value, "-cl-std=", options);
}

Outcome standard_as_in_c(std::string_view value, CompileOptions& options) {
    return set_standard(value, "-std=", options);
}

Outcome extensions(std::string_view value, CompileOptions& options) {
    if (!change_extensions(value, options.extensions).empty()) return bad_value(value, "-cl-ext=");
    return Done{};
}

Outcome fp_contract(std::string_view value, CompileOptions& options) {
    if (value == "off")
        options.fp_contract = FpContract::Off;
    else if (value == "on")
        options.fp_contract = FpContract::On;
    else if (value == "fast" || value == "fast-honor-pragmas")
        options.fp_contract = FpContract::Fast;
    else
        return bad_value(value, "-ffp-contract=");
    return Done{};
}

Outcome error_limit(std::string_view value, CompileOptions& options) {
    auto [end, code] =
        std::from_chars(value.data(), value.data() + value.size(), options.warnings.error_limit);
    if (code != std::errc() || end != value.data() + value.size()) return bad_value(value, "-ferror-limit=");
    return Done{};
}

Outcome warning_group(std::string_view value, CompileOptions& options) {
    if (value == "fatal-errors")
        options.warnings.fatal_errors = true;
    else if (value == "no-fatal-errors")
        options.warnings.fatal_errors = false;
    else if (!value.empty())
        options.warnings.groups.emplace_back(value);
    return Done{};
}

Outcome pedantic(std::string_view value, CompileOptions& options) {
    if (!value.empty() && value != "-errors") return bad_value(value, "-pedantic");
    options.warnings.groups.emplace_back(value.empty() ? "pedantic" : "error=pedantic");
    return Done{};
}

enum class Follows : uint8_t { Nothing, Joined, JoinedOrNext, Next };

struct Row {
    std::string_view spelling;
    Follows follows;
    Outcome (*apply)(std::string_view value, CompileOptions& options);
};

constexpr Row kRows[] = {
#define FLAG(spelling, member, help)                                             \
    {spelling, Follows::Nothing, [](std::string_view, CompileOptions& options) { \
         options.member = true;                                                  \
         return Outcome(Done{});                                                 \
     }},
#define VALUE(spelling, follows, value_name, function, help) {spelling, Follows::follows, function},
#include "frontend/options.def"
#undef FLAG
#undef VALUE
};

constexpr OptionHelp kHelp[] = {
#define FLAG(spelling, member, help) {spelling, "", help},
#define VALUE(spelling, follows, value_name, function, help) {spelling, value_name, help},
#include "frontend/options.def"
#undef FLAG
#undef VALUE
};

/// Words as a shell splits them: blanks between, '...' as it stands, "..." and outside with backslashes.
Result<std::vector<std::string>> split(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool in_word = false;
    char quote = '\0';
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0';
        if (quote == '\0' && blank) {
            if (in_word) words.push_back(std::exchange(word, {}));
            in_word = false;
            continue;
        }
        in_word = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size())
            word += text[++i];
        else if (quote != '\0' ? c == quote : c == '"' || c == '\'')
            quote = quote != '\0' ? '\0' : c;
        else
            word += c;
    }
    if (quote != '\0') return Error{.message = "unterminated quote in the build options"};
    if (in_word) words.push_back(std::move(word));
    return words;
}

}  // namespace

std::span<const OptionHelp> option_help() { return kHelp; }

Result<size_t> take_option(std::span<const std::string> args, size_t at, CompileOptions& options) {
    std::string_view arg = args[at];
    for (const Row& row : kRows) {
        bool joined = row.follows == Follows::Joined || row.follows == Follows::JoinedOrNext;
        if (arg != row.spelling && !(joined && arg.starts_with(row.spelling))) continue;
        std::string_view value = arg.substr(row.spelling.size());
        size_t taken = 1;
        if (row.follows == Follows::Next || (row.follows == Follows::JoinedOrNext && value.empty())) {
            if (at + 1 >= args.size())
                return Error{.message =
                                 "argument to '" + std::string(arg) + "' is missing (expected 1 value)"};
            value = args[at + 1];
            taken = 2;
        }
        Outcome outcome = row.apply(value, options);
        if (!outcome) return outcome.error();
        return taken;
    }
    return size_t{0};
}

CompileOptions with_implied(CompileOptions options) {
    if (options.fast_relaxed_math) options.unsafe_math = options.finite_math_only = true;
    if (options.unsafe_math) options.mad_enable = options.no_signed_zeros = options.denorms_are_zero = true;
    if (options.mad_enable && options.fp_contract == FpContract::On) options.fp_contract = FpContract::Fast;
    return options;
}

Result<Done> parse_build_options(std::string_view text, CompileOptions& options) {
    Result<std::vector<std::string>> words = split(text);
    if (!words) return words.error();
    for (size_t at = 0; at < words->size();) {
        Result<size_t> taken = take_option(*words, at, options);
        if (!taken) return taken.error();
        if (*taken == 0) return Error{.message = "unknown build option '" + (*words)[at] + "'"};
        at += *taken;
    }
    return Done{};
}

}  // namespace caldera::frontend
