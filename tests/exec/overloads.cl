// SPDX-License-Identifier: Apache-2.0
// Which of several overloadable functions a call means (C++ [over.ics.rank], then what C converts besides); array parameters;
// built-in functions that are declared again.
// OPTIONS: -cl-std=CL2.0
#include "assert.h"
#define OVER __attribute__((overloadable))
struct S { int a; };
int OVER pick(global int *p) { return 1; }
int OVER pick(const global int *p) { return 2; }
int OVER pick(const volatile global int *p) { return 3; }
int OVER taken(struct S *s) { return 4; }
int OVER taken(const struct S *s) { return 5; }
int OVER place(global void *p) { return 6; }
int OVER place(generic void *p) { return 7; }
int OVER count(int n) { return n; }
int OVER count(int n, global int *extra) { return extra ? 8 : 9; }
int OVER fetch(global int *p) { return 10; }
int OVER fetch(local int *p) { return 11; }
int OVER drop(private float *p, int n) { return 12; }
int OVER drop(float4 v, int n) { return 13; }
int OVER keep(global int *p) { return 14; }
int OVER keep(global const void *p) { return 15; }
int OVER exact(void *p) { return 16; }
int OVER exact(float *p) { return 17; }

kernel void test_pointers(global uint *record, global int *in) {
    local int room[4];
    const global int *fixed = in;
    volatile global int *changing = in;
    struct S s = {1};
    const struct S constant_s = {1};
    private float number = 1;
    private void *untyped = &number;
    global void *bytes = in;
    ASSERT(1, pick(in)); ASSERT(2, pick(fixed)); ASSERT(3, pick(changing));
    ASSERT(4, taken(&s)); ASSERT(5, taken(&constant_s));
    ASSERT(6, place(in)); ASSERT(7, place(room)); ASSERT(7, place(&s));
    ASSERT(9, count(1, NULL)); ASSERT(9, count(1, 0)); ASSERT(8, count(1, in));
    ASSERT(10, fetch(bytes)); ASSERT(11, fetch(room));
    ASSERT(12, drop(untyped, 2)); ASSERT(13, drop(1.0f, 2));
    ASSERT(15, keep(fixed));  // const stays rather than that the types match
    ASSERT(16, exact(&s)); ASSERT(17, exact(&number));
}

int first(int a[4]) { private int *p = a; return p[0]; }
ndrange_t range_of(const size_t size[2]) { return ndrange_2D(size); }
kernel void test_array_parameters(global uint *record) {
    int a[4] = {21, 2, 3, 4};
    const size_t size[2] = {4, 4};
    ndrange_t range = range_of(size);
    ASSERT(21, first(a));
}

size_t OVER get_local_id(uint which);
float OVER cbrt(float v);
double sqrt(double v);
float exp2(float x);
float exp2(float x) { return x + 100; }  // its own, since it is defined
float OVER hypot(float a, int b) { return 200; }
kernel void test_built_ins_declared_again(global uint *record, global int *in) {
    ASSERT(0, get_local_id(0));
    ASSERT_BITS(0x40400000, cbrt(in[27] + 0.0f));
    ASSERT_BITS(0x40000000, cbrt((float2)(8, 27)).x);
    ASSERT(3, (int)sqrt((double)in[9]));
    ASSERT(105, (int)exp2(5.0f));
    ASSERT(5, (int)hypot(3.0f, 4.0f)); ASSERT(200, (int)hypot(3.0f, 4));
}

event_t which(int first, event_t a, event_t b) { return first ? a : b; }
clk_event_t marker(int first, clk_event_t a, clk_event_t b) { return first ? a : b; }
queue_t own(int mine, queue_t queue) { return mine ? queue : get_default_queue(); }
kernel void test_choice_of_handles(global uint *record, global int *in) {
    local int room[8];
    event_t copy = async_work_group_copy(room, in + 1, 8, 0), none = copy;
    copy = which(in[1], copy, none);
    wait_group_events(1, &copy);
    ASSERT(8, room[7]);
}
