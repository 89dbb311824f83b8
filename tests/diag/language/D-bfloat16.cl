// SPDX-License-Identifier: Apache-2.0
// Where __bf16 cannot be, and what it cannot do.
// OPTIONS: -cl-std=CL3.0 -Wall
typedef __bf16 bf16x4 __attribute__((ext_vector_type(4)));
typedef __bf16 __attribute__((coop_mat(CLK_COOPERATIVE_MATRIX_SCOPE_SUBGROUP, 16, 8, CLK_COOPERATIVE_MATRIX_A))) A;
unsigned __bf16 without_sign;
long __bf16 long_one;
kernel void k(global half *h, global __bf16 *p, __bf16 x, bf16x4 v, int4 i) {
    A a = coop_mat_load(h, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    coop_mat_store(p, a, CLK_COOPERATIVE_MATRIX_LAYOUT_ROW_MAJOR, 8);
    p[0] = x % x;
    p[1] = x & 1;
    p[2] = sqrt(x);
    p[3] = v;
    v = i;
    v = v * 1.5f;
    p = h;  // a warning
}
