// One call is one record, whatever other work-items do; what does not fit is lost, and printf says so.
// RUN: global=256 local=64
// PRINTS*256: one 1 two 2,2 three 3
#include "assert.h"

kernel void test_together(global uint *record, global int *in) {
    ASSERT(0, printf("%s %d two %v2hld three %ld\n", "one", in[1], (int2)(in[2]), (long)in[3]));  // 1.13.13-3
}
