// A buffer of 10 words holds 4 records of 2 words and the first word of a fifth.
// PRINTF_BUFFER: 40
// PRINTS: number 0
// PRINTS: number 1
// PRINTS: number 2
// PRINTS: number 3
// PRINTS: (cut)
#include "assert.h"

kernel void test_overflow(global uint *record) {
    for (int i = 0; i < 20; i++) ASSERT(i < 4 ? 0 : -1, printf("number %d\n", i));
    ASSERT(-1, printf(""));
}
