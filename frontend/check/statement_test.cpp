// SPDX-License-Identifier: Apache-2.0
// Statements (C99 6.8) and opencl_unroll_hint (section 1.11.5).
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("conditions") {
    CHECK(stmt_faults("if (n) ; else ; while (p) n--; do n++; while (f); for (; b;) break;") == "\n");
    CHECK(stmt_faults("if (v) n = 1;") == R"(
2:1: error: statement requires expression of scalar type ('float4' invalid)
)");
    CHECK(stmt_faults("while (s) n = 1;") == R"(
2:1: error: statement requires expression of scalar type ('struct S' invalid)
)");
    CHECK(stmt_faults("do n = 1; while (v);") == R"(
2:1: error: statement requires expression of scalar type ('float4' invalid)
)");
    CHECK(stmt_faults("for (; i;) n = 1;") == R"(
2:1: error: statement requires expression of scalar type ('int4' invalid)
)");
    CHECK(stmt_faults("if (n = 3) n = 1; if ((n = 3)) n = 2;") == R"(
2:7: warning: using the result of an assignment as a condition without parentheses
2:7: note: place parentheses around the assignment to silence this warning
2:7: note: use '==' to turn this assignment into an equality comparison
)");
}

TEST_CASE("jumps") {
    CHECK(
        stmt_faults("while (n) { if (n) continue; break; } switch (n) { case 1: break; } goto end; end: ;") ==
        "\n");
    CHECK(stmt_faults("break;") == R"(
2:1: error: 'break' statement not in loop or switch statement
)");
    CHECK(stmt_faults("continue;") == R"(
2:1: error: 'continue' statement not in loop statement
)");
    CHECK(stmt_faults("switch (n) { default: continue; }") == R"(
2:23: error: 'continue' statement not in loop statement
)");
    CHECK(stmt_faults("goto nowhere;") == R"(
2:6: error: use of undeclared label 'nowhere'
)");
    CHECK(stmt_faults("a: ; a: ;") == R"(
2:6: error: redefinition of label 'a'
2:1: note: previous definition is here
)");
    CHECK(stmt_faults("{ goto in; } { in: ; }") == "\n");
}

TEST_CASE("local labels (GNU) belong to their block") {
    CHECK(stmt_faults(
              "n = ({ __label__ out; int m = n; if (m) goto out; m = 1; out: m; }) + ({ __label__ out; int m "
              "= n; if (m) goto out; m = 2; out: m; });") == "\n");
    CHECK(stmt_faults("goto a; { __label__ a, b; goto a; b: n = 1; { __label__ a; a: if (n) goto a; } a: if "
                      "(n) goto b; "
                      "} a: ;") == "\n");
    CHECK(stmt_faults("{ __label__ a; { a: ; } { goto a; } }") == "\n");
    CHECK(stmt_faults("{ __label__ a; goto a; } a: if (n) goto a;") == R"(
2:13: error: use of undeclared label 'a'
)");
    CHECK(stmt_faults("{ __label__ a; a: ; } goto a;") == R"(
2:28: error: use of undeclared label 'a'
)");
    CHECK(stmt_faults("{ __label__ a, b; a: if (n) goto a; a: ; b: ; } { __label__ c, c; c: goto c; }") == R"(
2:37: error: redefinition of label 'a'
2:19: note: previous definition is here
2:61: error: use of undeclared label 'c'
2:64: error: redefinition of label 'c'
2:61: note: previous definition is here
)");
    CHECK(stmt_faults("goto a; n = ({ __label__ b; b: if (n) goto b; a: n; });") == R"(
2:1: error: jump into statement expression
2:47: note: label 'a' defined here
)");
    CHECK(stmt_faults("n = 1; __label__ a; { __label__; } { __label__ b, ; b: goto b; }") == R"(
2:8: error: expected expression
2:32: error: expected identifier
2:51: error: expected identifier
)");
    CHECK(stmt_faults("l: ; void (^block)(void) = ^{ __label__ l; l: if (n) goto l; }; goto l;",
                      Standard::CL20) == "\n");
}

TEST_CASE("switch (C99 6.8.4.2)") {
    CHECK(stmt_faults("switch (ch) { case 1: case 2 ... 4: n = 1; case 'a': { break; } default: ; }") ==
          "\n");
    CHECK(stmt_faults("switch (f) { }") == R"(
2:1: error: statement requires expression of integer type ('float' invalid)
)");
    CHECK(stmt_faults("switch (n) { case 1: ; case 1: ; }") == R"(
2:29: error: duplicate case value '1'
2:19: note: previous case defined here
)");
    CHECK(stmt_faults("switch (n) { case 1 ... 5: ; case 3: ; }") == R"(
2:19: error: duplicate case value '3'
2:35: note: previous case defined here
)");
    CHECK(stmt_faults("switch (n) { default: ; default: ; }") == R"(
2:14: error: multiple default labels in one switch
2:25: note: previous case defined here
)");
    CHECK(stmt_faults("switch (n) { case n: ; }") == R"(
2:19: error: expression is not an integer constant expression
)");
    CHECK(stmt_faults("switch (n) { case 1.5: ; }") == R"(
2:19: error: integer constant expression must have integer type, not 'double'
)");
    CHECK(stmt_faults("case 1: ; default: ;") == R"(
2:1: error: 'case' statement not in switch statement
2:11: error: 'default' statement not in switch statement
)");
    CHECK(stmt_faults("switch (n) { case 5 ... 1: ; }") == R"(
2:19: warning: empty case range specified
)");
    CHECK(stmt_faults("switch (ch) { case -1: ; case 255: ; }") == R"(
2:31: warning: overflow converting case value to switch condition type (255 to -1)
)");
    CHECK(stmt_faults("switch (v) { }") == R"(
2:1: error: statement requires expression of integer type ('float4' invalid)
)");
    CHECK(stmt_faults("switch (u) { case 0xffffffff: ; case -1: ; }") == R"(
2:38: error: duplicate case value '4294967295'
2:19: note: previous case defined here
)");
}

TEST_CASE("scopes and declarations in statements") {
    CHECK(stmt_faults("for (int j = 0, m = 2; j < m; ++j) { int j = 1; n = j; } j;") == R"(
2:58: error: use of undeclared identifier 'j'
)");
    CHECK(stmt_faults("{ int z = 1; n = z; } z = 2;") == R"(
2:23: error: use of undeclared identifier 'z'
)");
    CHECK(stmt_faults("n = ({ int t = 1; t + 1; }); f = ({ f; });") == "\n");
    CHECK(stmt_faults("int x = x;") == "\n");
}

TEST_CASE("unroll hints (1.11.5-1 to 1.11.5-5)") {
    CHECK(stmt_faults(
              "__attribute__((opencl_unroll_hint)) for (;;) break; __attribute__((opencl_unroll_hint(4))) "
              "while (n) n--; __attribute__((opencl_unroll_hint(2))) do n--; while (n);",
              Standard::CL20) == "\n");
    CHECK(stmt_faults("__attribute__((opencl_unroll_hint(0))) while (n) n--;", Standard::CL20) == R"(
2:16: error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
)");
    CHECK(stmt_faults("__attribute__((opencl_unroll_hint(-1))) while (n) n--;", Standard::CL20) == R"(
2:16: error: 'opencl_unroll_hint' attribute requires a positive integral compile time constant expression
)");
    CHECK(stmt_faults("__attribute__((opencl_unroll_hint(n))) while (n) n--;", Standard::CL20) == R"(
2:16: error: 'opencl_unroll_hint' attribute requires an integer constant
)");
    CHECK(stmt_faults("__attribute__((opencl_unroll_hint)) if (n) n--;", Standard::CL20) == R"(
2:16: error: 'opencl_unroll_hint' attribute only applies to 'for', 'while', and 'do' statements
)");
}

TEST_CASE("what is unused") {
    CHECK(stmt_faults("n; n + 1; n == 1; v.x; n ? 1 : 2; (void)n; n, 1; p[1]; -n; f = 1, n; s.a; (int)f; n "
                      "&& 1; n && (n = 2);") == R"(
2:1: warning: expression result unused
2:6: warning: expression result unused
2:13: warning: equality comparison result unused
2:19: warning: expression result unused
2:32: warning: expression result unused
2:44: warning: left operand of comma operator has no effect
2:47: warning: expression result unused
2:53: warning: expression result unused
2:56: warning: expression result unused
2:67: warning: expression result unused
2:72: warning: expression result unused
2:75: warning: expression result unused
2:85: warning: expression result unused
2:85: warning: use of logical '&&' with constant operand
2:85: note: use '&' for a bitwise operation
2:85: note: remove constant to silence this warning
)");
}

}  // namespace caldera::frontend::testing
