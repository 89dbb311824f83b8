// SPDX-License-Identifier: Apache-2.0
// The prelude of execution tests. A kernel takes `global uint *record` first and says what must be:
//   ASSERT(7, 3 + four)          integers up to 32 bits, and anything that converts to one
//   ASSERT_BITS(0x40e00000, x)   the bit pattern of a float
// Inputs come from memory so that no compiler can fold them: further arguments hold 0, 1, 2, … as ints.
#define ASSERT(expected, actual) assert_equal(record, (uint)(expected), (uint)(actual), __LINE__)
#define ASSERT_BITS(expected, actual) \
    assert_equal(record, (uint)(expected), as_uint((float)(actual)), __LINE__)
#define ASSERT_LONG(expected, actual) assert_equal_long(record, (ulong)(expected), (ulong)(actual), __LINE__)

void assert_equal(global uint* record, uint expected, uint actual, uint line) {
    atomic_inc(&record[1]);
    if (expected == actual) return;
    if (atomic_inc(&record[0]) != 0) return;
    record[2] = line;
    record[3] = expected;
    record[4] = actual;
}

void assert_equal_long(global uint* record, ulong expected, ulong actual, uint line) {
    assert_equal(record, (uint)expected, (uint)actual, line);
    assert_equal(record, (uint)(expected >> 32), (uint)(actual >> 32), line);
}
