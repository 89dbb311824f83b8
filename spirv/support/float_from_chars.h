// SPDX-License-Identifier: Apache-2.0
// std::from_chars for floats, which libc++ has since version 20.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

#include "spirv/support/c_locale.h"
#include "spirv/support/floats.h"

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

/// The exponent after `e` or `p` of a number's digits, within 2^40 of zero, or zero without one. `mark` is
/// its place.
inline int64_t written_exponent(std::string_view digits, size_t mark) {
    if (mark >= digits.size()) return 0;
    int64_t power = 0;
    std::string_view exponent = digits.substr(mark + 1);
    const bool negative = exponent[0] == '-';
    if (negative || exponent[0] == '+') exponent.remove_prefix(1);
    for (char c : exponent) power = std::min<int64_t>(power * 10 + (c - '0'), int64_t{1} << 40);
    return negative ? -power : power;
}

/// Whether a number that is out of range is too large, and not too small. The power of the base of its first
/// digit that is not zero decides this. `digits` have neither a sign nor "0x".
inline bool is_huge(std::string_view digits, bool is_hex) {
    const size_t mark = std::min(digits.find_first_of(is_hex ? "pP" : "eE"), digits.size());
    const int64_t power = written_exponent(digits, mark);
    std::string_view significand = digits.substr(0, mark);
    auto dot = static_cast<int64_t>(std::min(significand.find('.'), significand.size()));
    auto first = static_cast<int64_t>(significand.find_first_not_of("0."));
    return power + (dot - first) * (is_hex ? 4 : 1) > 0;
}

/// A number 0.d1d2d3… × base^power, whose first and last digits are not zero.
struct ExactDigits {
    std::string digits = {};  ///< lower-case
    int64_t power = 0;

    auto operator<=>(const ExactDigits& other) const {
        return power != other.power ? power <=> other.power : digits <=> other.digits;
    }
    bool operator==(const ExactDigits&) const = default;
};

/// The digits of a number of the form that is_huge() takes, but for 2^-shift of a hexadecimal one.
inline ExactDigits digits_of(std::string_view text, bool is_hex, int& shift) {
    const size_t mark = std::min(text.find_first_of(is_hex ? "pP" : "eE"), text.size());
    ExactDigits result = {.power = written_exponent(text, mark)};
    shift = is_hex ? static_cast<int>(result.power & 3) : 0;
    if (is_hex) result.power >>= 2;
    bool is_fraction = false;
    for (char c : text.substr(0, mark)) {
        if (c == '.') {
            is_fraction = true;
            continue;
        }
        const bool leads = result.digits.empty() && c == '0';
        if (!leads) result.digits += static_cast<char>(c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);
        if (is_fraction ? leads : !leads) result.power += is_fraction ? -1 : 1;
    }
    result.digits.resize(result.digits.find_last_not_of('0') + 1);
    return result;
}

/// The digits of a number that is above zero and below 2^17, and a multiple of 2^-40.
inline ExactDigits digits_of(double number, int base) {
    ExactDigits result = {};
    char whole[32] = {};
    if (number >= 1)
        result.digits.assign(
            whole, std::to_chars(whole, whole + sizeof whole, static_cast<uint32_t>(number), base).ptr);
    result.power = static_cast<int64_t>(result.digits.size());
    for (double rest = number - std::floor(number); rest != 0; rest -= std::floor(rest)) {
        rest *= base;  // exact: the fraction becomes shorter by one bit or more
        const auto digit = static_cast<size_t>(rest);
        if (result.digits.empty() && digit == 0)
            --result.power;
        else
            result.digits += "0123456789abcdef"[digit];
    }
    result.digits.resize(result.digits.find_last_not_of('0') + 1);
    return result;
}

/// The bits of the half that is nearest to a number, ties to even. The number has `digits` of the form that
/// is_huge() takes, and `nearest` is the double nearest to it.
inline uint16_t half_from_digits(std::string_view digits, bool is_hex, double nearest) {
    const uint16_t bits = half_bits(nearest);
    // Rounding to double first makes a difference only at a tie, where it can hide a part of the number.
    const auto value = [](uint16_t half) { return half == 0x7c00 ? 65536.0 : half_value(half); };
    if (!(nearest < 65536) || value(bits) == nearest) return bits;
    const auto below = static_cast<uint16_t>(value(bits) < nearest ? bits : bits - 1);
    const auto above = static_cast<uint16_t>(below + 1);
    if (nearest - value(below) != value(above) - nearest) return bits;
    int shift = 0;
    const ExactDigits written = digits_of(digits, is_hex, shift);
    const ExactDigits tie = digits_of(std::ldexp(nearest, -shift), is_hex ? 16 : 10);
    return written < tie ? below : written > tie ? above : bits;
}

}  // namespace caldera
