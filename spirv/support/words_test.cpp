// SPDX-License-Identifier: Apache-2.0
#include "spirv/support/words.h"

#include <doctest/doctest.h>

using namespace caldera;

using CommandWords = std::vector<std::string>;

TEST_CASE("a command's words are those of a shell") {
    const auto split = [](std::string_view text) { return split_words(text, Quoting::Shell); };
    CHECK(split("cc  -DA='b c' \"-D\\\"E\\\"\" f\\ g.cl '' \t") ==
          CommandWords{"cc", "-DA=b c", "-D\"E\"", "f g.cl", ""});
    CHECK(split("").empty());
    CHECK(split("'open").size() == 1);
}

TEST_CASE("a backslash in '...' and a carriage return are special in a response file alone") {
    const std::string_view text = "'a\\\\b'\rc";
    CHECK(split_words(text, Quoting::Shell) == CommandWords{"a\\\\b\rc"});
    CHECK(split_words(text, Quoting::ResponseFile) == CommandWords{"a\\b", "c"});
}
