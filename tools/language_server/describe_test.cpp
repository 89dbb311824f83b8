// SPDX-License-Identifier: Apache-2.0
#include "tools/language_server/describe.h"

#include <doctest/doctest.h>

#include "tools/language_server/unit.h"

using namespace caldera;
using namespace caldera::language_server;

namespace {

/// The last declaration of a source.
std::string last(std::string_view text, const frontend::CompileOptions& options = {}) {
    const Unit unit("/a.cl", text, options);
    REQUIRE(!unit.analysis().unit().decls.empty());
    return declaration_text(*unit.analysis().unit().decls.back());
}

}  // namespace

TEST_CASE("declarations as they are written") {
    CHECK(last("kernel void k(global const float *a, local int *b, float4 c) {}") ==
          "kernel void k(const global float *a, local int *b, float4 c)");
    CHECK(last("size_t f(void) { return 0; }") == "size_t f(void)");
    CHECK(last("typedef struct { int a; } pair;\npair f(pair p, uint n);") == "pair f(pair p, uint n)");
    CHECK(last("constant int table[2][3] = {{1}};") == "constant int table[2][3]");
    CHECK(last("typedef struct { int a; } pair;") == "typedef struct {...} pair");
    CHECK(last("static inline int f(int);") == "static inline int f(int)");
    CHECK(last("int f(unknown x) { }").starts_with("int f("));
    // The name stands inside of what it declares.
    CHECK(last("void f(global int (*pa)[4], int *restrict r, int a[5]);") ==
          "void f(global int (*pa)[4], private int *r, private int *a)");
    frontend::CompileOptions blocks;
    blocks.standard = frontend::Standard::CL20;
    CHECK(last("void f(int (^b)(int, int), void (^c)(local void *, uint));", blocks) ==
          "void f(int (^b)(int, int), void (^c)(local void *, uint))");
    CHECK(last("typedef int (^block)(int, int);", blocks) == "typedef int (^block)(int, int)");
    CHECK(last("typedef int pair[2][3];") == "typedef int pair[2][3]");
    CHECK(last("typedef int call(int n);") == "typedef int call(int)");
    CHECK(last("constant float (*f(int n))[4];") == "constant float (*f(int n))[4]");
    CHECK(last("typedef ulong row[2];\nglobal row *f(size_t ulong_n);") ==
          "global ulong (*f(size_t ulong_n))[2]");
}

TEST_CASE("declarations with errors are shown as they are written, and without a size") {
    CHECK(last("foo x;") == "foo x");
    CHECK(last("global const foo *x[4];") == "global const foo *x[]");
    CHECK(last("struct none (*x)[4];") == "struct none (*x)[]");
    CHECK(last("typedef foo *t;") == "typedef foo *t");
    CHECK(last("typedef foo t;\nconstant t x = 1;") == "constant t x");
    CHECK(last("void f(foo *p, bar q, int n) {}") == "void f(foo *p, bar q, int n)");
    CHECK(last("foo *f(int n);") == "foo *f(int n)");
    CHECK(last("struct none x;") == "struct none x");
    CHECK(last("int x[undeclared];") == "int x[]");
    CHECK(last("typedef int t[undeclared];") == "typedef int t[]");
    const Unit unit("/a.cl", "struct s { int a; foo b[2]; }; struct s x; typedef foo t; constant foo y = 1;",
                    {});
    for (const frontend::Decl* decl : unit.analysis().unit().decls) CHECK(size_text(decl->type).empty());
    CHECK(kind_text(*unit.analysis().unit().decls.back()) == "variable");
    CHECK(type_text({}) == "unknown");
    CHECK(last("typedef foo(*t)[4];") == "typedef unknown foo(void)");  // a function, says C
}

TEST_CASE("each built-in function has a sentence") {
    frontend::Features features;
    for (const frontend::Standard standard : {frontend::Standard::CL12, frontend::Standard::CL31}) {
        features.standard = standard;
        for (const std::string& name : frontend::builtin::function_names(features)) {
            INFO(name);
            CHECK(sentence(name).ends_with('.'));
        }
    }
    CHECK(sentence("convert_int4_sat_rte").starts_with("x as the type in the name"));
    CHECK(sentence("work_group_reduce_add").find("combined") != std::string_view::npos);
    CHECK(sentence("helper").empty());
}
