// SPDX-License-Identifier: Apache-2.0
// Designators: of ranges (GNU), inside of what a range or a whole has initialised (C99 6.7.8p19).
#include "assert.h"
typedef struct { int x, y; } P;
typedef struct { P in; int z; } Q;
typedef struct { char s[4]; } Text;
typedef struct { int m[2][2]; } M;
typedef union { P p; int n[2]; } U;
typedef struct { int first, pair[2], rest[4]; } Run;
typedef struct { union { P p; int first; }; int last; } Unnamed;
constant P fixed[4] = {[0 ... 3] = {1, 2}, [2].y = 9};
constant Text fixed_text[2] = {[0 ... 1].s = "abc", [1].s[1] = 'x'};
int next(int *counter) { return ++*counter; }
P pair(int *counter) { ++*counter; return (P){*counter, 10 * *counter}; }

kernel void test_after_range(global uint *record, global int *in) {
    int one = in[1];
    P a[4] = {[0 ... 3] = {one, 2}, [2].y = 9};
    ASSERT(2, a[0].y); ASSERT(2, a[1].y); ASSERT(9, a[2].y); ASSERT(2, a[3].y); ASSERT(4, a[0].x + a[1].x + a[2].x + a[3].x);
    ASSERT(2, fixed[1].y); ASSERT(9, fixed[in[2]].y); ASSERT(2, fixed[in[3]].y);
    M z[2] = {[0 ... 1].m[1][1] = 3, [0].m[1][0] = 4};
    ASSERT(3, z[0].m[1][1]); ASSERT(3, z[1].m[1][1]); ASSERT(4, z[0].m[1][0]); ASSERT(0, z[1].m[1][0]); ASSERT(0, z[0].m[0][1]);
    M w[3] = {[0 ... 2] = {{{1, 2}, {3, one}}}, [1 ... 2].m[0 ... 1][0] = 7, [2].m[1][0] = 8};
    ASSERT(1, w[0].m[0][0]); ASSERT(7, w[1].m[0][0]); ASSERT(7, w[1].m[1][0]); ASSERT(8, w[2].m[1][0]); ASSERT(7, w[2].m[0][0]);
    ASSERT(3, w[0].m[1][0]); ASSERT(2, w[2].m[0][1]); ASSERT(1, w[1].m[1][1]);
}
kernel void test_range_over_elements(global uint *record, global int *in) {
    P b[3] = {[0].y = in[5], [1].y = 6, [0 ... 2].x = 1};
    ASSERT(5, b[0].y); ASSERT(6, b[1].y); ASSERT(0, b[2].y); ASSERT(3, b[0].x + b[1].x + b[2].x);
    P c[4] = {[0 ... 1].x = in[1], 2, 3};  // what follows belongs to the last of the range, as in clang
    ASSERT(1, c[0].x); ASSERT(0, c[0].y); ASSERT(1, c[1].x); ASSERT(2, c[1].y); ASSERT(3, c[2].x); ASSERT(0, c[3].x);
    U u[2] = {[0 ... 1].p = {1, in[2]}, [1].n[1] = 5};
    ASSERT(2, u[0].p.y); ASSERT(5, u[1].n[1]);
    Unnamed n[2] = {[0 ... 1].p.x = in[3], [1].p.y = 4, [0].last = 6};
    ASSERT(3, n[0].p.x); ASSERT(0, n[0].p.y); ASSERT(3, n[1].first); ASSERT(4, n[1].p.y); ASSERT(6, n[0].last);
}
kernel void test_evaluated_once(global uint *record, global int *in) {
    int counter = in[0];
    int b[4] = {[0 ... 3] = next(&counter)};
    ASSERT(1, counter); ASSERT(1, b[0]); ASSERT(1, b[3]);
    P c[3] = {[0 ... 2] = pair(&counter), [1].y = 5};
    ASSERT(2, counter); ASSERT(2, c[0].x); ASSERT(2, c[1].x); ASSERT(5, c[1].y); ASSERT(20, c[2].y);
    P d[3] = {[0 ... 2] = {next(&counter), 7}, [1].y = 5};
    ASSERT(3, counter); ASSERT(3, d[0].x); ASSERT(3, d[1].x); ASSERT(5, d[1].y); ASSERT(3, d[2].x); ASSERT(7, d[2].y);
    for (int i = 0; i < 2; i++) {
        int e[2] = {[0 ... 1] = next(&counter)};
        ASSERT(4 + i, e[0]); ASSERT(4 + i, e[1]);
    }
}
kernel void test_over_whole(global uint *record, global int *in) {
    Text t = {.s = "abc", .s[1] = 'x'};
    ASSERT('a', t.s[0]); ASSERT('x', t.s[1]); ASSERT('c', t.s[2]); ASSERT(0, t.s[3]);
    Text u = {.s = "abc", .s[0] = in['y']};
    ASSERT('y', u.s[0]); ASSERT('b', u.s[1]);
    ASSERT('b', fixed_text[0].s[1]); ASSERT('x', fixed_text[1].s[in[1]]); ASSERT('c', fixed_text[1].s[in[2]]);
    P v = {in[3], in[4]};
    Q s = {.in = v, .in.x = 5};
    ASSERT(5, s.in.x); ASSERT(4, s.in.y); ASSERT(0, s.z);
    Q q = {v, 6};
    Q r[2] = {[0 ... 1] = q, [1].in.y = 9, [0].z = in[8]};
    ASSERT(3, r[0].in.x); ASSERT(4, r[0].in.y); ASSERT(8, r[0].z); ASSERT(3, r[1].in.x); ASSERT(9, r[1].in.y); ASSERT(6, r[1].z);
    Run run = {.rest[2] = in[4], 5, .first = 1, 2, 3, 8, in[9]};  // braces left out keep the rest as well
    ASSERT(1, run.first); ASSERT(3, run.pair[1]); ASSERT(8, run.rest[0]); ASSERT(9, run.rest[1]); ASSERT(4, run.rest[2]);
    ASSERT(5, run.rest[3]);
    const P known = {1, 2};
    const Q made = {.in = known, .in.y = 3};
    ASSERT(1, made.in.x); ASSERT(3, made.in.y);
}
