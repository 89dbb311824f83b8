// SPDX-License-Identifier: Apache-2.0
#include "frontend/options.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "frontend/typo.h"

namespace caldera::frontend {
namespace {

using Outcome = Result<Done>;

Error bad_value(std::string_view value, std::string_view option, std::string_view hint = {}) {
    return {.message = "invalid value '" + std::string(value) + "' in '" + std::string(option) +
                       std::string(value) + "'" + std::string(hint)};
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

/// Adds the value to a list of the options: folders, files.
template <auto List>
Outcome add_to(std::string_view value, CompileOptions& options) {
    (options.*List).emplace_back(value);
    return Done{};
}

/// A folder without a name does not exist.
template <auto List>
Outcome add_folder(std::string_view value, CompileOptions& options) {
    return value.empty() ? Done{} : add_to<List>(value, options);
}

/// The value of -cl-std= or -std=.
Outcome set_standard(std::string_view value, std::string_view option, CompileOptions& options) {
    struct Row {
        std::string_view upper, lower;
        Standard standard;
    };
    static constexpr Row kRows[] = {{"CL1.0", "cl1.0", Standard::CL10}, {"CL", "cl", Standard::CL10},
                                    {"CL1.1", "cl1.1", Standard::CL11}, {"CL1.2", "cl1.2", Standard::CL12},
                                    {"CL2.0", "cl2.0", Standard::CL20}, {"CL3.0", "cl3.0", Standard::CL30},
                                    {"CL3.1", "cl3.1", Standard::CL31}};
    for (const Row& row : kRows) {
        if (value != row.upper && value != row.lower) continue;
        options.standard = row.standard;
        return Done{};
    }
    if (value.starts_with("CLC++") || value.starts_with("clc++"))
        return Error{.message = "'" + std::string(option) + std::string(value) + "': " + std::string(kNoCpp)};
    Nearest nearest(value);
    for (const Row& row : kRows)
        for (const std::string_view name : {row.upper, row.lower})
            if (name.size() > 2) nearest.consider(name);
    if (nearest.found().empty())
        return bad_value(value, option, "; expected CL1.0, CL1.1, CL1.2, CL2.0, CL3.0 or CL3.1");
    return bad_value(value, option,
                     "; did you mean '" + std::string(option) + std::string(nearest.found()) + "'?");
}

Outcome standard(std::string_view value, CompileOptions& options) {
    return set_standard(value, "-cl-std=", options);
}

Outcome standard_as_in_c(std::string_view value, CompileOptions& options) {
    return set_standard(value, "-std=", options);
}

Outcome extensions(std::string_view value, CompileOptions& options) {
    if (!change_extensions(value, options.extensions).empty())
        return bad_value(value, "-cl-ext=", "; expected +NAME or -NAME, with commas between them");
    for (const std::string_view name : unknown_extensions(value))
        if (!nearest_extension(name).empty()) options.misspelt_extensions.emplace_back(name);
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
        return bad_value(value, "-ffp-contract=", "; expected off, on or fast");
    return Done{};
}

Outcome fast_math(std::string_view value, CompileOptions& options) {
    if (!value.empty()) return bad_value(value, "-ffast-math");
    options.unsafe_math = options.finite_math_only = true;
    return Done{};
}

Outcome no_fast_math(std::string_view, CompileOptions& options) {
    options.unsafe_math = options.finite_math_only = options.no_signed_zeros = false;
    return Done{};
}

Outcome honor_nans(std::string_view, CompileOptions& options) {
    options.finite_math_only = false;
    return Done{};
}

Outcome no_unsafe_math(std::string_view, CompileOptions& options) {
    options.unsafe_math = false;
    return Done{};
}

Outcome signed_zeros(std::string_view, CompileOptions& options) {
    options.no_signed_zeros = false;
    return Done{};
}

/// -O, -O0 to -O3, -Os, -Oz and -Og, -Ofast as in clang. They select no passes, Caldera's own, or
/// SPIRV-Tools' too.
Outcome optimization(std::string_view value, CompileOptions& options) {
    static constexpr std::pair<std::string_view, int> kLevels[] = {
        {"", 1}, {"0", 0}, {"1", 1}, {"2", 2}, {"3", 2}, {"4", 2}, {"s", 1}, {"z", 1}, {"g", 1}, {"fast", 2}};
    for (const auto& [name, level] : kLevels) {
        if (value != name) continue;
        options.optimization = level;
        options.opt_disable = level == 0;
        return value == "fast" ? fast_math("", options) : Outcome(Done{});
    }
    return bad_value(value, "-O", "; expected 0, 1, 2, 3, s, z, g or fast");
}

/// -g with clang's levels. Debuggers' names and formats of files ask for no more than -g.
Outcome debug_information(std::string_view value, CompileOptions& options) {
    using enum DebugDetail;
    static constexpr std::pair<std::string_view, DebugDetail> kLevels[] = {{"", Variables},
                                                                           {"0", None},
                                                                           {"1", Scopes},
                                                                           {"2", Variables},
                                                                           {"3", Variables},
                                                                           {"full", Variables},
                                                                           {"line-tables-only", Scopes},
                                                                           {"mlt", Scopes},
                                                                           {"line-directives-only", None},
                                                                           {"gdb", Variables},
                                                                           {"gdb0", None},
                                                                           {"gdb1", Scopes},
                                                                           {"gdb2", Variables},
                                                                           {"gdb3", Variables},
                                                                           {"lldb", Variables},
                                                                           {"dwarf", Variables},
                                                                           {"dwarf-2", Variables},
                                                                           {"dwarf-3", Variables},
                                                                           {"dwarf-4", Variables},
                                                                           {"dwarf-5", Variables}};
    const auto level = std::ranges::find(kLevels, value, [](const auto& entry) { return entry.first; });
    if (level == std::end(kLevels))
        return bad_value(value, "-g", "; expected 0, 1, 2, 3, line-tables-only or line-directives-only");
    options.debug_info = value != "0" && value != "gdb0";
    options.debug_detail = level->second;
    return Done{};
}

Outcome debug_source(std::string_view value, CompileOptions& options) {
    if (value == "embed") {
        options.debug_source = DebugSource::Embed;
    } else if (value == "path") {
        options.debug_source = DebugSource::Path;
    } else if (value == "none") {
        options.debug_source = DebugSource::None;
    } else {
        return bad_value(value, "--debug-source=", "; expected embed, path or none");
    }
    return Done{};
}

Outcome limit(std::string_view value, std::string_view option, uint32_t& limit) {
    auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), limit);
    if (code != std::errc() || end != value.data() + value.size())
        return bad_value(value, option, "; expected a number");
    return Done{};
}

Outcome error_limit(std::string_view value, CompileOptions& options) {
    return limit(value, "-ferror-limit=", options.warnings.error_limit);
}

Outcome spelling_limit(std::string_view value, CompileOptions& options) {
    return limit(value, "-fspell-checking-limit=", options.warnings.spelling_limit);
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

Outcome take_in_vain(std::string_view, CompileOptions&) { return Done{}; }

enum class Follows : uint8_t { Nothing, Joined, JoinedOrNext, Next };

struct Row {
    std::string_view spelling;
    Follows follows;
    Outcome (*apply)(std::string_view value, CompileOptions& options);
    bool is_vendors = false;
};

constexpr Row kRows[] = {
#define FLAG(spelling, member, help)                                             \
    {spelling, Follows::Nothing, [](std::string_view, CompileOptions& options) { \
         options.member = true;                                                  \
         return Outcome(Done{});                                                 \
     }},
#define VALUE(spelling, follows, value_name, function, help) {spelling, Follows::follows, function},
#define IGNORED(spelling, follows) {spelling, Follows::follows, take_in_vain},
#define VENDORS(spelling, follows) {spelling, Follows::follows, take_in_vain, true},
#define DECLINED(spelling, follows, why) \
    {spelling, Follows::follows,         \
     [](std::string_view, CompileOptions&) { return Outcome(Error{.message = "'" spelling "': " why}); }},
#include "frontend/options.def"
#undef FLAG
#undef VALUE
#undef IGNORED
#undef VENDORS
#undef DECLINED
};

constexpr OptionHelp kHelp[] = {
#define FLAG(spelling, member, help) {spelling, "", help},
#define VALUE(spelling, follows, value_name, function, help) {spelling, value_name, help},
#define IGNORED(spelling, follows)
#define VENDORS(spelling, follows)
#define DECLINED(spelling, follows, why)
#include "frontend/options.def"
#undef FLAG
#undef VALUE
#undef IGNORED
#undef VENDORS
#undef DECLINED
};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0';
}

/// The length of the character constant that begins here, such as 'A', ' ' or '\\n'; 0 if it is only an
/// apostrophe.
size_t character_constant(std::string_view text) {
    size_t end = 2;
    if (text.size() > 2 && text[1] == '\\')
        for (end = 3; end < text.size() && text[end] != '\'' && !is_blank(text[end]);) ++end;
    return end < text.size() && text[end] == '\'' && text[1] != '\'' ? end + 1 : 0;
}

bool may_be_joined(std::string_view option) {
    return std::ranges::any_of(kRows, [&](const Row& row) {
        return row.follows == Follows::JoinedOrNext && row.spelling == option;
    });
}

}  // namespace

Result<std::vector<OptionWord>> split_build_options(std::string_view text) {
    std::vector<OptionWord> words;
    OptionWord word;
    bool in_word = false;
    char quote = '\0';
    size_t quote_begin = 0;
    bool empty_value = false;
    const auto end_word = [&](size_t end) {
        word.end = end;
        if (in_word) words.push_back(std::exchange(word, {}));
        if (std::exchange(empty_value, false)) words.push_back({.begin = end, .end = end});
        in_word = false;
    };
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote == '\0' && is_blank(c)) {
            end_word(i);
            continue;
        }
        const bool begins = !in_word;
        if (begins) word.begin = i;
        in_word = true;
        empty_value = quote == '"' && c == '"' && quote_begin == word.text.size() && may_be_joined(word.text);
        const size_t constant =
            quote == '\0' && c == '\'' && !begins ? character_constant(text.substr(i)) : 0;
        if (constant != 0) {
            word.text += text.substr(i, constant);
            i += constant - 1;
        } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word.text += text[++i];
        } else if (quote != '\0' ? c == quote : c == '"' || (c == '\'' && begins)) {
            quote = quote != '\0' ? '\0' : c;
            quote_begin = word.text.size();
        } else {
            word.text += c;
        }
    }
    if (quote != '\0') return Error{.message = "unterminated quote in the build options"};
    end_word(text.size());
    return words;
}

std::span<const OptionHelp> option_help() { return kHelp; }

Result<size_t> take_option(std::span<const std::string> args, size_t at, CompileOptions& options) {
    std::string_view arg = args[at];
    for (const Row& row : kRows) {
        bool joined = row.follows == Follows::Joined || row.follows == Follows::JoinedOrNext;
        if (arg != row.spelling && !(joined && arg.starts_with(row.spelling))) continue;
        std::string_view value = arg.substr(row.spelling.size());
        size_t taken = 1;
        if (row.follows == Follows::Next || (row.follows == Follows::JoinedOrNext && value.empty())) {
            // the values of other vendors' options are numbers
            if (at + 1 >= args.size() || (row.is_vendors && args[at + 1].starts_with('-')))
                return Error{.message =
                                 "argument to '" + std::string(arg) + "' is missing (expected 1 value)"};
            value = args[at + 1];
            taken = 2;
        }
        Outcome outcome = row.apply(value, options);
        if (!outcome) return outcome.error();
        if (row.is_vendors)
            options.unused.push_back(taken == 1 ? std::string(arg) : std::string(arg) + ' ' + args[at + 1]);
        return taken;
    }
    return size_t{0};
}

std::string meant_option(std::string_view word, std::span<const std::string_view> others) {
    Nearest nearest(word.substr(0, word.find('=')));
    auto consider = [&](std::string_view spelling) {
        if (spelling.size() > 2)
            nearest.consider(spelling.substr(0, spelling.find('=')));  // -D is near to anything
    };
    for (const Row& row : kRows) consider(row.spelling);
    for (const std::string_view other : others) consider(other);
    const std::string_view near = nearest.found();
    if (near.empty()) return {};
    const size_t equals = word.find('=');
    return "; did you mean '" + std::string(near) +
           std::string(equals == std::string_view::npos ? "" : word.substr(equals)) + "'?";
}

Result<std::vector<bool>> drop_xclang(std::vector<std::string>& args) {
    std::vector<std::string> kept;
    std::vector<bool> is_inner;
    bool inner = false, only_files = false;
    for (std::string& arg : args) {
        only_files |= arg == "--" && !inner;
        if (arg == "-Xclang" && !inner && !only_files) {
            inner = true;
            continue;
        }
        kept.push_back(std::move(arg));
        is_inner.push_back(std::exchange(inner, false));
    }
    if (inner) return Error{.message = "argument to '-Xclang' is missing (expected 1 value)"};
    args = std::move(kept);
    return is_inner;
}

CompileOptions with_implied(CompileOptions options) {
    if (options.fast_relaxed_math) options.unsafe_math = options.finite_math_only = true;
    if (options.unsafe_math) options.mad_enable = options.no_signed_zeros = options.denorms_are_zero = true;
    if (options.mad_enable && options.fp_contract == FpContract::On) options.fp_contract = FpContract::Fast;
    return options;
}

Result<Done> parse_build_options(std::string_view text, CompileOptions& options) {
    Result<std::vector<OptionWord>> split = split_build_options(text);
    if (!split) return split.error();
    std::vector<std::string> words;
    for (OptionWord& word : *split) words.push_back(std::move(word.text));
    Result<std::vector<bool>> is_inner = drop_xclang(words);
    if (!is_inner) return is_inner.error();
    for (size_t at = 0; at < words.size();) {
        Result<size_t> taken = take_option(words, at, options);
        if (!taken) return taken.error();
        if (*taken == 0)
            return Error{.message = "unknown build option '" + words[at] + "'" +
                                    ((*is_inner)[at] ? std::string(kNoInnerCommand) : "") +
                                    meant_option(words[at], {})};
        at += *taken;
    }
    return Done{};
}

}  // namespace caldera::frontend
