// SPDX-License-Identifier: Apache-2.0
// Faults: clang's words at clang's places, one for each.
#include <doctest/doctest.h>

#include "frontend/parse/parse_fixture.h"

namespace caldera::frontend::testing {

namespace {

std::string repeat(std::string_view text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += text;
    return out;
}

}  // namespace

TEST_CASE("a missing ; is reported after what it should follow") {
    CHECK(log("void f() { int x = 1 int y = 2; }") == "\n1:21: error: expected ';' at end of declaration\n");
    CHECK(log("void f() { x = 1 }") == "\n1:17: error: expected ';' after expression\n");
    CHECK(log("void f() { return 1 }") == "\n1:20: error: expected ';' after return statement\n");
    CHECK(log("void f() { do { } while (1) }") == "\n1:28: error: expected ';' after do/while statement\n");
    CHECK(log("void f() { for (;;) break }") == "\n1:26: error: expected ';' after break statement\n");
    CHECK(log("void f() { for (;;) continue }") == "\n1:29: error: expected ';' after continue statement\n");
    CHECK(log("void f() { goto a b; }") == "\n1:18: error: expected ';' after goto statement\n");
    CHECK(log("int x\nint y;") == "\n1:6: error: expected ';' after top level declarator\n");
    CHECK(log("int x y;") == "\n1:6: error: expected ';' after top level declarator\n");
    CHECK(log("void f() int x;") == "\n1:9: error: expected ';' after top level declarator\n");
    CHECK(log("struct s { int a; }\nint z;") == "\n1:20: error: expected ';' after struct\n");
    CHECK(log("struct s { int a int b; };") == "\n1:17: error: expected ';' at end of declaration list\n");
    CHECK(log("struct s { int a };") == "\n1:17: warning: expected ';' at end of declaration list\n");
    CHECK(log("void f() { for (int i = 0; i < 1) { } }") ==
          "\n1:33: error: expected ';' in 'for' statement specifier\n");
    CHECK(log("int f(int a; int b);") == R"(
1:12: error: expected ')'
1:6: note: to match this '('
1:19: error: extraneous ')' before ';'
)");
    CHECK(log("void f() { x = 1); }") == "\n1:17: error: extraneous ')' before ';'\n");
    CHECK(log("_Static_assert(1, \"\")") == "\n1:22: error: expected ';' after static_assert\n");
}

TEST_CASE("a missing bracket leads back to the one it should close") {
    CHECK(log("void f() { x = (1 + 2; }") == R"(
1:22: error: expected ')'
1:16: note: to match this '('
)");
    CHECK(log("void f() { a[1; }") == R"(
1:15: error: expected ']'
1:13: note: to match this '['
)");
    CHECK(log("void f() { ") == R"(
1:12: error: expected '}'
1:10: note: to match this '{'
)");
    CHECK(log("void f() { int a[3] = {1, 2 3}; }") == R"(
1:29: error: expected '}'
1:23: note: to match this '{'
)");
    CHECK(log("void f() { g(1 2); }") == R"(
1:16: error: expected ')'
1:13: note: to match this '('
)");
    CHECK(log("int f(int a b) { }") == R"(
1:13: error: expected ')'
1:6: note: to match this '('
)");
    CHECK(log("void f() { a[1;] = 2; }") == "\n1:15: error: unexpected ';' before ']'\n");
    CHECK(log("int p(int a ...);") ==
          "\n1:13: error: C requires a comma prior to the ellipsis in a variadic function type\n");
    CHECK(log("int x[3;") == R"(
1:8: error: expected ']'
1:6: note: to match this '['
)");
}

TEST_CASE("faulty expressions") {
    CHECK(log("void f() { x = ; }") == "\n1:16: error: expected expression\n");
    CHECK(log("void f() { g(1, ); }") == "\n1:17: error: expected expression\n");
    CHECK(log("void f() { ) ; int x; }") == "\n1:12: error: expected expression\n");
    CHECK(log("void f() { else x; }") == "\n1:12: error: expected expression\n");
    CHECK(log("void f() { x = sizeof; }") == "\n1:22: error: expected expression\n");
    CHECK(log("void f() { x = (float4)(); }") == "\n1:25: error: expected expression\n");
    CHECK(log("void f() { x = int2; }") ==
          "\n1:16: error: unexpected type name 'int2': expected expression\n");
    CHECK(log("void f() { x = sizeof int; }") ==
          "\n1:22: error: expected parentheses around type name in sizeof expression\n");
    CHECK(log("void f() { a. ; }") == "\n1:15: error: expected identifier\n");
    CHECK(log("void f() { a->3; }") == "\n1:15: error: expected identifier\n");
    CHECK(log("void f() { x = 1 ? 2 3; }") == R"(
1:22: error: expected ':'
1:18: note: to match this '?'
)");
    CHECK(log("int x = ({ 1; });") == "\n1:9: error: statement expression not allowed at file scope\n");
    CHECK(log("void f() { x = &&a; }") == "\n1:16: error: taking the address of a label is not supported\n");
}

TEST_CASE("faulty statements") {
    CHECK(log("void f() { if x; }") == "\n1:15: error: expected '(' after 'if'\n");
    CHECK(log("void f() { while ; }") == "\n1:18: error: expected '(' after 'while'\n");
    CHECK(log("void f() { for i ; }") == "\n1:16: error: expected '(' after 'for'\n");
    CHECK(log("void f() { do ; while ; }") == "\n1:23: error: expected '(' after 'do/while'\n");
    CHECK(log("void f() { do ; int x; }") == R"(
1:17: error: expected 'while' in do/while loop
1:12: note: to match this 'do'
)");
    CHECK(log("void f() { goto ; }") == "\n1:17: error: expected identifier\n");
    CHECK(log("void f() { case 1 x; }") == "\n1:18: error: expected ':' after 'case'\n");
    CHECK(log("void f() { x: }") == "\n1:15: error: expected statement\n");
    CHECK(log("void f() { switch (1) { case 1: } }") ==
          "\n1:32: error: label at end of compound statement: expected statement\n");
    CHECK(log("void f() { if (1) int x; y; }") == "\n1:19: error: expected expression\n");
    CHECK(log("void f() { x: int y; y; }") == "\n1:15: error: expected expression\n");
    CHECK(log("void f() {\n#pragma unroll\nint x; }") ==
          "\n3:1: error: expected a for, while, or do-while loop to follow '#pragma unroll'\n");
}

TEST_CASE("faulty declarations") {
    CHECK(log("foo x; foo y;") ==
          "\n1:1: error: unknown type name 'foo'\n1:8: error: unknown type name 'foo'\n");
    CHECK(log("void f(foo x) { }") == "\n1:8: error: unknown type name 'foo'\n");
    CHECK(log("struct T { int a; }; T x;") == "\n1:22: error: must use 'struct' tag to refer to type 'T'\n");
    CHECK(log("void f(generic int *p);") ==
          "\n1:8: error: OpenCL C version 1.2 does not support the 'generic' type qualifier\n");
    CHECK(log("void f(void x int);") == "\n1:15: error: expected ')'\n1:7: note: to match this '('\n");
    CHECK(log("struct s { foo a; };") == "\n1:12: error: unknown type name 'foo'\n");
    CHECK(log("void f() { foo x; x = 1; }") == "\n1:12: error: use of undeclared identifier 'foo'\n");
    CHECK(log("x;") ==
          "\n1:1: warning: type specifier missing, defaults to 'int'; ISO C99 and later do not support "
          "implicit int\n");
    CHECK(log("3;") == "\n1:1: error: expected identifier or '('\n");
    CHECK(log("}") == "\n1:1: error: extraneous closing brace ('}')\n");
    CHECK(log("void f() { int 3; }") == "\n1:16: error: expected identifier or '('\n");
    CHECK(log("void f() { int x = 1, ; }") == "\n1:23: error: expected identifier or '('\n");
    CHECK(log("int [3] x;") ==
          "\n1:10: error: brackets are not allowed here; to declare an array, place the brackets after the "
          "identifier\n");
    CHECK(log("struct s { int 3; };") ==
          "\n1:16: error: expected member name or ';' after declaration specifiers\n");
    CHECK(log("struct s { foo; };") == "\n1:12: error: type name requires a specifier or qualifier\n");
    CHECK(log("struct s { static int a; };") ==
          "\n1:12: error: type name does not allow storage class to be specified\n");
    CHECK(log("void f(int a, ) { }") == "\n1:15: error: expected parameter declarator\n");
    CHECK(log("void f(void, int);") ==
          "\n1:12: error: 'void' must be the first and only parameter if specified\n");
    CHECK(log("void f() { void g() { } }") == "\n1:21: error: function definition is not allowed here\n");
    CHECK(log("typedef int f() { }") == "\n1:17: error: function definition declared 'typedef'\n");
    CHECK(log("enum { A B };") == "\n1:9: error: missing ',' between enumerators\n");
    CHECK(log("enum { A, 3 };") == "\n1:11: error: expected identifier\n");
    CHECK(log("void f(global, int a);") == "\n1:8: error: expected parameter declarator\n");
    CHECK(log("kernel int x;") == "\n1:1: error: 'kernel' attribute only applies to functions\n");
    CHECK(log("void f(int x) kernel { }") ==
          "\n1:15: error: expected function body after function declarator\n");
    CHECK(log("enum { 3 };") == "\n1:8: error: expected identifier\n");
    CHECK(log("struct;") == "\n1:1: error: declaration of anonymous struct must be a definition\n");
    CHECK(log("int;") == "\n1:1: warning: declaration does not declare anything\n");
    CHECK(log("typedef int;") == "\n1:1: warning: typedef requires a name\n");
    CHECK(log("_Static_assert(1, 2);") ==
          "\n1:19: error: expected string literal for diagnostic message in static_assert\n");
}

TEST_CASE("faulty specifiers") {
    CHECK(log("int int x;") == "\n1:5: error: cannot combine with previous 'int' declaration specifier\n");
    CHECK(log("static extern int x;") ==
          "\n1:8: error: cannot combine with previous 'static' declaration specifier\n");
    CHECK(log("const const int x = 1;") == "\n1:7: warning: duplicate 'const' declaration specifier\n");
    CHECK(log("unsigned float x;") == "\n1:1: error: 'float' cannot be signed or unsigned\n");
    CHECK(log("short float x;") == "\n1:1: error: 'short float' is invalid\n");
    CHECK(log("long double x;") == "\n1:1: error: type 'long double' is reserved in OpenCL C\n");
    CHECK(log("long long x;") ==
          "\n1:1: warning: type 'long long' is reserved in OpenCL C; treating it as 'long', which has 64 "
          "bits\n");
    CHECK(log("global global int *x; global local int *y;") == R"(
1:8: warning: multiple identical address spaces specified for type
1:30: error: multiple address spaces specified for type
)");
    CHECK(log("void f(read_only write_only image2d_t x);") == "\n1:18: error: multiple access qualifiers\n");
    CHECK(log("__attribute__(foo) int x;") == "\n1:15: error: expected '(' after '('\n");
}

TEST_CASE("what is missing behind a macro's use is reported behind that use") {
    CHECK(log("#define S int y\nvoid f() { S S; }") == "\n2:13: error: expected ';' at end of declaration\n");
    CHECK(log("#define M(a) a + 1\nvoid f() { x = M( (2) ) }") ==
          "\n2:24: error: expected ';' after expression\n");
    CHECK(log("#define M(a) a + ;\nvoid f() { x = M(2) }") == "\n2:16: error: expected expression\n");
}

TEST_CASE("inline assembly is refused") {
    CHECK(log("void f() { __asm__ volatile (\"nop\" : : \"r\"(1)); x = 1; }") ==
          "\n1:12: error: inline assembly is not supported\n");
    CHECK(log("__asm__(\"nop\"); int x;") == "\n1:1: error: inline assembly is not supported\n");
}

TEST_CASE("parsing goes on behind a fault") {
    CHECK(log("void f() { x = (; }\nvoid g() { y = [; }\nint h( { }\nint i(") == R"(
1:17: error: expected expression
2:16: error: expected expression
3:8: error: expected parameter declarator
4:7: error: expected parameter declarator
)");
}

TEST_CASE("nesting without end is an error, not a crash") {
    const std::string brackets = "bracket nesting level exceeded maximum of 256\n";
    const std::string levels = "nesting level exceeded maximum of 1024\n";
    auto fatal = [](const std::string& source, const std::string& text) {
        std::string found = log(source);
        return found.ends_with("fatal: " + text) && found.find('\n', 1) == found.size() - 1;
    };
    CHECK(fatal("void f() { x = " + repeat("(", 100000), brackets));
    CHECK(fatal("void f() { x = " + repeat("(int)(", 100000), brackets));
    CHECK(fatal("void f() " + repeat("{", 100000), brackets));
    CHECK(fatal("int " + repeat("(", 100000), brackets));
    CHECK(fatal("int x[] = " + repeat("{", 100000), brackets));
    CHECK(fatal("int x" + repeat("[x", 100000), brackets));
    CHECK(fatal(repeat("struct { ", 100000), brackets));
    CHECK(fatal("int f" + repeat("(int (*)", 100000), brackets));
    CHECK(fatal("void f() { x = " + repeat("-", 100000) + "1; }", levels));
    CHECK(fatal("void f() { x = " + repeat("!", 100000) + "1; }", levels));
    CHECK(fatal("void f() { x = " + repeat("(int)", 100000) + "1; }", levels));
    CHECK(fatal("void f() { x = " + repeat("a ? b : ", 100000) + "1; }", levels));
    CHECK(fatal("void f() { " + repeat("a = ", 100000) + "1; }", levels));
    CHECK(fatal("void f() { a" + repeat(".x", 100000) + "; }", levels));
    CHECK(fatal("void f() { a" + repeat("[0]", 100000) + "; }", levels));
    CHECK(fatal("void f() { a" + repeat("()", 100000) + "; }", levels));
    CHECK(fatal("void f() { " + repeat("if (a) ", 100000) + "; }", levels));
    CHECK(fatal("void f() { " + repeat("for (;;) ", 100000) + "; }", levels));
    CHECK(fatal("void f() { " + repeat("do ", 100000) + "; }", levels));
    CHECK(fatal("void f() { if (x) " + repeat("a: ", 100000) + "; }", levels));
    CHECK(fatal("int " + repeat("*", 100000) + "p;", levels));
    CHECK(fatal("int p" + repeat("[1]", 100000) + ";", levels));
    CHECK(fatal("int x = " + repeat("sizeof ", 100000) + "1;", levels));
    const std::string after = "\nfor (;;) ; } int x = ;";
    CHECK(fatal("void f() {\n#pragma unroll " + repeat("(", 100000) + after, brackets));
    CHECK(fatal("void f() {\n#pragma unroll " + repeat("-", 100000) + "1" + after, levels));
    CHECK(fatal("void f() {\n#pragma unroll ({ " + repeat("if (1) ", 100000) + "; 1; })" + after, levels));
    CHECK(fatal("void f() { x = (" + repeat("a.x(", 250) + repeat("b.y", 1) + repeat(".z", 1000), levels));
}

TEST_CASE("long chains that programs write are no nesting") {
    CHECK(parse_text("int x = 1" + repeat(" + 1", 20000) + ";").errors == 0);
    CHECK(parse_text("void f() { x = (0" + repeat(", 1", 20000) + "); }").errors == 0);
    CHECK(parse_text("void f() { if (a) ; " + repeat("else if (b) { c; } ", 20000) + "}").errors == 0);
    CHECK(parse_text("void f() { x = " + repeat("(", 255) + "1" + repeat(")", 255) + "; }").errors == 0);
}

TEST_CASE("truncated sources end in one error") {
    const std::string source =
        "typedef struct { int a[2]; } S; constant int k[] = { [1] = 2 };\n"
        "kernel void f(global int *p, local S *s) { for (int i = 0; i < 2; ++i) { if (p[i] > 1) p[i] = "
        "(int)(float4)(1, 2, 3, 4).x;"
        " else do { switch (i) { case 1: s->a[0] = sizeof(int); default: ; } } while (i ? 1 : 0); } return; "
        "}\n";
    for (size_t n = 1; n < source.size(); ++n) {
        Parsed parsed = parse_text(std::string_view(source).substr(0, n));
        CHECK_MESSAGE(parsed.errors <= 1, source.substr(0, n) << "\n" << parsed.log);
    }
}

}  // namespace caldera::frontend::testing
