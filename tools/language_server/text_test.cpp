// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/text.h"

#include <doctest/doctest.h>

using namespace caldera::language_server;

TEST_CASE("positions count UTF-16 code units") {
    const std::string text = "a\xc3\xa9\xf0\x9f\x98\x80z\nb";  // a, e with acute, a smiling face, z
    const LineTable lines(text);
    CHECK(lines.line_count() == 2);
    CHECK(lines.position(0) == Position{0, 0});
    CHECK(lines.position(1) == Position{0, 1});
    CHECK(lines.position(3) == Position{0, 2});
    CHECK(lines.position(7) == Position{0, 4});
    CHECK(lines.position(8) == Position{0, 5});
    CHECK(lines.position(9) == Position{1, 0});
    CHECK(lines.position(100) == Position{1, 1});
    for (const size_t offset : {0, 1, 3, 7, 8, 9, 10}) CHECK(lines.offset(lines.position(offset)) == offset);
    CHECK(lines.offset({0, 3}) == 3);  // between the halves of a pair
    CHECK(lines.offset({0, 99}) == 8);
    CHECK(lines.offset({7, 0}) == 10);
}

TEST_CASE("all ends of lines, and bytes that are no UTF-8") {
    const std::string text =
        "a\rb\r\nc\n\xff\xfe"
        "d";
    const LineTable lines(text);
    CHECK(lines.line_count() == 4);
    CHECK(lines.line(1) == "b");
    CHECK(lines.position(2) == Position{1, 0});
    CHECK(lines.position(7) == Position{3, 0});
    CHECK(lines.position(9) == Position{3, 2});
    CHECK(lines.offset({3, 2}) == 9);
    CHECK(lines.offset({1, 9}) == 3);
    const LineTable empty("");
    CHECK(empty.line_count() == 1);
    CHECK(empty.position(0) == Position{0, 0});
    CHECK(empty.offset({0, 5}) == 0);
}

TEST_CASE("positions in long lines, between short ones") {
    std::string text = "first\n";
    const size_t begin = text.size();
    std::vector<size_t> places;
    for (int i = 0; i < 2000; ++i) {
        places.push_back(text.size());
        text += i % 7 == 0 ? "\xf0\x9f\x98\x80" : i % 5 == 0 ? "\xc3\xa9" : i % 11 == 0 ? "\xff" : "x";
    }
    const size_t end = text.size();
    text += "\r\nlast";
    const LineTable lines(text);
    for (const size_t place : places) {
        const Position position{1, utf16_length(std::string_view(text).substr(begin, place - begin))};
        REQUIRE(lines.position(place) == position);
        REQUIRE(lines.offset(position) == place);
    }
    CHECK(lines.offset({1, 100000}) == end);
    CHECK(lines.position(end + 1) == lines.position(end));
    CHECK(lines.position(end + 3) == Position{2, 1});
    CHECK(lines.offset({2, 3}) == end + 5);
}
