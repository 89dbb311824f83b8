// SPDX-License-Identifier: Apache-2.0
#include "frontend/warning_map.h"

#include <doctest/doctest.h>

using namespace caldera::frontend;

namespace {
WarningMap with(std::vector<std::string> groups) {
    return WarningMap(WarningOptions{.groups = std::move(groups)});
}
constexpr SourceLoc kNowhere = {};
}  // namespace

TEST_CASE("groups hold groups; later options win") {
    CHECK(with({}).at(Warning::UnusedVariable, kNowhere) == Severity::Ignored);
    CHECK(with({"all"}).at(Warning::UnusedVariable, kNowhere) == Severity::Warning);
    CHECK(with({"all", "no-unused"}).at(Warning::UnusedVariable, kNowhere) == Severity::Ignored);
    CHECK(with({"no-unused", "all"}).at(Warning::UnusedVariable, kNowhere) == Severity::Warning);
    CHECK(with({"conversion"}).at(Warning::Shorten64To32, kNowhere) == Severity::Warning);
    CHECK(with({"error=unused"}).at(Warning::UnusedVariable, kNowhere) == Severity::Error);
    CHECK(with({"error", "all", "no-error=unused"}).at(Warning::UnusedVariable, kNowhere) ==
          Severity::Warning);
    CHECK(with({"everything"}).at(Warning::Shadow, kNowhere) == Severity::Warning);
    CHECK(with({"c++98-compat", "all", "no-such"}).unknown_groups() ==
          std::vector<std::string>{"c++98-compat", "no-such"});
}

TEST_CASE("pragmas count from their place on, and pop takes back") {
    WarningMap map = with({"all"});
    map.enter({1});
    map.push();
    CHECK(map.set({10}, "unused", Severity::Ignored));
    CHECK_FALSE(map.set({15}, "no-such-group", Severity::Ignored));
    CHECK(map.pop({20}));
    CHECK_FALSE(map.pop({30}));
    CHECK(map.set({40}, "unused-variable", Severity::Error));
    CHECK(map.at(Warning::UnusedVariable, {5}) == Severity::Warning);
    CHECK(map.at(Warning::UnusedVariable, {12}) == Severity::Ignored);
    CHECK(map.at(Warning::UnusedVariable, {25}) == Severity::Warning);
    CHECK(map.at(Warning::UnusedVariable, {45}) == Severity::Error);
    map.set({50}, "all", Severity::Warning);  // no error becomes less by it
    CHECK(map.at(Warning::UnusedVariable, {55}) == Severity::Error);
}

TEST_CASE("-w hides what options and pragmas make errors, but nothing that is an error by default") {
    WarningMap map(WarningOptions{.no_warnings = true, .groups = {"all", "error=unused", "error"}});
    map.enter({1});
    CHECK(map.at(Warning::UnusedVariable, kNowhere) == Severity::Ignored);
    CHECK(map.at(Warning::ReturnValue, kNowhere) == Severity::Error);
    CHECK_FALSE(map.on_somewhere(Warning::UnusedVariable));
    for (const Severity severity : {Severity::Warning, Severity::Error, Severity::Fatal}) {
        map.set({10}, "unused-variable", severity);
        CHECK(map.at(Warning::UnusedVariable, {15}) == Severity::Ignored);
    }
    map.set({20}, "return-type", Severity::Fatal);
    CHECK(map.at(Warning::ReturnValue, {25}) == Severity::Fatal);
}

TEST_CASE("a misspelt group") {
    CHECK(nearest_warning("unusd-variable") == "unused-variable");
    CHECK(nearest_warning("completely-else").empty());
}
