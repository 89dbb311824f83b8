// SPDX-License-Identifier: Apache-2.0
// Operators: sections 1.3.1 to 1.3.15 of the checklist.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("arithmetic operators (1.3.1-1 to 1.3.1-4)") {
    CHECK(stmt_faults("n = n + 1 - 2 * 3 / 4 % 5; f = f / 2; v = v / v; i = i % 3; d = d * n;") == "\n");
    CHECK(stmt_faults("f % f;") == R"(
2:3: error: invalid operands to binary expression ('float' and 'float')
)");
    CHECK(stmt_faults("v % v;") == R"(
2:3: error: invalid operands to binary expression ('float4' and 'float4')
)");
    CHECK(stmt_faults("s + 1;") == R"(
2:3: error: invalid operands to binary expression ('struct S' and 'int')
)");
    CHECK(stmt_faults("p * 2;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'int')
)");
    CHECK(stmt_faults("p + p;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and '__global float *')
)");
    CHECK(stmt_faults("p + 1.0f;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'float')
)");
    CHECK(stmt_faults("n / 0; n % 0; n / 0.0f;") == R"(
2:3: warning: division by zero is undefined
2:3: warning: expression result unused
2:10: warning: remainder by zero is undefined
2:10: warning: expression result unused
2:17: warning: expression result unused
)");
    CHECK(stmt_faults("q - l;") == R"(
2:3: error: arithmetic operation with operands of type  ('__private int *' and '__local int *') which are pointers to non-overlapping address spaces
)");
}

TEST_CASE("unary operators (1.3.2-1, 1.3.3-1, 1.3.3-2, 1.3.6-1, 1.3.8-1)") {
    CHECK(stmt_faults("n = -n + +n; v = -v; i = ~i; n = !f; n = !p; i = !v; l4 = !l4; n = ~ch;") == "\n");
    CHECK(stmt_faults("-s;") == R"(
2:1: error: invalid argument type 'struct S' to unary expression
)");
    CHECK(stmt_faults("-p;") == R"(
2:1: error: invalid argument type '__global float *' to unary expression
)");
    CHECK(stmt_faults("~f;") == R"(
2:1: error: invalid argument type 'float' to unary expression
)");
    CHECK(stmt_faults("~v;") == R"(
2:1: error: invalid argument type 'float4' to unary expression
)");
    CHECK(stmt_faults("!s;") == R"(
2:1: error: invalid argument type 'struct S' to unary expression
)");
    CHECK(stmt_faults("n++; --n; ch++; i++; --ui; p++; f++; b++;") == "\n");
    CHECK(stmt_faults("v++;") == R"(
2:2: error: cannot increment value of type 'float4'
)");
    CHECK(stmt_faults("++s;") == R"(
2:1: error: cannot increment value of type 'struct S'
)");
    CHECK(stmt_faults("++1;") == R"(
2:1: error: expression is not assignable
)");
    CHECK(stmt_faults("++(n + 1);") == R"(
2:1: error: expression is not assignable
)");
    CHECK(stmt_faults("const int cn = 1; cn++;") == R"(
2:21: error: cannot assign to variable 'cn' with const-qualified type 'const int'
2:11: note: variable 'cn' declared const here
)");
    CHECK(stmt_faults("k++;") == R"(
2:2: error: cannot increment value of type 'void (__global float *, __constant int *, __local int *, int, float)'
)");
}

TEST_CASE("relational and equality operators (1.3.4-1 to 1.3.4-6, 1.3.5-1)") {
    CHECK(stmt_faults(
              "n = f < n; i = v < v; i = v == 1; l4 = l4 > 3; c4 = c4 != c4; n = p == 0; n = p < p; n = 0 != "
              "p; long4 r = (double4)1 < (double4)2; short2 sr = (ushort2)1 == (ushort2)2;") == R"(
2:56: warning: self-comparison always evaluates to false
2:81: warning: self-comparison always evaluates to false
)");
    CHECK(stmt_faults("v < i;") == R"(
2:3: error: implicit conversions between vector types ('float4' and 'int4') are not permitted
)");
    CHECK(stmt_faults("s == s;") == R"(
2:3: error: invalid operands to binary expression ('struct S' and 'struct S')
)");
    CHECK(stmt_faults("v < 1.0;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')
)");
    CHECK(stmt_faults("p < f;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'float')
)");
    CHECK(stmt_faults("n = p == n;") == R"(
2:7: warning: comparison between pointer and integer ('__global float *' and 'int')
)");
    CHECK(stmt_faults("n = p == l;") == R"(
2:7: error: comparison between  ('__global float *' and '__local int *') which are pointers to non-overlapping address spaces
)");
    CHECK(stmt_faults("n = p == (global int *)p;") == R"(
2:7: warning: comparison of distinct pointer types ('__global float *' and '__global int *')
)");
}

TEST_CASE("bitwise and logical operators (1.3.6-1, 1.3.6-2, 1.3.7-1 to 1.3.7-5)") {
    CHECK(stmt_faults("n = n & 1 | n ^ 3; i = i & 3; ui = ~ui | u; n = f && n || p; i = v && 1; i = v || v; "
                      "c4 = c4 && c4;") == "\n");
    CHECK(stmt_faults("f & 1;") == R"(
2:3: error: invalid operands to binary expression ('float' and 'int')
)");
    CHECK(stmt_faults("v | v;") == R"(
2:3: error: invalid operands to binary expression ('float4' and 'float4')
)");
    CHECK(stmt_faults("p & 1;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'int')
)");
    CHECK(stmt_faults("v && i;") == R"(
2:3: error: implicit conversions between vector types ('float4' and 'int4') are not permitted
)");
    CHECK(stmt_faults("s || 1;") == R"(
2:3: error: invalid operands to binary expression ('struct S' and 'int')
)");
    CHECK(stmt_faults("v && s;") == R"(
2:3: error: invalid operands to binary expression ('float4' and 'struct S')
)");
}

TEST_CASE("the ternary operator (1.3.9-1 to 1.3.9-5, 1.5.6-13)") {
    CHECK(stmt_faults("n = n ? 1 : 2; f = n ? 1 : f; v = n ? v : v; v = n ? v : f; v = i ? v : v; v = i ? v "
                      ": 1.0f; l4 = l4 ? l4 : 3; p = n ? p : 0; s = n ? s : s; n ? (void)0 : (void)n; n = n "
                      "?: 3; i = i ? 1 : 2; n = p ? 1 : 2; n = f ? 1 : 2;") == R"(
2:213: error: used type 'float' where floating point type is not allowed
)");
    CHECK(stmt_faults("v ? v : v;") == R"(
2:3: error: used type 'float4' where floating point type is not allowed
)");
    CHECK(stmt_faults("v = n ? v : i;") == R"(
2:7: error: implicit conversions between vector types ('float4' and 'int4') are not permitted
)");
    CHECK(stmt_faults("v = l4 ? v : v;") == R"(
2:8: error: vector condition type 'long4' and result type 'float4' do not have elements of the same size
)");
    CHECK(stmt_faults("l4 = i ? l4 : l4;") == R"(
2:8: error: vector condition type 'int4' and result type 'long4' do not have elements of the same size
)");
    CHECK(stmt_faults("f2 = i ? f2 : f2;") == R"(
2:8: error: vector condition type 'int4' and result type 'float2' do not have the same number of elements
)");
    CHECK(stmt_faults("s ? 1 : 2;") == R"(
2:3: error: used type 'struct S' where arithmetic or pointer type is required
)");
    CHECK(stmt_faults("n ? s : 1;") == R"(
2:3: error: incompatible operand types ('struct S' and 'int')
)");
    CHECK(stmt_faults("n ? p : f;") == R"(
2:3: error: incompatible operand types ('__global float *' and 'float')
)");
    CHECK(stmt_faults("n ? p : l;") == R"(
2:3: error: conditional operator with the second and third operands of type ('__global float *' and '__local int *') which are pointers to non-overlapping address spaces
)");
    CHECK(stmt_faults("(n ? n : n) = 1;") == R"(
2:13: error: expression is not assignable
)");
    CHECK(stmt_faults("int *g = n ? p : l;", Standard::CL20) == R"(
2:12: error: conditional operator with the second and third operands of type ('__global float *' and '__local int *') which are pointers to non-overlapping address spaces
)");
    CHECK(stmt_faults("int *g = n ? (global int *)p : q;", Standard::CL20) == "\n");
}

TEST_CASE("shifts (1.3.10-1 to 1.3.10-3)") {
    CHECK(stmt_faults("n = n << 2; lg = lg >> n; n = n << lg; i = i << 1; i = i >> ui; ui <<= n; c4 = c4 << "
                      "3; n <<= 1; ch >>= 1;") == "\n");
    CHECK(stmt_faults("f << 1;") == R"(
2:3: error: invalid operands to binary expression ('float' and 'int')
)");
    CHECK(stmt_faults("1 << f;") == R"(
2:3: error: invalid operands to binary expression ('int' and 'float')
)");
    CHECK(stmt_faults("i << v;") == R"(
2:3: error: used type 'float4' where integer is required
)");
    CHECK(stmt_faults("v << 1;") == R"(
2:3: error: used type 'float4' where integer is required
)");
    CHECK(stmt_faults("n << i;") == R"(
2:3: error: requested shift is a vector of type 'int4' but the first operand is not a vector ('int')
)");
    CHECK(stmt_faults("i << (int2)1;") == R"(
2:3: error: vector operands do not have the same number of elements ('int4' and 'int2')
)");
    CHECK(stmt_faults("n = n << 32; n = n >> -1; lg = lg << 33;") == "\n");
}

TEST_CASE("comma, indirection, address (1.3.12-1, 1.3.13-1, 1.3.14-1)") {
    CHECK(stmt_faults("n = (f = 1, n); p[0] = *p; *p = 1; (*p)++; n = *&n; global float *e = &p[2]; e = &*p; "
                      "q = &n; 1[p] = 2;") == "\n");
    CHECK(stmt_faults("*n;") == R"(
2:1: error: indirection requires pointer operand ('int' invalid)
)");
    CHECK(stmt_faults("*v;") == R"(
2:1: error: indirection requires pointer operand ('float4' invalid)
)");
    CHECK(stmt_faults("&1;") == R"(
2:1: error: cannot take the address of an rvalue of type 'int'
)");
    CHECK(stmt_faults("&(n + 1);") == R"(
2:1: error: cannot take the address of an rvalue of type 'int'
)");
    CHECK(stmt_faults("*(global void *)p;") == R"(
2:1: warning: ISO C does not allow indirection on operand of type '__global void *'
)");
    CHECK(stmt_faults("n[1];") == R"(
2:2: error: subscripted value is not an array, pointer, or vector
)");
    CHECK(stmt_faults("p[f];") == R"(
2:2: error: array subscript is not an integer
)");
    CHECK(stmt_faults("p[p];") == R"(
2:2: error: array subscript is not an integer
)");
    CHECK(stmt_faults("int a[3]; a[3] = 1; a[2] = 1;") == R"(
2:11: warning: array index 3 is past the end of the array (which contains 3 elements)
)");
}

TEST_CASE("assignment (1.3.15-1 to 1.3.15-5, 1.5.3-7, 1.5.6-14)") {
    CHECK(stmt_faults("n = 1; n += f; f *= n; v += 1; v *= v; v -= f; i %= 3; i <<= 1; p += 1; p -= n; s = "
                      "s; s.a = 1; (n) = 2; v.xy = f2; v.x += 1; ch += 300;") == "\n");
    CHECK(stmt_faults("1 = n;") == R"(
2:3: error: expression is not assignable
)");
    CHECK(stmt_faults("n + 1 = 2;") == R"(
2:7: error: expression is not assignable
)");
    CHECK(stmt_faults("k = 1;") == R"(
2:1: error: taking address of function is not allowed
)");
    CHECK(stmt_faults("const int cn = 1; cn = 2;") == R"(
2:22: error: cannot assign to variable 'cn' with const-qualified type 'const int'
2:11: note: variable 'cn' declared const here
)");
    CHECK(stmt_faults("*c = 1;") == R"(
2:4: error: read-only variable is not assignable
)");
    CHECK(stmt_faults("c[1] += 2;") == R"(
2:6: error: read-only variable is not assignable
)");
    CHECK(stmt_faults("const global float *cp = p; cp[0] = 1;") == R"(
2:35: error: read-only variable is not assignable
)");
    CHECK(stmt_faults("int a[3]; a = 0;") == R"(
2:13: error: array type 'int[3]' is not assignable
)");
    CHECK(stmt_faults("v += i;") == R"(
2:3: error: implicit conversions between vector types ('float4' and 'int4') are not permitted
)");
    CHECK(stmt_faults("f += v;") == R"(
2:3: error: assigning to 'float' from incompatible type 'float4'
)");
    CHECK(stmt_faults("i += 1u;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'uint')
)");
    CHECK(stmt_faults("p += 1.0f;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'float')
)");
    CHECK(stmt_faults("p *= 2;") == R"(
2:3: error: invalid operands to binary expression ('__global float *' and 'int')
)");
    CHECK(stmt_faults("n += p;") == R"(
2:3: warning: incompatible pointer to integer conversion assigning to 'int' from '__global float *'
)");
    CHECK(stmt_faults("s += 1;") == R"(
2:3: error: invalid operands to binary expression ('struct S' and 'int')
)");
    CHECK(stmt_faults("const struct S t = {1}; t.a = 2;") == R"(
2:29: error: cannot assign to variable 't' with const-qualified type 'const struct S'
2:16: note: variable 't' declared const here
)");
    CHECK(stmt_faults("struct T { const int m; } t = {1}; t = t;") == R"(
2:38: error: cannot assign to variable 't' with const-qualified data member 'm'
2:22: note: data member 'm' declared const here
)");
    CHECK(faults("constant int x = 1; void f(void) { x = 2; }") == R"(
1:38: error: cannot assign to variable 'x' with const-qualified type '__constant int'
1:14: note: variable 'x' declared const here
)");
}

TEST_CASE("member access") {
    CHECK(stmt_faults("s.a = s.b; struct S *sp = &s; sp->a = (*sp).b; sp->b++;") == "\n");
    CHECK(stmt_faults("s.z;") == R"(
2:3: error: no member named 'z' in 'struct S'
)");
    CHECK(stmt_faults("q.x;") == R"(
2:2: error: member reference base type '__private int *' is not a structure or union
)");
    CHECK(stmt_faults("struct S *sp = &s; sp.a;") == R"(
2:22: error: member reference type '__private struct S *' is a pointer; did you mean to use '->'?
2:23: warning: expression result unused
)");
    CHECK(stmt_faults("s->a = 1; s->c = 1; (&s)->b = 1;") == R"(
2:2: error: member reference type 'struct S' is not a pointer; did you mean to use '.'?
2:12: error: member reference type 'struct S' is not a pointer; did you mean to use '.'?
2:14: error: no member named 'c' in 'struct S'
)");
    CHECK(stmt_faults("(&s).a = n; (&s).c = n; v->x = 1;") == R"(
2:5: error: member reference type '__private struct S *' is a pointer; did you mean to use '->'?
2:17: error: member reference type '__private struct S *' is a pointer; did you mean to use '->'?
2:18: error: no member named 'c' in 'struct S'
2:26: error: member reference type 'float4' is not a pointer
)");
    CHECK(stmt_faults("n.x;") == R"(
2:2: error: member reference base type 'int' is not a structure or union
)");
    CHECK(stmt_faults("q->x;") == R"(
2:2: error: member reference base type 'int' is not a structure or union
)");
    CHECK(stmt_faults("struct T *t; t->x;") == R"(
2:15: error: incomplete definition of type 'struct T'
2:8: note: forward declaration of 'struct T'
)");
}

}  // namespace caldera::frontend::testing
