// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// bool: a byte in memory of every space, 0 or 1 whatever is converted (1.1.1-1, 1.1.1-2), -1 in vectors (1.2.2-5).
#include "assert.h"
typedef struct { bool a; int i; bool b[3]; } Flags;
constant bool table[4] = {true, false, 5, 0.5f};
bool negate(bool x) { return !x; }
void toggle(bool *x) { *x = !*x; }
Flags make(bool a, bool b) { Flags f = {a, a + b, {b, a && b, a || b}}; return f; }
kernel void test_memory(global uint *record, global int *in, global uchar *out) {
    local bool near[4];
    bool mine[4] = {in[0], in[2], in[0], in[1]};
    global bool *far = (global bool *)out;
    ASSERT(1, sizeof(bool)); ASSERT(12, sizeof(Flags)); ASSERT(1, mine[in[1]]); ASSERT(1, ((uchar *)mine)[in[1]]);
    near[in[2]] = mine[in[3]]; far[in[5]] = near[2]; far[6] = in[256]; far[7] = !far[6];
    ASSERT(1, out[5]); ASSERT(1, out[6]); ASSERT(0, out[7]); ASSERT(1, far[in[5]] & far[6]);
    out[3] = 1; ASSERT(1, far[in[3]]); ASSERT(0, negate(far[3]));
    ASSERT(1, table[in[0]]); ASSERT(0, table[in[1]]); ASSERT(1, table[in[2]]); ASSERT(1, table[in[3]]);
    toggle(mine + in[1]); ASSERT(0, mine[1]); toggle(mine + 1); ASSERT(1, mine[1]);
    global Flags *f = (global Flags *)(out + 64); *f = make(in[1], in[0]);
    ASSERT(1, out[64]); ASSERT(1, f->i); ASSERT(0, out[72]); ASSERT(0, out[73]); ASSERT(1, f->b[in[2]]);
    f->b[in[1]] |= true; ASSERT(1, out[73]);
}
kernel void test_conversions(global uint *record, global int *in) {
    float nan = as_float(0x7fc00000 + in[0]), zero = in[0], tiny = as_float(in[1] << 30) * 0.5f;
    bool a = nan, b = zero, c = -zero, d = tiny, e = in, f = (ulong)in[1] << 40, g = (char)in[256];
    ASSERT(1, a); ASSERT(0, b); ASSERT(0, c); ASSERT(1, d); ASSERT(1, e); ASSERT(1, f); ASSERT(0, g);
    uchar4 v = (uchar4)(a); ASSERT(0xff, v.y); ASSERT(0, ((int4)(b)).w);
    int count = a + b + d + f; ASSERT(3, count); ASSERT(1, a == d); ASSERT(1, (a ^ b) + 0); ASSERT(0, a < d); ASSERT(1, b < a);
    long l = a; ASSERT_LONG(1, l); ASSERT_BITS(0x3f800000, (float)a); a += 5; ASSERT(1, a); d = a && !b; ASSERT(1, d);
    bool phi = in[2]; for (int i = 0; i < in[5]; i++) phi = i == 2 ? !phi : phi; ASSERT(0, phi);
}
