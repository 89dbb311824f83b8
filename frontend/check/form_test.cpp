// SPDX-License-Identifier: Apache-2.0
// The checked form that ast.h describes, as the dump shows it.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("every conversion is a cast") {
    CHECK(expr("n = f") == R"(
Assign 'int'
  DeclRef 'int' n
  Cast 'int' FloatToInt
    Cast 'float' LValueToRValue
      DeclRef 'float' f
)");
    CHECK(expr("f = n + ch") == R"(
Assign 'float'
  DeclRef 'float' f
  Cast 'float' IntToFloat
    Binary 'int'
      Cast 'int' LValueToRValue
        DeclRef 'int' n
      Add 'int'
        Cast 'int' Integral
          Cast 'char' LValueToRValue
            DeclRef 'char' ch
)");
    CHECK(expr("d = f * 2") == R"(
Assign 'double'
  DeclRef 'double' d
  Cast 'double' Float
    Binary 'float'
      Cast 'float' LValueToRValue
        DeclRef 'float' f
      Mul 'float'
        Cast 'float' IntToFloat
          IntLiteral 'int' 2
)");
    CHECK(expr("v = v * 2 + f") == R"(
Assign 'float4'
  DeclRef 'float4' v
  Binary 'float4'
    Cast 'float4' LValueToRValue
      DeclRef 'float4' v
    Mul 'float4'
      Cast 'float4' Splat
        Cast 'float' IntToFloat
          IntLiteral 'int' 2
    Add 'float4'
      Cast 'float4' Splat
        Cast 'float' LValueToRValue
          DeclRef 'float' f
)");
    CHECK(expr("i = v < 1.0f") == R"(
Assign 'int4'
  DeclRef 'int4' i
  Binary 'int4'
    Cast 'float4' LValueToRValue
      DeclRef 'float4' v
    Less 'int4'
      Cast 'float4' Splat
        FloatLiteral 'float' 1
)");
    CHECK(expr("n = v.x < 1") == R"(
Assign 'int'
  DeclRef 'int' n
  Binary 'int'
    Cast 'float' LValueToRValue
      Swizzle 'float' .0
        DeclRef 'float4' v
    Less 'int'
      Cast 'float' IntToFloat
        IntLiteral 'int' 1
)");
    CHECK(expr("u >>= lg") == R"(
Assign 'uint' Shr in 'uint'
  DeclRef 'uint' u
  Cast 'uint' Integral
    Cast 'long' LValueToRValue
      DeclRef 'long' lg
)");
    CHECK(expr("c4 << n") == R"(
Binary 'char4'
  Cast 'char4' LValueToRValue
    DeclRef 'char4' c4
  Shl 'char4'
    Cast 'char4' Splat
      Cast 'char' Integral
        Cast 'int' LValueToRValue
          DeclRef 'int' n
)");
    CHECK(expr("ch += f") == R"(
Assign 'char' Add in 'float'
  DeclRef 'char' ch
  Cast 'float' LValueToRValue
    DeclRef 'float' f
)");
    CHECK(expr("v *= f") == R"(
Assign 'float4' Mul in 'float4'
  DeclRef 'float4' v
  Cast 'float4' Splat
    Cast 'float' LValueToRValue
      DeclRef 'float' f
)");
}

TEST_CASE("casts and literals of vectors (1.1.6-4, 1.2.2-3, 1.2.2-5)") {
    CHECK(expr("(float4)n") == R"(
Cast 'float4' Splat to 'float4'
  Cast 'float' IntToFloat
    Cast 'int' LValueToRValue
      DeclRef 'int' n
)");
    CHECK(expr("(int4)b") == R"(
Cast 'int4' Splat to 'int4'
  Unary 'int' Minus
    Cast 'int' Integral
      Cast 'bool' LValueToRValue
        DeclRef 'bool' b
)");
    CHECK(expr("i = b") == R"(
Assign 'int4'
  DeclRef 'int4' i
  Cast 'int4' Splat
    Unary 'int' Minus
      Cast 'int' Integral
        Cast 'bool' LValueToRValue
          DeclRef 'bool' b
)");
    CHECK(expr("(float4)(f2, n, 1.0f)") == R"(
VectorLiteral 'float4' of 'float4'
  Cast 'float2' LValueToRValue
    DeclRef 'float2' f2
  Cast 'float' IntToFloat
    Cast 'int' LValueToRValue
      DeclRef 'int' n
  FloatLiteral 'float' 1
)");
    CHECK(expr("(float4)(1)") == R"(
Cast 'float4' Splat to 'float4'
  Cast 'float' IntToFloat
    IntLiteral 'int' 1
)");
}

TEST_CASE("pointers: indices are long, spaces and pointees change one by one") {
    CHECK(expr("p[u] = *(p + n)") == R"(
Assign 'float'
  Subscript '__global float'
    Cast '__global float *' LValueToRValue
      DeclRef '__global float *' p
    Cast 'ulong' Integral
      Cast 'uint' LValueToRValue
        DeclRef 'uint' u
  Cast 'float' LValueToRValue
    Unary '__global float' Deref
      Paren '__global float *'
        Binary '__global float *'
          Cast '__global float *' LValueToRValue
            DeclRef '__global float *' p
          Add '__global float *'
            Cast 'long' Integral
              Cast 'int' LValueToRValue
                DeclRef 'int' n
)");
    CHECK(expr("p - p") == R"(
Binary 'long'
  Cast '__global float *' LValueToRValue
    DeclRef '__global float *' p
  Sub 'long'
    Cast '__global float *' LValueToRValue
      DeclRef '__global float *' p
)");
    CHECK(expr("p == 0") == R"(
Binary 'int'
  Cast '__global float *' LValueToRValue
    DeclRef '__global float *' p
  Equal 'int'
    Cast '__global float *' NullToPointer
      IntLiteral 'int' 0
)");
    CHECK(expr("(global int *)p") == R"(
Cast '__global int *' PointerToPointer to '__global int *'
  Cast '__global float *' LValueToRValue
    DeclRef '__global float *' p
)");
    CHECK(expr("((int *)p)[0]", Standard::CL20) == R"(
Subscript '__generic int'
  Paren '__generic int *'
    Cast '__generic int *' PointerToPointer to '__generic int *'
      Cast '__generic float *' AddressSpace
        Cast '__global float *' LValueToRValue
          DeclRef '__global float *' p
  Cast 'long' Integral
    IntLiteral 'int' 0
)");
    CHECK(expr("p && n") == R"(
Binary 'int'
  Cast '__global float *' LValueToRValue
    DeclRef '__global float *' p
  LogicalAnd 'int'
    Cast 'int' LValueToRValue
      DeclRef 'int' n
)");
}

TEST_CASE("members and swizzles") {
    CHECK(expr("v.wz.x = f2.hi") == R"(
Assign 'float'
  Swizzle 'float' .0
    Swizzle 'float2' .32
      DeclRef 'float4' v
  Cast 'float' LValueToRValue
    Swizzle 'float' .1
      DeclRef 'float2' f2
)");
    CHECK(expr("v.even = f2") == R"(
Assign 'float2'
  Swizzle 'float2' .02
    DeclRef 'float4' v
  Cast 'float2' LValueToRValue
    DeclRef 'float2' f2
)");
    CHECK(expr("f3.odd") == R"(
Swizzle 'float2' .13
  DeclRef 'float3' f3
)");
    CHECK(expr("v[n]") == R"(
Subscript 'float'
  DeclRef 'float4' v
  Cast 'long' Integral
    Cast 'int' LValueToRValue
      DeclRef 'int' n
)");
}

TEST_CASE("?: and calls") {
    CHECK(expr("n ? f : n") == R"(
Conditional 'float'
  Cast 'int' LValueToRValue
    DeclRef 'int' n
  Cast 'float' LValueToRValue
    DeclRef 'float' f
  Cast 'float' IntToFloat
    Cast 'int' LValueToRValue
      DeclRef 'int' n
)");
    CHECK(expr("i ? v : 1.0f") == R"(
Conditional 'float4'
  Cast 'int4' LValueToRValue
    DeclRef 'int4' i
  Cast 'float4' LValueToRValue
    DeclRef 'float4' v
  Cast 'float4' Splat
    FloatLiteral 'float' 1
)");
    CHECK(expr("n ?: f") == R"(
Conditional 'float'
  Cast 'float' IntToFloat
    Cast 'int' LValueToRValue
      DeclRef 'int' n
  -
  Cast 'float' LValueToRValue
    DeclRef 'float' f
)");
    CHECK(expr("fmax(v, 1.0f)") == R"(
Call 'float4' builtin
  DeclRef fmax
  Cast 'float4' LValueToRValue
    DeclRef 'float4' v
  FloatLiteral 'float' 1
)");
    CHECK(expr("convert_int4_sat(v)") == R"(
Call 'int4' builtin
  DeclRef convert_int4_sat
  Cast 'float4' LValueToRValue
    DeclRef 'float4' v
)");
    CHECK(expr("sizeof(p[n++])") == R"(
SizeofExpr 'ulong' sizeof = 4
  Paren '__global float'
    Subscript '__global float'
      Cast '__global float *' LValueToRValue
        DeclRef '__global float *' p
      Cast 'long' Integral
        Unary 'int' PostInc
          DeclRef 'int' n
)");
}

}  // namespace caldera::frontend::testing
