// SPDX-License-Identifier: Apache-2.0
// ALWAYS: merge-calls
// Functions that are called from many places with pointers to private memory, from within loops and conditions. In the
// form for compilers that inline every call (merge_calls), their calls become one. A C compiler computed the values. 1.3.13-1, 1.13-1.
// RUN: global=16 local=16
#include "assert.h"

typedef struct {
    uint state[4];
    uchar bytes[32];
    uint length;
} Hash;

void mix(Hash* hash, const uchar* data) {
    uint a = hash->state[0], b = hash->state[1], c = hash->state[2], d = hash->state[3];
    for (uint i = 0; i < 8; ++i) {
        a = rotate(a + (b ^ (c | ~d)) + data[i], 7u) + b;
        d = rotate(d + (a ^ (b | ~c)) + data[i] * 3u, 10u) + a;
        c = rotate(c + (d ^ (a | ~b)) + data[i] * 5u, 15u) + d;
        b = rotate(b + (c ^ (d | ~a)) + data[i] * 7u, 21u) + c;
        a ^= (b & c) | (~b & d);
        c ^= (d & a) | (~d & b);
        d = rotate(d * 0x9E3779B1u, 5u) ^ (a >> 3);
        b = rotate(b * 0x85EBCA6Bu, 13u) ^ (c >> 7);
        a += rotate(b, 3u) ^ rotate(c, 11u) ^ rotate(d, 19u);
        c += rotate(a, 6u) ^ rotate(b, 14u) ^ rotate(d, 22u);
        b ^= mul_hi(a, 0xC2B2AE35u) + (c << 4);
        d ^= mul_hi(c, 0x27D4EB2Fu) + (a << 9);
    }
    hash->state[0] += a;
    hash->state[1] += b;
    hash->state[2] += c;
    hash->state[3] += d;
}

// The bytes that do not fill a block of 8 wait in the hash.
void add(Hash* hash, const uchar* data, uint length) {
    const uint waiting = hash->length % 8;
    hash->length += length;
    if (waiting + length < 8) {
        for (uint i = 0; i < length; ++i) hash->bytes[waiting + i] = data[i];
        return;
    }
    uint used = 0;
    if (waiting != 0) {
        for (; used < 8 - waiting; ++used) hash->bytes[waiting + used] = data[used];
        mix(hash, hash->bytes);
    }
    for (; used + 8 <= length; used += 8) mix(hash, data + used);
    for (uint i = 0; used + i < length; ++i) hash->bytes[i] = data[used + i];
}

uint finish(Hash* hash, uint seed) {
    uchar end[8] = {0x80, 1, 2, 3, 4, 5, 6, 7};
    add(hash, end, 8 - hash->length % 8);
    mix(hash, hash->bytes);
    return hash->state[seed & 3] ^ hash->length;
}

void begin(Hash* hash, uint seed) {
    for (uint i = 0; i < 4; ++i) hash->state[i] = seed * (i + 1) + 0x67452301u;
    for (uint i = 0; i < 32; ++i) hash->bytes[i] = (uchar)i;
    hash->length = 0;
}

// What to pass, where to go on, and values that are used after each call differ. One call is in a loop, one in a
// condition, and one's result is the next one's argument.
uint work(uint id) {
    Hash inner, outer;
    uchar text[24], more[11];
    for (uint i = 0; i < 24; ++i) text[i] = (uchar)(id * 17 + i);
    for (uint i = 0; i < 11; ++i) more[i] = (uchar)(id ^ (i * 29));
    begin(&inner, id);
    begin(&outer, ~id);
    const uint before = id * 3 + 1;
    add(&inner, text, 24);
    const uint between = inner.state[1] ^ before;
    for (uint i = 0; i < id % 5; ++i) {
        add(&outer, more, 11);
        if ((outer.state[0] & 1) != 0) continue;
        add(&inner, text + i, 5);
        if ((inner.state[2] & 7) == 3) break;
    }
    if (id % 3 == 1) add(&inner, more, id % 11);
    const uint first = finish(&inner, id);
    for (uint i = 0; i < 4; ++i) text[i] = (uchar)(first >> (8 * i));
    add(&outer, text, id % 3 == 2 ? 4 : 20);
    const uint last = finish(&outer, first);
    return last ^ between ^ (first * before);
}

constant uint kWork[16] = {
    0xdf4a2719u, 0xe5b37ff8u, 0xde404e5fu, 0xc98465d3u, 0x309ecbbfu, 0xa54c88dfu,
    0x597ad263u, 0xd39fd58cu, 0xffb30723u, 0xbbfe8c3bu, 0x47606e62u, 0xb4d61aefu,
    0xb84407b6u, 0xafd36b1au, 0x8d98317bu, 0xb848cc84u};

kernel void test_work(global uint *record, global uint *in) {
    const uint id = get_global_id(0);
    ASSERT(work(id), kWork[id]);
}

// Other buffers, and the same one at several places.
uint sum(global const uint *from, const uint *factors, uint count) {
    uint total = 0;
    for (uint i = 0; i < count; ++i) {
        total = rotate(total, 3u) + from[i] * factors[i % 3];
        total ^= rotate(total, 17u) * (from[count - 1 - i] | 1u);
        total += (total >> 5) * factors[(i + 1) % 3] ^ (total << 11) * factors[(i + 2) % 3];
    }
    return total;
}

constant uint kBoth[16] = {
    0xb233119fu, 0x2260a992u, 0x45bde7a5u, 0xbad786a2u, 0x47a9de5bu, 0x5314e4a1u,
    0x50329286u, 0xee452528u, 0x411e9d47u, 0x6c2c8eafu, 0x9e2daafbu, 0xfdc85b2au,
    0x4549d1c3u, 0x3aafb91cu, 0xbaa5d697u, 0x162c3eaau};

kernel void test_buffers(global uint *record, global uint *in) {
    const uint id = get_global_id(0);
    global uint *one = in + 32 * id, *two = one + 16;
    for (uint i = 0; i < 16; ++i) one[i] = i * i + 1;
    for (uint i = 0; i < 16; ++i) two[i] = i * 1000003u;
    uint odd[3] = {3, 5, 7}, even[3] = {2, id, 6};
    uint total = sum(one, odd, 9);
    switch (id % 4) {
        case 0: total += sum(one, even, 9); break;
        case 1: total ^= sum(two, odd, 5); break;
        case 2: total -= sum(two, even, 7);  // and on
        default: total *= sum(one, even, 4) | 1;
    }
    ASSERT(total + sum(two, odd, id), kBoth[id]);
}

// A barrier between calls, and one in a function that is called: they stay where they are.
void exchange(local uint *shared, uint *value, uint id) {
    shared[id] = *value;
    barrier(CLK_LOCAL_MEM_FENCE);
    *value = shared[15 - id] * 3 + id;
    barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(16, 1, 1))) void test_barriers(global uint *record, global uint *in) {
    local uint shared[16];
    const uint id = get_local_id(0);
    uint value = id, other = 0;
    if (id > 7) value += work(id);
    exchange(shared, &value, id);
    if (id < 5) other = work(id + 1);
    exchange(shared, &value, id);
    exchange(shared, &other, id);
    const uint mine = id + (id > 7 ? kWork[id] : 0);
    ASSERT(value, (mine * 3 + 15 - id) * 3 + id);
    ASSERT(other, (id > 10 ? kWork[16 - id] : 0) * 3 + id);
}
