// SPDX-License-Identifier: Apache-2.0
// Statement expressions (GNU): values, labels and jumps in them.
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
