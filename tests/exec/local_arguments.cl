// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Pointers to local memory as arguments, of many types in one kernel, each with a size that only the host knows (1.5.2-2,
// 1.5.2-6; the runner gives each 1024 bytes), beside variables of the kernel.
// RUN: global=16 local=8
#include "assert.h"
typedef struct { short tag; long value; char name[5]; } Item;
typedef struct { char c; float3 v; } Wide;
void put(local Item *items, int id, int n) { items[id].tag = n; items[id].value = (long)n << 33; items[id].name[4] = -n; }
kernel void test_every_type(global uint *record, local char *chars, local ushort *shorts, global int *in, local long *longs,
                            local float3 *threes, local uchar16 *bytes, local Item *items, local int (*rows)[3]) {
    int id = get_local_id(0), other = (id + 1) % 8;
    local int own[8];
    chars[id] = -id; shorts[id] = id * 1000; longs[id] = (long)id << 40; threes[id] = (float3)(id, in[2], 1);
    bytes[id] = (uchar16)(id); rows[id][2] = in[id] * 7; own[id] = id * 5;
    put(items, id, id + 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(-other, chars[other]); ASSERT(other * 1000, shorts[other]); ASSERT_LONG((long)other << 40, longs[other]);
    ASSERT_BITS(as_uint((float)other), threes[other].x); ASSERT_BITS(0x40000000, threes[other].y);
    ASSERT(other, bytes[other].sd); ASSERT(other * 7, rows[other][2]); ASSERT(other * 5, own[other]);
    ASSERT(other + 3, items[other].tag); ASSERT_LONG((long)(other + 3) << 33, items[other].value);
    ASSERT(-other - 3, items[other].name[4]);
}
// The same memory by pointers of two types; two arguments of one type; the last element of each.
kernel void test_punned(global uint *record, local uint *words, local Wide *wide, local uint *more, global int *in) {
    int id = get_local_id(0);
    local uchar *bytes = (local uchar *)words;
    bytes[4 * id + 1] = id; words[id] = words[id] & 0xff00; more[id] = 100 + id;
    wide[id].c = 9; wide[id].v = (float3)(1, 2, id);
    if (id == 7) words[255] = 5, more[255] = 6, wide[31].c = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = (id + 3) % 8;
    ASSERT(other << 8, words[other]); ASSERT(100 + other, more[other]); ASSERT(5, words[255]); ASSERT(6, more[255]);
    ASSERT(9, wide[other].c); ASSERT_BITS(as_uint((float)other), wide[other].v.z); ASSERT(7, wide[31].c);
    local uint *chosen = in[id] & 1 ? words : more;
    ASSERT(id & 1 ? id << 8 : 100 + id, chosen[id]);
}
// Another kernel of the program, with an argument that is not used and one that may be missing.
int first(local int *p) { return p ? *p : -1; }
kernel void test_unused(global uint *record, local int *unused, local int *p) {
    if (get_local_id(0) == 0) p[0] = 17;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(17, first(p)); ASSERT(-1, first(0));
}
// A struct that is declared alone has no size, so that the argument counts bytes.
struct Later;
kernel void test_incomplete(global uint *record, local struct Later *later, local event_t *events, global int *in) {
    int id = get_local_id(0), other = (id + 5) % 8;
    local short *shorts = (local short *)later;
    local uchar *bytes = (local uchar *)later;
    shorts[id] = in[id] * 300; bytes[1000 + id] = id + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(other * 300, shorts[other]); ASSERT(other + 1, bytes[1000 + other]); ASSERT(1, events != 0);
}
// Pointers that become integers may point to the local memory of any kernel. The arguments of all of these kernels
// would have 40 KiB, those of each have 2.
#define AS_INTEGERS(n)                                                                               \
    kernel void test_integers_##n(global uint *record, local int *a, local int *b, global int *in) { \
        int id = get_local_id(0), other = (id + n) % 8;                                              \
        size_t places[2] = {(size_t)(a + id), (size_t)(b + 255 - id)};                               \
        *(local int *)places[in[0]] = id + n;                                                        \
        *(local int *)places[in[1]] = id - n;                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                \
        ASSERT(other + n, a[other]); ASSERT(other - n, b[255 - other]);                              \
    }
AS_INTEGERS(1) AS_INTEGERS(2) AS_INTEGERS(3) AS_INTEGERS(4) AS_INTEGERS(5) AS_INTEGERS(6) AS_INTEGERS(7)
AS_INTEGERS(8) AS_INTEGERS(9) AS_INTEGERS(10) AS_INTEGERS(11) AS_INTEGERS(12) AS_INTEGERS(13) AS_INTEGERS(14)
AS_INTEGERS(15) AS_INTEGERS(16) AS_INTEGERS(17) AS_INTEGERS(18) AS_INTEGERS(19) AS_INTEGERS(20)
