// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "frontend/parse/parse_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("declarators are read inside out (C99 6.7.5)") {
    CHECK(tree("int *a[3], (*b)[3], *(*c)(int, float *), d;") == R"(
Var a 'int *[3]'
Var b 'int (*)[3]'
Var c 'int *(*)(int, float *)'
Var d 'int'
)");
    CHECK(tree("int (*f(int x))(void), (*(*g)[2])(), **const *volatile p;") == R"(
Function f 'int (*(int))(void)'
  Param x 'int'
Var g 'int (*(*)[2])()'
Var p 'int **const *volatile'
)");
}

TEST_CASE("the words of a type in any order (C99 6.7.2p2)") {
    CHECK(tree("unsigned a; long unsigned int b; int short c; signed char d; int const unsigned e; uchar f; "
               "size_t g;") == R"(
Var a 'uint'
Var b 'ulong'
Var c 'short'
Var d 'char'
Var e 'const uint'
Var f 'uchar'
Var g 'ulong'
)");
}

TEST_CASE("address spaces and access qualifiers stand where clang takes them") {
    CHECK(tree("kernel void f(global const int *restrict a, int __global *b, __local float4 *c, read_only "
               "image2d_t d,"
               " __write_only image3d_t e, constant int *const global *g);") == R"(
Function f 'kernel void (global const int *restrict, global int *, local float4 *, read_only image2d_t, write_only image3d_t, constant int *global const *)'
  Param a 'global const int *restrict'
  Param b 'global int *'
  Param c 'local float4 *'
  Param d 'read_only image2d_t'
  Param e 'write_only image3d_t'
  Param g 'constant int *global const *'
)");
}

TEST_CASE("structures, unions, enumerations") {
    CHECK(tree("struct s { int a, *b; union { float c; int d : 3; }; struct t { char e; } f; } "
               "__attribute__((packed)) x;") == R"(
Var x 'struct s'
  Struct s
    Attribute packed
    Field a 'int'
    Field b 'int *'
    Field 'union'
      Union
        Field c 'float'
        Field d 'int'
          width
            IntLiteral 'int' 3
    Field f 'struct t'
      Struct t
        Field e 'char'
)");
    CHECK(tree("enum e { A, B = 1 << 2, C, }; struct s; enum e y;") == R"(
Empty
  Enum e
    EnumConstant A
    EnumConstant B
      Binary
        IntLiteral 'int' 1
        Shl
          IntLiteral 'int' 2
    EnumConstant C
Empty
Var y 'enum e'
)");
}

TEST_CASE("attributes before, after and between") {
    CHECK(tree("__attribute__((aligned(16))) int a __attribute__((__unused__, aligned)) = 1, "
               "__attribute__((const)) b;") == R"(
Var a 'int'
  Attribute aligned
    IntLiteral 'int' 16
  Attribute unused
  Attribute aligned
  IntLiteral 'int' 1
Var b 'int'
  Attribute aligned
    IntLiteral 'int' 16
  Attribute const
)");
    CHECK(tree("kernel __attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(8, 1, 1))) "
               "void f() { }") == R"(
Function f 'kernel void ()'
  Attribute vec_type_hint 'float4'
  Attribute reqd_work_group_size
    IntLiteral 'int' 8
    IntLiteral 'int' 1
    IntLiteral 'int' 1
  Compound
)");
    CHECK(tree("int p(constant char *, ...) __attribute__((format(printf, 1, 2)));") == R"(
Function p 'int (constant char *, ...)'
  Attribute format
    DeclRef printf
    IntLiteral 'int' 1
    IntLiteral 'int' 2
  Param 'constant char *'
)");
}

TEST_CASE("names of types have scopes (C99 6.2.1)") {
    CHECK(tree("typedef int T; void f(T T) { T = 1; } T x; void g(void) { float4 float4; float4.x; }") == R"(
Typedef T 'typedef int'
Function f 'void (T)'
  Param T 'T'
  Compound
    Expr
      Assign
        DeclRef T
        IntLiteral 'int' 1
Var x 'T'
Function g 'void (void)'
  Compound
    Decl
      Var float4 'float4'
    Expr
      Member .x
        DeclRef float4
)");
    CHECK(tree("typedef int F(int); F g; F *h;") == R"(
Typedef F 'typedef int (int)'
Function g 'F'
Var h 'F *'
)");
}

TEST_CASE("the name of a built-in type may be declared anew") {
    CHECK(tree("typedef enum { A } memory_scope; typedef unsigned int uint; typedef struct { int a; } "
               "ndrange_t;",
               Standard::CL20) == R"(
Typedef memory_scope 'typedef enum'
  Enum
    EnumConstant A
Typedef uint 'typedef uint'
Typedef ndrange_t 'typedef struct'
  Struct
    Field a 'int'
)");
}

TEST_CASE("initialisers with designators") {
    CHECK(tree("struct s a = { .b[2].c = 1, { 2 }, };") == R"(
Var a 'struct s'
  InitList
    .b
    index
      IntLiteral 'int' 2
    .c
    IntLiteral 'int' 1
    InitList
      IntLiteral 'int' 2
)");
    CHECK(tree("int a[] = { [0 ... 3] = 1 }, b[2] = {};") == R"(
Var a 'int []'
  InitList
    index
      IntLiteral 'int' 0
    to
      IntLiteral 'int' 3
    IntLiteral 'int' 1
Var b 'int [2]'
  InitList
)");
    CHECK(log("int a = { x: 1, }; int b[1] = { [0] 1 };") == R"(
1:11: warning: use of GNU old-style field designator extension
1:37: warning: use of GNU 'missing =' extension in designator
)");
}

TEST_CASE("pipes, typeof, _Static_assert, __extension__") {
    CHECK(tree("kernel void f(read_only pipe int4 p, write_only pipe struct s q);", Standard::CL20) == R"(
Function f 'kernel void (read_only pipe int4, write_only pipe struct s)'
  Param p 'read_only pipe int4'
  Param q 'write_only pipe struct s'
)");
    CHECK(
        tree("__typeof__(int *) a; __typeof__(1 + 2) b; __extension__ typedef int T; _Static_assert(1, \"m\" "
             "\"n\");") == R"(
Var a 'typeof(int *)'
Var b 'typeof(…)'
  typeof
    Binary
      IntLiteral 'int' 1
      Add
        IntLiteral 'int' 2
Typedef T 'typedef int'
StaticAssert "mn"
  IntLiteral 'int' 1
)");
}

TEST_CASE("pragmas") {
    CHECK(tree("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
               "#pragma OPENCL FP_CONTRACT OFF\n"
               "void f(void) {\n#pragma OPENCL FP_CONTRACT ON\n { } }\n"
               "void g(void) { }") == R"(
Pragma "OPENCL EXTENSION cl_khr_fp64 : enable"
Function f 'void (void)'
  Compound
    Compound
Function g 'void (void)'
  Compound no_contraction
)");
    CHECK(log("#pragma OPENCL EXTENSION : enable\n"
              "#pragma OPENCL EXTENSION cl_khr_fp64 enable\n"
              "#pragma OPENCL EXTENSION cl_khr_fp64 : foo\n"
              "#pragma OPENCL EXTENSION all : enable\n"
              "#pragma OPENCL FP_CONTRACT foo\n"
              "void f(void) { int x;\n#pragma OPENCL FP_CONTRACT OFF\n}") == R"(
1:26: warning: expected identifier in '#pragma OPENCL' - ignored
2:38: warning: missing ':' after 'cl_khr_fp64' - ignoring
3:40: warning: expected 'enable', 'disable', 'begin' or 'end' - ignoring
4:26: warning: expected 'disable' - ignoring
5:28: warning: expected 'ON' or 'OFF' or 'DEFAULT' in pragma
7:16: error: '#pragma fp_contract' can only appear at file scope or at the start of a compound statement
)");
}

}  // namespace caldera::frontend::testing
