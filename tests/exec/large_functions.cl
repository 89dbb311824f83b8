// SPDX-License-Identifier: Apache-2.0
// Functions too large to be copied to each of their calls, which read and write their callers' private objects. What they
// compute is compared with the same rounds without a function. 1.3.13-1, 1.13-1.
// RUN: global=1
#include "assert.h"

#define ROUND(a, b, c, d, k) a += (b ^ c) + d * k; b = (b << 7 | b >> 25) ^ a; c -= a & d; d ^= c >> 3;
#define ROUNDS_4(a, b, c, d, k) ROUND(a, b, c, d, k) ROUND(b, c, d, a, k) ROUND(c, d, a, b, k) ROUND(d, a, b, c, k)
#define ROUNDS(a, b, c, d, k) ROUNDS_4(a, b, c, d, k) ROUNDS_4(d, c, b, a, k + 1) ROUNDS_4(a, c, d, b, k + 2)

#define MIX(mix) uint mix(const uint *w, uint *h, uint k) { \
        uint a = h[0] + w[0], b = h[1] + w[1], c = h[2] ^ w[2], d = h[3] ^ w[3]; \
        ROUNDS(a, b, c, d, k) \
        if (a == k) return 0; \
        h[0] = a; \
        h[1] += b; \
        if (k & 1) h[2] = c; \
        h[3] ^= w[0] + d; \
        return a ^ d; \
    }
MIX(mix)
MIX(mix_anything)  // called with objects that overlap

struct state { uint h[4], w[4]; ulong count; uchar tag; };

void update(struct state *s, uint *log, const uint k) {
    s->count += k;
    if (s->count == 99) return;
    log[0] ^= mix(s->w, s->h, k);
    s->tag++;
    log[1] += mix(s->h, s->w, k + s->tag);
    ROUNDS(s->h[0], s->h[1], s->w[2], s->w[3], k)
}

#define REFERENCE(w, h, k, result) do { \
        uint a = h[0] + w[0], b = h[1] + w[1], c = h[2] ^ w[2], d = h[3] ^ w[3]; \
        ROUNDS(a, b, c, d, (k)) \
        h[0] = a; h[1] += b; if ((k) & 1) h[2] = c; h[3] ^= w[0] + d; result = a ^ d; } while (0)
#define MORE_ROUNDS(s) ROUNDS(s.h[0], s.h[1], s.w[2], s.w[3], k)
#define ASSERT_SAME(x, y) for (int n = 0; n < 4; n++) ASSERT((x)[n], (y)[n])

kernel void test_arrays(global uint *record, global uint *in) {
    uint w[8], h[4], x[4], result;
    for (int i = 0; i < 8; i++) w[i] = in[i + 5] * 0x9e3779b9;
    for (int i = 0; i < 4; i++) x[i] = h[i] = in[i + 1];
    uint got = mix(w, h, in[2]);
    REFERENCE(w, x, in[2], result);
    ASSERT(result, got);
    ASSERT_SAME(x, h);
    got = mix(w + 4, h, in[3]);
    REFERENCE((w + 4), x, in[3], result);
    ASSERT(result, got);
    ASSERT_SAME(x, h);
}

kernel void test_overlap(global uint *record, global uint *in) {
    uint h[8], x[8], result;
    for (int i = 0; i < 8; i++) x[i] = h[i] = in[i + 1] * 77777;
    uint got = mix_anything(h, h, in[3]);
    REFERENCE(x, x, in[3], result);
    ASSERT(result, got);
    ASSERT_SAME(x, h);
    got = mix_anything(h + 1, h, in[4]);
    REFERENCE((x + 1), x, in[4], result);
    ASSERT(result, got);
    ASSERT_SAME(x, h);
    uint *somewhere = in[0] ? h + 3 : h + 2;
    uint *there = in[0] ? x + 3 : x + 2;
    got = mix_anything(h, somewhere, in[5]);
    REFERENCE(x, there, in[5], result);
    ASSERT(result, got);
    ASSERT_SAME(x, h);
    ASSERT_SAME(x + 4, h + 4);
}

kernel void test_structs(global uint *record, global uint *in) {
    struct state s[2], t;
    uint log[2] = {in[1], in[2]}, expected[2] = {in[1], in[2]}, result;
    for (int i = 0; i < 4; i++) t.h[i] = in[i + 1] * 1000003, t.w[i] = in[i + 9] << 20;
    t.count = in[7];
    t.tag = 255;
    s[0] = s[1] = t;
    update(&s[0], log, in[6]);
    update(&t, log, in[7]);
    update(&s[0], log, 99 - 13);  // leaves at once
    REFERENCE(s[1].w, s[1].h, in[6], result);
    expected[0] ^= result;
    REFERENCE(s[1].h, s[1].w, in[6], result);
    expected[1] += result;
    uint k = in[6];
    MORE_ROUNDS(s[1])
    ASSERT_SAME(s[1].h, s[0].h);
    ASSERT_SAME(s[1].w, s[0].w);
    ASSERT(0, s[0].tag);
    ASSERT_LONG(99, s[0].count);
    ASSERT_LONG(14, t.count);
    for (int i = 0; i < 4; i++) s[1].h[i] = in[i + 1] * 1000003, s[1].w[i] = in[i + 9] << 20;
    REFERENCE(s[1].w, s[1].h, in[7], result);
    expected[0] ^= result;
    REFERENCE(s[1].h, s[1].w, in[7], result);
    expected[1] += result;
    k = in[7];
    MORE_ROUNDS(s[1])
    ASSERT_SAME(s[1].h, t.h);
    ASSERT_SAME(s[1].w, t.w);
    ASSERT(expected[0], log[0]);
    ASSERT(expected[1], log[1]);
}

uint guarded(uint *p, uint n) {  // there are n
    uint a = p[0], b = n, c = 3, d = 4;
    ROUNDS(a, b, c, d, 5)
    ROUNDS(a, b, c, d, 6)
    if (n > 1) p[1] = a;
    if (n > 2) p[2] = b;
    return c;
}

kernel void test_guards(global uint *record, global uint *in) {
    uint one[1] = {in[1]}, beside[2] = {in[20], in[21]}, three[3] = {in[1], in[2], in[3]};
    const uint c = guarded(one, in[1]);
    guarded(three, in[1]);
    ASSERT(2, three[1]);
    ASSERT(3, three[2]);
    ASSERT(20, beside[0]);
    ASSERT(1, one[0]);
    const uint two = guarded(beside, in[2]);
    ASSERT(1, beside[1] != 21);
    ASSERT(1, c != two);
}

// ---- Arrays that are indexed at run time, as long as the caller's ----

#define SCRAMBLE(w, n, k) \
    uint a = k, b = n, c = w[0], d = w[n - 1]; \
    for (uint i = 0; i < n; i++) { \
        ROUNDS(a, b, c, d, w[i]) \
        w[i] = a ^ w[(i + 3) % n]; \
        ROUNDS(d, c, b, a, 9) \
    }
uint scramble(uint *w, uint n, uint k) { SCRAMBLE(w, n, k) return d; }
uint scramble_twice(uint *w, uint n, uint k) { return scramble(w, n, k) + scramble(w, n, k + 1); }
uint scramble_state(struct state *s, uint k) {
    ROUNDS(s->h[k % 4], s->h[1], s->w[k % 3], s->w[3], k)
    ROUNDS(s->h[0], s->h[1], s->w[0], s->w[k % 4], k)
    s->count += k;
    return scramble(s->w, 4, k) ^ s->h[(k + 1) % 4];
}
uint scramble_before(uint *end, uint n, uint k) { SCRAMBLE((end - n), n, k) return d; }
uint scramble_some(uint *w, uint n, uint k) { SCRAMBLE((w + k % 2), n, k) return d; }  // from a place that is not known

kernel void test_lengths(global uint *record, global uint *in) {
    uint eight[8], rows[3][5], one = in[9], x[8], y[3][5], z = one;
    for (int i = 0; i < 8; i++) x[i] = eight[i] = in[i + 1] * 0x9e3779b9;
    for (int i = 0; i < 15; i++) y[i / 5][i % 5] = rows[i / 5][i % 5] = in[i + 3] * 0x85ebca6b;
    uint got = scramble(eight, in[8], in[2]);
    { SCRAMBLE(x, 8, 2) ASSERT(d, got); }
    got = scramble(rows[1], in[5], in[3]);
    { SCRAMBLE(y[1], 5, 3) ASSERT(d, got); }
    got = scramble(&one, in[1], in[4]);
    { uint *p = &z; SCRAMBLE(p, 1, 4) ASSERT(d, got); }
    got = scramble_twice(eight, in[7], in[5]);
    { SCRAMBLE(x, 7, 5) got -= d; }
    { SCRAMBLE(x, 7, 6) ASSERT(d, got); }
    got = scramble_twice(rows[2], in[4], in[6]);
    { SCRAMBLE(y[2], 4, 6) got -= d; }
    { SCRAMBLE(y[2], 4, 7) ASSERT(d, got); }
    got = scramble_before(eight + 8, in[6], in[7]);
    { SCRAMBLE((x + 2), 6, 7) ASSERT(d, got); }
    got = scramble_before(eight + in[4], in[3], in[8]);
    { SCRAMBLE((x + 1), 3, 8) ASSERT(d, got); }
    got = scramble_some(eight + in[1], in[5], in[9]);
    { SCRAMBLE((x + 2), 5, 9) ASSERT(d, got); }
    got = scramble_some(rows[0], in[5], in[10]);
    { SCRAMBLE(y[0], 5, 10) ASSERT(d, got); }
    for (int i = 0; i < 8; i++) ASSERT(x[i], eight[i]);
    for (int i = 0; i < 15; i++) ASSERT(y[i / 5][i % 5], rows[i / 5][i % 5]);
    ASSERT(z, one);
}

kernel void test_members(global uint *record, global uint *in) {
    struct state s[2], t[2];
    for (int i = 0; i < 4; i++) {
        s[0].h[i] = t[0].h[i] = in[i + 1] * 1000003;
        s[0].w[i] = t[0].w[i] = in[i + 9] << 20;
    }
    s[0].count = in[1];
    s[1] = s[0];
    t[1] = t[0];
    for (uint u = 0; u < 2; u++) {
        const uint k = 5 + u, got = u == 0 ? scramble_state(&s[0], in[5]) : scramble_state(&s[1], in[6]);
        ROUNDS(t[u].h[k % 4], t[u].h[1], t[u].w[k % 3], t[u].w[3], k)
        ROUNDS(t[u].h[0], t[u].h[1], t[u].w[0], t[u].w[k % 4], k)
        SCRAMBLE(t[u].w, 4, k)
        ASSERT(d ^ t[u].h[(k + 1) % 4], got);
        ASSERT_SAME(t[u].h, s[u].h);
        ASSERT_SAME(t[u].w, s[u].w);
        ASSERT_LONG(1 + k, s[u].count);
    }
}

// ---- Tables in local memory, and results in place of what they are made of ----

#define CIPHER(key, in, out, table, other) do { \
        uint a = in[0] ^ key[0], b = in[1] ^ key[1], c = in[2], d = in[3]; \
        for (uint i = 0; i < 3; i++) { \
            ROUNDS(a, b, c, d, table[a % 16]) \
            ROUNDS(b, c, d, a, other[b % 8]) \
        } \
        out[0] = a; \
        out[1] = b ^ in[0]; \
        out[3] = d + in[1]; \
        out[2] = c - in[3]; \
    } while (0)
void encrypt(const uint *key, const uint *in, uint *out, local const uint *table, local const uint *other) {
    CIPHER(key, in, out, table, other);
}
void encrypt_both(const uint *key, uint *left, uint *right, local const uint *table) {
    encrypt(key, left, right, table, table + 8);
    encrypt(key, right, right, table, table + 8);
    encrypt(right, left, left, table, table + 1);
}

kernel void test_tables(global uint *record, global uint *in) {
    local uint first[16], second[16];
    for (uint i = 0; i < 16; i++) first[i] = in[i] * 0x9e3779b9, second[i] = in[i] * 0x85ebca6b;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint key[2] = {in[3], in[4]}, left[4], right[4], x[4], y[4];
    for (int i = 0; i < 4; i++) x[i] = left[i] = in[i + 1] * 77777, y[i] = right[i] = in[i + 6] * 99991;
    encrypt(key, left, right, first, second);
    CIPHER(key, x, y, first, second);
    encrypt(key, right, right, first, second);
    CIPHER(key, y, y, first, second);
    encrypt(key, right, left, first, second);
    CIPHER(key, y, x, first, second);
    encrypt(key, left, left, first, second);
    CIPHER(key, x, x, first, second);
    encrypt(left, left, left, second, first);
    CIPHER(x, x, x, second, first);
    encrypt(left, right, left, second, first + in[3]);  // an unknown part of a known table
    CIPHER(x, y, x, second, (first + 3));
    ASSERT_SAME(x, left);
    ASSERT_SAME(y, right);
    encrypt_both(key, left, right, second);
    CIPHER(key, x, y, second, (second + 8));
    CIPHER(key, y, y, second, (second + 8));
    CIPHER(y, x, x, second, (second + 1));
    ASSERT_SAME(x, left);
    ASSERT_SAME(y, right);
}

kernel void test_tables_of_another_kernel(global uint *record, global uint *in) {
    local uint table[16];
    local uint *unknown = in[0] ? 0 : table;
    for (uint i = 0; i < 16; i++) table[i] = in[i] * 0xc2b2ae35;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint key[2] = {in[5], in[6]}, left[4], right[4], x[4], y[4];
    for (int i = 0; i < 4; i++) x[i] = left[i] = in[i + 1] * 77777, y[i] = right[i] = in[i + 6] * 99991;
    encrypt_both(key, left, right, table);
    CIPHER(key, x, y, table, (table + 8));
    CIPHER(key, y, y, table, (table + 8));
    CIPHER(y, x, x, table, (table + 1));
    encrypt(key, left, left, unknown, table);
    CIPHER(key, x, x, table, table);
    ASSERT_SAME(x, left);
    ASSERT_SAME(y, right);
}
