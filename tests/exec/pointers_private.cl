// SPDX-License-Identifier: Apache-2.0
// Pointers into private memory: casts between pointee types (1.2.5-1), to and from integers (1.1.1-13), comparison and
// subtraction, NULL (1.5.6-12), in structs, arrays and tables, pointers to pointers, phi and select over different objects,
// out-parameters, unions (1.2.4-1).
#include "assert.h"

typedef struct { int *data, *end; struct { short *where[2]; } inner; } Range;
typedef union { ulong all; uint halves[2]; ushort quarters[4]; uchar bytes[8]; float2 floats; } Pun;

int sum(Range r) { int s = 0; for (int *p = r.data; p != r.end; ++p) s += *p; return s; }
void divide(int a, int b, int *quotient, int *rest) { *quotient = a / b; if (rest) *rest = a % b; }
int *largest(int *a, int *b) { return *a > *b ? a : b; }
void choose(int **result, int *a, int *b, int which) { *result = which ? b : a; }

kernel void test_casts(global uint *record, global int *in) {
    int words[6];
    for (int i = 0; i < 6; i++) words[i] = in[i + 1] * 0x01010101;
    uchar *bytes = (uchar *)words; ASSERT(2, bytes[in[4]]); ASSERT(6, bytes[in[23]]);
    ushort *shorts = (ushort *)(bytes + 2); ASSERT(0x0101, shorts[in[0]]); ASSERT(0x0202, shorts[in[1]]);
    ulong *longs = (ulong *)words; ASSERT_LONG(0x0404040403030303ul, longs[in[1]]);
    int4 *vectors = (int4 *)words; ASSERT(0x04040404, vectors[0].w); (*vectors).y = in[77]; ASSERT(77, words[1]);
    float *floats = (float *)words; floats[in[2]] = 1.5f; ASSERT(0x3fc00000, words[2]);
    void *any = words; ASSERT(77, ((int *)any)[in[1]]);
    *(uchar *)(bytes + in[9]) = 0xee; ASSERT(0x3fc0ee00, words[2]);
    Range *r = (Range *)0; ASSERT(1, r == 0); ASSERT(8, (uint)(ulong)&r->end);
}

kernel void test_integers(global uint *record, global int *in) {
    int array[4] = {10, 20, 30, 40};
    ulong address = (ulong)array;
    ASSERT(30, *(int *)(address + 8)); ASSERT(40, *(int *)(address + 4 * in[3]));
    ASSERT(0, address % 4); ASSERT(1, address != 0);
    intptr_t one = (intptr_t)&array[1], three = (intptr_t)&array[in[3]];
    ASSERT(8, three - one); ASSERT(1, (int *)one == array + 1);
    uint low = (uint)(uintptr_t)(array + in[1]) & 3; ASSERT(0, low);
}

kernel void test_comparison(global uint *record, global int *in) {
    int array[8], other = in[5], *first = array + in[2], *last = array + in[6];
    ASSERT(4, last - first); ASSERT(1, first < last); ASSERT(0, first >= last); ASSERT(1, first != &other);
    short s[5]; ASSERT(3, (s + in[4]) - (s + in[1])); ASSERT(-3, (s + in[1]) - (s + in[4]));
    int *none = 0, *some = in[1] ? &other : none;
    ASSERT(1, !none); ASSERT(0, !some); ASSERT(1, some && !none); ASSERT(5, some ? *some : -1);
    some = in[0] ? &other : none;
    ASSERT(1, some == 0); ASSERT(-1, some ? *some : -1);
}

// Pointers show the layout of an object (C99 6.7.2.1p13), even if each part could be a variable of its own.
typedef struct { int4 a; uchar b, f[8]; short g[4]; } Mixed;

kernel void test_places_in_objects(global uint *record, global int *in) {
    Mixed bits = {(int4)0, 5, {6, in[7]}}, distance = bits;
    uint seen[8] = {0};
    for (uchar *p = bits.f + in[0]; p != bits.f + in[3]; p++) seen[(ulong)p & 7] = *p;
    ASSERT(6, seen[1]); ASSERT(7, seen[2]); ASSERT(0, seen[0]);
    uchar *f = distance.f + in[1]; short *g = distance.g + in[2];
    ASSERT(7, *f); ASSERT(0, *g); ASSERT(12, (uchar *)g - f); ASSERT(1, f < (uchar *)g);
}

kernel void test_object_around(global uint *record, global int *in) {
    Mixed m = {(int4)(1, 2, in[3], 0), 5, {6, in[7]}, {8}}, n = m;
    uchar *p = m.f + in[1];
    Mixed *around = (Mixed *)(p - 18); ASSERT(7, *p); ASSERT(3, around->a.z); ASSERT(8, around->g[0]);
    around->b = in[9]; ASSERT(9, m.b);
    p = n.f; around = (Mixed *)(p - 17); around->a.x = in[4]; ASSERT(4, n.a.x); ASSERT(8, around->g[0]);
}

// Other functions go there too, and code that just counts bytes.
short first_behind(uchar *f) { return ((Mixed *)(f - 17))->g[0]; }
short write_before(uchar *f, int b) { Mixed *around = (Mixed *)(f - 17); around->b = b; return around->g[b - 9]; }
short one_behind(uchar *f) { return first_behind(f) + f[1]; }
int distance(uchar *f, short *g) { return (uchar *)g - f; }

kernel void test_object_around_in_functions(global uint *record, global int *in) {
    Mixed m = {(int4)(1, 2, in[3], 0), 5, {6, in[7]}, {8}}, n = m, o = m, q = m;
    ASSERT(8, first_behind(m.f)); ASSERT(8, write_before(n.f, in[9])); ASSERT(9, n.b); ASSERT(15, one_behind(o.f));
    ASSERT(9, distance(q.f, q.g));
}

kernel void test_bytes_around(global uint *record, global int *in) {
    Mixed m = {(int4)(1, 2, in[3], 0), 5, {6, in[7]}, {8}}, n = m, o = m;
    uchar *p = m.f + in[1]; ASSERT(8, *(short *)(p + 8)); ASSERT(7, *p);
    p = in[1] ? n.f : n.f + 3; ASSERT(5, p[-1]); ASSERT(1, *(int *)(p - 17)); *(int *)(p - 13) = in[4]; ASSERT(4, n.a.y);
    p = in[1] ? &o.b : o.f; ASSERT(6, p[1]);
}

// A list whose nodes are members of its items.
typedef struct Node { struct Node *next; int value; } Node;
typedef struct { int key; Node link; int after; } Item;
#define ITEM(node) ((Item *)((uchar *)(node) - 8))
int keys(Node *n) {
    int all = 0;
    for (; n; n = n->next) { Item *item = ITEM(n); all = all * 10 + item->key; item->after += 1; }
    return all;
}

kernel void test_list_of_members(global uint *record, global int *in) {
    Item a = {in[1], {0, 5}, in[2]}, b = {in[2], {&a.link, 6}, in[3]}, c = {in[3], {&b.link, 7}, in[4]};
    ASSERT(321, keys(&c.link)); ASSERT(3, a.after); ASSERT(4, b.after); ASSERT(5, c.after);
    ASSERT(21, keys(in[1] ? &b.link : &c.link)); ASSERT(4, a.after);
    Node *n = in[0] ? 0 : &a.link; ASSERT(1, ITEM(n)->key); ITEM(n)->key = in[9]; ASSERT(9, a.key);
}

// One that is large, and called twice.
uint mixed(uchar *f, uint x) {
    Mixed *around = (Mixed *)(f - 17);
#define STEP(i) x = rotate(x * 5 + around->f[i & 7] + around->a.x, (uint)i) ^ (x >> 3) + around->g[i & 3];
    STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12)
    around->a.x = x & 0xff;
    return x;
}

kernel void test_object_around_in_large_function(global uint *record, global int *in) {
    Mixed m = {(int4)(1, 2, in[3], 0), 5, {6, in[7]}, {8, in[2]}}, n = m;
    uint x = 3, a = 1;
    for (int turn = 0; turn < 2; turn++) {
        const uchar f[8] = {6, 7}; const short g[4] = {8, 2};
#define WANTED(i) x = rotate(x * 5 + f[i & 7] + a, (uint)i) ^ (x >> 3) + g[i & 3];
        WANTED(1) WANTED(2) WANTED(3) WANTED(4) WANTED(5) WANTED(6) WANTED(7) WANTED(8) WANTED(9) WANTED(10) WANTED(11)
        WANTED(12)
        a = x & 0xff;
    }
    ASSERT(x, mixed(m.f, mixed(m.f, in[3]))); ASSERT(a, m.a.x);
    ASSERT(1, mixed(n.f, in[3]) != x); ASSERT(1, n.a.x != 1);
}

kernel void test_in_objects(global uint *record, global int *in) {
    int array[6]; short a = 7, b = 8;
    for (int i = 0; i < 6; i++) array[i] = in[i];
    Range r = {array + 1, array + in[5], {{&a, &b}}}, copy = r, many[2] = {r, {array, array + 2}};
    ASSERT(1 + 2 + 3 + 4, sum(r)); ASSERT(8, *copy.inner.where[in[1]]); *copy.inner.where[in[0]] = 70; ASSERT(70, a);
    ASSERT(1, sum(many[in[1]])); many[in[1]].end += 2; ASSERT(6, sum(many[1]));
    int one = 1, two = 2, three = 3, *table[3] = {&one, &two, &three};
    ASSERT(3, *table[in[2]]); *table[in[1]] += 20; ASSERT(22, two); table[in[0]] = table[in[2]]; ASSERT(3, *table[0]);
    int **pp = table + in[1], ***ppp = &pp;
    ASSERT(22, **pp); ++*ppp; ASSERT(3, **pp); **ppp = &one; ASSERT(1, *table[2]);
}

kernel void test_different_objects(global uint *record, global int *in) {
    int a = 1, b[3] = {2, 3, 4}, c = 5, *p = &a;
    for (int i = 0; i < 3; i++) { *p += 10; p = i == in[0] ? b + 1 : i == in[1] ? &c : p; }
    ASSERT(11, a); ASSERT(13, b[1]); ASSERT(15, c); ASSERT(1, p == &c);
    *largest(&a, b + in[1]) = 100; ASSERT(100, b[1]);
    int *chosen; choose(&chosen, &a, &c, in[1]); *chosen = 50; ASSERT(50, c);
    int q, rest = -1; divide(in[17], in[5], &q, &rest); ASSERT(3, q); ASSERT(2, rest);
    divide(in[17], in[4], &q, 0); ASSERT(4, q); divide(in[17], in[4], b + in[2], b); ASSERT(4, b[2]); ASSERT(1, b[0]);
}

kernel void test_unions(global uint *record, global int *in) {
    Pun u; u.all = 0x1122334455667788ul + in[0];
    ASSERT(0x55667788, u.halves[in[0]]); ASSERT(0x1122, u.quarters[in[3]]); ASSERT(0x66, u.bytes[in[2]]);
    u.bytes[in[7]] = 0xaa; ASSERT_LONG(0xaa22334455667788ul, u.all);
    u.floats = (float2)(1.0f, 2.0f) * in[1]; ASSERT_LONG(0x400000003f800000ul, u.all);
    Pun many[3]; many[in[1]] = u; many[in[1]].quarters[0] = 9; ASSERT_LONG(0x400000003f800009ul, many[1].all);
    Pun *p = many + in[1]; p->floats.y = 0.5f; ASSERT(0x3f000000, p->halves[1]);
}
