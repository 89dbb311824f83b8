// SPDX-License-Identifier: Apache-2.0
// Environment variables: what they say, and what is taken where that is not understood. Some have other
// defaults in some programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace caldera::runtime {

/// The value that `variable` has by default in a program, or empty (program_settings.def).
std::string_view program_setting(std::string_view program, std::string_view variable);

/// The value of an environment variable, else what it is by default in the program that runs.
std::string_view setting(const char* variable);

/// Warns on stderr that a variable's value is not understood, once for each value. Returns whether it did.
bool warn_of_setting(std::string_view variable, std::string_view value, std::string_view expected,
                     std::string_view taken);

/// Warns on stderr that the file or folder that a variable names cannot be used, once for each reason.
void warn_of_place(std::string_view variable, std::string_view place, std::string_view why);

/// A variable that is a number of bytes (parse_bytes()). Nothing where it is not set, and, with a warning
/// that `otherwise` is taken, where it is malformed.
std::optional<uint64_t> bytes_setting(const char* variable, std::string_view otherwise);

/// A variable that is 0 or 1. `otherwise` where it is not set, and, with a warning, where it is another word.
bool flag_setting(const char* variable, bool otherwise);

/// The place among `words` of a variable's value. 0 where it is not set, and, with a warning, where it is
/// another word.
size_t word_setting(const char* variable, std::span<const std::string_view> words);

}  // namespace caldera::runtime
