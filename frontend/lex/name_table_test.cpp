// SPDX-License-Identifier: Apache-2.0
#include "frontend/lex/name_table.h"

#include <doctest/doctest.h>

#include <deque>
#include <string>

using namespace caldera::frontend;

TEST_CASE("one number for each spelling, through growth") {
    NameTable names;
    std::deque<std::string> texts;
    for (int i = 0; i < 5000; ++i) texts.push_back("name" + std::to_string(i * 7919));
    for (size_t i = 0; i < texts.size(); ++i) CHECK(names.intern(texts[i]) == i + 1);
    for (size_t i = 0; i < texts.size(); ++i) {
        CHECK(names.intern(std::string(texts[i])) == i + 1);
        CHECK(names.find(texts[i]) == i + 1);
        CHECK(names.text(static_cast<NameId>(i + 1)) == texts[i]);
    }
    CHECK(names.find("other") == 0);
    CHECK(names.size() == texts.size() + 1);
}

TEST_CASE("lengths and last bytes tell names apart") {
    NameTable names;
    for (std::string_view text : {"a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaaaa", "aaaaaaaaa", "aaaab", "b"}) {
        NameId id = names.intern(text);
        CHECK(names.text(id) == text);
    }
    CHECK(names.size() == 10);
}
