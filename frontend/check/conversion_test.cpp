// SPDX-License-Identifier: Apache-2.0
// Conversions and casts: sections 1.2.1 to 1.2.6 of the checklist.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("implicit conversions of values (1.2.1-1 to 1.2.1-3)") {
    CHECK(stmt_faults("n = f; f = n; ch = n; b = f; lg = u; d = f; v = f; v = n; i = ch; ui = b; l4 = n;") ==
          "\n");
    CHECK(stmt_faults("v = i;") == R"(
2:3: error: assigning to 'float4' from incompatible type 'int4'
)");
    CHECK(stmt_faults("i = ui;") == R"(
2:3: error: assigning to 'int4' from incompatible type 'uint4'
)");
    CHECK(stmt_faults("v = f2;") == R"(
2:3: error: assigning to 'float4' from incompatible type 'float2'
)");
    CHECK(stmt_faults("n = v;") == R"(
2:3: error: assigning to 'int' from incompatible type 'float4'
)");
    CHECK(stmt_faults("v = s;") == R"(
2:3: error: assigning to 'float4' from incompatible type 'struct S'
)");
    CHECK(stmt_faults("s = n;") == R"(
2:3: error: assigning to 'struct S' from incompatible type 'int'
)");
    CHECK(stmt_faults("n = s;") == R"(
2:3: error: assigning to 'int' from incompatible type 'struct S'
)");
    CHECK(stmt_faults("float4 w = i;") == R"(
2:8: error: initializing 'float4' with an expression of incompatible type 'int4'
)");
    CHECK(stmt_faults("f = p;") == R"(
2:3: error: assigning to 'float' from incompatible type '__global float *'
)");
    CHECK(stmt_faults("p = f;") == R"(
2:3: error: assigning to '__global float *' from incompatible type 'float'
)");
    CHECK(stmt_faults("ch = 300; n = 1.5; i = 2.5f; ch = 127; u = -1; ch = -129; b = 2;") == R"(
2:6: warning: implicit conversion from 'int' to 'char' changes value from 300 to 44
2:15: warning: implicit conversion from 'double' to 'int' changes value from 1.5 to 1
2:24: warning: implicit conversion from 'float' to 'int4' changes value from 2.5 to 2
2:53: warning: implicit conversion from 'int' to 'char' changes value from -129 to 127
)");
}

TEST_CASE("explicit casts (1.2.2-1 to 1.2.2-5)") {
    CHECK(stmt_faults("n = (int)f; f = (float)n; v = (float4)n; v = (float4)d; i = (int4)f; ui = (uint4)b; "
                      "ch = (char)300; (void)n; (void)s; v = (float4)v;") == "\n");
    CHECK(stmt_faults("(uint4)i;") == R"(
2:1: error: invalid conversion between ext-vector type 'uint4' and 'int4'
)");
    CHECK(stmt_faults("(int4)v;") == R"(
2:1: error: invalid conversion between ext-vector type 'int4' and 'float4'
)");
    CHECK(stmt_faults("(float2)v;") == R"(
2:1: error: invalid conversion between ext-vector type 'float2' and 'float4'
)");
    CHECK(stmt_faults("(float)v;") == R"(
2:1: error: invalid conversion between vector type 'float4' and scalar type 'float'
)");
    CHECK(stmt_faults("(struct S)n;") == R"(
2:1: error: used type 'struct S' where arithmetic or pointer type is required
)");
    CHECK(stmt_faults("(int)s;") == R"(
2:6: error: operand of type 'struct S' where arithmetic or pointer type is required
)");
    CHECK(stmt_faults("(int[2])n;") == R"(
2:1: error: cast to incomplete or non-scalar type 'int[2]'
)");
    CHECK(stmt_faults("(float4)s;") == R"(
2:9: error: operand of type 'struct S' where arithmetic or pointer type is required
)");
}

TEST_CASE("pointer casts (1.2.5-1, 1.5-9, 1.5.5-2, 1.5.5-3)") {
    CHECK(stmt_faults("p = (global float *)(global int *)p; lg = (long)p; p = (global float *)lg; p = 0; p = "
                      "(void *)0; p = (global float *)0x1000; b = (bool)p; b = p;") == "\n");
    CHECK(stmt_faults("(local float *)p;") == R"(
2:1: error: casting '__global float *' to type '__local float *' changes address space of pointer
)");
    CHECK(stmt_faults("(float *)p;") == R"(
2:1: error: casting '__global float *' to type '__private float *' changes address space of pointer
)");
    CHECK(stmt_faults("(global int *)c;") == R"(
2:1: error: casting '__constant int *' to type '__global int *' changes address space of pointer
)");
    CHECK(stmt_faults("(float)p;") == R"(
2:8: error: pointer cannot be cast to type 'float'
)");
    CHECK(stmt_faults("(global int *)f;") == R"(
2:15: error: operand of type 'float' cannot be cast to a pointer type
)");
    CHECK(stmt_faults("(int)p;") == R"(
2:1: warning: cast to smaller integer type 'int' from '__global float *'
2:1: warning: expression result unused
)");
    CHECK(stmt_faults("(global int *)n;") == R"(
2:1: warning: cast to '__global int *' from smaller integer type 'int'
2:1: warning: expression result unused
)");
    CHECK(stmt_faults("int *g = p; g = (int *)l; local int *ll = (local int *)g; private int *pp = (private "
                      "int *)g; global int *gg = (global int *)g;",
                      Standard::CL20) == R"(
2:6: warning: incompatible pointer types initializing '__generic int *' with an expression of type '__global float *'
)");
    CHECK(stmt_faults("(int *)c;", Standard::CL20) == R"(
2:1: error: casting '__constant int *' to type '__generic int *' changes address space of pointer
)");
    CHECK(stmt_faults("(constant int *)q;", Standard::CL20) == R"(
2:1: error: casting '__generic int *' to type '__constant int *' changes address space of pointer
)");
}

TEST_CASE(
    "pointers convert within a space and toward generic (1.2.1-4, 1.5-8, 1.5.5-1, 1.5.5-7, 1.5.6-3, "
    "1.5.6-4)") {
    CHECK(stmt_faults("global void *vp = p; p = vp; const global float *cp = p;") == "\n");
    CHECK(stmt_faults("l = p;") == R"(
2:3: error: assigning '__global float *' to '__local int *' changes address space of pointer
)");
    CHECK(stmt_faults("q = l;") == R"(
2:3: error: assigning '__local int *' to '__private int *' changes address space of pointer
)");
    CHECK(stmt_faults("p = c;") == R"(
2:3: error: assigning '__constant int *' to '__global float *' changes address space of pointer
)");
    CHECK(stmt_faults("global int *gi = p;") == R"(
2:13: warning: incompatible pointer types initializing '__global int *' with an expression of type '__global float *'
)");
    CHECK(stmt_faults("global uint *gu; global int *gi = gu;") == R"(
2:30: warning: initializing '__global int *' with an expression of type '__global uint *' converts between pointers to integer types with different sign
)");
    CHECK(stmt_faults("const global float *cp = p; p = cp;") == R"(
2:31: warning: assigning to '__global float *' from 'const __global float *' discards qualifiers
)");
    CHECK(stmt_faults("volatile global float *vp = p; p = vp;") == R"(
2:34: warning: assigning to '__global float *' from 'volatile __global float *' discards qualifiers
)");
    CHECK(stmt_faults("p = 1;") == R"(
2:3: warning: incompatible integer to pointer conversion assigning to '__global float *' from 'int'
)");
    CHECK(stmt_faults("n = p;") == R"(
2:3: warning: incompatible pointer to integer conversion assigning to 'int' from '__global float *'
)");
    CHECK(stmt_faults("q = n;") == R"(
2:3: warning: incompatible integer to pointer conversion assigning to '__private int *' from 'int'
)");
    CHECK(stmt_faults("int *g = p; g = l; g = &n;", Standard::CL20) == R"(
2:6: warning: incompatible pointer types initializing '__generic int *' with an expression of type '__global float *'
)");
    CHECK(stmt_faults("int *g = l; l = g;", Standard::CL20) == R"(
2:15: error: assigning '__generic int *' to '__local int *' changes address space of pointer
)");
    CHECK(stmt_faults("int *g = c;", Standard::CL20) == R"(
2:6: error: initializing '__generic int *' with an expression of type '__constant int *' changes address space of pointer
)");
    CHECK(stmt_faults("global int *private *pp; local int *private *lp = pp;") == R"(
2:46: error: initializing '__local int *__private *' with an expression of type '__global int *__private *' changes address space of nested pointer
)");
}

TEST_CASE("usual arithmetic conversions (1.2.6-1 to 1.2.6-12)") {
    CHECK(stmt_faults("v = v + 1; v = v * f; v = 2 * v; i = i + n; i = i + ch; l4 = l4 + 1; ui = ui + 1; ui "
                      "= ui + u; v = v + lg; short8 s8 = (short8)1; s8 = s8 + ch; i = i + true;") == "\n");
    CHECK(stmt_faults("v + i;") == R"(
2:3: error: implicit conversions between vector types ('float4' and 'int4') are not permitted
)");
    CHECK(stmt_faults("v + f2;") == R"(
2:3: error: implicit conversions between vector types ('float4' and 'float2') are not permitted
)");
    CHECK(stmt_faults("i + ui;") == R"(
2:3: error: implicit conversions between vector types ('int4' and 'uint4') are not permitted
)");
    CHECK(stmt_faults("i + 0U;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'uint')
)");
    CHECK(stmt_faults("i + 1l;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'long')
)");
    CHECK(stmt_faults("i + f;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'float')
)");
    CHECK(stmt_faults("v + d;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')
)");
    CHECK(stmt_faults("v + 1.0;") == R"(
2:3: error: scalar operand type has greater rank than the type of the vector element. ('float4' and 'double')
)");
    CHECK(stmt_faults("c4 + 1;") == R"(
2:4: error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
)");
    CHECK(stmt_faults("1.0 + v;") == R"(
2:5: error: scalar operand type has greater rank than the type of the vector element. ('double' and 'float4')
)");
    CHECK(stmt_faults("c4 = c4 + 300;") == R"(
2:9: error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
)");
    CHECK(faults("enum E { A }; void f(int4 i, char4 c, enum E e) { i + e; i + A; c + A; }") == R"(
1:53: error: scalar operand type has greater rank than the type of the vector element. ('int4' and 'enum E')
1:60: warning: expression result unused
1:67: error: scalar operand type has greater rank than the type of the vector element. ('char4' and 'int')
)");
}

}  // namespace caldera::frontend::testing
