// SPDX-License-Identifier: Apache-2.0
#include "frontend/diag.h"

#include <doctest/doctest.h>

using namespace caldera::frontend;

namespace {

struct File {
    SourceManager sources;
    SourceLoc begin;
    explicit File(std::string text) : begin(sources.add_file("k.cl", std::move(text))) {}
    SourceLoc at(uint32_t offset) const { return {begin.offset + offset}; }
    SourceRange range(uint32_t from, uint32_t to) const { return {at(from), at(to)}; }
};

std::string flags(std::vector<std::string> groups, bool no_warnings = false) {
    Diagnostics diags(WarningOptions{.no_warnings = no_warnings, .groups = std::move(groups)});
    diags.warning(Warning::MacroRedefined, {}, "redefined");
    diags.warning(Warning::UndefMacro, {}, "undef");
    return render(diags, SourceManager(), false);
}

}  // namespace

TEST_CASE("a message with its line, tildes, a fix-it and a note") {
    File file("int a = b * 2;\n\tx = 1\n");
    Diagnostics diags;
    diags.error(file.range(8, 9), "use of undeclared identifier '", "b", "'")
        .highlight(file.range(12, 13))
        .note(file.range(4, 5), "declared here");
    diags.error(file.range(21, 21), "expected ';'").fixit(file.range(21, 21), ";");
    CHECK(render(diags, file.sources, false) == R"(k.cl:1:9: error: use of undeclared identifier 'b'
int a = b * 2;
        ^   ~
k.cl:1:5: note: declared here
int a = b * 2;
    ^
k.cl:2:7: error: expected ';'
        x = 1
             ^
             ;
)");
}

TEST_CASE("a range over lines is underlined to the line's end; bytes that are no text are shown") {
    File file(
        "f(\x01\xFF"
        "a,\n  b);\n");
    Diagnostics diags;
    diags.error(file.range(0, 10), "no");
    CHECK(render(diags, file.sources, false) == "k.cl:1:1: error: no\nf(<U+0001><FF>a,\n^~~~~~~~~~~~~~~~\n");
    File wide("\xE4\xB8\x96 x");
    Diagnostics other;
    other.error(wide.range(4, 5), "here");
    CHECK(render(other, wide.sources, false) == "k.cl:1:5: error: here\n\xE4\xB8\x96 x\n   ^\n");
}

TEST_CASE("include stacks and #line") {
    SourceManager sources;
    SourceLoc main = sources.add_file("k.cl", "\n#include \"a.h\"\n");
    SourceLoc a = sources.add_file("./a.h", "#include \"b.h\"\n", {main.offset + 10});
    SourceLoc b = sources.add_file("./b.h", "x\n#line 7 \"y.cl\"\nz\n", {a.offset + 9});
    sources.add_line_directive({b.offset + 8}, 7, "y.cl");
    Diagnostics diags;
    diags.error({b, {b.offset + 1}}, "one");
    diags.error({{b.offset + 17}, {b.offset + 18}}, "two");
    CHECK(render(diags, sources, false) ==
          "In file included from k.cl:2:\nIn file included from ./a.h:1:\n./b.h:1:1: error: one\nx\n^\n"
          "y.cl:7:1: error: two\nz\n^\n");
}

TEST_CASE("macro back-traces, the middle left out when they are long") {
    File file("#define A b\n#define B A\nB\n");
    SourceLoc b = file.sources.add_expansion(file.at(22), 1, file.at(24), "B");
    SourceLoc a = file.sources.add_expansion(file.at(10), 1, b, "A");
    Diagnostics diags;
    diags.error({a, {a.offset + 1}}, "undeclared");
    CHECK(render(diags, file.sources, false) == R"(k.cl:3:1: error: undeclared
B
^
k.cl:2:11: note: expanded from macro 'B'
#define B A
          ^
k.cl:1:11: note: expanded from macro 'A'
#define A b
          ^
)");
    SourceLoc deep = a;
    for (int i = 0; i < 6; ++i) deep = file.sources.add_expansion(file.at(10), 1, deep, "A");
    Diagnostics other;
    other.error({deep, {deep.offset + 1}}, "deep");
    CHECK(render(other, file.sources, false).find("note: (skipping 2 expansions in backtrace)") !=
          std::string::npos);
}

TEST_CASE("-W groups") {
    CHECK(flags({}) == "warning: redefined [-Wmacro-redefined]\n");
    CHECK(flags({"undef"}) == "warning: redefined [-Wmacro-redefined]\nwarning: undef [-Wundef]\n");
    CHECK(flags({"no-macro-redefined"}).empty());
    CHECK(flags({"everything", "no-macro-redefined"}) == "warning: undef [-Wundef]\n");
    CHECK(flags({"error"}) == "error: redefined [-Werror,-Wmacro-redefined]\n");
    CHECK(flags({"error", "no-error=macro-redefined"}) == "warning: redefined [-Wmacro-redefined]\n");
    CHECK(flags({"error=undef"}) ==
          "warning: redefined [-Wmacro-redefined]\nerror: undef [-Werror,-Wundef]\n");
    CHECK(flags({}, true).empty());
    CHECK(Diagnostics(WarningOptions{.groups = {"no-such", "all", "no-error"}}).unknown_groups() ==
          std::vector<std::string>{"no-such"});
}

TEST_CASE("the error limit, fatal errors") {
    Diagnostics diags(WarningOptions{.error_limit = 2});
    for (int i = 0; i < 5; ++i) diags.error({}, "e", i);
    CHECK(render(diags, SourceManager(), false) ==
          "error: e0\nerror: e1\nfatal error: too many errors emitted, stopping now [-ferror-limit=]\n");
    CHECK(diags.stopped());
    Diagnostics first(WarningOptions{.fatal_errors = true});
    first.error({}, "a");
    first.error({}, "b");
    CHECK(render(first, SourceManager(), false) == "fatal error: a\n");
}

TEST_CASE("the order of the source, whatever reported first") {
    SourceManager sources;
    SourceLoc main = sources.add_file("k.cl", "a\n#include \"a.h\"\nb\n");
    SourceLoc a = sources.add_file("a.h", "x y\n", {main.offset + 11});
    Diagnostics diags;
    auto at = [](SourceLoc file, uint32_t offset) {
        return SourceRange{{file.offset + offset}, {file.offset + offset + 1}};
    };
    diags.error(at(main, 17), "four");
    diags.error(at(a, 2), "three");
    diags.error(at(a, 0), "two");
    diags.error(at(main, 0), "one");
    diags.warning(Warning::UnknownWarningOption, {}, "zero");
    diags.fatal(at(main, 0), "end");
    diags.sort_by_place(sources);
    std::string order;
    for (const Diagnostic& d : diags.all()) order += d.text + " ";
    CHECK(order == "zero one two three four end ");
}

TEST_CASE("colour") {
    Diagnostics diags;
    diags.error({}, "no");
    CHECK(render(diags, SourceManager(), true) == "\033[1m\033[0;1;31merror: \033[0m\033[1mno\033[0m\n");
}

TEST_CASE("a line that is data is not shown") {
    File file(std::string(5000, 'a'));
    Diagnostics diags;
    diags.error(file.range(0, 5000), "long");
    CHECK(render(diags, file.sources, false) == "k.cl:1:1: error: long\n");
}

TEST_CASE("fix-its for programs, with clang's escapes; none where a macro put in the text") {
    File file("a \"b\" c\n");
    Diagnostics diags(WarningOptions{.parseable_fixits = true});
    diags.error(file.range(2, 5), "no").fixit(file.range(2, 5), "\"\\\t\xC3\xA9\"");
    const SourceLoc b = file.sources.add_expansion(file.at(2), 1, file.at(0), "a");
    diags.error(file.range(0, 1), "none").fixit({b, {b.offset + 1}}, "x");
    const std::string text = render(diags, file.sources, false);
    CHECK(text.find("\nfix-it:\"k.cl\":{1:3-"
                    "1:6}:\"\\\"\\\\\\t\\303\\251\\\"\"\n") != std::string::npos);
    CHECK(text.find("fix-it:", text.find("fix-it:") + 1) == std::string::npos);
}

TEST_CASE("findings count bytes, characters and cells, and know macros and includes") {
    SourceManager sources;
    const SourceLoc main = sources.add_file("k.cl", "#include \"a.h\"\n");
    const SourceLoc a = sources.add_file("a.h", "\t\xC3\xA9 = M;\n", {main.offset + 9});
    const SourceLoc m = sources.add_expansion(main, 3, {a.offset + 6}, "M");
    Diagnostics diags(WarningOptions{.groups = {"error"}});
    diags.warning(Warning::MacroRedefined, {{a.offset + 1}, {a.offset + 5}}, "one")
        .highlight({{a.offset + 1}, {a.offset + 5}})
        .fixit({{a.offset + 4}, {a.offset + 5}}, "==");
    diags.error({m, {m.offset + 3}}, "two").fixit({m, {m.offset + 3}}, "x");
    const std::vector<caldera::Finding> found = as_findings(diags, sources);
    REQUIRE(found.size() == 2);
    CHECK(found[0].rule == "-Wmacro-redefined");
    CHECK(found[0].is_promoted);
    CHECK(found[0].place == caldera::TextRange{.file = "a.h",
                                               .begin = {.line = 1, .byte = 2, .character = 2, .cell = 9},
                                               .end = {.line = 1, .byte = 6, .character = 5, .cell = 12}});
    CHECK(found[0].highlights.empty());  // it is the place
    REQUIRE(found[0].included_from.size() == 1);
    CHECK(found[0].included_from[0].begin.byte == 10);
    CHECK(found[0].edits.size() == 1);
    CHECK(found[1].edits.empty());
    REQUIRE(found[1].notes.size() == 1);
    CHECK(found[1].notes[0].text == "expanded from macro 'M'");
    CHECK(found[1].notes[0].place.file == "k.cl");
}
