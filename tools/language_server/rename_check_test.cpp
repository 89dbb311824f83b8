// SPDX-License-Identifier: Apache-2.0
// Renames through the server's own function: the name at '@' of the text.
#include "tools/language_server/rename_check.h"

#include <doctest/doctest.h>

#include "tools/language_server/features.h"

using namespace caldera;
using namespace caldera::language_server;

namespace {

/// How many places the rename changes, or why it does not.
std::string rename_at(std::string text, const std::string& name, const std::string& header = {},
                      const std::vector<std::string>& folders = {"/none"},
                      const std::vector<std::string>& others = {}) {
    const size_t at = text.find('@');
    text.erase(at, 1);
    Workspace workspace(
        [](auto, auto) { return Result<frontend::CompileOptions>(frontend::CompileOptions()); });
    workspace.folders = folders;
    if (!header.empty()) workspace.open({.uri = "file:///none/h.h", .text = header});
    workspace.open({.uri = "file:///none/a.cl", .text = text});
    for (const std::string& other : others)
        workspace.open(
            {.uri = "file:///none/other" + std::to_string(&other - others.data()) + ".cl", .text = other});
    const Json params = {{"position", to_json(LineTable(text).position(at))}, {"newName", name}};
    const Result<Json> edits = rename({workspace, *workspace.find("file:///none/a.cl"), params});
    if (!edits) return edits.error().message;
    size_t places = 0;
    for (const Json& file : member(*edits, "changes")) places += file.size();
    return std::to_string(places);
}

}  // namespace

TEST_CASE("a rename changes all places") {
    CHECK(rename_at("void f(int @a) { int b = a; { int c = a + b; } }", "x") == "3");
    CHECK(rename_at("void f(int @a) { int b = a; { int c = a + b; } }", "a") == "3");
    CHECK(rename_at("void f(int @a) { int b = a; { int c = b; } }", "c") ==
          "2");  // c is declared where a is unused
    CHECK(rename_at("struct s { int @m; }; void f(struct s *p, int n) { p->m = n; }", "n") == "2");
    CHECK(rename_at("#define @N 4\nint f(int a) { return a + N + N; }", "LONGER") == "3");
    CHECK(rename_at("void f(int @a) { a = b; }", "c") == "2");  // the source had an error before
    CHECK(rename_at("#include \"h.h\"\nvoid f(int a) { a = @g(a); }", "h", "int g(int x);\n") == "2");
}

TEST_CASE("a rename that collides is declined") {
    const std::string taken = "'b' is taken: ";
    CHECK(rename_at("void f(int @a, int b) {}", "b") == taken + "redefinition of parameter 'b'");
    CHECK(rename_at("void f(int @a) { int b; a = 1; }", "b").starts_with(taken));
    // Hidden by a name within, and hiding one.
    CHECK(rename_at("void f(int @a) { { int b = 1; b = a; } }", "b") ==
          taken + "'a' in line 1 would have another meaning");
    CHECK(rename_at("constant int b = 1;\nvoid f(int @a) {\n    a = b;\n}", "b") ==
          taken + "'b' in line 3 would have another meaning");
    CHECK(rename_at("void f(float @a) {\n    float c = a;\n    c = fmax(a, c);\n}", "fmax")
              .starts_with("'fmax' is taken"));
    CHECK(rename_at("void b(int x); void @a(int x) { b(x); }", "b").starts_with(taken));
    CHECK(rename_at("struct s { int @a; float b; };", "b").starts_with(taken));
    CHECK(rename_at("void f(int x) { @a: b: if (x) goto a; goto b; }", "b").starts_with(taken));
    CHECK(rename_at("#define b 4\nvoid f(int @a) { a = b; }", "b").starts_with(taken));
    CHECK(rename_at("#define @a 4\nint f(int b) { return a + b; }", "b").starts_with(taken));
    CHECK(rename_at("typedef int b; b f(int @a) { b c = a; return c + sizeof(b); }", "b").starts_with(taken));
    CHECK(rename_at("#include \"h.h\"\nvoid f(int a) { int b = 2; a = @g(a) + b; }", "b", "int g(int x);\n")
              .starts_with(taken));
}

TEST_CASE("a name of a header is renamed only where its users can be found") {
    const std::string text = "#include \"h.h\"\nvoid f(int a) { a = @g(a); }", header = "int g(int x);\n";
    CHECK(rename_at(text, "h", header, {"/other", "/none"}) == "2");
    CHECK(rename_at(text, "h", header, {}) ==
          "'g' is declared in a header, and the editor has opened no folder with the files that may include "
          "it");
    CHECK(rename_at(text, "h", header, {"/non"}) ==
          "'g' is declared in '/none/h.h', which is outside of the editor's folders");
    CHECK(rename_at("#include \"h.h\"\nvoid f(int @a) { a = g(a); }", "b", header, {}) == "3");
    CHECK(rename_at("void @f(int a) {}", "b", {}, {}) == "1");
}

TEST_CASE("a name that a header's macro has is shared with those who include the header") {
    const std::string text = "#include \"h.h\"\nvoid f(int *@a) { SET(1); }",
                      header = "#define SET(x) *a = x\n";
    CHECK(rename_at(text, "b", header) == "2");
    CHECK(rename_at(text, "b", header, {}) ==
          "'a' is named in a header, and the editor has opened no folder with the files that may include it");
    CHECK(rename_at(text, "b", header, {"/non"}) ==
          "'a' is named in '/none/h.h', which is outside of the editor's folders");
    CHECK(
        rename_at("#include \"h.h\"\nvoid f(int x) { if (x) FAIL; @a: ; }", "b", "#define FAIL goto a\n", {})
            .starts_with("'a' is named in a header"));
    const std::string used = "#include \"h.h\"\nvoid f(int *@a) { SET(a, 1); }";
    CHECK(rename_at(used, "b", "#define SET(p, x) *p = x\n", {}) == "2");
    // Another kernel has a name of its own for the macro.
    const std::vector<std::string> others = {"#include \"h.h\"\nvoid g(int *a) { SET(2); }"};
    CHECK(rename_at(text, "b", header, {"/none"}, others) ==
          "'b' is taken: use of undeclared identifier 'b'");
}
