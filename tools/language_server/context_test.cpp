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
    constexpr const char* kKinds[] = {"name ", "member ", "label ", "tag ", "macro ", "directive "};
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

TEST_CASE("a completion in a string or a directive") {
    CHECK(completion("printf(\"a.|") == "none");
    CHECK(completion("printf(\"a.|\");") == "none");
    CHECK(completion("printf(\"a\", |") == "name ");
    CHECK(completion("x = 'a|") == "none");
    CHECK(completion("printf(\"a.\n|") == "name ");
    CHECK(completion("#include \"|\"") == "none");
    CHECK(completion("#include <a.|") == "none");
    CHECK(completion("#pragma |") == "none");
    CHECK(completion("#pragma OPENCL EXT|") == "none");
    CHECK(completion("#pragma once\n|") == "name ");
    CHECK(completion("#pragma once\r\nx.|") == "member ");
    CHECK(completion("#error a \\\n b|") == "none");
    CHECK(completion("#error a b|\n") == "none");
    CHECK(completion("#define N|") == "none");
    CHECK(completion("#define N m|") == "name m");
    CHECK(completion("#define N(s) s->|") == "member ");
    CHECK(completion("#if defined(N|") == "macro N");
    CHECK(completion("#ifdef |") == "macro ");
    CHECK(completion("#undef N|\nint x;") == "macro N");
}

TEST_CASE("a completion behind a keyword that says what follows") {
    CHECK(completion("goto |") == "label ");
    CHECK(completion("goto do|ne;") == "label do");
    CHECK(completion("goto|") == "name goto");
    CHECK(completion("const struct pa|") == "tag pa");
    CHECK(completion("enum |") == "tag ");
    CHECK(completion("struct { |") == "name ");
}

TEST_CASE("the scope of a local name") {
    // The declaration begins at the first '$'.
    const auto in_scope = [](std::string text) {
        const size_t declared = text.find('$');
        text.erase(declared, 1);
        const size_t cursor = text.find('|');
        text.erase(cursor, 1);
        return Scopes(text, cursor).has(declared);
    };
    CHECK(in_scope("{ $int a; { | } }"));
    CHECK(!in_scope("{ { $int a; } | }"));
    CHECK(in_scope("void f($int a) { | }"));
    CHECK(in_scope("void f($int a) { if (a) { } |"));
    CHECK(!in_scope("void f($int a) { } |"));
    CHECK(!in_scope("void f($int a); |"));
    CHECK(!in_scope("void f(int g($int a), int b) { | }"));
    CHECK(in_scope("b = ^($int a) { | };"));
    CHECK(!in_scope("b = ^($int a) { }; |"));
    CHECK(in_scope("x = ({ $int a; |"));
    CHECK(!in_scope("x = ({ $int a; }) + |"));
    CHECK(in_scope("for ($int i = 0; |"));
    CHECK(in_scope("for ($int i = 0; i < n; ++i) { | }"));
    CHECK(in_scope("for ($int i = 0; i < n; ++i) |"));
    CHECK(in_scope("for ($int i = 0; i < n; ++i) if (i) { } else |"));
    CHECK(!in_scope("for ($int i = 0; i < n; ++i) f(i); |"));
    CHECK(!in_scope("for ($int i = 0; i < n; ++i) { } |"));
    CHECK(in_scope("{ $int (*p)[4]; |"));
    CHECK(in_scope("{ $int a;\n#if A\n if (x) {\n#else\n if (y) {\n#endif\n } |"));
    CHECK(!in_scope("{ { $int a;\n#if A\n if (x) {\n#else\n if (y) {\n#endif\n } } |"));
    CHECK(in_scope("{ $int a;\n#define END }\n|"));
}
