// SPDX-License-Identifier: Apache-2.0
// Cooperative matrices (cl_ext_kernel_cooperative_matrix): products of many types, in each layout and space, also in shapes
// that no device has; operators on components, functions, arrays and loops.
// OPTIONS: -cl-std=CL3.0
// RUN: global=64 local=64
// RUN: global=128 local=64
#include "assert.h"

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half narrow;
typedef half4 narrow4;
#else
typedef float narrow;
typedef float4 narrow4;
#endif

#ifndef cl_ext_kernel_cooperative_matrix
#error "no macro of the extension"
#endif

#define ASSERT_FLOAT(expected, actual) ASSERT_BITS(as_uint((float)(expected)), actual)
#define MAT(use, rows, columns) \
    __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, rows, columns, CLK_COOPERATIVE_MATRIX_##use)))
#define ROWS CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR
#define COLUMNS CLK_COOPERATIVE_MATRIX_LAYOUT_COLUMN_MAJOR
#define AT(layout, stride, row, column) ((layout) == ROWS ? (row) * (stride) + (column) : (column) * (stride) + (row))
#define ALIGNED __attribute__((aligned(16)))
enum { kStride = 48 };

// Small numbers, so that each sum is exact.
int a_at(int row, int column) { return (row * 3 + column * 5) % 5 - 2; }
int b_at(int row, int column) { return (row * 7 + column * 2) % 5 - 1; }
int c_at(int row, int column) { return (row + column * 3) % 7; }
int positive(int value) { return value + 2; }
int same(int value) { return value; }

// Each sub-group multiplies, and one stores.
#define FILL(memory, type, layout, rows, columns, number)                        \
    for (uint i = get_local_id(0); i < (rows) * (columns); i += get_local_size(0)) \
        (memory)[AT(layout, kStride, i / (columns), i % (columns))] = (type)(number);

#define PRODUCT(name, space, place, in_type, type, m, n, k, a_layout, b_layout, c_layout, number)           \
    kernel void test_##name(global uint* record) {                                                        \
        place(in_type, a, 2 * kStride * 16) place(in_type, b, 2 * kStride * 16) place(type, c, kStride * 32)  \
        FILL(a, in_type, a_layout, m, k, number(a_at(i / (k), i % (k))))                                   \
        FILL(b, in_type, b_layout, k, n, number(b_at(i / (n), i % (n))))                                   \
        FILL(c, type, c_layout, m, n, c_at(i / (n), i % (n)))                                              \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                               \
        typedef in_type MAT(A, m, k) A;                                                                    \
        typedef in_type MAT(B, k, n) B;                                                                    \
        typedef type MAT(ACCUMULATOR, m, n) C;                                                             \
        A x = coop_mat_load(a, a_layout, kStride);                                                         \
        B y = coop_mat_load(b, b_layout, kStride);                                                         \
        C z = coop_mat_load(c, c_layout, kStride);                                                         \
        z = coop_mat_mulAdd(x, y, z);                                                                      \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                               \
        if (get_sub_group_id() == 0) coop_mat_store(c, z, c_layout, kStride);                              \
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                               \
        for (uint i = get_local_id(0); i < (m) * (n); i += get_local_size(0)) {                            \
            int sum = c_at(i / (n), i % (n));                                                              \
            for (int j = 0; j < (k); j++) sum += number(a_at(i / (n), j)) * number(b_at(j, i % (n)));       \
            ASSERT(sum, (int)c[AT(c_layout, kStride, i / (n), i % (n))]);                                  \
        }                                                                                                  \
    }

// An odd number of bytes lies before it.
#define LOCAL(type, name, count)                     \
    local uchar odd_##name[5];                       \
    if (get_local_id(0) < 5) odd_##name[get_local_id(0)] = get_global_id(0); \
    local type name[count] ALIGNED;
// A work-group's part of a buffer of the program.
global ulong room[2 * 3 * 1024];
#define GLOBAL(type, name, count) global type* name = (global type*)(room + (get_group_id(0) * 3 + PART_##name) * 1024);
#define PART_a 0
#define PART_b 1
#define PART_c 2

#ifdef cl_khr_fp16
PRODUCT(half_rows, local, LOCAL, half, float, 16, 16, 16, ROWS, ROWS, ROWS, same)
PRODUCT(half_columns, global, GLOBAL, half, float, 16, 16, 16, COLUMNS, COLUMNS, COLUMNS, same)
PRODUCT(half_eight, local, LOCAL, half, float, 8, 8, 8, ROWS, COLUMNS, ROWS, same)
PRODUCT(half_eight_global, global, GLOBAL, half, float, 8, 8, 8, COLUMNS, ROWS, COLUMNS, same)
PRODUCT(half_half, local, LOCAL, half, half, 8, 8, 8, ROWS, ROWS, ROWS, same)
PRODUCT(half_half_global, global, GLOBAL, half, half, 16, 8, 16, ROWS, COLUMNS, COLUMNS, same)
#endif
PRODUCT(bfloat_float, local, LOCAL, __bf16, float, 16, 16, 16, ROWS, COLUMNS, ROWS, same)
PRODUCT(bfloat_float_global, global, GLOBAL, __bf16, float, 16, 16, 16, COLUMNS, ROWS, ROWS, same)
PRODUCT(bfloat_bfloat, local, LOCAL, __bf16, __bf16, 8, 8, 8, ROWS, ROWS, COLUMNS, same)
PRODUCT(bfloat_bfloat_global, global, GLOBAL, __bf16, __bf16, 16, 8, 16, COLUMNS, COLUMNS, COLUMNS, same)
PRODUCT(e4m3_float, local, LOCAL, __fp8_e4m3, float, 16, 16, 16, ROWS, COLUMNS, ROWS, same)
PRODUCT(e5m2_float_global, global, GLOBAL, __fp8_e5m2, float, 16, 16, 32, COLUMNS, ROWS, ROWS, same)
PRODUCT(float_float, local, LOCAL, float, float, 8, 16, 4, COLUMNS, ROWS, ROWS, same)
PRODUCT(char_int, local, LOCAL, char, int, 8, 8, 8, ROWS, ROWS, ROWS, same)
PRODUCT(char_int_global, global, GLOBAL, char, int, 16, 16, 32, ROWS, COLUMNS, ROWS, same)
PRODUCT(uchar_uint, global, GLOBAL, uchar, uint, 8, 8, 8, ROWS, ROWS, COLUMNS, positive)
PRODUCT(short_int, local, LOCAL, short, int, 5, 7, 3, ROWS, ROWS, ROWS, same)
PRODUCT(long_long, global, GLOBAL, long, long, 4, 4, 4, ROWS, ROWS, ROWS, same)

// ---- Sums that are limited ----

kernel void test_saturating(global uint* record) {
    typedef char MAT(A, 8, 8) A;
    typedef char MAT(B, 8, 8) B;
    typedef int MAT(ACCUMULATOR, 8, 8) C;
    local int c[64] ALIGNED;
    A a = coop_mat_init(127);
    B b = coop_mat_init(100);
    C sum = coop_mat_init(INT_MAX - 5);
    sum = coop_mat_mulAdd(a, b, sum, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    if (get_sub_group_id() == 0) coop_mat_store(c, sum, ROWS, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(INT_MAX, c[get_local_id(0) % 64]);
    barrier(CLK_LOCAL_MEM_FENCE);
    b = -b;
    sum = coop_mat_init(INT_MIN + 5);
    sum = coop_mat_mulAdd(a, b, sum, CLK_COOPERATIVE_MATRIX_OPERAND_SATURATING_ACCUMULATION);
    if (get_sub_group_id() == 0) coop_mat_store(c, sum, ROWS, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(INT_MIN, c[get_local_id(0) % 64]);
}

// ---- bfloat16 ----

// A sum of floats, which is rounded once: 256 + 8 * 1.125 is 265, between 264 and 266.
kernel void test_bfloat_rounding(global uint* record, global int* in) {
    typedef __bf16 MAT(A, 8, 8) A;
    typedef __bf16 MAT(B, 8, 8) B;
    typedef __bf16 MAT(ACCUMULATOR, 8, 8) C;
    local __bf16 c[64] ALIGNED;
    A a = coop_mat_init(in[0] + 1.125f);
    B b = coop_mat_init(1);
    C sum = coop_mat_init(256);
    sum = coop_mat_mulAdd(a, b, sum);
    if (get_sub_group_id() == 0) coop_mat_store(c, sum, ROWS, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(0x4384, as_ushort(c[get_local_id(0) % 64]));
    barrier(CLK_LOCAL_MEM_FENCE);
    C other = coop_mat_init(3);
    sum = -((sum + other) * 0.5f - other) / other;  // 264 + 3 is 268, 134 - 3 is 131, and a third 43.75
    if (get_sub_group_id() == 0) coop_mat_store(c, sum, ROWS, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(0xc22f, as_ushort(c[get_local_id(0) % 64]));
}

// ---- Floats of 8 bits ----

// Each result is rounded: 16 * 1.0625 is 17, halfway to 18, and becomes 16; 16 + 2 is 18.
kernel void test_float8_operators(global uint* record, global int* in) {
    typedef __fp8_e4m3 MAT(ACCUMULATOR, 8, 8) C;
    local __fp8_e4m3 c[64] ALIGNED;
    C sum = coop_mat_init(in[0] + 16.0f), other = coop_mat_init(2);
    sum = sum * 1.0625f + other;
    if (get_sub_group_id() == 0) coop_mat_store(c, sum, ROWS, 8);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(0x59, as_uchar(c[get_local_id(0) % 64]));
}

// ---- Operators ----

typedef float MAT(ACCUMULATOR, 8, 8) Sum;
typedef narrow MAT(A, 8, 8) Left;
typedef narrow MAT(B, 8, 8) Right;

#define STORED(memory, matrix)                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                       \
    if (get_sub_group_id() == 0) coop_mat_store(memory, matrix, ROWS, 8); \
    barrier(CLK_LOCAL_MEM_FENCE);

kernel void test_operators(global uint* record) {
    local float c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    c[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    Sum a = coop_mat_load(c, ROWS, 8), b = coop_mat_init(4), result;
    result = a + b; STORED(c, result) ASSERT_FLOAT(i + 4.0f, c[i]);
    result = a - b; STORED(c, result) ASSERT_FLOAT(i - 4.0f, c[i]);
    result = a * b; STORED(c, result) ASSERT_FLOAT(i * 4.0f, c[i]);
    result = a / b; STORED(c, result) ASSERT_FLOAT(i / 4.0f, c[i]);
    result = -a; STORED(c, result) ASSERT_FLOAT(-(float)i, c[i]);
    result = a * 3; STORED(c, result) ASSERT_FLOAT(i * 3.0f, c[i]);
    result = 0.5f * a; STORED(c, result) ASSERT_FLOAT(i * 0.5f, c[i]);
    a += b; STORED(c, a) ASSERT_FLOAT(i + 4.0f, c[i]);
    a *= 2; STORED(c, a) ASSERT_FLOAT(i * 2 + 8.0f, c[i]);
    ASSERT(64, sub_group_reduce_add(coop_mat_length(a)));
}

// Integers are signed or not.
kernel void test_integer_operators(global uint* record) {
    typedef int MAT(ACCUMULATOR, 8, 8) Signed;
    typedef uint MAT(ACCUMULATOR, 8, 8) Unsigned;
    local int c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    Signed a = coop_mat_init(-9), b = coop_mat_init(2);
    a = a / b; STORED(c, a) ASSERT(-4, c[i]);
    a = a * b - b; STORED(c, a) ASSERT(-10, c[i]);
    Unsigned d = coop_mat_init(-9), e = coop_mat_init(2);
    d = d / e; STORED((local uint*)c, d) ASSERT((int)((uint)-9 / 2), c[i]);
}

// ---- Functions, arrays, loops ----

Sum scaled(Sum sum, float by) { return sum * by; }
Sum multiplied(Left a, Right b, Sum c) { return coop_mat_mulAdd(a, b, c); }
Left filled(int value) { Left a = coop_mat_init(value); return a; }
Right loaded(const local narrow* b, uint stride) { return coop_mat_load(b, COLUMNS, stride); }

kernel void test_functions(global uint* record) {
    local narrow b[64] ALIGNED;
    local float c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    b[i] = i % 8 == i / 8;  // one
    barrier(CLK_LOCAL_MEM_FENCE);
    Sum sum = coop_mat_init(1);
    sum = scaled(multiplied(filled(2), loaded(b, 8), sum), 10);
    STORED(c, sum) ASSERT_FLOAT(30.0f, c[i]);
}

kernel void test_arrays(global uint* record, global int* in) {
    local narrow b[4 * 64] ALIGNED;
    local float c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    for (int j = 0; j < 4; j++) b[j * 64 + i] = j + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    Sum sums[2][2];
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 2; k++) sums[j][k] = coop_mat_init(j * 10 + k);
    for (int step = 0; step < 3 + in[0]; step++) {
        Left left[2];
        for (int j = 0; j < 2; j++) left[j] = coop_mat_load(b + j * 64, ROWS, 8);
        for (int k = 0; k < 2; k++) {
            Right right = coop_mat_load(b + (k + 2) * 64, ROWS, 8);
            for (int j = 0; j < 2; j++) sums[j][k] = coop_mat_mulAdd(left[j], right, sums[j][k]);
        }
    }
    for (int j = 0; j < 2; j++)
        for (int k = 0; k < 2; k++) {
            STORED(c, sums[j][k])
            ASSERT_FLOAT(j * 10 + k + 3 * 8 * (j + 1.0f) * (k + 3), c[i]);
        }
    // An index that is not known.
    Sum chosen = sums[1 + in[0]][in[0]];
    STORED(c, chosen) ASSERT_FLOAT(10 + 3 * 8 * 2.0f * 3, c[i]);
}

// Matrices that a branch and a loop change, and a swap in each turn.
kernel void test_control_flow(global uint* record, global int* in) {
    local float c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    Sum a = coop_mat_init(1), b = coop_mat_init(2);
    for (int turn = 0; turn < 3 + in[0]; turn++) {
        Sum old = a;
        a = b;
        b = old;
        if (turn == 1 + in[0]) b = b * 8;
    }
    STORED(c, a) ASSERT_FLOAT(16.0f, c[i]);
    STORED(c, b) ASSERT_FLOAT(1.0f, c[i]);
}

// The pointer is to vectors, whose number the stride is.
kernel void test_vectors(global uint* record) {
    local narrow4 b[8 * 2] ALIGNED;
    local float c[64] ALIGNED;
    const uint i = get_local_id(0) % 64;
    ((local narrow*)b)[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    Right right = coop_mat_load(b, ROWS, 2);
    Left left = coop_mat_init(1);
    Sum sum = coop_mat_init(0.0f);
    sum = coop_mat_mulAdd(left, right, sum);
    STORED(c, sum) ASSERT_FLOAT(8.0f * (i % 8) + 8 * 28, c[i]);
}
