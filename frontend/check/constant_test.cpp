// SPDX-License-Identifier: Apache-2.0
// evaluate(): what folds, and to what.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

namespace {
/// A line for each condition that does not fold or does not hold, after `declarations`.
std::string holds(std::string_view declarations, std::initializer_list<std::string_view> conditions) {
    std::string source(declarations);
    for (size_t i = 0; i < conditions.size(); ++i)
        source +=
            "\nconstant int condition" + std::to_string(i) + " = " + std::string(conditions.begin()[i]) + ";";
    CompileOptions options = options_for(Standard::CL20);
    options.warnings.no_warnings = true;
    return with_checked(source, options, [&](const TranslationUnit& unit, const auto&...) {
        std::string log;
        size_t number = 0;
        for (const Decl* decl : unit.decls) {
            if (!decl->name.starts_with("condition")) continue;
            const Expr* init = as<VarDecl>(*decl).init;  // none if it is refused
            const auto bits = init ? evaluate_integer(*init) : std::nullopt;
            const std::string_view text = conditions.begin()[number++];
            if (!bits || *bits == 0)
                log += std::string(text) + (bits ? " does not hold\n" : " does not fold\n");
        }
        return number == conditions.size() ? log : "some conditions are missing\n";
    });
}
}  // namespace

TEST_CASE("integers have the width and the sign of their types") {
    CHECK(holds("", {"1 + 2 * 3 == 7",
                     "-7 / 2 == -3",
                     "-7 % 3 == -1",
                     "7u / 2 == 3",
                     "-1 > 0u",
                     "-1 >> 1 == -1",
                     "(uint)-1 >> 1 == 0x7fffffff",
                     "(char)200 == -56",
                     "(uchar)-1 == 255",
                     "~0 == -1",
                     "(long)1 << 40 == 1099511627776",
                     "0x7fffffff + 1 == (-0x7fffffff - 1)",
                     "(-0x7fffffff - 1) / -1 == -0x7fffffff - 1",
                     "(-0x7fffffff - 1) % -1 == 0",
                     "(-0x7fffffffffffffff - 1) / -1 == -0x7fffffffffffffff - 1",
                     "(-0x7fffffffffffffff - 1) % -1 == 0",
                     "!5 == 0",
                     "(bool)7 == 1",
                     "1 ? 2 : 1 / 0",
                     "0 && 1 / 0 || 1",
                     "1 || 1 / 0",
                     "(short)0x18000 == -32768",
                     "'a' == 97",
                     "1 << 33 == 2",
                     "-2147483647 - 1 < 0",
                     "9223372036854775807 > 0",
                     "(ulong)-1 > 1",
                     "sizeof(int[3]) == 12",
                     "(1, 2) == 2"}) == "");
}

TEST_CASE("floating results are rounded to their type") {
    CHECK(holds("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
                {"0.1f + 0.2f == 0.3f", "0.1 + 0.2 != 0.3", "16777216.0f + 1.0f == 16777216.0f",
                 "(float)16777217 == 16777216.0f", "1.0f / 3.0f == 0.333333343f", "(int)3.99f == 3",
                 "(int)-3.99 == -3", "1.0f / 0 > 3e38f", "(float)1e300 > 3e38f", "-0.0f == 0.0f",
                 "!0.5f == 0", "(half)65504.0f == 65504.0f", "(half)2049.0f == 2048.0f",
                 "(half)5.9604645e-8f > 0.0f", "(float)18446744073709551615ul == 18446744073709551616.0f",
                 "__builtin_astype(1.0f, int) == 0x3f800000", "as_int(1.0f) == 0x3f800000",
                 "as_float(0x40000000) == 2.0f"}) == "");
}

TEST_CASE("objects that nothing changes are read") {
    CHECK(
        holds(
            "enum { A = 3, B }; struct P { int x; float y[2]; struct { int z; } in; union { int u; float v; "
            "} un; };\n"
            "constant int n = 4; constant int m = n * 2; constant int a[] = {1, 2, [5] = 6}; const int c = m "
            "+ 1;\n"
            "constant struct P p = {1, {2, 3}, {4}, {.u = 5}}; constant float4 v = {1, 2, 3, 4};\n"
            "constant char s[] = \"hey\"; constant int two[2][2] = {{1, 2}, {3}}; global int changes = 1;\n",
            {"A == 3",
             "B == 4",
             "n == 4",
             "m == 8",
             "c == 9",
             "a[5] == 6",
             "a[3] == 0",
             "sizeof(a) == 24",
             "p.x == 1",
             "p.y[1] == 3",
             "p.in.z == 4",
             "p.un.u == 5",
             "v.x == 1",
             "v.zw.y == 4",
             "v[2] == 3",
             "s[1] == 'e'",
             "s[3] == 0",
             "two[1][0] == 3",
             "two[1][1] == 0",
             "\"abc\"[1] == 'b'",
             "__builtin_offsetof(struct P, y) == 4"}) == "");
    CHECK(holds("global int changes = 1;", {"changes == 1"}) == "changes == 1 does not fold\n");
}

TEST_CASE("vectors fold lane by lane") {
    CHECK(holds("constant int4 a = (int4)(1, -2, 3, 4); constant int4 b = a < 2; constant float2 h = "
                "(float2)(0.5f) * 3;\n"
                "constant int4 c = b ? a : 7; constant uchar4 d = (uchar4)(250) + (uchar)10; constant int4 e "
                "= a && 1;\n",
                {"b.x == -1", "b.z == 0", "h.y == 1.5f", "c.x == 1", "c.w == 7", "d.x == 4", "e.y == -1",
                 "(a << 1).w == 8", "(-a).y == 2", "(!a).x == 0", "((float4)(1, 2, 3, 4)).hi.x == 3"}) == "");
}

TEST_CASE("addresses of program-scope objects") {
    CHECK(accepts(
        "global int a[4]; global int *p = a + 1; global int *q = &a[2]; global char *r = (global char *)&a + "
        "1;"
        "struct S { int x; float4 y[2]; }; global struct S s; global float4 *f = &s.y[1]; global int *n = 0;"
        "constant char *constant t = \"abc\"; constant char *constant u = &\"abc\"[1]; long d = &a[3] - "
        "&a[1];"
        "int *g = a; int yes = &a[1] == a + 1; int no = &a[1] == 0;"
        "long sum = 4 + (long)&a[1] - 8; global int *back = (global int *)(size_t)&a[1];",
        Standard::CL20));
    CHECK_FALSE(accepts("global int a; long difference = 1 - (long)&a;", Standard::CL20));
    CHECK_FALSE(accepts("global int a; long product = (long)&a * 2;", Standard::CL20));
}

TEST_CASE("long chains of constants") {
    std::string scalars = "constant int c0 = 0;\n", vectors = "constant int4 v0 = 0;\n",
                records = "typedef struct { int a, b[2]; } S; constant S s0 = {0};\n";
    for (int i = 1; i <= 5000; ++i) {
        const std::string last = std::to_string(i - 1), next = std::to_string(i);
        scalars += "constant int c" + next + " = c" + last + " + 1;\n";
        vectors += "constant int4 v" + next + " = v" + last + " + 1;\n";
        records += "constant S s" + next + " = {s" + last + ".b[1] + 1, {1, s" + last + ".a}};\n";
    }
    CHECK(accepts(scalars + "_Static_assert(c5000 == 5000, \"\");"));
    CHECK(holds(vectors, {"v5000.w == 5000"}) == "");
    CHECK(holds(records, {"s5000.b[1] == 2500", "s4999.b[0] == 1"}) == "");
    // The values of large objects are not kept.
    std::string tables = "constant int t0[300] = {1};\n";
    for (int i = 1; i <= 2100; ++i)
        tables += "constant int t" + std::to_string(i) + "[300] = {t" + std::to_string(i - 1) + "[0]};\n";
    CHECK(faults(tables).find("error: initializer element is nested too deeply to be evaluated") !=
          std::string::npos);
}

TEST_CASE("long chains and long tables") {
    auto chain = [](std::string_view term, std::string_view op, int count) {
        std::string text(term);
        for (int i = 1; i < count; ++i) text += std::string(op) + std::string(term);
        return text;
    };
    CHECK(accepts("constant int a = " + chain("1", "+", 20000) + "; _Static_assert(a == 20000, \"\");"));
    CHECK(accepts("void f(int n, global int *p) { p[0] = " + chain("n", "*", 20000) + "; p[1] = " +
                  chain("n", "||", 20000) + "; p[2] = (" + chain("p[3] = n", ",", 20000) + "); }"));
    CHECK(accepts("void f(int n, global int *p) { " + chain("if (n) p[0] = n;", "else ", 20000) + " }"));
    CHECK(holds("constant int t[] = {" + chain("7", ",", 20000) + "};", {"t[19999] == 7"}) == "");
    CHECK(accepts("int f(int n) __attribute__((overloadable, enable_if(" + chain("n", "+", 200000) +
                  " > 0, \"\"))); void g(void) { f(1); }"));
}

TEST_CASE("types nested too deeply are refused") {
    std::string source = "typedef int T0;";
    for (int i = 1; i < 1500; ++i)
        source += "typedef T" + std::to_string(i - 1) + " *T" + std::to_string(i) + ";\n";
    std::string log = check_text(source, {}).log;
    CHECK(log.find("type is nested too deeply") != std::string::npos);
    CHECK(log.find("type is nested too deeply") == log.rfind("type is nested too deeply"));
}

TEST_CASE("half and double where the device lacks them (1.1.1-19 to 1.1.1-24, 1.1.2-6, 1.3.15-7, 1.9-20)") {
    CompileOptions options = options_for(Standard::CL12);
    options.extensions = {};
    auto log = [&](std::string_view source) { return "\n" + check_text(source, options).log; };
    CHECK(log("kernel void k(global half *p, global float *o) { half *q; o[0] = vload_half(0, p + 1); "
              "vstore_half(o[0], 1, p); o[1] = sizeof(half) + sizeof(*p); }") == "\n");
    CHECK(log("void f(void) { half h; }") ==
          "\n1:21: error: declaring variable of type 'half' is not allowed\n");
    CHECK(log("void f(void) { half h[3]; }") ==
          "\n1:21: error: declaring variable of type 'half[3]' is not allowed\n");
    CHECK(log("void f(half h);") ==
          "\n1:13: error: declaring function parameter of type 'half' is not allowed; did you forget * ?\n");
    CHECK(
        log("half f(void);") ==
        "\n1:6: error: declaring function return value of type 'half' is not allowed; did you forget * ?\n");
    CHECK(log("void f(global half *p, global float *o) { o[0] = *p; }") ==
          "\n1:50: error: loading directly from pointer to type 'half' requires cl_khr_fp16. Use vector data "
          "load "
          "builtin "
          "functions instead\n");
    CHECK(log("void f(global half *p) { p[1] = 1; }") ==
          "\n1:31: error: assigning directly to pointer to type 'half' requires cl_khr_fp16. Use vector data "
          "store "
          "builtin "
          "functions instead\n");
    CHECK(log("void f(global double *p) { }") ==
          "\n1:15: error: use of type 'double' requires cl_khr_fp64 and __opencl_c_fp64 support\n");
    CHECK(log("void f(global float *p) { p[0] = p[1] * 2.0; }").find("error") == std::string::npos);
}

}  // namespace caldera::frontend::testing
