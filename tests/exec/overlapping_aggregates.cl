// SPDX-License-Identifier: Apache-2.0
// The value of a function, which is stored where it was loaded, some words away: all of it is loaded before any of it is
// stored, so the copy goes from the end where that is needed. With `overlap`, two arguments are one buffer.
// ALWAYS: descriptors, only-32-bits, private-in-buffers
// OPTIONS: -cl-std=CL2.0
// RUN: global=1
// RUN: overlap
#include "assert.h"

typedef struct { uint a[100]; } Big;
typedef struct { Big first, second; } Two;
typedef struct { uchar c[90]; } Bytes;
// Numbers that the compiler does not know.
#define NUMBERS const uint none = get_global_id(0), one = 1 + none, three = 3 + none
Big of_global(global Big *p) { return *p; }
Big of_local(local Big *p) { return *p; }
Big of_private(Big *p) { return *p; }
Bytes bytes_of(global Bytes *p) { return *p; }
Two swapped(global Two *p) {
    Two t = {p->second, p->first};
    return t;
}
Big of_any(int which, global Big *p, local Big *q) {
    Big *any = which ? (Big *)p : (Big *)q;
    return *any;
}

kernel void test_overlap_global(global uint *record, global uint *out) {
    NUMBERS;
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(global Big *)(out + three) = of_global((global Big *)out);
    for (uint i = 0; i < 120; i++) ASSERT(i < 3 ? i : i < 103 ? i - 3 : i, out[i]);
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(global Big *)out = of_global((global Big *)(out + three));
    for (uint i = 0; i < 120; i++) ASSERT(i < 100 ? i + 3 : i, out[i]);
    *(global Big *)(out + three) = of_global((global Big *)(out + three));
    for (uint i = 0; i < 120; i++) ASSERT(i < 100 ? i + 3 : i, out[i]);
}
kernel void test_overlap_bytes(global uint *record, global uchar *out) {
    NUMBERS;
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(global Bytes *)(out + one) = bytes_of((global Bytes *)out);
    for (uint i = 0; i < 120; i++) ASSERT(i < 1 ? i : i < 91 ? i - 1 : i, out[i]);
}
kernel void test_overlap_memmove(global uint *record, global uint *out) {
    NUMBERS;
    for (uint i = 0; i < 120; i++) out[i] = i;
    __builtin_memmove(out + three, out, 400);
    for (uint i = 0; i < 120; i++) ASSERT(i < 3 ? i : i < 103 ? i - 3 : i, out[i]);
    for (uint i = 0; i < 120; i++) out[i] = i;
    __builtin_memmove(out, out + three, 400);
    for (uint i = 0; i < 120; i++) ASSERT(i < 100 ? i + 3 : i, out[i]);
}
kernel void test_overlap_local(global uint *record, local uint *out) {
    NUMBERS;
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(local Big *)(out + three) = of_local((local Big *)out);
    for (uint i = 0; i < 120; i++) ASSERT(i < 3 ? i : i < 103 ? i - 3 : i, out[i]);
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(local Big *)out = of_local((local Big *)(out + three));
    for (uint i = 0; i < 120; i++) ASSERT(i < 100 ? i + 3 : i, out[i]);
}
kernel void test_overlap_private(global uint *record) {
    NUMBERS;
    uint out[120];
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(Big *)(out + three) = of_private((Big *)out);
    for (uint i = 0; i < 120; i++) ASSERT(i < 3 ? i : i < 103 ? i - 3 : i, out[i]);
    for (uint i = 0; i < 120; i++) out[i] = i;
    *(Big *)out = of_private((Big *)(out + three));
    for (uint i = 0; i < 120; i++) ASSERT(i < 100 ? i + 3 : i, out[i]);
}
kernel void test_overlap_swap(global uint *record, global uint *out) {
    NUMBERS;
    for (uint i = 0; i < 210; i++) out[i] = i;
    *(global Two *)out = swapped((global Two *)out);
    for (uint i = 0; i < 210; i++) ASSERT(i < 100 ? i + 100 : i < 200 ? i - 100 : i, out[i]);
    *(global Two *)(out + three) = swapped((global Two *)out);
    for (uint i = 0; i < 203; i++) ASSERT(i < 3 ? i + 100 : i - 3, out[i]);
}
kernel void test_overlap_any(global uint *record, global uint *out, local uint *scratch) {
    NUMBERS;
    for (uint i = 0; i < 120; i++) out[i] = i, scratch[i] = 1000 + i;
    *(global Big *)(out + three) = of_any(one, (global Big *)out, (local Big *)scratch);
    for (uint i = 0; i < 120; i++) ASSERT(i < 3 ? i : i < 103 ? i - 3 : i, out[i]);
    *(local Big *)(scratch + three) = of_any(none, (global Big *)out, (local Big *)scratch);
    for (uint i = 0; i < 120; i++) ASSERT(1000 + (i < 3 ? i : i < 103 ? i - 3 : i), scratch[i]);
    uint *any = one ? (uint *)out : (uint *)scratch;
    *(Big *)(any + one) = of_global((global Big *)out);
    for (uint i = 4; i < 101; i++) ASSERT(i - 4, out[i]);
}
kernel void test_overlap_arguments(global uint *record, global uint *x, global uint *y) {
    NUMBERS;
    uint before[100];
    for (uint i = 0; i < 120; i++) x[i] = i;
    for (uint i = 0; i < 120; i++) y[i] = 3 * i;
    for (uint i = 0; i < 100; i++) before[i] = x[i];
    *(global Big *)(y + three) = of_global((global Big *)x);
    for (uint i = 0; i < 100; i++) ASSERT(before[i], y[i + three]);
    for (uint i = 0; i < 100; i++) before[i] = y[i + three + one];
    *(global Big *)x = of_global((global Big *)(y + three + one));
    for (uint i = 0; i < 100; i++) ASSERT(before[i], x[i]);
}
