// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/json.h"

#include <doctest/doctest.h>

using namespace caldera::language_server;

TEST_CASE("halves of surrogate pairs and bytes that are no UTF-8 do not lose a message") {
    const auto text = [](std::string_view json) {
        const Json value = parse_json(json);
        return value.is_string() ? value.get<std::string>() : std::string("none");
    };
    const std::string replaced = "\xef\xbf\xbd";
    CHECK(text(R"("a\ud83d\ude00b")") ==
          "a\xf0\x9f\x98\x80"
          "b");
    CHECK(text(R"("a\ud83db")") == "a" + replaced + "b");
    CHECK(text(R"("a\uDE00b")") == "a" + replaced + "b");
    CHECK(text(R"("\ude00\ud83d")") == replaced + replaced);
    CHECK(text(R"("\ud83d\ud83d\ude00")") == replaced + "\xf0\x9f\x98\x80");
    CHECK(text(R"("\ud83d\n\u0041")") == replaced + "\nA");
    CHECK(text(R"("\\ud83d\"\ud83d")") == "\\ud83d\"" + replaced);  // a backslash, and no escape
    CHECK(text("\"a\xff\xc3\"") == "a" + replaced + replaced);
    CHECK(text("\"\xed\xa0\x80\"") == replaced + replaced + replaced);
    for (const char* wrong : {"", "{", "\"\\ud83\"", "\"\\ud83d", "\"\\", "\"\\\xff\"", "\\ud83d"})
        CHECK(parse_json(wrong).is_discarded());
}
