// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/project.h"
#include "tests/support/why.h"

#include <doctest/doctest.h>

using namespace caldera;
using namespace caldera::language_server;

namespace {

using Texts = std::vector<std::string>;

Texts options(std::string_view text) {
    Result<Texts> found = parse_options_file(text);
    REQUIRE_MESSAGE(found, why(found));
    return found.take();
}

std::string fault(std::string_view text) {
    const Result<Texts> found = parse_options_file(text);
    return found ? "" : found.error().message;
}

}  // namespace

TEST_CASE("an options file has one key") {
    CHECK(options("").empty());
    CHECK(options("# nothing\n\n").empty());
    CHECK(options("options = []").empty());
    CHECK(options("options = [\"-DA=\\\"b\\\"\", '-Ic:\\d', # why\n  \"-cl-std=CL3.0\",\n]\r\n") ==
          Texts{"-DA=\"b\"", "-Ic:\\d", "-cl-std=CL3.0"});
    CHECK(options("options=\"-Ia -D 'B C'\"  # a line\n") == Texts{"-Ia", "-D", "B C"});
}

TEST_CASE("the faults of an options file") {
    CHECK(fault("\nother = 1") ==
          ".caldera.toml, line 2: unknown key 'other'; the one that is known is 'options'");
    CHECK(fault("options") == ".caldera.toml, line 1: expected '=' after 'options'");
    CHECK(fault("options = 3") == ".caldera.toml, line 1: expected a string");
    CHECK(fault("options = [\"a\" \"b\"]") == ".caldera.toml, line 1: expected ',' or ']'");
    CHECK(fault("options = [\"a\",\n\"b") == ".caldera.toml, line 2: a string has no end");
    CHECK(fault("options = [\"\\q\"]") == ".caldera.toml, line 1: unknown escape in a string");
    CHECK(fault("options = []\noptions = []") == ".caldera.toml, line 2: 'options' occurs twice");
    CHECK(fault("options = [] x") == ".caldera.toml, line 1: expected the end of the line");
    CHECK(fault("[table]") == ".caldera.toml, line 1: expected a key");
    CHECK(fault("options = [") == ".caldera.toml, line 1: expected a string");
    CHECK(fault("options = \"\\") == ".caldera.toml, line 1: unknown escape in a string");
}
