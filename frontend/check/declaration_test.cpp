// SPDX-License-Identifier: Apache-2.0
// Address spaces, storage classes and restrictions: sections 1.5, 1.8 and 1.9 of the checklist.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("program-scope variables (1.5-4, 1.5.1-3, 1.5.1-8, 1.5.3-6, 1.8-1)") {
    CHECK(faults("int a;") == R"(
1:5: error: program scope variable must reside in constant address space
)");
    CHECK(faults("global int a;") == R"(
1:12: error: program scope variable must reside in constant address space
)");
    CHECK(faults("const int a = 1;") == R"(
1:11: error: program scope variable must reside in constant address space
)");
    CHECK(faults("constant int a;") == R"(
1:14: error: variable in constant address space must be initialized
)");
    CHECK(accepts("extern constant int a; constant int b = 1; extern constant int b;"));
    CHECK(accepts("static constant int a = 1;"));
    CHECK(faults("int *a;") == R"(
1:6: error: program scope variable must reside in constant address space
)");
    CHECK(faults("local int a;") == R"(
1:11: error: program scope variable must reside in constant address space
)");
    CHECK(faults("private int a;") == R"(
1:13: error: program scope variable must reside in constant address space
)");
    CHECK(faults("extern int a;") == R"(
1:12: error: extern variable must reside in constant address space
)");
    CHECK(
        accepts("int a; int b = 2; static int c; constant int d = 1; int *e; global int *f; const int g = 3; "
                "int h[4]; extern int i;",
                Standard::CL20));
    CHECK(faults("local int a;", Standard::CL20) == R"(
1:11: error: program scope variable must reside in global or constant address space
)");
    CHECK(faults("private int a;", Standard::CL20) == R"(
1:13: error: program scope variable must reside in global or constant address space
)");
    CHECK(faults("constant int a;", Standard::CL20) == R"(
1:14: error: variable in constant address space must be initialized
)");
    CHECK(accepts("global int a;", Standard::CL30));
    CHECK(faults("event_t e;", Standard::CL20) == R"(
1:9: error: the '__global event_t' type cannot be used to declare a program scope variable
)");
    CHECK(faults("image2d_t i;", Standard::CL20) == R"(
1:11: error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL
)");
    CHECK(faults("constant int a = 1; constant int a = 2;") == R"(
1:34: error: redefinition of 'a'
1:14: note: previous definition is here
)");
    CHECK(faults("constant int a = 1; constant float a = 2;") == R"(
1:36: error: redefinition of 'a' with a different type: '__constant float' vs '__constant int'
1:14: note: previous definition is here
)");
    CHECK(faults("constant int a = 1; void a(void);") == R"(
1:26: error: redefinition of 'a' as different kind of symbol
1:14: note: previous definition is here
)");
}

TEST_CASE("variables of functions (1.5-3, 1.5.2-3, 1.5.2-4, 1.5.3-5, 1.5.4-1, 1.5.4-2)") {
    CHECK(
        accepts("kernel void k(void) { local int a; constant int b = 1; private int c; int d; local float "
                "e[4]; constant int f[] = {1, 2}; const int g = 1; }"));
    CHECK(faults("kernel void k(void) { local int a = 1; }") == R"(
1:33: error: '__local' variable cannot have an initializer
)");
    CHECK(faults("kernel void k(void) { { local int a; } }") == R"(
1:35: error: variables in the local address space can only be declared in the outermost scope of a kernel function
)");
    CHECK(faults("kernel void k(int n) { if (n) { constant int a = 1; } }") == R"(
1:46: error: variables in the constant address space can only be declared in the outermost scope of a kernel function
)");
    CHECK(faults("void f(void) { local int a; }") == R"(
1:26: error: non-kernel function variable cannot be declared in local address space
)");
    CHECK(faults("void f(void) { constant int a = 1; }") == R"(
1:29: error: non-kernel function variable cannot be declared in constant address space
)");
    CHECK(faults("kernel void k(void) { constant int a; }") == R"(
1:36: error: variable in constant address space must be initialized
)");
    CHECK(faults("kernel void k(int n) { constant int a = n; }") == R"(
1:41: error: initializer element is not a compile-time constant
)");
    CHECK(faults("kernel void k(void) { global int a; }") == R"(
1:34: error: function scope variable cannot be declared in global address space
)");
    CHECK(faults("kernel void k(void) { generic int a; }", Standard::CL20) == R"(
1:35: error: function scope variable cannot be declared in generic address space
)");
    CHECK(faults("void f(void) { int a; float a; }") == R"(
1:29: error: redefinition of 'a' with a different type: 'float' vs 'int'
1:20: note: previous definition is here
)");
    CHECK(faults("void f(void) { int a; int a; }") == R"(
1:27: error: redefinition of 'a'
1:20: note: previous definition is here
)");
    CHECK(faults("void f(int a) { int a; }") == R"(
1:21: error: redefinition of 'a'
1:12: note: previous definition is here
)");
    CHECK(accepts("void f(int a) { { int a; } }"));
    CHECK(faults("void f(void) { struct T t; }") == R"(
1:25: error: variable has incomplete type 'struct T'
1:23: note: forward declaration of 'struct T'
)");
}

TEST_CASE("static and extern in functions (1.8-1 to 1.8-10)") {
    CHECK(faults("void f(void) { static int a; }") == R"(
1:27: error: variables in function scope cannot be declared static
)");
    CHECK(faults("kernel void k(void) { static constant int a = 1; }") == R"(
1:43: error: variables in function scope cannot be declared static
)");
    CHECK(faults("void f(void) { auto int a; register int b; }") == R"(
1:16: error: OpenCL C version 1.2 does not support the 'auto' storage class specifier
1:28: error: OpenCL C version 1.2 does not support the 'register' storage class specifier
)");
    CHECK(faults("auto int a;", Standard::CL20) == R"(
1:1: error: OpenCL C version 2.0 does not support the 'auto' storage class specifier
)");
    CHECK(faults("void f(register int a) { }") == R"(
1:8: error: OpenCL C version 1.2 does not support the 'register' storage class specifier
)");
    CHECK(
        accepts("void f(void) { static int a; static global int b = 2; static constant int c = 1; for (;;) { "
                "static int d; } }",
                Standard::CL20));
    CHECK(faults("void f(void) { static local int a; }", Standard::CL20) == R"(
1:33: error: static local variable must reside in global or constant address space
)");
    CHECK(faults("kernel void k(void) { global int a; }", Standard::CL20) == R"(
1:34: error: function scope variable cannot be declared in global address space
)");
    CHECK(faults("void f(int n) { static int a = n; }", Standard::CL20) == R"(
1:32: error: initializer element is not a compile-time constant
)");
    CHECK(faults("void f(void) { extern constant int a; extern int b; }") == R"(
1:50: error: extern variable must reside in constant address space
)");
    CHECK(faults("static kernel void k(void) { }") == R"(
1:20: error: kernel functions cannot be declared static
)");
    CHECK(accepts("extern kernel void k(void); extern int f(int); static int g(void) { return 1; }"));
}

TEST_CASE("address spaces of pointers and members (1.5-5, 1.5-6, 1.5-10, 1.5.1-9, 1.5.6-15, 1.5.6-16)") {
    CHECK(faults("void f(int *p) { *p = 1; } kernel void k(global int *g, local int *l) { int x; f(&x); "
                 "f(g); }") == R"(
1:89: error: passing '__global int *' to parameter of type '__private int *' changes address space of pointer
1:13: note: passing argument to parameter 'p' here
)");
    CHECK(accepts(
        "void f(int *p) { *p = 1; } kernel void k(global int *g, local int *l) { int x; f(&x); f(g); f(l); }",
        Standard::CL20));
    CHECK(faults("void f(int *p); kernel void k(constant int *c) { f(c); }", Standard::CL20) == R"(
1:52: error: passing '__constant int *' to parameter of type '__generic int *' changes address space of pointer
1:13: note: passing argument to parameter 'p' here
)");
    CHECK(faults("private int f(void);") == R"(
1:13: error: return value cannot be qualified with address space
)");
    CHECK(accepts("local int *f(void);"));
    CHECK(faults("local int * private f(void);") == R"(
1:21: error: return value cannot be qualified with address space
)");
    CHECK(faults("void f(local int a);") == R"(
1:18: error: parameter may not be qualified with an address space
)");
    CHECK(accepts("void f(private int a);"));
    CHECK(faults("struct S { global int a; };") == R"(
1:23: error: field may not be qualified with an address space
)");
    CHECK(accepts("struct S { global int *a; local float *b; };"));
    CHECK(faults("typedef global int G; local G a;") == R"(
1:23: error: multiple address spaces specified for type
1:31: error: program scope variable must reside in constant address space
)");
    CHECK(accepts("typedef global int G; kernel void k(G *p) { *p = 1; }"));
    CHECK(
        faults("kernel void k(global int *g) { local int *global *p; private int x; global int *y = &x; }") ==
        R"(
1:81: error: initializing '__global int *' with an expression of type '__private int *' changes address space of pointer
)");
}

TEST_CASE("restrictions on types (1.9-6, 1.9-7, 1.9-10, 1.9-11, 1.9-24, 1.5.1-2)") {
    CHECK(faults("struct S { int a : 3; };") == R"(
1:16: error: bit-fields are not supported in OpenCL
)");
    CHECK(faults("struct S { image2d_t i; };") == R"(
1:22: error: the '__read_only image2d_t' type cannot be used to declare a structure or union field
)");
    CHECK(faults("struct S { sampler_t s; };") == R"(
1:22: error: the 'sampler_t' type cannot be used to declare a structure or union field
)");
    CHECK(faults("struct S { event_t e; };") == R"(
1:20: error: the 'event_t' type cannot be used to declare a structure or union field
)");
    CHECK(faults("void f(void) { image2d_t i; }") == R"(
1:26: error: type '__read_only image2d_t' can only be used as a function parameter in OpenCL
)");
    CHECK(faults("void f(image2d_t *i);") == R"(
1:19: error: pointer to type '__read_only image2d_t' is invalid in OpenCL
)");
    CHECK(faults("image2d_t f(void);") == R"(
1:11: error: declaring function return value of type '__read_only image2d_t' is not allowed
)");
    CHECK(faults("void f(global image2d_t i);") == R"(
1:25: error: parameter may not be qualified with an address space
)");
    CHECK(faults("sampler_t f(void);") == R"(
1:11: error: declaring function return value of type 'sampler_t' is not allowed
)");
    CHECK(faults("void f(sampler_t *s);") == R"(
1:19: error: pointer to type 'sampler_t' is invalid in OpenCL
)");
    CHECK(faults("void f(void) { sampler_t s[2]; }") == R"(
1:27: error: array of 'sampler_t' type is invalid in OpenCL
)");
    CHECK(
        accepts("constant sampler_t s = CLK_FILTER_NEAREST; const sampler_t t = 16; kernel void k(void) { "
                "sampler_t u = 33; const sampler_t v = CLK_FILTER_LINEAR; }"));
    CHECK(faults("global sampler_t s = 0;") == R"(
1:18: error: sampler type cannot be used with the __local and __global address space qualifiers
)");
    CHECK(faults("void f(read_only image2d_t i, sampler_t s) { i = i; s = s; }") == R"(
1:48: error: invalid operands: a value of type '__read_only image2d_t' cannot be modified
1:55: error: invalid operands: a value of type 'sampler_t' cannot be modified
)");
    CHECK(accepts(
        "kernel void k(read_only image2d_t a, write_only image2d_t b, image3d_t c, sampler_t s) { }"));
}

TEST_CASE("functions (1.9-9, 1.9-13, 1.9-17, 1.9-28, 1.9-29, 1.9-30)") {
    CHECK(faults("void f(int a, ...);") == R"(
1:6: error: invalid prototype, variadic arguments are not allowed in OpenCL
)");
    CHECK(faults("int main(void) { return 0; }") == R"(
1:5: error: function cannot be called 'main'
)");
    CHECK(faults("void main(void);") == R"(
1:6: error: function cannot be called 'main'
)");
    CHECK(faults("void f(void) { g(1); }") == R"(
1:16: error: implicit declaration of function 'g' is invalid in OpenCL
)");
    CHECK(faults("void f() { } void g(void) { f(1); }") == R"(
1:31: error: too many arguments to function call, expected 0, have 1
1:6: note: 'f' declared here
)");
    CHECK(faults("int f(int n) { return n ? f(n - 1) : 0; }") == R"(
1:27: error: recursion is not supported in OpenCL: 'f' calls itself
)");
    CHECK(faults("int g(int); int f(int n) { return g(n); } int g(int n) { return f(n); }") == R"(
1:65: error: recursion is not supported in OpenCL: 'f' reaches itself
1:17: note: 'f' declared here
)");
    CHECK(accepts("int f(int n) { return n; } int g(int n) { return f(f(n)); }"));
    CHECK(faults("int f(int); float f(int);") == R"(
1:19: error: conflicting types for 'f'
1:5: note: previous declaration is here
)");
    CHECK(faults("int f(void) { return 1; } int f(void) { return 2; }") == R"(
1:31: error: redefinition of 'f'
1:5: note: previous definition is here
)");
    CHECK(faults("void f(int a, int a);") == R"(
1:19: error: redefinition of parameter 'a'
1:12: note: previous declaration is here
)");
    CHECK(accepts("int f(int); int f(int a) { return a; } int f(int b);"));
    CHECK(faults("int f; int f(void);", Standard::CL20) == R"(
1:12: error: redefinition of 'f' as different kind of symbol
1:5: note: previous definition is here
)");
    CHECK(faults("int f(int a) { return a; } void g(struct S s); void h(void) { f(); f(1, 2); f(1.5f); "
                 "f(\"a\"); int x = g; }") == R"(
1:42: warning: declaration of 'struct S' will not be visible outside of this function
1:65: error: too few arguments to function call, single argument 'a' was not specified
1:5: note: 'f' declared here
1:73: error: too many arguments to function call, expected single argument 'a', have 2 arguments
1:5: note: 'f' declared here
1:79: warning: implicit conversion from 'float' to 'int' changes value from 1.5 to 1
1:88: warning: incompatible pointer to integer conversion passing '__constant char *' to parameter of type 'int'
1:11: note: passing argument to parameter 'a' here
1:102: error: taking address of function is not allowed
)");
    CHECK(faults("void f(int a, float b); void h(void) { f(1); f(1, 2, 3); }") == R"(
1:43: error: too few arguments to function call, expected 2, have 1
1:6: note: 'f' declared here
1:54: error: too many arguments to function call, expected 2, have 3
1:6: note: 'f' declared here
)");
    CHECK(faults("void f(global int *p); void h(local int *l, global int *g, global float *q) { f(l); f(g); "
                 "f(q); f(0); }") == R"(
1:81: error: passing '__local int *' to parameter of type '__global int *' changes address space of pointer
1:20: note: passing argument to parameter 'p' here
1:93: warning: incompatible pointer types passing '__global float *' to parameter of type '__global int *'
1:20: note: passing argument to parameter 'p' here
)");
    CHECK(faults("int f(int) __attribute__((overloadable)); float f(float) __attribute__((overloadable)); "
                 "void h(void) { f(1); f(1.0f); f((char)1); f((int2)1); f(1, 2); f(1l); }") == R"(
1:131: error: no matching function for call to 'f'
1:5: note: candidate function not viable: no known conversion for an argument
1:49: note: candidate function not viable: no known conversion for an argument
1:143: error: no matching function for call to 'f'
1:5: note: candidate function not viable: requires 1 argument, but 2 were provided
1:49: note: candidate function not viable: requires 1 argument, but 2 were provided
1:152: error: call to 'f' is ambiguous
1:5: note: candidate function
1:49: note: candidate function
)");
    CHECK(faults("void f(void) { 3(); int x; x(); }") == R"(
1:17: error: called object type 'int' is not a function or function pointer
1:29: error: called object type 'int' is not a function or function pointer
)");
    CHECK(faults("void f(void) { sin(); sin(1.0f, 2.0f); sin(\"a\"); pow(1.0f); sinn(1.0f); }") == R"(
1:16: error: no matching function for call to 'sin'
1:16: note: candidate function not viable: requires 1 argument, but 0 were provided: 'float sin(float)'
1:23: error: no matching function for call to 'sin'
1:23: note: candidate function not viable: requires 1 argument, but 2 were provided: 'float sin(float)'
1:40: error: no matching function for call to 'sin'
1:40: note: candidate function not viable: no known conversion from '__constant char *' to 'float' for 1st argument: 'float sin(float)'
1:50: error: no matching function for call to 'pow'
1:50: note: candidate function not viable: requires 2 arguments, but 1 was provided: 'float pow(float, float)'
1:61: error: implicit declaration of function 'sinn' is invalid in OpenCL
)");
    CHECK(faults("float f(int n) { return; } void g(void) { return 1; } struct S { int a; }; int h(struct S "
                 "s) { return s; } float4 i(void) { return 1; } int j(float4 v) { return v; }") == R"(
1:18: error: non-void function 'f' should return a value
1:43: error: void function 'g' should not return a value
1:103: error: returning 'struct S' from a function with incompatible result type 'int'
1:162: error: returning 'float4' from a function with incompatible result type 'int'
)");
    CHECK(faults("int f(int n) { if (n) return 1; } int g(int n) { while (1) ; } int h(int n) { for (;;) { "
                 "if (n) break; } } int i(int n) { switch (n) { case 1: return 1; default: return 2; } } int "
                 "j(int n) { }") == R"(
1:33: warning: non-void function does not return a value in all control paths
1:106: warning: non-void function does not return a value
1:192: warning: non-void function does not return a value
)");
}

}  // namespace caldera::frontend::testing
