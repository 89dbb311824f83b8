// SPDX-License-Identifier: Apache-2.0
// Warnings by group.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("operators that bind otherwise than they look") {
    CHECK(stmt_faults("n = n & n == 1; n = n | n < 2; n = n << n + 1; n = n >> n - 1; n = n & (n == 1); n = "
                      "n == 1 & n == 2; n = 1 << 2 + n; i = i << i + 1;") == R"(
2:7: warning: & has lower precedence than ==; == will be evaluated first
2:11: note: place parentheses around the '==' expression to silence this warning
2:23: warning: | has lower precedence than <; < will be evaluated first
2:27: note: place parentheses around the '<' expression to silence this warning
2:43: warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first
2:43: note: place parentheses around the '+' expression to silence this warning
2:59: warning: operator '>>' has lower precedence than '-'; '-' will be evaluated first
2:59: note: place parentheses around the '-' expression to silence this warning
2:114: warning: operator '<<' has lower precedence than '+'; '+' will be evaluated first
2:114: note: place parentheses around the '+' expression to silence this warning
)");
    CHECK(stmt_faults("n = !n == 2; n = !n & 4; n = !n == !n; n = !(n == 2);") == R"(
2:5: warning: logical not is only applied to the left hand side of this comparison
2:5: note: add parentheses after the '!' to evaluate the comparison first
2:5: note: add parentheses around left hand side expression to silence this warning
2:8: warning: result of comparison of constant 2 with boolean expression is always false
2:18: warning: logical not is only applied to the left hand side of this bitwise operator
2:18: note: add parentheses after the '!' to evaluate the bitwise operator first
2:18: note: add parentheses around left hand side expression to silence this warning
)");
}

TEST_CASE("an unused local label is told of where it is declared") {
    CompileOptions options = options_for(Standard::CL12);
    options.warnings.groups = {"all"};
    CHECK(check_text("void f(void) { { __label__ a; a: ; } a: goto a; }", options).log ==
          "1:28: warning: unused label 'a'\n");
}

TEST_CASE("functions that must be defined here") {
    CHECK(faults(
              "static int a(void); static int b(void); static int c(void); inline int d(void); int e(void);\n"
              "int f(void) { return a() + a() + sizeof(b()) + c() + d() + e(); }\n"
              "static int c(void) { return 1; }\n"
              "int g(void); inline int g(void); inline int h(void) { return g(); } inline int i(void);") ==
          R"(
1:12: warning: function 'a' has internal linkage but is not defined
2:22: note: used here
1:72: warning: inline function 'd' is not defined
2:54: note: used here
4:5: warning: inline function 'g' is not defined
4:62: note: used here
)");
    CHECK(faults("static int a(void); int f(void) { return a() + ; }") == R"(
1:48: error: expected expression
)");
    CHECK(accepts("static float sin(float); float f(float x) { return sin(x); }"));
}

TEST_CASE("what a syntax error hides may use what seems to be unused") {
    CompileOptions options = options_for(Standard::CL20);
    options.warnings.groups = {"all", "extra"};
    CHECK(
        check_text(
            "int f(int a, global int *o) { int v = 3, w; w = 1; typedef int t; o[0] = v + w +; return a; }\n"
            "void g(global int *o, int n) { int v = n; for (int i = 0; i < n i++) o[i] = v; }\n"
            "void h(int n) { l: ; { int v; } if (n > ) goto l; void (^b)(int) = ^(int m) { int v; }; }\n",
            options)
            .log == R"(1:81: error: expected expression
2:64: error: expected ';' in 'for' statement specifier
3:41: error: expected expression
3:74: warning: unused parameter 'm'
3:83: warning: unused variable 'v'
)");
    CHECK(check_text("int f(int a) { int v; a = nothing; { for (int i = 0; i < a;) {} } return a; }\n"
                     "void g(int n) { int v = 3 + ; }\nvoid h(int n) { int v = n; }\n",
                     options)
              .log == R"(1:20: warning: unused variable 'v'
1:27: error: use of undeclared identifier 'nothing'
1:54: warning: variables 'i' and 'a' used in loop condition not modified in loop body
2:29: error: expected expression
3:21: warning: unused variable 'v'
)");
}

TEST_CASE("bodies that are only a semicolon") {
    CHECK(stmt_faults("if (n) ; while (n) ; { n = 1; }") == R"(
2:8: warning: if statement has empty body
2:8: note: put the semicolon on a separate line to silence this warning
2:20: warning: while loop has empty body
2:20: note: put the semicolon on a separate line to silence this warning
)");
    CHECK(stmt_faults("if (n)\n ;\nwhile (n)\n ;\n{ n = 1; }") == "\n");
    CHECK(stmt_faults("for (;n;) ; n = 1;") == R"(
2:11: warning: for loop has empty body
2:11: note: put the semicolon on a separate line to silence this warning
)");
    CHECK(stmt_faults("for (;n;) ;\nn = 1;") == "\n");
}

TEST_CASE("a switch over an enumeration") {
    CHECK(faults("enum E { A, B, C, D, F }; void f(enum E e) { switch (e) { case A: ; } switch (e) { case A: "
                 "case B: case C: case D: ; } switch (e) { case A: case B: case C: ; } switch (e) { case A "
                 "... C: case D: case F: ; } switch (e) { default: ; } switch (e) { case A: case B: ; } }") ==
          R"(
1:54: warning: 4 enumeration values not handled in switch: 'B', 'C', 'D'...
1:79: warning: enumeration value 'F' not handled in switch
1:128: warning: enumeration values 'D' and 'F' not handled in switch
1:242: warning: enumeration values 'C', 'D', and 'F' not handled in switch
)");
}

TEST_CASE("constants that do not fit") {
    CHECK(stmt_faults("ch = 200; ch = -200; uchar uc = 300; uc = -1; n = 4000000000; n = 1.5f; short h = "
                      "70000; c4 = 300; ch = 1 ? 300 : 2; n = 2.0f;") == R"(
2:6: warning: implicit conversion from 'int' to 'char' changes value from 200 to -56
2:16: warning: implicit conversion from 'int' to 'char' changes value from -200 to 56
2:33: warning: implicit conversion from 'int' to 'uchar' changes value from 300 to 44
2:51: warning: implicit conversion from 'long' to 'int' changes value from 4000000000 to -294967296
2:67: warning: implicit conversion from 'float' to 'int' changes value from 1.5 to 1
2:83: warning: implicit conversion from 'int' to 'short' changes value from 70000 to 4464
2:95: warning: implicit conversion from 'int' to 'char4' changes value from 300 to 44
2:109: warning: implicit conversion from 'int' to 'char' changes value from 300 to 44
)");
}

TEST_CASE("what never changes") {
    CHECK(stmt_faults("n == n; n = n < n; f == f; q != q;") == R"(
2:3: warning: equality comparison result unused
2:3: warning: self-comparison always evaluates to true
2:15: warning: self-comparison always evaluates to false
2:22: warning: equality comparison result unused
2:30: warning: inequality comparison result unused
2:30: warning: self-comparison always evaluates to false
)");
    CHECK(stmt_faults("n / 0; n % (1 - 1); n /= 0; f / 0;") == R"(
2:3: warning: division by zero is undefined
2:3: warning: expression result unused
2:10: warning: remainder by zero is undefined
2:10: warning: expression result unused
2:23: warning: division by zero is undefined
2:31: warning: expression result unused
)");
    CHECK(stmt_faults("int a[3]; a[3] = 1; a[-1] = 2; a[2] = sizeof(a[7]);") == R"(
2:11: warning: array index 3 is past the end of the array (which contains 3 elements)
2:21: warning: array index -1 is before the beginning of the array
)");
    CHECK(stmt_faults(
              "int a[3], m[2][3]; struct S t[2]; q = &a[3]; q = &(3[a]); q = &m[1][3]; q = &m[2][0]; q = "
              "&t[2].a;") == "\n");  // the address of the end
    CHECK(stmt_faults(
              "int a[3], m[2][3], *r[2]; q = &a[4]; q = &m[1][4]; q = &a[-1]; q = m[2]; q = &r[2][0]; q "
              "= &m[a[3]][0]; q = &n + a[3];") == R"(
2:32: warning: array index 4 is past the end of the array (which contains 3 elements)
2:43: warning: array index 4 is past the end of the array (which contains 3 elements)
2:57: warning: array index -1 is before the beginning of the array
2:68: warning: array index 2 is past the end of the array (which contains 2 elements)
2:79: warning: array index 2 is past the end of the array (which contains 2 elements)
2:95: warning: array index 3 is past the end of the array (which contains 3 elements)
2:114: warning: array index 3 is past the end of the array (which contains 3 elements)
)");
}

}  // namespace caldera::frontend::testing
