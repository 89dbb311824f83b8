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

/// Reads args[at], and the one after it when that is its value, into `options`: how many it took, 0 when args[at] is
/// none of the table's. A wrong or missing value is an error.
Result<size_t> take_option(std::span<const std::string> args, size_t at, CompileOptions& options);

/// "; did you mean '-cl-mad-enable'?" for an option that is none of the table's, nor of `others`; empty when none is near.
std::string meant_option(std::string_view word, std::span<const std::string_view> others);

/// Takes away the -Xclang before each option for clang's inner command, as all of ours are, up to "--": whether each argument that
/// stays had one. One at the end is an error.
Result<std::vector<bool>> drop_xclang(std::vector<std::string>& args);
/// What an unknown option is told that had one.
constexpr std::string_view kNoInnerCommand = " behind '-Xclang': there is neither clang nor LLVM in Caldera";

/// `options` with everything that its options imply.
CompileOptions with_implied(CompileOptions options);

}  // namespace caldera::frontend
