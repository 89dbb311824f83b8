// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/environment.h"

#include <charconv>

namespace caldera {

std::optional<uint64_t> parse_bytes(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    const std::string_view unit(end, text.data() + text.size());
    const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : 64;
    if (shift == 64 || number > UINT64_MAX >> shift) return std::nullopt;
    return number << shift;
}

}  // namespace caldera
