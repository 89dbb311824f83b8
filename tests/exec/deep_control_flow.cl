// SPDX-License-Identifier: Apache-2.0
// Control flow a hundred levels deep: rows of jumps, each of which puts the rest of its construct under one more condition, chains
// of conditions, and calls under conditions. Mesa's llvmpipe masks work-items in 80 levels.
// RUN: global=1
#include "assert.h"

#define TEN(m, i) m(i) m(i + 1) m(i + 2) m(i + 3) m(i + 4) m(i + 5) m(i + 6) m(i + 7) m(i + 8) m(i + 9)
#define HUNDRED(m) TEN(m, 0) TEN(m, 10) TEN(m, 20) TEN(m, 30) TEN(m, 40) \
                   TEN(m, 50) TEN(m, 60) TEN(m, 70) TEN(m, 80) TEN(m, 90)
#define SUM(n) ((n) * ((n) - 1) / 2)
#define EACH(k) for (uint n = 0, k = in[0]; n < 5; n++, k = in[n == 1 ? 38 : n == 2 ? 79 : n == 3 ? 97 : 120])
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

#define RETURN(i) if (in[i] == k) return x + i; x += in[i];
uint returns(global uint *in, uint k) {
    uint x = 0;
    HUNDRED(RETURN)
    return x;
}
kernel void test_returns(global uint *record, global uint *in) {
    EACH(k) ASSERT(k < 100 ? SUM(k) + k : SUM(100), returns(in, k));
}

#define LEAVE(i) if (in[i] == k) return; if (in[i] == 88) record[1] = 0;
kernel void test_kernel_returns(global uint *record, global uint *in) {
    const uint k = in[87];
    ASSERT(87, k);
    HUNDRED(LEAVE)
    ASSERT(0, 1);
}

#define FAIL(i) if (in[i] == k) goto fail; x += in[i];
uint gotos(global uint *in, uint k) {
    uint x = 0;
    HUNDRED(FAIL)
    return x;
fail:
    return 2 * x + 1;
}
kernel void test_gotos(global uint *record, global uint *in) {
    EACH(k) ASSERT(k < 100 ? 2 * SUM(k) + 1 : SUM(100), gotos(in, k));
}

#define CONTINUE(i) if (in[i] == k + j) continue; x += in[i];
uint continues(global uint *in, uint k) {
    uint x = 0;
    for (uint j = 0; j < in[3]; j += 2) {
        HUNDRED(CONTINUE)
        x += 1000;
    }
    return x;
}
kernel void test_continues(global uint *record, global uint *in) {
    EACH(k) {
        uint expected = 0;
        for (uint j = 0; j < 3; j += 2) expected += k + j < 100 ? SUM(k + j) : SUM(100) + 1000;
        ASSERT(expected, continues(in, k));
    }
}

#define BREAK(i) if (in[i] == k) break; x += in[i];
uint breaks(global uint *in, uint k) {
    uint x = 0;
    for (uint j = 0; j < in[2]; j++) {
        HUNDRED(BREAK)
        x += 1000;
    }
    return x;
}
uint switch_breaks(global uint *in, uint k) {
    uint x = 0;
    switch (in[1] + (k & 2)) {
        case 1: x = 5; HUNDRED(BREAK)
        case 3: HUNDRED(BREAK) x += 1000;
    }
    return x;
}
kernel void test_breaks(global uint *record, global uint *in) {
    EACH(k) ASSERT(k < 100 ? SUM(k) : 2 * (SUM(100) + 1000), breaks(in, k));
}
kernel void test_switch_breaks(global uint *record, global uint *in) {
    EACH(k) ASSERT(k & 2 ? SUM(k) : k < 100 ? 5 + SUM(k) : 5 + 2 * SUM(100) + 1000, switch_breaks(in, k));
}

#define ELSE(i) if (in[i] == k) x = in[i + 1] * (i); else
#define ELSE_LOOP(i) if (in[i] == k + 1000) { for (uint j = 0; j < in[i]; j++) x += in[j] * k; } else
uint else_ifs(global uint *in, uint k) {
    uint x = 7;
    TEN(ELSE, 0) TEN(ELSE, 10) TEN(ELSE, 20) TEN(ELSE, 30) TEN(ELSE, 40) ELSE_LOOP(50)
    TEN(ELSE, 50) TEN(ELSE, 60) TEN(ELSE, 70) TEN(ELSE, 80) TEN(ELSE, 90) ELSE_LOOP(80) x = 77;
    return x;
}
kernel void test_else_ifs(global uint *record, global uint *in) {
    EACH(k) ASSERT(k < 100 ? (k + 1) * k : 77, else_ifs(in, k));
    ASSERT(7 + 80 * 79 / 2 * (80 - 1000u), else_ifs(in, in[80] - 1000));
}

#define DEEPER(i, inside) if (in[i] <= k) { x += in[i]; inside x = 3 * x + i; }
#define TEN_DEEPER(i, inside) DEEPER(i, DEEPER(i + 1, DEEPER(i + 2, DEEPER(i + 3, DEEPER(i + 4, \
    DEEPER(i + 5, DEEPER(i + 6, DEEPER(i + 7, DEEPER(i + 8, DEEPER(i + 9, inside))))))))))
uint ifs(global uint *in, uint k) {
    uint x = 0;
    TEN_DEEPER(0, TEN_DEEPER(10, TEN_DEEPER(20, TEN_DEEPER(30, TEN_DEEPER(40, TEN_DEEPER(50,
        for (uint j = 0; j < in[2]; j++) { TEN_DEEPER(60, TEN_DEEPER(70, if (in[j] == k) continue; TEN_DEEPER(80, x++;))) x += 2; }))))))
    return x;
}
uint expected_ifs(uint k) {
    uint x = 0, i = 0;
    for (; i < 60 && i <= k; i++) x += i;
    for (uint j = 0; i == 60 && j < 2; j++) {
        uint n = 60;
        for (; n < 90 && n <= k; n++) x += n;
        if (n == 90) x++;
        while (n-- > 60) x = 3 * x + n;
        x += 2;
    }
    while (i-- > 0) x = 3 * x + i;
    return x;
}
kernel void test_ifs(global uint *record, global uint *in) {
    EACH(k) ASSERT(expected_ifs(k), ifs(in, k));
}

#define CALL(f, next, i) \
    __attribute__((noinline)) uint f(global uint *in, uint k) { uint x = 0; if (in[99 - (i)] <= k) { x = in[i]; x += next(in, k); } return x; }
#define TEN_CALLS(t, next, i) CALL(t##0, next, i) CALL(t##1, t##0, i + 1) CALL(t##2, t##1, i + 2) CALL(t##3, t##2, i + 3) \
    CALL(t##4, t##3, i + 4) CALL(t##5, t##4, i + 5) CALL(t##6, t##5, i + 6) CALL(t##7, t##6, i + 7) CALL(t##8, t##7, i + 8) CALL(t##9, t##8, i + 9)
__attribute__((noinline)) uint f(global uint *in, uint k) { return in[5]; }
TEN_CALLS(f0, f, 0) TEN_CALLS(f1, f09, 10) TEN_CALLS(f2, f19, 20) TEN_CALLS(f3, f29, 30) TEN_CALLS(f4, f39, 40)
TEN_CALLS(f5, f49, 50) TEN_CALLS(f6, f59, 60) TEN_CALLS(f7, f69, 70) TEN_CALLS(f8, f79, 80) TEN_CALLS(f9, f89, 90)
kernel void test_calls(global uint *record, global uint *in) {
    EACH(k) {
        uint expected = k < 100 ? 0 : 5;
        for (uint i = k < 100 ? 99 - k : 0; i < 100; i++) expected += i;
        ASSERT(expected, f99(in, k));
    }
}

kernel void test_unrolled_breaks(global uint *record, global uint *in) {
    EACH(k) {
        uint x = 0;
#pragma unroll
        for (uint j = 0; j < 100; j++) {
            if (in[j] == k) break;
            if (in[j] == k + 5) continue;
            x += in[j];
        }
        ASSERT(SUM(LEAST(k, 100)), x);
    }
}

// Cases of switches that return, go on with a loop or leave one nest, too.
#define CASE_RETURN(n) case n: return n * 3 + one;
#define CASE_MAYBE(n) \
    case n:           \
        if (one) return n * 3 + one; \
        break;
#define CASE_CONTINUE(n) \
    case n:              \
        sum += n * one;  \
        continue;
#define TEN_CASES(C, n) C(n##0) C(n##1) C(n##2) C(n##3) C(n##4) C(n##5) C(n##6) C(n##7) C(n##8) C(n##9)
#define MANY_CASES(C)                                                                                        \
    TEN_CASES(C, 1) TEN_CASES(C, 2) TEN_CASES(C, 3) TEN_CASES(C, 4) TEN_CASES(C, 5) TEN_CASES(C, 6)            \
    TEN_CASES(C, 7) TEN_CASES(C, 8) TEN_CASES(C, 9) TEN_CASES(C, 10) TEN_CASES(C, 11)

int case_returns(int n, int one) {
    switch (n) { MANY_CASES(CASE_RETURN) default: return -1; }
}
int case_may_return(int n, int one) {
    switch (n) { MANY_CASES(CASE_MAYBE) default: n = 2; }
    return n - 3;
}
kernel void test_cases_return(global uint *record, global int *in) {
    uint wrong = 0;
    AS_IT_STANDS for (int n = 0; n < 125; n++) {
        const bool is_case = n >= 10 && n < 120;
        wrong += case_returns(in[n], in[1]) != (is_case ? n * 3 + 1 : -1);
        wrong += case_may_return(in[n], in[1]) != (is_case ? n * 3 + 1 : -1);
    }
    ASSERT(0, wrong);
}
kernel void test_cases_continue(global uint *record, global int *in) {
    int sum = 0, one = in[1], others = 0;
    AS_IT_STANDS for (int n = 0; n < 125; n++) {
        switch (in[n]) { MANY_CASES(CASE_CONTINUE) }
        others++;
    }
    ASSERT(7095, sum);
    ASSERT(15, others);
}
