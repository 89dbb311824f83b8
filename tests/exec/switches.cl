// SPDX-License-Identifier: Apache-2.0
// Switches on integers of every width (OpSwitch on 8 to 64 bits), with fallthrough, gaps, cases in loops.
#include "assert.h"

#define SWITCH(T, big, small)                   \
    int on_##T(T x) {                           \
        switch (x) {                            \
            case (T)0: return 10;               \
            case (T)1:                          \
            case (T)2: x += (T)3;               \
            case (T)5: return 20 + (int)x;      \
            default: x = (T)9; break;           \
            case (T)(big): return 30;           \
            case (T)(small): x = (T)7; break;   \
        }                                       \
        return 40 + (int)x;                     \
    }
SWITCH(char, 127, -128) SWITCH(uchar, 255, 128) SWITCH(short, 32767, -32768) SWITCH(ushort, 65535, 256)
SWITCH(int, 0x7fffffff, 0x80000000) SWITCH(uint, 0xffffffff, 0x10000)
SWITCH(long, 0x7fffffffffffffff, 0x8000000000000000) SWITCH(ulong, 0xffffffffffffffff, 0x100000000)
#define TEST(T, big, small)                                                                                     \
    kernel void test_##T(global uint *record, global int *in) {                                                 \
        T zero = in[0];                                                                                         \
        ASSERT(10, on_##T(zero)); ASSERT(24, on_##T(zero + (T)1)); ASSERT(25, on_##T(zero + (T)2));             \
        ASSERT(25, on_##T(zero + (T)5)); ASSERT(49, on_##T(zero + (T)6)); ASSERT(30, on_##T(zero + (T)(big)));  \
        ASSERT(47, on_##T(zero + (T)(small)));                                                                  \
    }
TEST(char, 127, -128) TEST(uchar, 255, 128) TEST(short, 32767, -32768) TEST(ushort, 65535, 256)
TEST(int, 0x7fffffff, 0x80000000) TEST(uint, 0xffffffff, 0x10000)
TEST(long, 0x7fffffffffffffff, 0x8000000000000000) TEST(ulong, 0xffffffffffffffff, 0x100000000)

// Cases that differ only in the upper half.
kernel void test_halves(global uint *record, global int *in) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        switch ((ulong)in[i] << 32 | in[1]) {
            case 0x000000001: sum += 1; break;
            case 0x100000001: sum += 10; continue;
            case 0x200000001: sum += 100;
            default: sum += 1000;
        }
    ASSERT(2111, sum);
}

// Duff's device: cases inside a loop.
kernel void test_into_loop(global uint *record, global int *in) {
    for (int count = 1; count < 9; count++) {
        int sum = 0, i = 0, rounds = (in[count] + 3) / 4;
        switch (in[count] % 4) {
            case 0: do { sum += in[i++];
            case 3:      sum += in[i++];
            case 2:      sum += in[i++];
            case 1:      sum += in[i++];
                    } while (--rounds > 0);
        }
        ASSERT(count, i); ASSERT(count * (count - 1) / 2, sum);
    }
}

int nested(int a, int b) {
    switch (a) {
        case 1:
            switch (b) { case 1: return 11; case 2: break; default: goto out; }
            b += 10;
        case 2:
            while (b > 0) switch (b--) { case 5: return 5; case 9: b -= 2; break; case 7: goto out; }
            break;
        case 3 ... 6: return 36;
    }
    return b;
out:
    return -b;
}
kernel void test_nested(global uint *record, global int *in) {
    ASSERT(11, nested(in[1], in[1])); ASSERT(-7, nested(in[1], in[7])); ASSERT(-6, nested(in[2], in[7]));
    ASSERT(5, nested(in[1], in[2])); ASSERT(0, nested(in[2], in[3])); ASSERT(5, nested(in[2], in[9]));
    ASSERT(36, nested(in[3], 1)); ASSERT(36, nested(in[6], 1)); ASSERT(8, nested(in[7], 8));
}

// Each case ends with a store, to one place or to several.
#define CASE_VALUE(i) case i: out[1] = 10 * i; break;
#define CASE_PLACE(i) case i: out[2 + i % 5] = i; break;
#define CASES(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11)
kernel void test_stores(global uint *record, global uint *in, global uint *out) {
    uint values = 0, places = 0;
    for (uint i = 0; i < 14; i++) {
        for (uint k = 2; k < 7; k++) out[k] = 100;
        switch (in[i]) { CASES(CASE_VALUE) default: out[1] = i; }
        switch (in[i]) { CASES(CASE_PLACE) case 12: out[2] += 7; break; default: break; }
        values = values * 3 + out[1];
        for (uint k = 2; k < 7; k++) places = places * 3 + out[k];
    }
    ASSERT(11956909u, values); ASSERT(576113981u, places);
}
// Some cases do, others do nothing, and there is none for other values.
kernel void test_some_stores(global uint *record, global uint *in, global uint *out) {
    for (uint i = 0; i < 15; i++) {
        for (uint k = 2; k < 7; k++) out[k] = 100;
        switch (in[i]) { CASES(CASE_PLACE) case 12: break; case 13: if (in[1] == 1) break; out[2] += 7; break; }
        for (uint k = 0; k < 5; k++) ASSERT(i < 12 && i % 5 == k ? i : 100, out[2 + k]);
        out[1] = 5;
        switch (in[i]) { CASES(CASE_VALUE) }
        ASSERT(i < 12 ? 10 * i : 5, out[1]);
    }
    for (uint i = 0; i < 15; i++) switch (in[i]) { CASES(CASE_VALUE) }
    ASSERT(110, out[1]);
    for (uint i = 0; i < 15; i++)
        switch (in[i] & 1) {
            case 1: switch (in[i]) { CASES(CASE_PLACE) } break;
            default: switch (in[i]) { CASES(CASE_VALUE) case 14: out[2] = 99; }
        }
    ASSERT(100, out[1]); ASSERT(99, out[2]); ASSERT(11, out[3]);
}
kernel void test_private_stores(global uint *record, global uint *in) {
    uint a[16];
    for (uint i = 0; i < 16; i++) a[i] = in[i];
    for (uint i = 0; i < 14; i++)
        switch (in[i]) {
#define CASE_PRIVATE(i) case i: a[(i * 5 + in[1]) & 15] += i; a[i] = a[i] * 3 + in[i]; break;
            CASES(CASE_PRIVATE) default: a[in[3]] = a[in[2]] + i; a[i] = 1;
        }
    uint sum = 0;
    for (uint i = 0; i < 16; i++) sum = sum * 7 + a[i];
    ASSERT(3945755306u, sum);
}
#define LABELS4(i) case (i): case (i) + 1: case (i) + 2: case (i) + 3:
#define LABELS16(i) LABELS4(i) LABELS4((i) + 4) LABELS4((i) + 8) LABELS4((i) + 12)
#define LABELS64(i) LABELS16(i) LABELS16((i) + 16) LABELS16((i) + 32) LABELS16((i) + 48)
#define LABELS256(i) LABELS64(i) LABELS64((i) + 64) LABELS64((i) + 128) LABELS64((i) + 192)
#define LABELS1024(i) LABELS256(i) LABELS256((i) + 256) LABELS256((i) + 512) LABELS256((i) + 768)
// More labels on one statement than levels that a source may nest (C99 5.2.4.1 asks for 1,023).
int in_a_row(uint x) {
    switch (x) {
        case 5000: return 3;
        LABELS1024(1) LABELS1024(1025) behind: case 2049: return 1;
        default: if (x == 6000) goto behind; return 2;
    }
}
kernel void test_labels_in_a_row(global uint *record, global uint *in) {
    ASSERT(1, in_a_row(in[1])); ASSERT(1, in_a_row(in[1] + 511)); ASSERT(1, in_a_row(in[1] + 1024));
    ASSERT(1, in_a_row(in[1] + 2047)); ASSERT(1, in_a_row(in[1] + 2048)); ASSERT(2, in_a_row(in[0]));
    ASSERT(2, in_a_row(in[1] + 2049)); ASSERT(3, in_a_row(in[1] + 4999)); ASSERT(1, in_a_row(in[1] + 5999));
}
