// SPDX-License-Identifier: Apache-2.0
// What cooperative matrices (cl_ext_kernel_cooperative_matrix) cannot be and do.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define MAT(rows, columns, use) __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
typedef half MAT(16, 8, 0) A;
typedef half MAT(8, 16, 1) B;
typedef float MAT(16, 16, 2) C;
typedef int MAT(16, 16, 2) IntC;
typedef half MAT(16, 16, 1) WideB;

// The type
typedef half __attribute__((coop_mat(1, 16, 16, 0))) work_group;
typedef half __attribute__((coop_mat(3, 16, 16))) no_use;
typedef half MAT(0, 16, 0) no_rows;
typedef half MAT(16, 2000, 0) wide;
typedef half MAT(16, 16, 3) other_use;
typedef half MAT(16, 16, 0.5f) half_use;
typedef bool MAT(16, 16, 0) bools;
typedef float4 MAT(16, 16, 0) vectors;

// Where it may be
C of_program;
constant C constant_matrix;
struct holder { C matrix; };
kernel void argument(C c) {}
void objects(C *pointer) {
    local C shared_matrix;
    static C kept;
    C *own;
    C array[2];
    int size = sizeof(C) + sizeof(array);
    __typeof__(coop_mat_init(1)) unknown;
    void (^block)(void) = ^{ coop_mat_length(array[0]); };
}

// Functions
kernel void functions(global half *p, global float *f, constant half *constants, int n) {
    A a = coop_mat_load(p, ROWS, 8);
    a = coop_mat_load(p, ROWS);
    a = coop_mat_load(p, 2, 8);
    a = coop_mat_load(p, n, 8);
    a = coop_mat_load(p, ROWS, 8.0f);
    a = coop_mat_load(f, ROWS, 8);
    a = coop_mat_load(&n, ROWS, 8);
    a = coop_mat_load(n, ROWS, 8);
    a = coop_mat_init(p);
    a = coop_mat_init((float4)1);
    coop_mat_store(constants, a, ROWS, 8);
    coop_mat_store((global const half *)p, a, ROWS, 8);
    coop_mat_store(f, a, ROWS, 8);
    coop_mat_store(p, n, ROWS, 8);
    coop_mat_store(p, coop_mat_init(1), ROWS, 8);
    n = coop_mat_length(n);
    n = coop_mat_load(p, ROWS, 8);
    B b = coop_mat_init(0);
    WideB wide_b = coop_mat_init(0);
    C c = coop_mat_init(0);
    IntC int_c = coop_mat_init(0);
    c = coop_mat_mulAdd(a, b);
    c = coop_mat_mulAdd(b, a, c);
    c = coop_mat_mulAdd(a, b, b);
    c = coop_mat_mulAdd(a, wide_b, c);
    c = coop_mat_mulAdd(a, b, int_c);
    c = coop_mat_mulAdd(a, b, 1);
    c = coop_mat_mulAdd(a, b, c, 1);
    c = coop_mat_mulAdd(a, b, c, n);
    int_c = coop_mat_mulAdd(a, b, c);
}

// Operators and conversions
kernel void operators(A a, global half *p) {
    B b = a;
    A other = a + b;
    A scaled = a + 1;
    A quotient = 2 / a;
    A rest = a % a;
    a = a & a;
    a = ~a;
    a = !a;
    a++;
    a = a < a;
    a = 1 ? a : other;
    if (a) a = 0;
    a = (A)1;
    a = coop_mat_init(1) + coop_mat_init(2);
    a = -coop_mat_load(p, ROWS, 8);
    float x = a;
    A braces = {0};
}
