// SPDX-License-Identifier: Apache-2.0
// The prelude of execution tests. A kernel takes `global uint *record` first and says what must be:
//   ASSERT(7, 3 + four)          integers up to 32 bits, and anything that converts to one
//   ASSERT_LONG(7, 3 + four)     64-bit ones
//   ASSERT_BITS(0x40e00000, x)   the bit pattern of a float
// Inputs come from memory so that no compiler can fold them: further arguments hold 0, 1, 2, … as ints.
#pragma once
#define ASSERT(expected, actual) assert_equal(record, (uint)(expected), (uint)(actual), __LINE__)
#define ASSERT_BITS(expected, actual) \
    assert_equal(record, (uint)(expected), as_uint((float)(actual)), __LINE__)
#define ASSERT_LONG(expected, actual) assert_equal_long(record, (ulong)(expected), (ulong)(actual), __LINE__)
//
// Before a loop, AS_IT_STANDS keeps compilers from unrolling it: drivers take time by the square of a
// kernel's code.
#define AS_IT_STANDS __attribute__((opencl_unroll_hint(1)))

// A check stores its line once: to record[1] when it holds, else to record[0]. Lavapipe's compiler takes time
// by the square of how many accesses to memory a kernel has, and most of that time went into checks that had
// five. The runner builds a file whose check failed again with ASSERT_VALUES, to say what was expected: those
// of the first check that fails.
// Under CALDERA_CHECK=races the runner defines ASSERT_VOLATILE: work-items that store different lines would
// race.
#ifdef ASSERT_VOLATILE
#define RECORD ((volatile global uint*)record)
#else
#define RECORD record
#endif

#ifdef ASSERT_VALUES
void assert_equal_long(global uint* record, ulong expected, ulong actual, uint line) {
    RECORD[1] = line;
    if (expected == actual || atomic_inc(&RECORD[2]) != 0) return;
    RECORD[0] = line;
    RECORD[3] = (uint)expected;
    RECORD[4] = (uint)(expected >> 32);
    RECORD[5] = (uint)actual;
    RECORD[6] = (uint)(actual >> 32);
}

void assert_equal(global uint* record, uint expected, uint actual, uint line) {
    assert_equal_long(record, expected, actual, line);
}
#else
void assert_equal(global uint* record, uint expected, uint actual, uint line) {
    RECORD[expected == actual] = line;
}

void assert_equal_long(global uint* record, ulong expected, ulong actual, uint line) {
    RECORD[expected == actual] = line;
}
#endif
