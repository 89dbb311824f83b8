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
