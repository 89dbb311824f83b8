// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// C99 6.9.2: an array of program scope without a size has the size of a later declaration, or one element. Beside it,
// clang's functions that say where they are called.
#include "assert.h"
#define PLACE() __builtin_LINE()
global int one[];
global int later[];
global int later[5];

void add(global uint *record, int n) {
    one[0] += n;
    for (int i = 0; i < 5; i++) later[i] += n + i;
}
kernel void test_tentative_arrays(global uint *record, global int *in) {
    one[0] = 0;
    for (int i = 0; i < 5; i++) later[i] = i;
    add(record, 3 + in[0]);
    ASSERT(3, one[0]);
    for (int i = 0; i < 5; i++) ASSERT(3 + 2 * i, later[i]);
    ASSERT(20, (int)sizeof(later));
}

kernel void test_call_places(global uint *record, global int *in) {
    ASSERT(__LINE__, __builtin_LINE());
    ASSERT(__LINE__, PLACE());
    const int column = __builtin_COLUMN();
    ASSERT(24, column);
    ASSERT(1, sizeof(__builtin_FILE()) == sizeof(constant char *));
    constant char *name = __builtin_FUNCTION();
    constant char *file = __builtin_FILE();
    const char expected[] = "test_call_places";
    for (int i = 0; i < sizeof(expected); i++) ASSERT(expected[i], name[i]);
    int length = 0;
    while (file[length]) length++;
    ASSERT('c', file[length - 2]);
    ASSERT('l', file[length - 1]);
    ASSERT(1, __has_builtin(__builtin_LINE) && __has_builtin(__builtin_FUNCTION));
}
