// SPDX-License-Identifier: Apache-2.0
// Hundreds of parameters, more than a function of SPIR-V has (2.17): of a kernel, and of functions that it calls.
#include "assert.h"

#define TEN(m, x) m(x##0) m(x##1) m(x##2) m(x##3) m(x##4) m(x##5) m(x##6) m(x##7) m(x##8) m(x##9)
#define HUNDRED(m, x) TEN(m, x##0) TEN(m, x##1) TEN(m, x##2) TEN(m, x##3) TEN(m, x##4) \
                      TEN(m, x##5) TEN(m, x##6) TEN(m, x##7) TEN(m, x##8) TEN(m, x##9)
#define FIFTY(m) TEN(m, 30) TEN(m, 31) TEN(m, 32) TEN(m, 33) TEN(m, 34)
#define THREE_HUNDRED(m) HUNDRED(m, 1) HUNDRED(m, 2) HUNDRED(m, 3)
#define PARAMETER(n) , const int a##n
#define ARGUMENT(n) , in[n - 100]
#define VALUE(n) , a##n
#define TERM(n) sum += a##n * (n - 99);

// Without an inline qualifier and called twice: it would stay a function.
__attribute__((noinline)) int weighted(int sum THREE_HUNDRED(PARAMETER)) {
    if (sum == 77) return a399;
    THREE_HUNDRED(TERM)
    return sum;
}
int reversed(int sum THREE_HUNDRED(PARAMETER)) { return a399 * 1000 + weighted(sum THREE_HUNDRED(VALUE)); }

// As many as there may be, which stay parameters, and one more; pointers to what the caller has.
#define POINTER(n) , const int *a##n
#define ADDRESS(n) , &own[n - 100]
#define POINTED(n) sum += *a##n * (n - 99);
__attribute__((noinline)) long most(long sum, ushort s, bool b, char2 d, float3 v HUNDRED(PARAMETER, 1) HUNDRED(PARAMETER, 2)
                                    FIFTY(PARAMETER)) {
    if (!b) return a349;
    HUNDRED(TERM, 1)
    return sum + s * a200 + d.y + (long)v.z + a349;
}
__attribute__((noinline)) int pointed(int *last, int sum THREE_HUNDRED(POINTER)) {
    THREE_HUNDRED(POINTED)
    *last = *a399;
    return sum;
}
kernel void test_most(global uint *record, global int *in) {
    int own[300], last = 0;
    for (int i = 0; i < 300; ++i) own[i] = in[i];
    ASSERT_LONG((1L << 40) + 99 * 100 * 101 / 3 + 3 * 100 + 4 + 5 + 249,
                most((1L << 40) + in[0], in[3], in[1], (char2)(in[4]), (float3)(in[5]) HUNDRED(ARGUMENT, 1) HUNDRED(ARGUMENT, 2) FIFTY(ARGUMENT)));
    ASSERT(249, most(in[1], in[2], in[0], (char2)(in[4]), (float3)(in[5]) HUNDRED(ARGUMENT, 1) HUNDRED(ARGUMENT, 2) FIFTY(ARGUMENT)));
    ASSERT(6 + 299 * 300 * 301 / 3, pointed(&last, in[6] THREE_HUNDRED(ADDRESS))); ASSERT(299, last);
}

kernel void test_functions(global uint *record, global int *in) {
    ASSERT(5 + 299 * 300 * 301 / 3, weighted(in[5] THREE_HUNDRED(ARGUMENT)));
    ASSERT(299, weighted(in[77] THREE_HUNDRED(ARGUMENT)));
    ASSERT(299000 + 6 + 299 * 300 * 301 / 3, reversed(in[6] THREE_HUNDRED(ARGUMENT)));
}

// The runner fills each with the bytes 1, 2, 3, ...
#define CHAR(n) , char a##n
#define SHORT(n) , short a##n
#define INT(n) , int a##n
kernel void test_kernel(global uint *record HUNDRED(CHAR, 1) HUNDRED(SHORT, 2) HUNDRED(INT, 3), global int *in) {
    ASSERT(5 + 50 * 101 + 0x0201 * (100 * 301 / 2) + 0x04030201u * (100 * 501 / 2), weighted(in[5] THREE_HUNDRED(VALUE)));
    ASSERT(7, in[7]);
}
