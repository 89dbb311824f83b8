// SPDX-License-Identifier: Apache-2.0
#include "vulkan/printf_format.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "tests/support/other_environments.h"

namespace caldera::vulkan {
namespace {

/// Arguments as a record has them.
struct Arguments {
    std::vector<uint32_t> sizes = {};
    std::vector<std::byte> bytes = {};

    template <class T>
    Arguments& add(std::initializer_list<T> values) {
        const size_t before = bytes.size();
        for (const T value : values) {
            const auto* raw = reinterpret_cast<const std::byte*>(&value);
            bytes.insert(bytes.end(), raw, raw + sizeof value);
        }
        while (bytes.size() % 4 != 0) bytes.push_back({});
        sizes.push_back(static_cast<uint32_t>(bytes.size() - before));
        return *this;
    }
    std::string text(std::string_view format) const {
        return format_printf(format, sizes, bytes, [](uint64_t value, uint32_t size) {
            return "<" + std::to_string(value) + ":" + std::to_string(size) + ">";
        });
    }
};
template <class T>
std::string text(std::string_view format, T value) {
    return Arguments().add({value}).text(format);
}

template <class... T>
std::string by_c(const std::string& format, T... values) {
    char text[1000];
    const int length = std::snprintf(text, sizeof text, format.c_str(), values...);
    return {text, static_cast<size_t>(length)};
}

const char* const kFlagSets[] = {"", "-", "+", " ", "0", "-0", "+ ", "+0", " 0", "-+"};
const char* const kSizes[] = {"", "1", "12", ".", ".0", ".5", "3.1", "12.5", "20.12"};

TEST_CASE("format_printf: integers as C prints them") {  // 1.13.13-7 ... -15, -20, -21, -23, -26 ... -29
    const int values[] = {0, 1, -1, 7, 123456, -123456, std::numeric_limits<int>::min()};
    for (const std::string flags : kFlagSets)
        for (const std::string size : kSizes)
            for (const int value : values) {
                for (const std::string letter : {"d", "i"}) {
                    if (flags.find('0') != std::string::npos && size.find('.') != std::string::npos) continue;
                    const std::string start = "[%" + flags + size;
                    CHECK(text(start + letter + "]", value) == by_c(start + letter + "]", value));
                    CHECK(text(start + "hh" + letter + "]", value) ==
                          by_c(start + "hh" + letter + "]", value));
                    CHECK(text(start + "h" + letter + "]", value) == by_c(start + "h" + letter + "]", value));
                    const long wide = value * 1000001L;
                    CHECK(text(start + "l" + letter + "]", wide) == by_c(start + "l" + letter + "]", wide));
                }
                if (flags.find_first_of("+ ") != std::string::npos) continue;
                for (const std::string letter : {"u", "o", "x", "X", "#o", "#x", "#X"}) {
                    const bool alternative = letter[0] == '#';
                    const std::string start = "[%" + flags + (alternative ? "#" : "") + size;
                    const std::string end = letter.substr(alternative ? 1 : 0) + "]";
                    const auto bits = static_cast<unsigned>(value);
                    CHECK(text(start + end, bits) == by_c(start + end, bits));
                    CHECK(text(start + "hh" + end, bits) == by_c(start + "hh" + end, bits));
                    CHECK(text(start + "h" + end, bits) == by_c(start + "h" + end, bits));
                    const unsigned long wide = bits * 1000001UL;
                    CHECK(text(start + "l" + end, wide) == by_c(start + "l" + end, wide));
                }
            }
}

TEST_CASE("format_printf: floats as C prints them") {  // 1.13.13-16, -30 ... -33, -38, -39
    const double values[] = {0.0,        -0.0, 1,     -2.5,   0.1,      1e-5,
                             123456.789, 1e10, 1e300, 4e-320, HUGE_VAL, -HUGE_VAL};
    for (const std::string flags : {"", "-", "+", " ", "0", "#", "-+#", "#0"})
        for (const std::string size : kSizes)
            for (const char letter : std::string("aAeEfFgG"))
                for (const double value : values) {
                    const std::string format = "[%" + flags + size + letter + "]";
                    CHECK(text(format, value) == by_c(format, value));
                    const auto narrow = static_cast<float>(value);
                    CHECK(text(format, narrow) == by_c(format, static_cast<double>(narrow)));
                }
    CHECK(text("[%5f]", std::fabs(std::nan(""))) == "[  nan]");
    CHECK(text("[%-5F]", std::fabs(std::nanf(""))) == "[NAN  ]");
}

TEST_CASE("format_printf: vectors") {  // 1.13.13-17 ... -22
    CHECK(Arguments().add({1.0f, 2.0f, 3.0f, 4.0f}).text("%2.2v4hlf") ==
          "1.00,2.00,3.00,4.00");  // 1.13.13-44
    CHECK(Arguments().add<uint8_t>({0xfa, 0xfb, 0xfc, 0xfd}).text("%#v4hhx") == "0xfa,0xfb,0xfc,0xfd");
    CHECK(Arguments().add<int8_t>({-1, 2}).add<int8_t>({3, -4, 5}).text("%v2hhd %v3hhu") == "-1,2 3,252,5");
    CHECK(Arguments().add<int16_t>({-1, 2, 300}).add({7}).text("%3v3hd|%d") == " -1,  2,300|7");
    CHECK(Arguments().add<int32_t>({-1, 2, 3}).text("%v3hld") == "-1,2,3");
    CHECK(Arguments().add<int64_t>({-1, 1ll << 40}).text("%v2lx") == "ffffffffffffffff,10000000000");
    CHECK(Arguments().add({0.5, -1.0, 2.0}).text("%.1v3lf") == "0.5,-1.0,2.0");
    // halves: 1, -2, the least subnormal, infinity
    CHECK(Arguments().add<uint16_t>({0x3c00, 0xc000, 1, 0x7c00}).text("%v4hg") == "1,-2,5.96046e-08,inf");
    CHECK(Arguments().add({1, 2}).text("%v2d") == "1,2");  // without a length
}

TEST_CASE("format_printf: characters, strings, pointers, percent signs") {  // 1.13.13-34 ... -37
    CHECK(text("[%c][%%]", 'a' + 256) == "[a][%]");
    CHECK(text("[%3c]", int{'a'}) == "[  a]");
    CHECK(text("[%-3c]", int{'a'}) == "[a  ]");
    CHECK(text("%c", 0) == std::string(1, '\0'));
    CHECK(text("%s", 7u) == "<7:4>");
    CHECK(text("%7s|", uint64_t{7}) == "  <7:8>|");
    CHECK(text("%-5.2s|", 7u) == "<7   |");
    CHECK(text("%p", uint64_t{0x1234}) == "0x1234");
    CHECK(text("%8p|", uint64_t{0}) == "     0x0|");
}

TEST_CASE("format_printf: what is no format does no harm") {  // 1.13.13-10, -40, -42, -43
    CHECK(text("%d %d", 1) == "1 %d");
    CHECK(text("% d%", 1) == " 1%");
    CHECK(text("%*d", 1) == "%*d");
    CHECK(text("%v5hld %d", 1) == "%v5hld 1");
    CHECK(text("%y%d", 1) == "%y1");
    CHECK(text("%v2s %d", 1) == "%v2s 1");
    CHECK(text("%n%d", 1) == "%d");
    CHECK(text("%lld %zu", int64_t{1} << 40) == "1099511627776 %zu");
    CHECK(text("%99999999999999999999d", 1).size() == kMaxPrintfDigits);
    CHECK(text("%.99999999999999999999f", 1.0f).size() == kMaxPrintfDigits + 2);
    CHECK(text("%v16lf", 1.0f).starts_with("0.000000,"));
    CHECK(text("%f", uint8_t{1}) == "0.000000");
    CHECK(format_printf("%d", std::vector<uint32_t>{4}, {}, {}) == "0");
    CHECK(format_printf(std::string_view("a\0b", 3), {}, {}, {}) == "a");
    CHECK(format_printf("", {}, {}, {}) == "");
}

TEST_CASE("the text is the C locale's, and rounded to nearest, whatever the program has") {
    for (const testing::FloatEnvironment& other : testing::other_float_environments()) {
        CAPTURE(other.name);
        std::string printed;
        {
            const testing::InFloatEnvironment within(other);
            printed = text("%.1f", 0.25) + text(" %.2e", 0x1p-130f) + text(" %a", 1e-40f);
        }
        CHECK(printed == "0.2 7.35e-40 0x1.16c2p-133");
    }
    const testing::InLocale locale("de_DE.UTF-8");
    if (!locale.is_there()) {
        MESSAGE("skipped: the system has no locale de_DE.UTF-8");
        return;
    }
    REQUIRE(std::localeconv()->decimal_point == std::string(","));
    CHECK(text("%.2f", 1234.5) == "1234.50");
    CHECK(text("%g", 0.5f) == "0.5");
    CHECK(std::localeconv()->decimal_point == std::string(","));
}

}  // namespace
}  // namespace caldera::vulkan
