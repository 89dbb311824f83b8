// SPDX-License-Identifier: Apache-2.0
// clang's functions that say where they are called.
// OPTIONS: -cl-std=CL2.0
int too_many(void) { return __builtin_LINE(1); }
global char *wrong_space(void) { return __builtin_FILE(); }
int column[__builtin_COLUMN() == 12 ? -1 : 1];
kernel void right(global uint *out) {
    out[0] = __builtin_LINE() + __builtin_FILE()[0] + __builtin_FUNCTION()[0];
    int size[sizeof(__builtin_FILE()) == sizeof(void *) ? 1 : -1];
}
