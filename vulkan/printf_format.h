// SPDX-License-Identifier: Apache-2.0
// printf's format strings (OpenCL C 6.13.13): which argument a conversion takes, and the text that a call
// prints. The translator parses formats; hosts turn records into text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caldera::vulkan {

/// A piece of a format string: text to copy, or one conversion specification, which takes one argument.
struct PrintfPiece {
    std::string_view text = {};  ///< the text to copy ("%" for "%%"), or the whole specification
    char letter = 0;  ///< the conversion specifier; 0: text. 'n' takes its argument and prints nothing
    std::string_view flags = {};
    uint32_t width = 0;            ///< at most kMaxPrintfDigits, like the precision
    int precision = -1;            ///< -1: none
    uint32_t lanes = 0;            ///< number of components in the vector specifier; 0: a scalar
    std::string_view length = {};  ///< "hh", "h", "hl", "l"; C's other length modifiers count as "l"
};
constexpr uint32_t kMaxPrintfDigits = 65535;

/// The pieces point into `format`, which ends at its first nul. An invalid specification counts as text, so
/// that untrusted formats do no harm.
std::vector<PrintfPiece> parse_printf(std::string_view format);

/// Returns the string for an argument of %s, whose value has 4 or 8 bytes (interface.h, PrintfFormat).
using PrintfStrings = std::function<std::string(uint64_t value, uint32_t size_bytes)>;

/// Returns the text of one call by C's rules, always in the C locale. `values` holds the arguments one after
/// another, with the sizes in `argument_bytes`. Numbers have the width of their argument: without doubles, a
/// float has 4 bytes. A specification without an argument is copied.
std::string format_printf(std::string_view format, std::span<const uint32_t> argument_bytes,
                          std::span<const std::byte> values, const PrintfStrings& strings);

}  // namespace caldera::vulkan
