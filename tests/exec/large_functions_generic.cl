// SPDX-License-Identifier: Apache-2.0
// Functions too large to be copied to each of their calls, whose pointers are generic: those of large_functions.cl, and one
// that is called with pointers to every space (1.5.5-4) and with a space chosen at run time (1.5.5-5).
// RUN: global=1
// OPTIONS: -cl-std=CL2.0
#include "large_functions.cl"

#define DIGEST(w, n, out) do { \
        uint a = 1, b = 2, c = 3, d = 4; \
        for (uint i = 0; i < n; i++) { \
            ROUNDS(a, b, c, d, w[i]) \
            ROUNDS(d, b, c, a, w[n - 1 - i]) \
        } \
        out[0] = a ^ b; \
        out[1] = c + d; \
    } while (0)
void digest(const uint *w, uint n, uint *out) { DIGEST(w, n, out); }
void digest_parts(const uint *w, uint *out) {
    digest(w, 2, out);
    digest(w + 2, 2, out + 2);
}

kernel void test_spaces(global uint *record, global uint *in) {
    local uint shared[4];
    uint own[4], got[4], expected[4];
    for (int i = 0; i < 4; i++) shared[i] = in[i + 1] * 77777, own[i] = in[i + 6] * 99991;
    barrier(CLK_LOCAL_MEM_FENCE);
    digest_parts(in, got);
    DIGEST(in, 2, expected);
    { uint *rest = expected + 2; DIGEST((in + 2), 2, rest); }
    ASSERT_SAME(expected, got);
    digest_parts(shared, got);
    DIGEST(shared, 2, expected);
    { uint *rest = expected + 2; DIGEST((shared + 2), 2, rest); }
    ASSERT_SAME(expected, got);
    digest_parts(own, got);
    DIGEST(own, 2, expected);
    { uint *rest = expected + 2; DIGEST((own + 2), 2, rest); }
    ASSERT_SAME(expected, got);
    digest(own, 4, shared + in[0]);
    DIGEST(own, 4, got);
    ASSERT(got[0], shared[0]);
    ASSERT(got[1], shared[1]);
    digest(in + 3, 4, shared + in[1]);
    DIGEST((in + 3), 4, got);
    ASSERT(got[0], shared[1]);
    ASSERT(got[1], shared[2]);
    const uint *some = in[0] ? (uint *)shared : own;
    digest(some, 4, some == own ? (uint *)expected : shared);
    DIGEST(own, 4, got);
    ASSERT(got[0], expected[0]);
    ASSERT(got[1], expected[1]);
}
