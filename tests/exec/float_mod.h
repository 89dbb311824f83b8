// SPDX-License-Identifier: Apache-2.0
// OpFMod of bits of floats: T, T4, CHECK_BITS and the tables kDividends, kDivisors and kRests are defined
// before.

T mod_bits(T a, T b);
T4 mod_bits4(T4 a, T4 b);

kernel void test_scalars(global uint* record, global int* in) {
    AS_IT_STANDS
    for (int i = 0; i < 8; i++) CHECK_BITS(kRests[i], mod_bits(kDividends[i] + in[0], kDivisors[i]));
}

kernel void test_vectors(global uint* record, global int* in) {
    AS_IT_STANDS
    for (int i = 0; i < 8; i += 4) {
        const T4 rests = mod_bits4(vload4(0, kDividends + i) + (T4)(in[0]), vload4(0, kDivisors + i));
        CHECK_BITS(kRests[i], rests.x);
        CHECK_BITS(kRests[i + 1], rests.y);
        CHECK_BITS(kRests[i + 2], rests.z);
        CHECK_BITS(kRests[i + 3], rests.w);
    }
}
