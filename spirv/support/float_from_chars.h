// SPDX-License-Identifier: Apache-2.0
// std::from_chars for floats, which libc++ has since version 20.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "spirv/support/c_locale.h"

namespace caldera {

/// What std::from_chars does, by strtod(), which also takes blanks, '+' and "0x".
template <class T>
std::from_chars_result float_by_strtod(const char* first, const char* last, T& value,
                                       std::chars_format format = std::chars_format::general) {
    std::string text(first, last);
    const size_t sign = text.starts_with('-') ? 1 : 0;
    const std::string_view digits = std::string_view(text).substr(sign);
    if (digits.empty() || std::string_view("+- \t\n\v\f\r").find(digits[0]) != std::string_view::npos)
        return {first, std::errc::invalid_argument};
    const bool has_prefix = digits.starts_with("0x") || digits.starts_with("0X");
    const bool is_hex = format == std::chars_format::hex && !has_prefix;
    if (has_prefix) text.resize(sign + 1);  // a zero, and what follows is no part of the number
    if (is_hex) text.insert(sign, "0x");

    const CLocale locale;
    const int before = errno;
    errno = 0;
    char* end = nullptr;
    T number = 0;
    if constexpr (std::is_same_v<T, float>)
        number = std::strtof(text.c_str(), &end);
    else
        number = std::strtod(text.c_str(), &end);
    const bool out_of_range = errno == ERANGE && (number == 0 || std::isinf(number));
    errno = before;
    const size_t added = is_hex ? 2 : 0, length = static_cast<size_t>(end - text.c_str());
    if (length <= sign + added) return {first, std::errc::invalid_argument};
    if (!out_of_range) value = number;
    return {first + (length - added), out_of_range ? std::errc::result_out_of_range : std::errc{}};
}

template <class T>
std::from_chars_result float_from_chars(const char* first, const char* last, T& value,
                                        std::chars_format format = std::chars_format::general) {
    if constexpr (requires { std::from_chars(first, last, value, format); })
        return std::from_chars(first, last, value, format);
    else
        return float_by_strtod(first, last, value, format);
}

/// Whether a number that is out of range is too large, and not too small. The power of the base of its first
/// digit that is not zero decides this. `digits` have neither a sign nor "0x".
inline bool is_huge(std::string_view digits, bool is_hex) {
    size_t mark = std::min(digits.find_first_of(is_hex ? "pP" : "eE"), digits.size());
    int64_t power = 0;
    if (mark < digits.size()) {
        std::string_view exponent = digits.substr(mark + 1);
        bool negative = exponent[0] == '-';
        if (negative || exponent[0] == '+') exponent.remove_prefix(1);
        for (char c : exponent) power = std::min<int64_t>(power * 10 + (c - '0'), int64_t{1} << 40);
        if (negative) power = -power;
    }
    std::string_view significand = digits.substr(0, mark);
    auto dot = static_cast<int64_t>(std::min(significand.find('.'), significand.size()));
    auto first = static_cast<int64_t>(significand.find_first_not_of("0."));
    return power + (dot - first) * (is_hex ? 4 : 1) > 0;
}

}  // namespace caldera
