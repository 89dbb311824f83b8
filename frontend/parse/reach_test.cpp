// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse/reach.h"

#include <doctest/doctest.h>

#include <string>

using namespace caldera::frontend;

namespace {

/// Those of the names a to f that kernels may reach.
std::string reached(std::string_view source) {
    SourceManager sources;
    CompileOptions options;
    Arena arena;
    Diagnostics diags;
    Preprocessor tokens(sources, options, arena, diags);
    tokens.enter_main_file(source, "k.cl");
    TokenStore store(tokens);
    Reach reach(store);
    std::string names;
    for (char name = 'a'; name <= 'f'; ++name)
        if (reach.reaches(store.names().find(std::string(1, name)))) names += name;
    return names;
}

}  // namespace

TEST_CASE("functions are reached from kernels, through one another, before and after") {
    CHECK(
        reached(
            "int a(int x) { return 1; } int b(int y) { return a(2); } int c(int z) { return b(3); }"
            "kernel void k(void) { b(1); d(2); } int d(int w) { return e(1); } int e(int v) { return 0; }") ==
        "abde");
}

TEST_CASE("a prototype reaches nothing, except of a kernel") {
    CHECK(reached("int a(int); int b(int); int a(int x) { return b(x); } int b(int x) { return 0; }") == "");
    CHECK(reached("kernel void a(int); int b(int x) { return 0; } void a(int x) { b(x); }") == "ab");
}

TEST_CASE("what expansion makes counts, not what is written") {
    CHECK(
        reached("#define CALL(f) f##_(1)\n#define a_ a\nint a(int x) { return 0; } int b(int x) { return 0; }"
                "kernel void k(void) { CALL(a); }") == "a");
}

TEST_CASE("attributes stand anywhere; a nested function type is no function's plain form") {
    CHECK(reached("__attribute__((always_inline)) int a(int x) __attribute__((pure)) { return b(); }"
                  "__attribute__((noinline)) int b(void) { return 0; } int c(void) { return b(); }"
                  "kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(void) { a(1); }") == "ab");
    CHECK(reached("int (*a(void))[2] { return b(); } int b(void) { return 0; }") == "ab");
    CHECK(reached("int a(x) int x; { return b(); } int b(void) { return 0; }") == "ab");
}

TEST_CASE("names outside functions are reached") {
    CHECK(reached("int a(void) { return 0; } int b(void) { return 0; } typedef __typeof__(a()) t;"
                  "struct s { int m[sizeof(b())]; };") == "ab");
}
