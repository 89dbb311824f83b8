// SPDX-License-Identifier: Apache-2.0
// Kernels: sections 1.7, 1.9 and 1.11 of the checklist.
#include <doctest/doctest.h>

#include "frontend/check/check_fixture.h"

namespace caldera::frontend::testing {

TEST_CASE("results and parameters of kernels (1.9-1, 1.9-4, 1.9-18, 1.9-19, 1.9-24, 1.9-25, 1.9-27, 1.5-6)") {
    CHECK(accepts(
        "kernel void k(global int *a, constant float4 *b, local char *c, int d, float16 e, uchar f) { }"));
    CHECK(faults("kernel int k(void) { return 1; }") == R"(
1:12: error: kernel must have void return type
)");
    CHECK(faults("kernel void k(int *p) { }") == R"(
1:20: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(faults("kernel void k(private int *p) { }") == R"(
1:28: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(faults("kernel void k(int *p) { }", Standard::CL20) == R"(
1:20: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(faults("kernel void k(generic int *p) { }", Standard::CL20) == R"(
1:28: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(faults("kernel void k(int a[4]) { }") == R"(
1:19: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(accepts("kernel void k(global int a[4]) { }"));
    CHECK(faults("kernel void k(global int *global *p) { }") == R"(
1:35: error: kernel parameter cannot be declared as a pointer to a pointer
)");
    CHECK(accepts("kernel void k(global int *global *p) { }", Standard::CL20));
    CHECK(faults("kernel void k(global int **p) { }") == R"(
1:28: error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
)");
    CHECK(faults("kernel void k(bool b) { }") == R"(
1:20: error: 'bool' cannot be used as the type of a kernel parameter
)");
    CHECK(faults("kernel void k(size_t a, ptrdiff_t b, intptr_t c, uintptr_t d) { }") == R"(
1:22: error: 'size_t' cannot be used as the type of a kernel parameter
1:35: error: 'ptrdiff_t' cannot be used as the type of a kernel parameter
1:47: error: 'intptr_t' cannot be used as the type of a kernel parameter
1:60: error: 'uintptr_t' cannot be used as the type of a kernel parameter
)");
    CHECK(faults("typedef size_t T; kernel void k(T a, ulong b, global size_t *c) { }") == R"(
1:35: error: 'T' cannot be used as the type of a kernel parameter
)");
    CHECK(faults("typedef struct { event_t *e; bool b; } big; kernel void k(const big s, big t) { }") == R"(
1:69: error: 'const big' cannot be used as the type of a kernel parameter
1:35: note: field of illegal type 'bool' declared here
1:76: error: 'big' cannot be used as the type of a kernel parameter
1:35: note: field of illegal type 'bool' declared here
)");
    CHECK(faults("kernel void k(event_t e) { }") == R"(
1:23: error: 'event_t' cannot be used as the type of a kernel parameter
)");
    CHECK(faults("struct S { int a; bool b; }; kernel void k(struct S s) { }") == R"(
1:53: error: 'struct S' cannot be used as the type of a kernel parameter
1:24: note: field of illegal type 'bool' declared here
)");
    CHECK(faults("struct S { int a; global int *p; }; kernel void k(struct S s) { }") == R"(
1:60: error: struct kernel parameters may not contain pointers
1:31: note: field of illegal pointer type '__global int *' declared here
)");
    CHECK(accepts("struct S { int a; float4 b[2]; }; kernel void k(struct S s, global struct S *p) { }"));
    CHECK(faults("kernel void k(reserve_id_t r, clk_event_t e, ndrange_t n) { }", Standard::CL20) == R"(
1:28: error: 'reserve_id_t' cannot be used as the type of a kernel parameter
1:43: error: 'clk_event_t' cannot be used as the type of a kernel parameter
1:56: error: 'ndrange_t' cannot be used as the type of a kernel parameter
)");
}

TEST_CASE("kernels call kernels (1.7.1-2)") {
    CHECK(accepts("kernel void a(global int *p) { *p = 1; } kernel void b(global int *p) { a(p); }"));
}

TEST_CASE("attributes of kernels (1.7.2-1 to 1.7.2-6)") {
    CHECK(
        accepts("__attribute__((vec_type_hint(float4))) __attribute__((work_group_size_hint(8, 4, 1))) "
                "__attribute__((reqd_work_group_size(8, 4, 1))) kernel void k(void) { } kernel "
                "__attribute__((reqd_work_group_size(1, 1, 1))) void l(void) { }"));
    CHECK(faults("__attribute__((reqd_work_group_size(0, 1, 1))) kernel void k(void) { }") == R"(
1:16: error: 'reqd_work_group_size' attribute must be greater than 0
)");
    CHECK(faults("__attribute__((reqd_work_group_size(1, 1))) kernel void k(void) { }") == R"(
1:16: error: 'reqd_work_group_size' attribute requires exactly 3 arguments
)");
    CHECK(faults("__attribute__((reqd_work_group_size(1, 1, 1))) void k(void) { }") == R"(
1:53: error: attribute 'reqd_work_group_size' can only be applied to an OpenCL kernel function
)");
    CHECK(faults("__attribute__((vec_type_hint(void))) kernel void k(void) { }") == R"(
1:16: error: a non-vector or non-vectorizable scalar type is an invalid argument to attribute 'vec_type_hint'
)");
    CHECK(faults("__attribute__((reqd_work_group_size(1, 1, 1))) __attribute__((reqd_work_group_size(2, 1, "
                 "1))) kernel void k(void) { }") == R"(
1:63: warning: attribute 'reqd_work_group_size' is already applied with different arguments
)");
    CHECK(faults("__attribute__((reqd_work_group_size(1.5, 1, 1))) kernel void k(void) { }") == R"(
1:16: error: 'reqd_work_group_size' attribute requires parameter 0 to be an integer constant
)");
    CHECK(faults("kernel void k(void) __attribute__((foo)) { }") == R"(
1:36: warning: unknown attribute 'foo' ignored
)");
}

TEST_CASE("attributes of types and variables (1.11.1-2, 1.11.3-1)") {
    CHECK(
        accepts("struct S { char c; int i __attribute__((aligned(8))); } __attribute__((packed)); constant "
                "int a = sizeof(struct S); constant int b __attribute__((aligned(64))) = 1; struct T { int "
                "x; } __attribute__((aligned(32))); constant int c[sizeof(struct T) == 32 ? 1 : -1] = {0};"));
    CHECK(faults("constant int a __attribute__((aligned(3))) = 1;") == R"(
1:31: error: requested alignment is not a power of 2
)");
    CHECK(faults("struct S { int a; } __attribute__((aligned(-1)));") == R"(
1:36: error: requested alignment is not a power of 2
)");
}

}  // namespace caldera::frontend::testing
