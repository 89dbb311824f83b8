// SPDX-License-Identifier: Apache-2.0
// Pointers that are outside of their array until an access moves them back: one element before it, as many old programs
// start a loop (C99 6.5.6p8 promises nothing), far before it and far behind it. In private, local and global memory.
#include "assert.h"

typedef struct { uchar a, b, c; } Bytes;
typedef struct { int a; short b; float c; } Words;

#define COUNT 6
#define SELF(value) (value)
#define FIRST(value) (value).x
#define MEMBER(value) (value).c

// The digits 1, 2, …, read from before the array, from behind it, and by pointers that stay outside of it. The loops are
// not unrolled, so that the pointers are phis. Each is in a kernel of its own, in which drivers keep small arrays in
// registers.
#define FORWARDS(member, array, p)                                                                         \
    p = array - 1;                                                                                               \
    AS_IT_STANDS for (int i = 0; i < count; i++) digits = digits * 10 + (int)member(*++p);                       \
    ASSERT(123456, digits)
#define BACKWARDS(member, array, p)                                                                        \
    p = array + count;                                                                                           \
    AS_IT_STANDS for (int i = 0; i < count; i++) digits = digits * 10 + (int)member(*--p);                       \
    ASSERT(654321, digits)
#define NEAR(member, array, p)                                                                             \
    p = array - 3;                                                                                               \
    AS_IT_STANDS for (int i = 0; i < count; i++, p++) digits = digits * 10 + (int)member(p[3]);                  \
    ASSERT(123456, digits)
#define FAR(member, array, p)                                                                              \
    p = array + 300;                                                                                             \
    AS_IT_STANDS for (int i = 0; i < count; i++, p++) digits = digits * 10 + (int)member(p[-300]);               \
    ASSERT(123456, digits)
#define WRITES(member, array, p)                                                                           \
    p = array - 1;                                                                                               \
    AS_IT_STANDS for (int i = 0; i < count - 1; i++) ++p, *p = p[1];                                             \
    AS_IT_STANDS for (int i = 0; i < count; i++) digits = digits * 10 + (int)member(array[i]);                   \
    ASSERT(234566, digits)

#define WALK(space, type, member, array, LOOP)                                                                   \
    const int count = in[COUNT];                                                                                 \
    int digits = 0;                                                                                              \
    space type *p;                                                                                               \
    for (int i = 0; i < COUNT; i++) member(array[i]) = in[i + 1];                                                \
    LOOP(member, array, p)

#define KERNELS(name, type, member, LOOP)                                                                        \
    kernel void test_private_##name##_##LOOP(global uint *record, global int *in) {                              \
        type array[COUNT];                                                                                       \
        WALK(private, type, member, array, LOOP);                                                                \
    }                                                                                                            \
    kernel void test_local_##name##_##LOOP(global uint *record, global int *in) {                                \
        local type array[COUNT];                                                                                 \
        WALK(local, type, member, array, LOOP);                                                                  \
    }                                                                                                            \
    kernel void test_global_##name##_##LOOP(global uint *record, global int *in, global type *array) {           \
        WALK(global, type, member, array, LOOP);                                                                 \
    }
#define TEST(name, type, member)                                                                                 \
    KERNELS(name, type, member, FORWARDS)                                                                        \
    KERNELS(name, type, member, BACKWARDS)                                                                       \
    KERNELS(name, type, member, NEAR)                                                                            \
    KERNELS(name, type, member, FAR)                                                                             \
    KERNELS(name, type, member, WRITES)

TEST(char, char, SELF)
TEST(short, short, SELF)
TEST(int, int, SELF)
TEST(long, long, SELF)
TEST(float2, float2, FIRST)
TEST(int4, int4, FIRST)
TEST(bytes, Bytes, MEMBER)
TEST(words, Words, MEMBER)
