// SPDX-License-Identifier: Apache-2.0
// ALWAYS: private-in-buffers descriptors
// OPTIONS: -cl-std=CL2.0
// RUN: global=1
// RUN: global=67 local=5 offset=1000
// RUN: global=6,5,3 local=4,2,2 offset=3,0,7
// RUN: global=256 local=64
// Private objects of 16 KiB and more, which some drivers take only in a buffer, and much used ones: of every type, in
// structs, passed to functions and as generic pointers, in several work-items at a time.
#include "assert.h"

// Tells work-items apart.
#define SALT ((uint)(get_global_id(0) * 7 + get_global_id(1) * 11 + get_global_id(2) * 13))

#define ARRAY(type, count)                                                                                   \
    kernel void test_##type(global uint *record, global int *in) {                                           \
        type a[count];                                                                                       \
        const uint salt = SALT;                                                                              \
        AS_IT_STANDS for (int i = 0; i < count; i++) a[i] = (type)(i * 3 + salt);                            \
        AS_IT_STANDS for (int i = in[1]; i < count; i += 97) a[i] += a[i - 1];                               \
        uint wrong = 0;                                                                                      \
        AS_IT_STANDS for (int i = 0; i < count; i++)                                                         \
            wrong += a[i] != ((i - 1) % 97 == 0 ? (type)((type)(i * 3 + salt) + (type)((i - 1) * 3 + salt))  \
                                                : (type)(i * 3 + salt));                                     \
        ASSERT(0, wrong);                                                                                    \
    }
ARRAY(uchar, 20000)
ARRAY(ushort, 8192)
ARRAY(uint, 4096)
ARRAY(ulong, 2100)
ARRAY(float, 4099)

#define VECTORS(type, scalar, count)                                                                         \
    kernel void test_##type(global uint *record, global int *in) {                                           \
        type a[count];                                                                                       \
        const uint salt = SALT;                                                                              \
        AS_IT_STANDS for (int i = 0; i < count; i++) a[i] = (type)((scalar)(i + salt));                      \
        a[in[5]].y = (scalar)77;                                                                             \
        ((scalar *)a)[in[60]] = (scalar)78;                                                                  \
        a[in[9]].xy = a[in[8]].zw + (scalar)1;                                                               \
        type sum = 0;                                                                                        \
        AS_IT_STANDS for (int i = in[4]; i < in[7]; i++) sum += a[i];                                        \
        ASSERT((uint)(scalar)(15 + 3 * salt), (uint)sum.x);                                                  \
        ASSERT((uint)(scalar)(77 + 10 + 2 * salt), (uint)sum.y);                                             \
        ASSERT(78, (uint)a[15].x); ASSERT((uint)(scalar)(15 + salt), (uint)a[15].y);                         \
        ASSERT((uint)(scalar)(9 + salt), (uint)a[9].x); ASSERT((uint)(scalar)(9 + salt), (uint)a[in[9]].w);  \
    }
VECTORS(uchar4, uchar, 5000)
VECTORS(short4, short, 2500)
VECTORS(float4, float, 1100)
VECTORS(long4, long, 600)

kernel void test_vectors_of_three(global uint *record, global int *in) {
    float3 a[1100];
    const uint salt = SALT;
    AS_IT_STANDS for (int i = 0; i < 1100; i++) a[i] = (float3)(i, salt, i + salt);
    a[in[3]].z = 5;
    vstore3((float3)(1, 2, 3), in[7], (float *)a);
    const float3 read = vload3(in[6], (float *)a + 5);
    ASSERT(1, a[5].y); ASSERT(2, a[5].z); ASSERT(3, read.x); ASSERT(6, read.y); ASSERT(5, a[3].z);
    ASSERT(salt, a[1099].y); ASSERT(1099 + salt, a[in[255] + 844].z);
}

// As PKZIP's decoders keep it.
typedef struct {
    uint bits, count;
    ushort table[2][288];
    uchar lengths[320];
    uchar window[65536];
    ulong sum;
    struct { short code; uchar bits; } nodes[2000];
} Inflate;

void put(Inflate *state, uint value) {
    state->window[state->count++ & 65535] = (uchar)value;
    state->sum += value;
}

uint fill(Inflate *state, uint turns, uint salt) {
    AS_IT_STANDS for (uint i = 0; i < turns; i++) {
        put(state, i * 5 + salt);
        state->table[i & 1][i % 288] = (ushort)(i + salt);
        state->nodes[i % 2000].code = (short)-i;
        state->nodes[i % 2000].bits = (uchar)i;
    }
    return state->count;
}

kernel void test_struct(global uint *record, global int *in) {
    Inflate state;
    const uint salt = SALT;
    state.count = in[0]; state.sum = 1ul << 40;
    ASSERT(3000, fill(&state, 3000, salt));
    ASSERT((uchar)(2999 * 5 + salt), state.window[2999]);
    ASSERT((ushort)(2881 + salt), state.table[in[1]][1]);
    ASSERT(-2500, state.nodes[in[250] * 2].code); ASSERT((uchar)2500, state.nodes[500].bits);
    ASSERT_LONG((1ul << 40) + 5ul * 2999 * 1500 + 3000ul * salt, state.sum);
    Inflate copy = state;
    put(&copy, 9);
    ASSERT(3000, state.count); ASSERT(3001, copy.count); ASSERT(9, copy.window[in[255] * 11 + 195]);
    ASSERT((uchar)(2998 * 5 + salt), copy.window[2998]);
}

// Bytes and words of one object, at any alignment.
kernel void test_puns(global uint *record, global int *in, global uchar *out) {
    union { uchar bytes[20000]; uint words[5000]; ulong longs[2500]; } u;
    const uint salt = SALT;
    AS_IT_STANDS for (int i = 0; i < 5000; i++) u.words[i] = 0x01010101u * (uint)(i & 63) + salt;
    u.bytes[in[17]] = 200;
    ASSERT((0x04040404u + salt & 0xffff00ffu) | 200u << 8, u.words[4]);
    ASSERT_LONG((ulong)(0x03030303u + salt) << 32 | (0x02020202u + salt), u.longs[in[1]]);
    uint odd;
    __builtin_memcpy(&odd, u.bytes + in[41], 4);
    ASSERT((0x0a0a0a0au + salt) >> 8 | (0x0b0b0b0bu + salt) << 24, odd);
    __builtin_memcpy(u.bytes + in[101], u.bytes + in[200], 50);
    ASSERT((uchar)(0x32323232u + salt), u.bytes[101]);
    __builtin_memset(u.bytes + in[3], in[255], 10000);
    ASSERT(0xffffffffu, u.words[1]); ASSERT(0xffffffffu, u.words[2499]);
    ASSERT((0x04040404u + salt) >> 24, u.bytes[10003 + in[0]]);
}

// Several arrays, of which a pointer points to one; a function that is called, not inlined.
int at(generic int *p, int i) { return p[i]; }

kernel void test_pointers(global uint *record, global int *in, global int *out) {
    int a[5000], b[5000], small[4] = {1, 2, 3, 4};
    local int near[4];
    const int salt = (int)SALT;
    AS_IT_STANDS for (int i = 0; i < 5000; i++) { a[i] = i + salt; b[i] = -i - salt; }
    if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) near[1] = 17;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = in[1] ? b : a;
    p[in[100]] = 5;
    ASSERT(5, b[100]); ASSERT(100 + salt, a[100]); ASSERT(in[3] - in[1], small[1]);
    generic int *g = in[2] ? (generic int *)(a + 10) : (generic int *)near;
    g[in[1]]++;
    ASSERT(12 + salt, a[11]); ASSERT(12 + salt, at(g, 1));
    g = in[0] ? (generic int *)a : (generic int *)near;
    ASSERT(17, at(g, in[1]));
    ASSERT(10, &a[in[20]] - &a[in[10]]); ASSERT(1, &a[in[3]] < &a[4999]); ASSERT(1, p != 0);
    int *table[2] = {a + 1, b + 2};
    ASSERT(-(in[5] + salt), table[in[1]][3]); ASSERT(4 + salt, *(table[in[0]] + 3));
}

// Every work-item has its own across barriers, and what it wrote before them.
kernel void test_barriers(global uint *record, global int *in) {
    uint a[4200];
    local uint sum;
    const uint salt = SALT;
    AS_IT_STANDS for (uint i = 0; i < 4200; i++) a[i] = i ^ salt;
    uint wrong = 0;
    AS_IT_STANDS for (int turn = 0; turn < 3; turn++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) + get_local_id(1) + get_local_id(2) == 0) sum = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_add(&sum, a[in[7] + turn] ^ salt);
        barrier(CLK_LOCAL_MEM_FENCE);
        wrong += sum != (7 + turn) * get_local_size(0) * get_local_size(1) * get_local_size(2);
        a[turn + 4000] = turn;
    }
    AS_IT_STANDS for (uint i = 0; i < 4000; i++) wrong += a[i] != (i ^ salt);
    ASSERT(0, wrong); ASSERT(2, a[4002]);
}

// Atomic operations on private memory.
kernel void test_atomics(global uint *record, global int *in) {
    atomic_int a[4500];
    AS_IT_STANDS for (int i = 0; i < 4500; i++) atomic_init(&a[i], i);
    atomic_int *p = a + in[200];
    ASSERT(200, atomic_fetch_add(p, 5)); ASSERT(205, atomic_exchange(p, 6));
    int expected = 6;
    ASSERT(1, atomic_compare_exchange_strong(p, &expected, 9)); ASSERT(9, atomic_load(&a[200])); ASSERT(201, atomic_load(&a[201]));
}

// More accesses than a compiler should compare with each other.
#define STEP(k) a[(i * 3 + (k)) & 63] = a[(i + 5 * (k)) & 63] * (2 * (k) + 1) + (k);
#define STEPS_4(k) STEP(k) STEP((k) + 1) STEP((k) + 2) STEP((k) + 3)
#define STEPS_20(k) STEPS_4(k) STEPS_4((k) + 4) STEPS_4((k) + 8) STEPS_4((k) + 12) STEPS_4((k) + 16)
#define STEPS_100(k) STEPS_20(k) STEPS_20((k) + 20) STEPS_20((k) + 40) STEPS_20((k) + 60) STEPS_20((k) + 80)

kernel void test_many_accesses(global uint *record, global uint *in) {
    uint a[64], b[64], wrong = 0;
    const uint i = in[SALT % 200];
    AS_IT_STANDS for (uint k = 0; k < 64; k++) a[k] = b[k] = k + in[7];
    STEPS_100(0) STEPS_100(100) STEPS_4(200) STEPS_4(204)
    AS_IT_STANDS for (uint k = 0; k < 208; k++) b[(i * 3 + k) & 63] = b[(i + 5 * k) & 63] * (2 * k + 1) + k;
    AS_IT_STANDS for (uint k = 0; k < 64; k++) wrong += a[k] != b[k];
    ASSERT(0, wrong);
}
