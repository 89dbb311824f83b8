// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Pointers that go from one member of a private struct to the next: by index, by steps, in functions, from the second
// member on and back. C leaves this undefined (C99 6.5.6), but other compilers let it work, and programs rely on it.
#include "assert.h"

typedef struct { float x, y, z, w; } Vector;
typedef struct { int before; Vector at; int values[2], after; } Body;

float component(const float *vector, int i) { return vector[i]; }
float dot_product(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
void scale(float *vector, int count, float by) {
    while (count-- > 0) *vector++ *= by;
}
int mixed(int *p, int n) {
    int sum = 1;
    for (int i = 0; i < n; ++i) {
        sum = mad_sat(sum * 31 + p[i], 3, p[i]) ^ rotate(sum, 5);
        sum += mul_hi(sum, p[i]) + clz(sum) * popcount(p[i]) + hadd(sum, p[i]) - sub_sat(p[i], sum);
        p[i] = sum ^ i;
    }
    return sum;
}

kernel void test_indexed(global uint *record, global int *in) {
    Vector a = {in[1], in[2], in[3], in[4]};
    float *p = &a.x;
    for (int j = 0; j < 4; ++j) ASSERT(j + 1, p[j]);
    ASSERT(3, component(&a.x, in[2]));
    ASSERT(2, component(&a.z, -in[1]));
    p[in[3]] = 9;
    ASSERT(9, a.w);
    Vector b = {in[2], in[3], in[4], 0};
    ASSERT(2 + 6 + 12, dot_product(&a.x, &b.x));
}

kernel void test_stepped(global uint *record, global int *in) {
    Vector a = {in[1], in[2], in[3], in[4]};
    float *p = &a.x, sum = 0;
    for (int j = 0; j < in[4]; ++j) sum = sum * 10 + *p++;
    ASSERT(1234, sum);
    for (int j = 0; j < in[3]; ++j) sum += *--p;
    ASSERT(1234 + 9, sum);
    scale(&a.y, in[2], 5);
    ASSERT(1, a.x); ASSERT(10, a.y); ASSERT(15, a.z); ASSERT(4, a.w);
}

kernel void test_nested(global uint *record, global int *in) {
    Body body = {in[1], {in[2], in[3], in[4], in[5]}, {in[6], in[7]}, in[8]};
    scale(&body.at.x, in[4], 2);
    ASSERT(4, body.at.x); ASSERT(6, body.at.y); ASSERT(8, body.at.z); ASSERT(10, body.at.w);
    ASSERT(1, body.before); ASSERT(6, body.values[0]); ASSERT(8, body.after);
    global const int *from = in + 1;
    int *q = in[0] ? &body.before : &body.after;
    ASSERT(7, q[-in[1]]);
    ASSERT(2, from[in[1]]);
}

// By reference to a function that is large enough to stay one.
kernel void test_passed(global uint *record, global int *in) {
    struct { int x, y, z; } a = {in[3], in[5], in[7]};
    int array[3] = {in[3], in[5], in[7]};
    int first = mixed(&a.x, in[3]), second = mixed(array, in[3]);
    ASSERT(second, first);
    ASSERT(array[0], a.x); ASSERT(array[1], a.y); ASSERT(array[2], a.z);
    first = mixed(&a.x, in[2]), second = mixed(array, in[2]);
    ASSERT(second, first); ASSERT(array[1], a.y);
}
