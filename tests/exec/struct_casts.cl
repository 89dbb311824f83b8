// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Pointers to a member of a struct that are cast to another type and go on to the other members: compilers
// that keep structs in memory let it work, and programs rely on it.
#include "assert.h"

struct Mixed {
    ushort a;
    uint b[3];
    uchar c;
};
struct Point {
    float x, y, z;
};

kernel void test_bytes(global uint* record, global int* in) {
    int i = in[1];
    struct Mixed s;
    s.b[i] = 0xdeadbeef;
    s.c = 7;
    uchar* p = (uchar*)&s.a;
    ASSERT(0xef, p[8]);
    ASSERT(0xef, p[8 * i]);
    ASSERT(0xde, p[10 * i + 1]);
    p = (uchar*)&s.b[0];
    ASSERT(0xad, p[6]);
    ASSERT(7, p[12]);
    ASSERT(0xbe, (&s.c)[-i - 6]);
}

kernel void test_words(global uint* record, global int* in) {
    int i = in[1];
    struct Point s = {1, i + 1, 3};
    uint* p = (uint*)&s.x;
    ASSERT(0x40400000, p[2]);
    ASSERT(0x40400000, p[i + 1]);
    p = (uint*)&s.y;
    uint hash = 0;
    for (int j = -1; j <= i; ++j) hash = hash * 31 + p[j];
    ASSERT(((uint)0x3f800000 * 31 + 0x40000000) * 31 + 0x40400000, hash);
}

kernel void test_stores(global uint* record, global int* in) {
    int i = in[1];
    struct Point s = {1, i, 3};
    uchar* p = (uchar*)&s.x;
    for (int j = 0; j < i; ++j) p[8 + 3 - j] = 0x42;
    ASSERT(0x42400000, as_uint(s.z));
    uint* q = (uint*)&s.z;
    q[-i] = 5;
    ASSERT(5, as_uint(s.y));
    struct Mixed m = {1, {2, 3, 4}, 5};
    ushort* h = (ushort*)&m.a;
    h[2] = 6;
    h[i + 3] = 7;
    ASSERT(6, m.b[0]);
    ASSERT(7, m.b[1]);
    ASSERT(4, m.b[2]);
}

kernel void test_steps(global uint* record, global int* in) {
    struct Mixed s = {1, {2, 3, (uint)in[4]}, 5};
    uint sum = 0;
    for (const uchar *p = (const uchar*)&s.a, *end = p + 20; p != end; p += 4) sum = sum * 10 + *p;
    ASSERT(12345, sum);
    struct Point f = {1, 2, in[3]};
    sum = 0;
    for (const uchar *p = (const uchar*)&f.x, *end = p + 12; p != end; ++p) sum += *p;
    ASSERT(0x3f + 0x80 + 0x40 + 0x40 + 0x40, sum);
    sum = 0;
    for (const ushort *p = (const ushort*)&f.x, *end = p + in[6]; p != end; ++p) sum += *p;
    ASSERT(0x3f80 + 0x4000 + 0x4040, sum);
}
