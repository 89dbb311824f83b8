// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/float_from_chars.h"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>

namespace caldera {
namespace {

template <class T, class Bits>
void check_like_the_library(std::string_view text, std::chars_format format) {
    const char *const first = text.data(), *const last = first + text.size();
    if constexpr (requires(T value) { std::from_chars(first, last, value, format); }) {
        CAPTURE(text);
        T wanted = 7, found = 7;
        const auto library = std::from_chars(first, last, wanted, format);
        const auto ours = float_by_strtod(first, last, found, format);
        CHECK(ours.ec == library.ec);
        if (library.ec != std::errc::result_out_of_range) CHECK(ours.ptr == library.ptr);
        CHECK(std::bit_cast<Bits>(found) == std::bit_cast<Bits>(wanted));
    }
}

}  // namespace

TEST_CASE("numbers by strtod() are those of std::from_chars") {
    for (const char* text : {"0",
                             "-0",
                             "1",
                             "1.5",
                             "-2.25e3",
                             ".5",
                             "5.",
                             "1e",
                             "1e+",
                             "1e-2f",
                             "0.1",
                             "16777217",
                             "1e39",
                             "1e-46",
                             "1e-45",
                             "1.17549429e-38",
                             "3.4028235677973366e38",
                             "2.2250738585072011e-308",
                             "4.9e-324",
                             "1e400",
                             "1e-400",
                             "9007199254740993",
                             "inf",
                             "-inf",
                             "infinity",
                             "",
                             "-",
                             ".",
                             "+1",
                             " 1",
                             "--1",
                             "- 1",
                             "0x10",
                             "-0x1p3",
                             "x",
                             "1,5",
                             "1x"}) {
        check_like_the_library<float, uint32_t>(text, std::chars_format::general);
        check_like_the_library<double, uint64_t>(text, std::chars_format::general);
    }
    for (const char* text : {"0", "1p3", "1.8p-1", "-a.8p4", "ffffff8", "1.000001p0", "1.0000000000000800p0",
                             ".8p0", "1p200", "1p-200", "1p2000", "p1", "g", "-", "", "0x1p3", "1p"}) {
        check_like_the_library<float, uint32_t>(text, std::chars_format::hex);
        check_like_the_library<double, uint64_t>(text, std::chars_format::hex);
    }
}

}  // namespace caldera
