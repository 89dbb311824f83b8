// SPDX-License-Identifier: Apache-2.0
// Arguments from files: @FILE on a command line, as clang and GCC have it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/support/files.h"
#include "spirv/support/result.h"

namespace caldera::tools {

/// The words of a response file (Quoting::ResponseFile). A byte order mark may begin it: of UTF-8, or of
/// UTF-16 in either byte order. Nothing: its UTF-16 has half a character.
std::optional<std::vector<std::string>> split_response_file(std::string_view text);

/// Replaces each argument @FILE by the words of that file, of which some may be @FILE again. An argument
/// whose file cannot be read stays. Relative names are relative to `folder`, which is empty or ends with '/'.
/// `files` gets the names of those that were read.
Result<std::vector<std::string>> expand_response_files(const std::vector<std::string>& args,
                                                       const ReadFile& read, std::vector<std::string>& files,
                                                       const std::string& folder = {});

}  // namespace caldera::tools
