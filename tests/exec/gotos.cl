// SPDX-License-Identifier: Apache-2.0
// Control flow that no structured statement makes: loops of several entries, into and out of loops and switches, machines of
// gotos, loops without a condition that end from inside, code that is not reached.
#include "assert.h"

// Two entries to one loop, from conditions that are not known; the third form enters in the middle of an inner loop.
int two_entries(int n, int which) {
    int trace = 0;
    if (which == 1) goto second;
    if (which == 2) goto third;
first:
    trace = trace * 10 + 1;
    if (--n <= 0) return trace;
second:
    trace = trace * 10 + 2;
    if (--n <= 0) return trace;
third:
    trace = trace * 10 + 3;
    if (--n > 0) goto first;
    return trace;
}
kernel void test_irreducible(global uint *record, global int *in) {
    ASSERT(12312, two_entries(in[5], in[0])); ASSERT(23123, two_entries(in[5], in[1]));
    ASSERT(31231, two_entries(in[5], in[2])); ASSERT(3, two_entries(in[1], in[2])); ASSERT(1, two_entries(in[0], in[3]));
}

int into_nested(int start, int n) {
    int i = 0, j = 0, count = 0;
    switch (start) { case 1: goto outer; case 2: goto inner; case 3: i = n - 1; goto last; }
    for (; i < n; i++) {
outer:
        count += 100;
        for (j = 0; j < n; j++) {
inner:
            count++;
            if (count % 50 == 49) goto out;
        }
last:
        count += 10000;
    }
out:
    return count + i * 1000000;
}
kernel void test_into_loops(global uint *record, global int *in) {
    ASSERT(3030309, into_nested(in[0], in[3])); ASSERT(3030309, into_nested(in[1], in[3]));
    ASSERT(3030209, into_nested(in[2], in[3])); ASSERT(3010000, into_nested(in[3], in[3]));
    ASSERT(149, into_nested(in[0], in[60]));
}

// A machine of states: every state goes to any other.
kernel void test_machine(global uint *record, global int *in) {
    int x = in[27], steps = 0;
start:
    if (x == 1) goto done;
    if (x & 1) goto odd;
even:
    x /= 2; steps++;
    if (x & 1) goto start;
    goto even;
odd:
    x = 3 * x + 1; steps++;
    if (steps > 1000) goto failed;
    goto even;
failed:
    steps = -1;
done:
    ASSERT(111, steps);
}

// Many ways out of one loop, each with its own values.
int leave(int n) {
    int i = 0, why;
    for (;;) {
        if (i * i > n) { why = 1; break; }
        if (i == 7) { why = 2; goto special; }
        if (n == 40 && i > 3) return -i;
        do {
            if (i + n == 99) { why = 3; goto out; }
        } while (++i % 2);
    }
    return 100 * why + i;
special:
    why += 10;
out:
    return 1000 * why + i;
}
kernel void test_many_exits(global uint *record, global int *in) {
    ASSERT(104, leave(in[5])); ASSERT(-4, leave(in[40])); ASSERT(3004, leave(in[95])); ASSERT(106, leave(in[30]));
    ASSERT(3003, leave(in[96]));
}

int pick(int x) {
    if (x == 1) return 10;
    if (x == 2) return 20;
    __builtin_unreachable();
}
int forever(int x) {
    while (1) { if (x > 1000) return x; x *= 3; }
}
kernel void test_unreachable(global uint *record, global int *in) {
    ASSERT(10, pick(in[1])); ASSERT(20, pick(in[2])); ASSERT(2187, forever(in[1])); ASSERT(5000, forever(in[5000]));
    if (in[0]) for (;;) ;
    ASSERT(1, in[1]);
    return;
    ASSERT(0, in[1]);
}
