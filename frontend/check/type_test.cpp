// SPDX-License-Identifier: Apache-2.0
// Types, scopes of vectors and literals: sections 1.1.1 to 1.1.9 of the checklist.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("vector literals hold exactly their elements (1.1.6-1 to 1.1.6-8)") {
    CHECK(stmt_faults("v = (float4)(1, 2, 3, 4); v = (float4)(v.xy, v.zw); v = (float4)(v.xyz, 1); v = "
                      "(float4)(1); v = (float4)((float2)(1, 2), (float2)(3, 4)); ui = (uint4)(1);") == "\n");
    CHECK(stmt_faults("v = (float4)(1.0f, 2.0f);") == R"(
2:13: error: too few elements in vector initialization (expected 4 elements, have 2)
)");
    CHECK(stmt_faults("v = (float4)(1, 2, 3, 4, 5);") == R"(
2:26: error: excess elements in vector initializer
)");
    CHECK(stmt_faults("v = (float4)(v, 1);") == R"(
2:13: error: too many elements in vector initialization (expected 4 elements, have 5)
)");
    CHECK(stmt_faults("v = (float4)(i.xy, 1, 2);") == R"(
2:14: error: initializing 'float' with an expression of incompatible type 'int2'
)");
    CHECK(stmt_faults("(float4)(1) = v;") == R"(
2:13: error: expression is not assignable
)");
    CHECK(stmt_faults("&(float4)(1);") == R"(
2:1: error: cannot take the address of an rvalue of type 'float4'
)");
    CHECK(stmt_faults("v = (float4)(f2);") == R"(
2:5: error: invalid conversion between ext-vector type 'float4' and 'float2'
)");
}

TEST_CASE("components of vectors (1.1.7-1 to 1.1.7-12)") {
    CHECK(stmt_faults("v.xy = v.wz; v = v.xxyy; v.s0 = v.S3; v.s12 = v.xy; f2 = v.lo; f2 = v.hi; f = v.lo.x; "
                      "f = v.even.hi; v.odd = f2; v.lo.s1 = 1;") == "\n");
    CHECK(stmt_faults("f2.z;") == R"(
2:3: error: vector component access exceeds type 'float2'
)");
    CHECK(stmt_faults("float3 f3 = f; f3.w;") == R"(
2:18: error: vector component access exceeds type 'float3'
)");
    CHECK(stmt_faults("f2.s2;") == R"(
2:3: error: vector component access exceeds type 'float2'
)");
    CHECK(stmt_faults("v.xx = f2;") == R"(
2:6: error: vector is not assignable (contains duplicate components)
)");
    CHECK(stmt_faults("v.s00 = f2;") == R"(
2:7: error: vector is not assignable (contains duplicate components)
)");
    CHECK(stmt_faults("v.xy = v;") == R"(
2:6: error: assigning to 'float2' from incompatible type 'float4'
)");
    CHECK(stmt_faults("v.xyzwx;") == R"(
2:2: error: vector component access has invalid length 5.  Supported: 1,2,3,4,8,16.
)");
    CHECK(stmt_faults("v.xyq;") == R"(
2:2: error: illegal vector component name 'q'
)");
    CHECK(stmt_faults("v.x12w;") == R"(
2:2: error: illegal vector component name '1'
)");
    CHECK(stmt_faults("v.sx;") == R"(
2:2: error: illegal vector component name 'x'
)");
    CHECK(stmt_faults("v.s;") == R"(
2:2: error: illegal vector component name 's'
)");
    CHECK(stmt_faults("f.x;") == R"(
2:2: error: member reference base type 'float' is not a structure or union
)");
    CHECK(stmt_faults("&v.x;") == R"(
2:1: error: address of vector element requested
)");
    CHECK(stmt_faults("&v.s01;") == R"(
2:1: error: address of vector element requested
)");
    CHECK(stmt_faults("&v.odd;") == R"(
2:1: error: address of vector element requested
)");
    CHECK(stmt_faults("&v.even.hi;") == R"(
2:1: error: address of vector element requested
)");
    CHECK(stmt_faults("&v[1];") == R"(
2:1: error: address of vector element requested
)");
    CHECK(stmt_faults("v[1] = v[n]; f = i.s1;") == "\n");
    CHECK(stmt_faults("v[4];") == R"(
2:4: warning: expression result unused
)");
    CHECK(stmt_faults("v.rgba;") == R"(
2:1: warning: expression result unused
2:2: warning: vector component name 'r' is a feature from OpenCL version 3.0 onwards
)");
    CHECK(stmt_faults("v.rgba = v.bgra; f2 = v.rg;", Standard::CL30) == "\n");
    CHECK(stmt_faults("v.xg;", Standard::CL30) == R"(
2:2: error: illegal vector component name 'g'
)");
    CHECK(
        accepts("kernel void k(global float16 *o, float4 a, float4 b) { *o = (float16)(a.xxxx, b.xyz, a.xyz, "
                "b.xyz, a.yzw); o->even = o->lo; o->hi.s13 = a.xy; }"));
}

TEST_CASE("the scalar and vector types (1.1.1, 1.1.2)") {
    CHECK(faults("bool b; char c; uchar uc;") == R"(
1:6: error: program scope variable must reside in constant address space
1:14: error: program scope variable must reside in constant address space
1:23: error: program scope variable must reside in constant address space
)");
    CHECK(accepts(
        "constant int sizes[] = {sizeof(bool) == 1, sizeof(char), sizeof(short), sizeof(int), sizeof(long) "
        "== 8, sizeof(size_t), sizeof(half), sizeof(float3) == 16, sizeof(double16) == 128};"));
    CHECK(accepts(
        "kernel void k(global long *o) { o[0] = true; o[1] = false; o[2] = sizeof(true); ptrdiff_t d = o - "
        "o; intptr_t i = (intptr_t)o; uintptr_t u = (uintptr_t)o; o = (global long *)(i + d + u); }"));
    CHECK(faults("void f(void) { void v; }") == R"(
1:21: error: variable has incomplete type 'void'
)");
    CHECK(faults("void f(void x) { }") == R"(
1:13: error: argument may not have 'void' type
)");
    CHECK(faults("void g(int a, void);") == R"(
1:19: error: 'void' must be the first and only parameter if specified
)");
}

TEST_CASE("aggregates of types (1.1.3-17)") {
    CHECK(
        accepts("struct S { int a; float4 v[3]; struct { int b; }; union { int c; float d; } u; }; kernel "
                "void k(global struct S *s) { s->b = s->u.c; s->v[1].xy = s->v[0].zw; s[1] = s[0]; }"));
    CHECK(faults("struct S { int a; int a; };") == R"(
1:23: error: duplicate member 'a'
1:16: note: previous declaration is here
)");
    CHECK(faults("struct S { struct S s; };") == R"(
1:21: error: field has incomplete type 'struct S'
1:8: note: forward declaration of 'struct S'
)");
    CHECK(accepts("struct S { struct S *next; int x; };"));
    CHECK(faults("struct S; void f(struct S *s) { s->x; }") == R"(
1:34: error: incomplete definition of type 'struct S'
1:8: note: forward declaration of 'struct S'
)");
    CHECK(faults("struct S { int x; }; struct S { int y; };") == R"(
1:29: error: redefinition of 'S'
1:8: note: previous definition is here
)");
    CHECK(faults("struct S { int x; }; union S;") == R"(
1:22: error: use of 'S' with tag type that does not match previous declaration
1:8: note: previous use is here
)");
    CHECK(faults("struct S { void v; };") == R"(
1:17: error: field has incomplete type 'void'
)");
    CHECK(faults("struct S { int f(int); };") == R"(
1:16: error: field 'f' declared as a function
)");
    CHECK(faults("enum E { A, A };") == R"(
1:13: error: redefinition of enumerator 'A'
1:10: note: previous definition is here
)");
    CHECK(faults("enum E { A = 1.5 };") == R"(
1:14: error: integer constant expression must have integer type, not 'double'
)");
    CHECK(faults("void f(int n) { enum E { A = n }; }") == R"(
1:30: error: expression is not an integer constant expression
)");
    CHECK(faults("enum { A = 0xffffffffffffffffUL, B }; enum { C = 0x7fffffffffffffffL, D };") == R"(
1:34: warning: overflow in enumeration value
1:71: warning: overflow in enumeration value
)");
    CHECK(faults("enum E { A }; enum E { B };") == R"(
1:20: error: redefinition of 'E'
1:6: note: previous definition is here
)");
    CHECK(faults("enum E { A, B = 5, C }; constant int c = C + A; void f(enum E e) { int i = e; e = i; e = "
                 "B; switch (e) { case A: case C: ; } }") == R"(
1:101: warning: enumeration value 'B' not handled in switch
)");
    CHECK(faults("typedef int T; typedef int T; typedef float T;") == R"(
1:28: warning: redefinition of typedef 'T' is a C11 feature
1:13: note: previous definition is here
1:45: error: typedef redefinition with different types ('float' vs 'int')
1:28: note: previous definition is here
)");
    CHECK(faults("int f(void); typedef int f;") == R"(
1:26: error: redefinition of 'f' as different kind of symbol
1:5: note: previous definition is here
)");
    CHECK(faults("void f(struct S s) { }") == R"(
1:15: warning: declaration of 'struct S' will not be visible outside of this function
1:17: error: variable has incomplete type 'struct S'
1:15: note: forward declaration of 'struct S'
)");
}

TEST_CASE("an enumerator is an int if that has its value, else of the enumeration's type") {
    const auto holds = [](std::string_view enumeration, const std::string& condition) {
        CAPTURE(condition);
        CompileOptions options = options_for(Standard::CL12);
        options.warnings.no_warnings = true;
        const std::string source = std::string(enumeration) + " typedef char c[" + condition + " ? 1 : -1];";
        CHECK(check_text(source, options).log == "");
    };
    constexpr std::string_view kTop = "enum E { NONE, ONE, TOP = 0x80000000 };";
    for (const char* each :
         {"-1 < ONE", "ONE - 2 < 0", "-ONE == -1", "TOP > 0", "!(-1 < TOP)", "sizeof(enum E) == 4"})
        holds(kTop, each);
    constexpr std::string_view kWide = "enum E { ONE = 1, WIDE = 0x100000000, NEXT };";
    for (const char* each :
         {"sizeof(ONE) == 4", "sizeof(WIDE) == 8", "NEXT == 0x100000001", "sizeof(enum E) == 8"})
        holds(kWide, each);
    constexpr std::string_view kHuge = "enum E { A = 0xffffffffffffffffUL, B = 0x8000000000000000UL, C };";
    for (const char* each : {"A > 0", "sizeof(A) == 8", "sizeof(enum E) == 8", "B / 2 >> 60 == 4", "C > B"})
        holds(kHuge, each);
    holds("enum E { MIN = -1, TOP = 0x80000000 };", "TOP > MIN && sizeof(enum E) == 8 && sizeof(MIN) == 4");
    holds("enum E { MAX = 0x7fffffff, J };", "J == 0x80000000 && sizeof(enum E) == 4");
    holds("enum E { A = 0x7fffffffffffffffUL, B };", "B == 0x8000000000000000UL && B > 0");
    // In the list itself, before the enumeration has its type.
    holds("enum E { TOP = 0x80000000, LESS = TOP > -1, SAME = TOP };", "LESS == 0 && SAME > 0");
    holds("enum E { A = 1l, B = sizeof(A) };", "B == 4");
}

TEST_CASE("pointers, arrays and functions of types (1.9-3, 1.9-12)") {
    CHECK(faults("void f(int n) { int a[n]; }") == R"(
1:23: error: variable length arrays are not supported in OpenCL
)");
    CHECK(faults("void f(void) { int a[-1]; }") == R"(
1:22: error: 'a' declared as an array with a negative size
)");
    CHECK(faults("void f(void) { int a[1.5]; }") == R"(
1:22: error: size of array has non-integer type 'double'
)");
    CHECK(faults("void f(void) { int a[]; }") == R"(
1:20: error: definition of variable with array type needs an explicit size or an initializer
)");
    CHECK(
        accepts("constant int n = 3; void f(void) { const int m = 4; int a[n]; int b[m * 2]; int d[n > 2 ? 1 "
                ": -1]; }"));
    CHECK(faults("void f(void) { int a[1ul << 62]; }") == R"(
1:22: error: array is too large (4611686018427387904 elements)
)");
    CHECK(faults("typedef int (*fp)(int);") == R"(
1:14: error: pointers to functions are not allowed
)");
    CHECK(faults("void f(void) { void (*p)(void); }") == R"(
1:22: error: pointers to functions are not allowed
)");
    CHECK(faults("void g(void); void f(void) { g; &g; *g; }") == R"(
1:30: error: taking address of function is not allowed
1:34: error: taking address of function is not allowed
1:38: error: taking address of function is not allowed
)");
    CHECK(faults("int f(void)[3];") == R"(
1:6: error: function cannot return array type 'int[3]'
)");
    CHECK(accepts("void f(int a[3], int b[]) { a = b; a[0] = *b; }"));
    CHECK(faults("struct S { int n; int a[]; };") == R"(
1:23: error: flexible array member 'a' is not supported in OpenCL
)");
    CHECK(faults("void (*f(void))(int);") == R"(
1:7: error: pointers to functions are not allowed
)");
}

TEST_CASE("half without cl_khr_fp16 is tested apart; sizes and steps (1.3.11-1 to 1.3.11-7)") {
    CHECK(stmt_faults("n = sizeof(int) + sizeof n + sizeof(v) + sizeof(struct S) + sizeof(int[3]) + "
                      "vec_step(float3) + vec_step(v) + vec_step(int);") == "\n");
    CHECK(stmt_faults("sizeof(void);") == R"(
2:1: error: invalid application of 'sizeof' to a void type
)");
    CHECK(stmt_faults("sizeof(int[]);") == R"(
2:1: error: invalid application of 'sizeof' to an incomplete type 'int[]'
)");
    CHECK(stmt_faults("struct T; sizeof(struct T);") == R"(
2:11: error: invalid application of 'sizeof' to an incomplete type 'struct T'
2:8: note: forward declaration of 'struct T'
)");
    CHECK(stmt_faults("sizeof(k);") == R"(
2:8: error: taking address of function is not allowed
)");
    CHECK(stmt_faults("vec_step(p);") == R"(
2:10: error: 'vec_step' requires built-in scalar or vector type, '__global float *' invalid
)");
    CHECK(stmt_faults("vec_step(struct S);") == R"(
2:1: error: 'vec_step' requires built-in scalar or vector type, 'struct S' invalid
)");
    CHECK(stmt_faults("n = sizeof(p[n++]);") == R"(
2:15: warning: expression with side effects has no effect in an unevaluated context
)");
}

}  // namespace caldera::frontend::testing
