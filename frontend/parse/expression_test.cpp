// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "frontend/parse/parse_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("binary operators bind as C99 6.5.5 to 6.5.14 say") {
    CHECK(expr("a + b * c - d") == R"(
Binary
  DeclRef a
  Add
    Binary
      DeclRef b
      Mul
        DeclRef c
  Sub
    DeclRef d
)");
    CHECK(expr("a || b && c | d ^ e & f == g < h << i + j") == R"(
Binary
  DeclRef a
  LogicalOr
    Binary
      DeclRef b
      LogicalAnd
        Binary
          DeclRef c
          Or
            Binary
              DeclRef d
              Xor
                Binary
                  DeclRef e
                  And
                    Binary
                      DeclRef f
                      Equal
                        Binary
                          DeclRef g
                          Less
                            Binary
                              DeclRef h
                              Shl
                                Binary
                                  DeclRef i
                                  Add
                                    DeclRef j
)");
}

TEST_CASE("assignment and ?: associate to the right, comma to the left") {
    CHECK(expr("a = b += c ? d : e ? f : g, h") == R"(
Binary
  Assign
    DeclRef a
    Assign Add
      DeclRef b
      Conditional
        DeclRef c
        DeclRef d
        Conditional
          DeclRef e
          DeclRef f
          DeclRef g
  Comma
    DeclRef h
)");
    CHECK(expr("a ?: b") == R"(
Conditional
  DeclRef a
  -
  DeclRef b
)");
}

TEST_CASE("unary and postfix expressions") {
    CHECK(expr("-*p++ + !~&x[1].y->z(2, 3)--") == R"(
Binary
  Unary Minus
    Unary Deref
      Unary PostInc
        DeclRef p
  Add
    Unary LogicalNot
      Unary Not
        Unary AddressOf
          Unary PostDec
            Call
              Member ->z
                Member .y
                  Subscript
                    DeclRef x
                    IntLiteral 'int' 1
              IntLiteral 'int' 2
              IntLiteral 'int' 3
)");
}

TEST_CASE("casts, vector literals (1.1.6-1) and compound literals are told apart by the type's name") {
    CHECK(expr("(int)(a, b)") == R"(
Cast to 'int'
  Paren
    Binary
      DeclRef a
      Comma
        DeclRef b
)");
    CHECK(expr("(float4)(a, b).x") == R"(
Member .x
  VectorLiteral of 'float4'
    DeclRef a
    DeclRef b
)");
    CHECK(expr("(float4)(1)") == R"(
VectorLiteral of 'float4'
  IntLiteral 'int' 1
)");
    CHECK(expr("(float4)(float)x") == R"(
Cast to 'float4'
  Cast to 'float'
    DeclRef x
)");
    CHECK(expr("(float4)((float2)(1, 2), (float2)(3))") == R"(
VectorLiteral of 'float4'
  VectorLiteral of 'float2'
    IntLiteral 'int' 1
    IntLiteral 'int' 2
  VectorLiteral of 'float2'
    IntLiteral 'int' 3
)");
    CHECK(expr("(int[2]){1, 2}[0]") == R"(
Subscript
  CompoundLiteral of 'int [2]'
    InitList
      IntLiteral 'int' 1
      IntLiteral 'int' 2
  IntLiteral 'int' 0
)");
    CHECK(expr("(__typeof__(v))(1, 2)") == R"(
VectorLiteral of 'typeof(…)'
  IntLiteral 'int' 1
  IntLiteral 'int' 2
)");
    CHECK(expr("(__typeof__(v))(1).x") == R"(
Cast to 'typeof(…)'
  Member .x
    Paren
      IntLiteral 'int' 1
)");
}

TEST_CASE("a typedef of a vector makes literals, until something hides it") {
    CHECK(tree("typedef float4 vec; typedef vec vec2nd; void f(void) { (vec2nd)(1, 2); { int vec; (vec)(1, "
               "2); } }") == R"(
Typedef vec 'typedef float4'
Typedef vec2nd 'typedef vec'
Function f 'void (void)'
  Compound
    Expr
      VectorLiteral of 'vec2nd'
        IntLiteral 'int' 1
        IntLiteral 'int' 2
    Compound
      Decl
        Var vec 'int'
      Expr
        Call
          Paren
            DeclRef vec
          IntLiteral 'int' 1
          IntLiteral 'int' 2
)");
}

TEST_CASE("sizeof, alignof and vec_step of types and of expressions") {
    CHECK(expr("sizeof(int) + sizeof (x) + sizeof -x + vec_step(float4) + __alignof__(int){1}") == R"(
Binary
  SizeofType sizeof 'int'
  Add
    SizeofExpr sizeof
      Paren
        DeclRef x
  Add
    SizeofExpr sizeof
      Unary Minus
        DeclRef x
  Add
    SizeofType vec_step 'float4'
  Add
    SizeofExpr alignof
      CompoundLiteral of 'int'
        InitList
          IntLiteral 'int' 1
)");
}

TEST_CASE("constants have their types (C99 6.4.4.1p5), strings are joined") {
    CHECK(expr("f(1, 1u, 0x80000000, 1l, 1.5f, 'a', \"a\\n\" \"b\")") == R"(
Call
  DeclRef f
  IntLiteral 'int' 1
  IntLiteral 'uint' 1
  IntLiteral 'uint' 2147483648
  IntLiteral 'long' 1
  FloatLiteral 'float' 1.5
  CharLiteral 'int' 97
  StringLiteral "a\nb"
)");
}

TEST_CASE("GNU statement expressions and clang's __builtin forms") {
    CHECK(expr("({ int x = 1; x; })") == R"(
StmtExpr
  Compound
    Decl
      Var x 'int'
        IntLiteral 'int' 1
    Expr
      DeclRef x
)");
    CHECK(expr("__builtin_offsetof(struct s, a.b[1])") == R"(
Offsetof of 'struct s'
  .a
  .b
  index
    IntLiteral 'int' 1
)");
    CHECK(expr("__builtin_choose_expr(1, a, b)") == R"(
Choose
  IntLiteral 'int' 1
  DeclRef a
  DeclRef b
)");
    CHECK(expr("__builtin_types_compatible_p(int, float4)") == "\nTypesCompatible 'int' 'float4'\n");
    CHECK(expr("__builtin_astype(x, int4)") == R"(
AsType bits as 'int4'
  DeclRef x
)");
}

TEST_CASE("blocks") {
    CHECK(expr("^int (int a) { return a; }(1)", Standard::CL20) == R"(
Call
  BlockLiteral returns 'int'
    Param a 'int'
    Compound
      Return
        DeclRef a
  IntLiteral 'int' 1
)");
    CHECK(expr("^{ }", Standard::CL20) == R"(
BlockLiteral
  Compound
)");
}

}  // namespace caldera::frontend::testing
