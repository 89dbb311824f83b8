// SPDX-License-Identifier: Apache-2.0
// Local objects that a kernel accesses by several widths: work-items store neighbouring bytes of one word at once, and words,
// halves, longs and vectors read them (1.5.2-1). local_arguments.cl has arguments, unaligned_objects.cl packed structs.
// OPTIONS: -cl-std=CL3.0
// RUN: global=64 local=32
#include "assert.h"
// RC4's first exchanges, as password crackers have them: a word of each work-item after another, first contents by words.
#define AT(k) ((local uchar *)table)[((k) & 3) + ((k) / 4) * 128 + id * 4]
uint mix(local uint *table, uint id, uint key) {
    uint j = 0;
    AS_IT_STANDS for (uint i = 0; i < 64; i++) {
        j = (j + AT(i) + (key >> (i & 7))) & 63;
        uchar a = AT(i);
        AT(i) = AT(j); AT(j) = a;
    }
    return AT(AT(7) & 63) | AT(9) << 8;
}
kernel void test_table(global uint *record, global int *in) {
    local uint table[16 * 32];
    uint id = get_local_id(0), key = in[id] * 40503u;
    for (uint i = 0; i < 16; i++) table[i * 32 + id] = 0x03020100u + 0x04040404u * i;
    uint found = mix(table, id, key);
    uchar mine[64];
    for (uint i = 0; i < 64; i++) mine[i] = in[i];
    uint j = 0;
    AS_IT_STANDS for (uint i = 0; i < 64; i++) {
        j = (j + mine[i] + (key >> (i & 7))) & 63;
        uchar a = mine[i];
        mine[i] = mine[j]; mine[j] = a;
    }
    ASSERT(mine[mine[7] & 63] | mine[9] << 8, found);
    uint whole = table[in[5] * 32 + id];
    ASSERT(mine[20] | mine[21] << 8 | mine[22] << 16 | (uint)mine[23] << 24, whole);
}
// Each byte, short and int of a word is another work-item's.
kernel void test_neighbours(global uint *record, global int *in) {
    local ulong object[32];
    local uchar *bytes = (local uchar *)object;
    local ushort *shorts = (local ushort *)object;
    uint id = get_local_id(0);
    object[id] = 0xa1a2a3a4a5a6a7a8ul;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 2; i++) bytes[64 * i + id] = in[id] + 64 * i;
    shorts[64 + id] = 1000 + in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT_LONG(0x0706050403020100ul, object[0]); ASSERT_LONG(0xa1a2a3a4a5a6a7a8ul, object[5]);
    ASSERT_LONG(0x4746454443424140ul, object[8]); ASSERT(0x1d1c, shorts[14]); ASSERT(1031, shorts[95]);
    ASSERT(1002 | 1003 << 16, ((local uint *)object)[33 + in[0]]);
    ASSERT(0x13121110, as_uint(((local float *)object)[in[4]]));
}
// Atomic operations on a word of which others store bytes; the counter and its neighbours are one object.
kernel void test_atomics(global uint *record, global int *in) {
    local uint object[40];
    uint id = get_local_id(0);
    object[id] = 0; if (id < 8) object[32 + id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&object[in[1]], in[id]);
    ((local uchar *)object)[8 + id] = id ^ 0x55;
    atomic_or(&object[20 + (in[id] & 1)], 1u << id);
    atomic_max((local int *)&object[30], in[id] * 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(496, object[1]); ASSERT(0x55555555, object[20]); ASSERT(0xaaaaaaaa, object[21]); ASSERT(93, object[30]);
    ASSERT(0x55 ^ 31, ((local uchar *)object)[39]); ASSERT(0x56575455, object[2]); ASSERT(0, object[0]);
}
// Vectors at the alignment of their elements, across words.
kernel void test_vectors(global uint *record, global int *in) {
    local uchar object[256];
    uint id = get_local_id(0);
    for (int i = 0; i < 8; i++) object[8 * id + i] = 8 * id + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    ushort4 s = vload4(0, (local ushort *)(object + 2 * in[3])); ASSERT(0x0706, s.x); ASSERT(0x0d0c, s.w);
    uint3 w = vload3(in[1], (local uint *)(object + 4)); ASSERT(0x13121110, w.x); ASSERT(0x1b1a1918, w.z);
    float2 f = vload2(0, (local float *)(object + 4 * in[5])); ASSERT(0x1b1a1918, as_uint(f.y));
    ulong2 l = vload2(0, (local ulong *)(object + 8 * in[id & 7])); ASSERT_LONG((l.x >> 56) + 1, l.y & 0xff);
    uchar16 b = vload16(0, object + 3 * in[7]); ASSERT(21, b.s0); ASSERT(36, b.sf);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id == 3) vstore3((uchar3)(201, 202, 203), in[1], object + 2);
    if (id == 4) vstore4((ushort4)(1, 2, 3, 0x405), 0, (local ushort *)(object + 2 * in[5]));
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(0xcbcac904, ((local uint *)object)[in[1]]);
    ASSERT(201, object[5]); ASSERT(203, object[7]); ASSERT(8, object[8]); ASSERT(9, object[9]); ASSERT(4, object[17]);
    ASSERT(1, object[10]); ASSERT(5, object[16]); ASSERT(18, object[18]); ASSERT(4, object[4]);
}
// Pointers that are chosen at run time between a variable, an argument and parts of them; NULL is none of them.
uint sum_of(local uchar *p, uint count) {
    uint sum = 0;
    AS_IT_STANDS for (uint i = 0; i < count; i++) sum += p ? p[i] : 1000;
    return sum;
}
kernel void test_chosen(global uint *record, local uint *words, global int *in, local short *shorts) {
    local uint own[32];
    local float other[32];
    uint id = get_local_id(0);
    words[id] = 0x01010101u * id; own[id] = 0x02020202u * id; shorts[id] = -in[id]; other[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    local uint *chosen = in[id] & 1 ? words : own;
    local uchar *bytes = (local uchar *)(chosen + in[3]);
    ASSERT((id & 1 ? 1 : 2) * (4 * 3 + 4 * 4), sum_of(bytes, 8)); ASSERT(8000, sum_of(in[id] < 0 ? bytes : 0, 8));
    ASSERT(id & 1 ? 0x05050505 : 0x0a0a0a0a, chosen[in[5]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    bytes = in[id] & 2 ? (local uchar *)shorts : (local uchar *)other;
    ASSERT(id & 2 ? 0xfd : 0x80, bytes[in[6]]); ASSERT(-31, shorts[31]); ASSERT_BITS(0x41f80000, other[31]);
    ASSERT(1, own < own + in[1]); ASSERT(20, (local uchar *)(own + in[5]) - (local uchar *)own);
}
// Another kernel of the program, whose function the first one calls too.
kernel void test_other(global uint *record, global int *in) {
    local uint table[16 * 32];
    local int plain[32];
    uint id = get_local_id(0);
    for (uint i = 0; i < 16; i++) table[i * 32 + id] = 0x03020100u + 0x04040404u * i;
    plain[id] = in[id];
    uint found = mix(table, id, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(31 - id, plain[31 - id]); ASSERT(1, found < 0x4040);
}
#ifdef __opencl_c_work_group_collective_functions
kernel void test_beside_reduction(global uint *record, global int *in) {
    local uint object[32];
    uint id = get_local_id(0);
    object[id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ((local uchar *)object)[id] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(496, work_group_reduce_add(((local uchar *)object)[id])); ASSERT(0x1f1e1d1c, object[7]);
}
#endif
