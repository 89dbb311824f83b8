// SPDX-License-Identifier: Apache-2.0
#include "frontend/lint/exact_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

namespace caldera::frontend {
namespace {

/// A number as digits between which and the point no zero is: 0.0250 is "25" and exponent -1. Hexadecimal
/// digits are four binary ones each.
struct Digits {
    std::string digits = {};
    int64_t exponent = 0;  ///< of the base, ten or two: where the point is, counted from the first digit
    bool operator==(const Digits&) const = default;
};

bool is_hexadecimal(std::string_view text) { return text.starts_with("0x") || text.starts_with("0X"); }

void append_digit(std::string& digits, char digit, bool hexadecimal) {
    if (!hexadecimal) {
        digits += digit;
        return;
    }
    const int value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    for (int bit = 3; bit >= 0; --bit) digits += static_cast<char>('0' + (value >> bit & 1));
}

/// What follows `e` or `p`; saturated.
int64_t read_exponent(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    int64_t exponent = 0;
    for (char c : text) {
        if (c < '0' || c > '9') break;  // a suffix
        if (exponent < 1'000'000'000) exponent = exponent * 10 + (c - '0');
    }
    return negative ? -exponent : exponent;
}

Digits normalized(Digits number) {
    const size_t first = number.digits.find_first_not_of('0');
    if (first == std::string::npos) return {};
    number.exponent -= static_cast<int64_t>(first);
    number.digits.erase(0, first);
    number.digits.erase(number.digits.find_last_not_of('0') + 1);
    return number;
}

Digits read(std::string_view text, bool hexadecimal) {
    Digits number;
    bool after_point = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i], lower = static_cast<char>(c | 0x20);
        if (c == '.') {
            after_point = true;
        } else if ((c >= '0' && c <= '9') || (hexadecimal && lower >= 'a' && lower <= 'f')) {
            append_digit(number.digits, c, hexadecimal);
            if (!after_point) number.exponent += hexadecimal ? 4 : 1;
        } else {
            if (lower == (hexadecimal ? 'p' : 'e')) number.exponent += read_exponent(text.substr(i + 1));
            break;
        }
    }
    return normalized(number);
}

}  // namespace

bool is_exactly(std::string_view text, double value) {
    if (!std::isfinite(value)) return false;
    const bool hexadecimal = is_hexadecimal(text);
    if (hexadecimal) text.remove_prefix(2);
    constexpr int kMostDigits = 767;  // that a double has
    std::array<char, kMostDigits + 16> exact;
    const auto [end, error] =
        hexadecimal ? std::to_chars(exact.data(), exact.data() + exact.size(), value, std::chars_format::hex)
                    : std::to_chars(exact.data(), exact.data() + exact.size(), value,
                                    std::chars_format::scientific, kMostDigits);
    if (error != std::errc()) return false;
    const std::string_view digits(exact.data(), static_cast<size_t>(end - exact.data()));
    return read(text, hexadecimal) == read(digits, hexadecimal);
}

}  // namespace caldera::frontend
