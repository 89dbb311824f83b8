// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Pointers in memory that outlives the kernel: only addresses mean the same to everybody. 1.3.14-1.
// NEEDS: addresses
#include "assert.h"
typedef struct { global int *data; int n; } View;
int view_sum(View v) { int s = 0; for (int i = 0; i < v.n; i++) s += v.data[i]; return s; }
kernel void test_in_memory(global uint *record, global int *in, global View *views) {
    View v = {in + 5, 3};
    ASSERT(5 + 6 + 7, view_sum(v));
    views[1] = v;
    views[1].data++;
    ASSERT(6 + 7 + 8, view_sum(views[in[1]]));
}
