// SPDX-License-Identifier: Apache-2.0
// What stands around the cursor, which `|` marks.
#include "tools/language_server/context.h"

#include <doctest/doctest.h>

using namespace caldera::language_server;

namespace {

std::string call(std::string text) {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const std::optional<CallContext> found = call_at(text, cursor);
    return found ? std::string(found->name) + " " + std::to_string(found->argument) : "";
}

std::string completion(std::string text) {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const CompletionContext found = completion_at(text, cursor);
    if (found.kind == CompletionContext::Kind::None) return "none";
    constexpr const char* kKinds[] = {"name ", "member ", "directive "};
    return kKinds[static_cast<size_t>(found.kind)] + text.substr(found.begin, cursor - found.begin);
}

}  // namespace

TEST_CASE("the call around the cursor") {
    CHECK(call("f(|") == "f 0");
    CHECK(call("f(a, g(b, c), |") == "f 2");
    CHECK(call("f(a, g(b, |") == "g 1");
    CHECK(call("f((float4)(1, 2, |") == "f 0");
    CHECK(call("f(a[1, 2], {3, 4}, |)") == "f 2");
    CHECK(call("f(/* ( */ \"(,\", '(', |") == "f 2");
    CHECK(call("f(a); |").empty());
    CHECK(call("void f() { |").empty());
    CHECK(call("(|").empty());
    CHECK(call("|").empty());
}

TEST_CASE("what a completion completes") {
    CHECK(completion("fl|") == "name fl");
    CHECK(completion("a + |") == "name ");
    CHECK(completion("a.|") == "member ");
    CHECK(completion("a->xy|z") == "member xy");
    CHECK(completion("f(a)[1] . |") == "member ");
    CHECK(completion("#de|f") == "directive de");
    CHECK(completion("x\n  # |") == "directive ");
    CHECK(completion("1.|") == "none");
    CHECK(completion("12|") == "none");
    CHECK(completion("// a.|\n") == "none");
    CHECK(completion("/* a.| */") == "none");
    CHECK(completion("/* a */|") == "name ");
    CHECK(completion("|") == "name ");
}
