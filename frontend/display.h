// SPDX-License-Identifier: Apache-2.0
// Source text as a terminal shows it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace caldera::frontend {

/// A source line as it is printed, and the column at which each of its bytes is printed, from 0.
struct DisplayLine {
    std::string text = {};
    std::vector<size_t> column_of_byte = {};  ///< one more than the line has bytes
};
DisplayLine display(std::string_view line);

/// The text with names in place of what a terminal would not show, such as "<U+0001>".
std::string printable(std::string_view text);

}  // namespace caldera::frontend
