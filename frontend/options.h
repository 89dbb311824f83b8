// SPDX-License-Identifier: Apache-2.0
// The table of compile options (options.def), for parse_build_options and for the command line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/compile_options.h"
#include "spirv/support/result.h"

namespace caldera::frontend {

struct OptionHelp {
    std::string_view spelling = {};
    std::string_view value_name = {};  ///< empty for a flag
    std::string_view help = {};
};
std::span<const OptionHelp> option_help();

/// Parses args[at], and the next argument if that is its value, into `options`. Returns the number of
/// arguments used; 0 if args[at] is not in the table. A wrong or missing value is an error.
Result<size_t> take_option(std::span<const std::string> args, size_t at, CompileOptions& options);

/// Returns "; did you mean '-cl-mad-enable'?" for an option that is neither in the table nor in `others`;
/// empty if none is similar.
std::string meant_option(std::string_view word, std::span<const std::string_view> others);

/// Removes -Xclang, which marks an option for clang's inner command, before each option up to "--". Returns
/// for each remaining argument whether it had one. -Xclang as the last argument is an error.
Result<std::vector<bool>> drop_xclang(std::vector<std::string>& args);
/// Declines C++ for OpenCL, and says how to get it through.
constexpr std::string_view kNoCpp =
    "C++ for OpenCL is not supported; 'clang -target spirv64 -cl-std=clc++2021 -c' makes SPIR-V of it, which "
    "is";

/// Ends the error about an unknown option after -Xclang.
constexpr std::string_view kNoInnerCommand = " after '-Xclang': Caldera contains neither clang nor LLVM";

/// A word of build options. `begin` and `end` delimit the bytes that it came from, with their quotes.
struct OptionWord {
    std::string text = {};
    size_t begin = 0, end = 0;
};
/// Splits words at blanks; "..." and backslashes work as in a shell. Definitions are parsed as in a #define
/// (OpenCL API 5.8.6.1), so an apostrophe inside a word is part of the text. A word in '...' is taken
/// literally. -I"" has an empty value, which becomes a word.
Result<std::vector<OptionWord>> split_build_options(std::string_view text);

/// `options` with everything that its options imply.
CompileOptions with_implied(CompileOptions options);

}  // namespace caldera::frontend
