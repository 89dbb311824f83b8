// SPDX-License-Identifier: Apache-2.0
// Names in a translation unit, in correct and in faulty ones.
#include "tools/language_server/unit.h"

#include <doctest/doctest.h>

#include "tools/language_server/workspace.h"

using namespace caldera;
using namespace caldera::language_server;

namespace {

/// "line:column kind" of each name of the main file that is written `name`; D where it is declared.
std::string names(std::string_view text, std::string_view name,
                  const frontend::CompileOptions& options = {}) {
    const Unit unit("/a.cl", text, options);
    std::string out;
    for (const Name& each : unit.names()) {
        if (each.place.file != 0 || unit.text(each.place) != name) continue;
        const Position at = unit.range(each.place).start;
        out += (out.empty() ? "" : " ") + std::to_string(at.line) + ":" + std::to_string(at.character) +
               "?dlbm"[static_cast<size_t>(each.entity.kind)] + (each.declares ? "D" : "");
    }
    return out;
}

}  // namespace

TEST_CASE("names of all kinds") {
    CHECK(names("int f(int a) { return a; }\nint g(void) { return f(1) + f(2); }", "f") ==
          "0:4dD 1:21d 1:28d");
    CHECK(names("struct s { int m; };\nint f(struct s v, struct s *p) { struct s w = {.m = 1}; return v.m + "
                "p->m; }",
                "m") == "0:15dD 1:48d 1:65d 1:72d");
    CHECK(names("typedef int T;\nT f(T a) { return (T)a + sizeof(T); }", "T") ==
          "0:12dD 1:0d 1:4d 1:19d 1:32d");
    CHECK(names("enum e { A, B = A };\nint f(enum e x) { return A; }", "A") == "0:9dD 0:16d 1:25d");
    CHECK(names("void f(void) { goto l; l: ; }", "l") == "0:20l 0:23lD");
    CHECK(names("void f(void) { { __label__ l; goto l; l: ; } l: goto l; }", "l") ==
          "0:27l 0:35l 0:38lD 0:45lD 0:53l");
    CHECK(names("#define M(x) x\n#ifdef M\nint f(void) { return M(1); }\n#endif\n#undef M", "M") ==
          "0:8mD 1:7m 2:21m 4:7m");
    CHECK(names("float f(float a) { return fmax(a, sin(a)); }", "fmax") == "0:26b");
    CHECK(names("float f(float a) { return fmax(a, sin(a)); }", "a") == "0:14dD 0:31d 0:38d");
}

TEST_CASE("names in macros are where they are written") {
    CHECK(names("#define TWICE(x) (x + x)\nint f(int a) { return TWICE(a); }", "a") == "1:10dD 1:28d");
    CHECK(names("int g(int);\n#define CALL g(1)\nint f(void) { return CALL; }", "g") == "0:4dD 1:13d");
    CHECK(names("#define NAME(x) x##1\nint NAME(a)(int b) { return b; }", "a").empty());
}

TEST_CASE("faulty sources keep what can be read") {
    CHECK(names("int f(int a) { return a + ; }\nint g(int a) { return f(a, }", "f") == "0:4dD 1:22d");
    CHECK(names("int f(int a) { int b = unknown(a); b.x = a[1; return b", "b") == "0:19dD 0:35d 0:53d");
    CHECK(names("#include \"none.h\"\nint f(int a) { return a; }", "a") == "1:10dD 1:22d");
    CHECK(names("struct s { int m; ", "m") == "0:15dD");
    CHECK(names("int f(int a) { return fmax(a); }", "fmax") == "0:22b");
}

TEST_CASE("a member access knows its type before the member is written") {
    for (const char* text : {"struct s { int m; };\nvoid f(struct s v) { v. }",
                             "struct s { int m; };\nvoid f(struct s *v) { v->; }",
                             "struct s { int m; };\nvoid f(struct s v) { v->; }"}) {
        const Unit unit("/a.cl", text, {});
        REQUIRE(unit.analysis().mentions().members.size() == 1);
        CHECK(unit.analysis().mentions().members[0].base->is_record());
    }
}

TEST_CASE("changes replace ranges in order") {
    Workspace workspace(
        [](auto, auto) { return Result<frontend::CompileOptions>(frontend::CompileOptions()); });
    workspace.open({.uri = "file:///a.cl", .text = "one\ntwo\n"});
    Document* document = workspace.find("file:///a%2Ecl");
    REQUIRE(document);
    const auto change = [&](const char* json) {
        workspace.change(*document, Json::parse(json));
        return document->text;
    };
    CHECK(
        change(
            R"([{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}}, "text": "2"},
                     {"range": {"start": {"line": 0, "character": 3}, "end": {"line": 1, "character": 0}}, "text": ""}])") ==
        "one2\n");
    CHECK(
        change(
            R"([{"range": {"start": {"line": 9, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "!"}])") ==
        "one2\n!");
    CHECK(change(R"([{"text": "all"}])") == "all");
    CHECK(change(R"([{"txt": "none"}, 3, null])") == "all");
    CHECK(change(R"({})") == "all");
}
