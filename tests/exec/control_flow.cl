// SPDX-License-Identifier: Apache-2.0
// Every statement of C99 6.8.
#include "assert.h"
kernel void test_loops(global uint *record, global int *in) {
    int n = in[10], sum = 0, i;
    for (i = 0; i < n; i++) { if (i == 3) continue; if (i == 8) break; sum += i; }
    ASSERT(25, sum); ASSERT(8, i);
    sum = 0;
    while (n) { sum += n--; }
    ASSERT(55, sum); ASSERT(0, n);
    do { sum--; } while (sum > 50);
    ASSERT(50, sum);
    sum = 0;
    for (int a = 0; a < in[4]; a++)
        for (int b = 0; ; b++) { if (b > a) break; sum += 10 * a + b; }
    ASSERT(0 + 10 + 11 + 20 + 21 + 22 + 30 + 31 + 32 + 33, sum);
    for (;;) { if (++sum > 300) break; }
    ASSERT(301, sum);
    sum = 0;
    for (int a = 0, b = in[9]; a < b; a += 2, b--) sum += b - a;
    ASSERT(9 + 6 + 3, sum);
}
int classify(int x) {
    switch (x) {
        case 0: return 100;
        case 1:
        case 2: x += 10;
        case 3: x += 100; break;
        default: x = -1; break;
        case 7: for (int i = 0; i < 3; i++) { if (i == 1) break; x++; } break;
        case -5: { switch (x + 6) { case 1: x = 55; break; default: x = 66; } } break;
    }
    return x;
}
kernel void test_switch(global uint *record, global int *in) {
    ASSERT(100, classify(in[0]));
    ASSERT(111, classify(in[1]));
    ASSERT(112, classify(in[2]));
    ASSERT(103, classify(in[3]));
    ASSERT(-1, classify(in[4]));
    ASSERT(8, classify(in[7]));
    ASSERT(55, classify(-in[5]));
    int hits = 0;
    for (int i = 0; i < 6; i++) switch (in[i]) { case 1: continue; case 3: hits += 100; break; default: hits++; }
    ASSERT(104, hits);
    switch ((long)in[1] << 40) { case 1l << 40: hits = 1; break; default: hits = 2; }
    ASSERT(1, hits);
    switch ((uchar)in[255]) { case 255: hits = 3; }
    ASSERT(3, hits);
}
kernel void test_goto(global uint *record, global int *in) {
    int i = 0, sum = 0;
again:
    sum += i;
    if (++i < in[5]) goto again;
    ASSERT(10, sum);
    for (int a = 0; a < 10; a++)
        for (int b = 0; b < 10; b++)
            if (a * b == in[42]) { sum = a * 100 + b; goto out; }
    sum = -1;
out:
    ASSERT(607, sum);
    if (in[1]) goto middle;
    while (i < 20) {
        sum = 0;
middle:
        i += 7; sum++;
    }
    ASSERT(26, i);
    ASSERT(1, sum);
}
int early(int x) {
    for (int i = 0; i < 10; i++) {
        if (i == x) return i * 10;
        while (1) { if (x > 50) return -1; break; }
    }
    return 1000;
}
kernel void test_early_return(global uint *record, global int *in) {
    ASSERT(40, early(in[4]));
    ASSERT(-1, early(in[60]));
    ASSERT(1000, early(in[20]));
    if (in[0] == 0) { ASSERT(1, 1); return; }
    ASSERT(0, 1);
}
int count_calls(private int *calls, int value) { ++*calls; return value; }
kernel void test_short_circuit(global uint *record, global int *in) {
    int calls = 0;
    int r = count_calls(&calls, in[0]) && count_calls(&calls, in[1]);
    ASSERT(0, r); ASSERT(1, calls);
    r = count_calls(&calls, in[1]) || count_calls(&calls, in[1]);
    ASSERT(1, r); ASSERT(2, calls);
    r = in[1] ? count_calls(&calls, 5) : count_calls(&calls, 6);
    ASSERT(5, r); ASSERT(3, calls);
    r = (count_calls(&calls, 1), count_calls(&calls, 2));
    ASSERT(2, r); ASSERT(5, calls);
}
// Functions that are inlined: early returns, and calls where a loop goes on (a continue construct of several blocks).
int advance(int *i, int step) {
    for (int k = 0; k < 9; k++) {
        if (*i + k == 7) { *i = 20; return k; }
        if (k == step) { *i += k; return -k; }
    }
    return 99;
}
void endless(int *x) { for (;;) ++*x; }
kernel void test_inlined_continue(global uint *record, global int *in) {
    int sum = 0, i, last = 0;
    for (i = in[0]; i < 20; last = advance(&i, in[2])) sum += i;
    ASSERT(0 + 2 + 4 + 6, sum); ASSERT(20, i); ASSERT(1, last);
}
kernel void test_inlined_condition(global uint *record, global int *in) {
    int sum = 0, i = 1;
    do { sum += i; } while (advance(&i, in[3]) < 0);
    ASSERT(1 + 4, sum); ASSERT(20, i);
}
kernel void test_inlined_endless(global uint *record, global int *in) {
    int sum = in[5], i;
    if (sum == 0) { endless(&sum); sum = 1; }
    for (i = 0; i < in[3]; sum++ == 0 ? endless(&sum) : (void)0) i++;
    ASSERT(8, sum);
}
