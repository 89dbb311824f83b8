// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "frontend/parse/parse_fixture.h"

namespace caldera::frontend::testing {

namespace {

/// The tree of a function's body.
std::string body(std::string_view source) {
    Parsed parsed = parse_text("void f(void) {\n" + std::string(source) + "\n}");
    if (!parsed.log.empty()) return parsed.log;
    std::string out = "\n";
    size_t line = 0;
    for (size_t at = 0; at < parsed.tree.size();) {
        size_t end = parsed.tree.find('\n', at);
        if (line++ >= 2) out += parsed.tree.substr(at + 4, end + 1 - at - 4);
        at = end + 1;
    }
    return out;
}

}  // namespace

TEST_CASE("selection: else goes with the nearest if, else if is a flat chain") {
    CHECK(body("if (a) { if (b) c; else d; }") == R"(
If
  DeclRef a
  Compound
    If
      DeclRef b
      Expr
        DeclRef c
    Else
      Expr
        DeclRef d
)");
    CHECK(body("if (a) ; else if (b) ; else ;") == R"(
If
  DeclRef a
  Null
ElseIf
  DeclRef b
  Null
Else
  Null
)");
    CHECK(body("switch (a) { case 1: case 2 ... 4: b; break; default: ; }") == R"(
Switch
  DeclRef a
  Compound
    Case
      IntLiteral 'int' 1
      Case
        IntLiteral 'int' 2
        to
          IntLiteral 'int' 4
        Expr
          DeclRef b
    Break
    Default
      Null
)");
}

TEST_CASE("an else that looks as if it went with an outer if") {
    CHECK(log("void f() { if (a) if (b) c; else d; }") ==
          "\n1:29: warning: add explicit braces to avoid dangling else\n");
    CHECK(log("void f() { if (a) for (;;) if (b) c; else d; }") ==
          "\n1:38: warning: add explicit braces to avoid dangling else\n");
    CHECK(log("void f() { if (a) { if (b) c; else d; } if (a) if (b) c; else d; else e;\n"
              "while (a) if (b) c; else if (d) e; else x; if (a) do if (b) c; else d; while (e); }") == "\n");
}

TEST_CASE("iteration") {
    CHECK(body("for (int i = 0, j; i < 3; ++i) continue; for (;;) ; while (a) { } do b; while (c);") == R"(
For
  Decl
    Var i 'int'
      IntLiteral 'int' 0
    Var j 'int'
  Binary
    DeclRef i
    Less
      IntLiteral 'int' 3
  Unary PreInc
    DeclRef i
  Continue
For
  -
  -
  -
  Null
While
  DeclRef a
  Compound
Do
  Expr
    DeclRef b
  DeclRef c
)");
}

TEST_CASE("labels and jumps; a label may have a type's name") {
    CHECK(body("float4: goto float4; return 1; return;") == R"(
Label float4
  Goto float4
Return
  IntLiteral 'int' 1
Return
)");
}

TEST_CASE("attributes and #pragma unroll on loops (OpenCL C 6.11.5)") {
    CHECK(body("__attribute__((opencl_unroll_hint(2))) for (;;) ;\n#pragma unroll 4\nwhile (a) ;\n#pragma "
               "nounroll\ndo ; while (a);") ==
          R"(
For
  Attribute opencl_unroll_hint
    IntLiteral 'int' 2
  -
  -
  -
  Null
While
  Attribute unroll
    IntLiteral 'int' 4
  DeclRef a
  Null
Do
  Attribute nounroll
  Null
  DeclRef a
)");
}

TEST_CASE("#pragma unroll takes an expression, and leaves what follows the line alone") {
    CHECK(body("#pragma unroll (a ? sizeof(int) : -2)\nfor (;;) a = 1;") == R"(
For
  Attribute unroll
    Paren
      Conditional
        DeclRef a
        SizeofType sizeof 'int'
        Unary Minus
          IntLiteral 'int' 2
  -
  -
  -
  Expr
    Assign
      DeclRef a
      IntLiteral 'int' 1
)");
}

TEST_CASE("attributes at the start of a block item belong to a declaration when one follows") {
    CHECK(body("__attribute__((aligned(8))) int a;") == R"(
Decl
  Var a 'int'
    Attribute aligned
      IntLiteral 'int' 8
)");
}

}  // namespace caldera::frontend::testing
