// SPDX-License-Identifier: Apache-2.0
// Statement expressions (GNU): values, labels, local ones too, and jumps in them;
// `break` and `continue` in conditions and steps.
#include "assert.h"
kernel void test_values(global uint *record, global int *in) {
    int n = in[3];
    ASSERT(3, ({ n; }));
    ASSERT(4, ({ label: n + 1; }));
    ASSERT(5, ({ n + 2;; }));
    ASSERT(6, ({ first: second: n + 3; ; }));
}
kernel void test_jumps(global uint *record, global int *in) {
    int n = in[3], turns = 0;
    ASSERT(10, ({ again: turns++; if (turns < 10) goto again; turns; }));
    int sum = 0;
    sum = in[1] + ({ if (n == 3) goto out; in[2]; });
    sum = 100;
out:
    ASSERT(0, sum);
    ASSERT(7, ({ if (n) goto value; n = 9; value: n + 4; }));
    ASSERT(4, ({ switch (n) { case 3: n = 4; break; default: n = 5; } n; }));
}
kernel void test_breaks_in_conditions(global uint *record, global int *in) {
    int n = 0, outer = 0;
    for (int i = 0; i < 2; i++) {
        while (({ if (n > in[3]) break; n++; 1; })) {}
        outer++;
    }
    ASSERT(4, n); ASSERT(2, outer);
    n = 0;
    for (; ({ if (n > in[5]) break; 1; }); n++) {}
    ASSERT(6, n);
    n = 0;
    while (({ n++; if (n < in[4]) continue; 0; })) n = 100;
    ASSERT(4, n);
}
kernel void test_breaks_in_steps(global uint *record, global int *in) {
    int n = 0, outer = 0, bodies = 0;
    for (int i = 0; i < 2; i++) {
        for (;; ({ if (n > in[3]) break; n++; })) bodies++;
        outer++;
    }
    ASSERT(4, n); ASSERT(2, outer); ASSERT(6, bodies);
    n = 0;
    do { bodies = 7; } while (({ if (++n > in[5]) break; if (n > in[2]) continue; 1; }));
    ASSERT(6, n);
    n = 0;
    for (int i = 0; i < 10; ({ switch (in[i]) { case 4: i = 8; break; default: i++; } })) n++;
    ASSERT(7, n);
}
#define POSITIVE(x) ({ __label__ out; int p = (x); if (p > 0) goto out; p = -p; out: p; })
kernel void test_local_labels(global uint *record, global int *in) {
    ASSERT(12, POSITIVE(in[5]) + POSITIVE(-in[7]));
    ASSERT(3, POSITIVE(POSITIVE(-in[4]) - in[7]));
    int turns = 0, outer = 0;
again:
    outer++;
    {
        __label__ again, done;
    again:
        if (++turns % 5 == 0) goto done;
        goto again;
    done:;
    }
    if (outer < in[3]) goto again;
    ASSERT(15, turns); ASSERT(3, outer);
}
