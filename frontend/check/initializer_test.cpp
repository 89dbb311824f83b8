// SPDX-License-Identifier: Apache-2.0
// Initialisers, and what is constant.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("lists, braces left out, designators") {
    CHECK(
        accepts("constant int a[] = {1, 2, [5] = 3}; constant int n = sizeof(a); constant int e[2][3] = {1, "
                "2, 3, 4, 5, 6}; constant int g[2][2] = {{1}, {2, 3}}; constant struct P { int x; float "
                "y[2]; struct { int z; } in; } ps[2] = {{1, {2, 3}, {4}}, {.in.z = 3, .x = 2}}; constant "
                "char s[] = \"abc\"; constant char t[2] = \"ab\"; constant union U { int i; float f; } un = "
                "{.f = 1}; constant int r[4] = {[0 ... 2] = 7};"));
    CHECK(stmt_faults("float a[3] = {1, 2, 3, 4};") == R"(
2:24: warning: excess elements in array initializer
)");
    CHECK(stmt_faults("int x = {1}; int y = {1, 2};") == R"(
2:26: warning: excess elements in scalar initializer
)");
    CHECK(stmt_faults("int x = {};") == R"(
2:9: error: scalar initializer cannot be empty
)");
    CHECK(stmt_faults("int a[3] = {[3] = 1};") == R"(
2:14: error: array designator index (3) exceeds array bounds (3)
)");
    CHECK(stmt_faults("int a[3] = {[-1] = 1};") == R"(
2:14: error: array designator value '-1' is negative
)");
    CHECK(stmt_faults("int a[] = {[(char)-1] = 1}, e[] = {[-1l] = 2};") == R"(
2:13: error: array designator value '-1' is negative
2:37: error: array designator value '-1' is negative
)");
    CHECK(stmt_faults("struct S t = {1, 2, 3};") == R"(
2:21: warning: excess elements in struct initializer
)");
    CHECK(stmt_faults("struct S t = {.z = 1};") == R"(
2:16: error: field designator 'z' does not refer to any field in type 'struct S'
)");
    CHECK(stmt_faults("int a[2] = {.x = 1};") == R"(
2:13: error: field designator cannot initialize a non-struct, non-union type 'int[2]'
)");
    CHECK(stmt_faults("struct S t = {[0] = 1};") == R"(
2:15: error: array designator cannot initialize non-array type 'struct S'
)");
    CHECK(stmt_faults("int a[3] = 1;") == R"(
2:5: error: array initializer must be an initializer list
)");
    CHECK(stmt_faults("int a[3] = {n, n + 1}; int b[3] = a;") == R"(
2:28: error: redefinition of 'b' with a different type: 'int[3]' vs 'bool'
1:86: note: previous definition is here
2:28: error: array initializer must be an initializer list
)");
    CHECK(stmt_faults("char t[2] = \"abc\";") == R"(
2:13: warning: initializer-string for char array is too long
)");
    CHECK(stmt_faults("struct S t = n;") == R"(
2:10: error: initializing 'struct S' with an expression of incompatible type 'int'
)");
    CHECK(stmt_faults(
              "float4 w = {1, 2, 3, 4}; float4 x = {f2, f2}; float4 y[2] = {(float4)1, {1, 2, 3, 4}};") ==
          "\n");
    CHECK(stmt_faults("float4 w = {1, 2};") == R"(
2:12: error: too few elements in vector initialization (expected 4 elements, have 2)
)");
    CHECK(stmt_faults("float4 w = {1, 2, 3, 4, 5};") == R"(
2:25: error: excess elements in vector initializer
)");
    CHECK(stmt_faults("float4 w = {i.xy, f2};") == R"(
2:13: error: initializing 'float' with an expression of incompatible type 'int2'
)");
    CHECK(stmt_faults("struct S t[2] = {s, {1, 2}};") == "\n");
    CHECK(stmt_faults("n = ((struct S){1, 2}).a + ((int[]){1, 2})[1];") == "\n");
}

TEST_CASE("program-scope initialisers are constant (1.5.1-6, 1.5.3-6)") {
    CHECK(
        accepts("constant int a = 3; constant int b = a * 2 + sizeof(int); constant float x = 1.0f / 3 + b; "
                "constant int *constant p = &a; constant int arr[3] = {1, 2, 3}; constant int *constant q = "
                "arr + 1; constant int *constant r = &arr[2]; constant float4 v = (float4)(1, 2, 3, 4); "
                "constant int c = a > 2 ? 1 : 0; constant float quiet = NAN; constant int4 m = (int4)(1, 2, "
                "3, 4) < 2; constant int *constant z = 0;"));
    CHECK(faults("constant int a = get_global_id(0);") == R"(
1:18: error: initializer element is not a compile-time constant
)");
    CHECK(faults("int f(void); constant int a = f();") == R"(
1:31: error: initializer element is not a compile-time constant
)");
    CHECK(faults("constant int a = 1 / 0;") == R"(
1:20: warning: division by zero is undefined
1:20: error: initializer element is not a compile-time constant
)");
    CHECK(faults("constant int a = (1, 2);") == R"(
1:19: warning: left operand of comma operator has no effect
)");
    CHECK(faults("constant int a[2] = {1, get_work_dim()};") == R"(
1:25: error: initializer element is not a compile-time constant
)");
    CHECK(accepts("global int g; global int *global p = &g; global int *global q = &g + 1; int *s = &g;",
                  Standard::CL20));
    CHECK(faults("global int g; constant int *global p = &g;", Standard::CL20) == R"(
1:36: error: initializing '__constant int *__global' with an expression of type '__global int *' changes address space of pointer
)");
    CHECK(faults("global int a; int b = a;", Standard::CL20) == R"(
1:23: error: initializer element is not a compile-time constant
)");
}

}  // namespace caldera::frontend::testing
