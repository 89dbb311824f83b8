// SPDX-License-Identifier: Apache-2.0
// The words of a command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caldera {

enum class Quoting : uint8_t {
    Shell,         ///< of a POSIX shell: nothing in '...' is special
    ResponseFile,  ///< of clang's @FILE: a backslash is special in '...' too, and \r, \f and \v are blanks
};

/// Blanks and line ends separate words, '...' and "..." join, and a backslash makes the next character stand
/// for itself. Quotes without contents are an empty word. A quote may stay open at the end.
std::vector<std::string> split_words(std::string_view text, Quoting quoting);

}  // namespace caldera
