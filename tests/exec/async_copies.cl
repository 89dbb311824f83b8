// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies (OpenCL C 3.0 6.15.10): both directions, strided, of every element type, for as many elements as there are
// work-items, fewer and more, several at once, one after the other with one event, and prefetch: 1.13.10-1, 1.13.10-2, 1.13.10-3,
// 1.13.10-4, 1.13.10-5, 1.13.10-8, 1.13.10-9, 1.13.10-11.
// RUN: global=16 local=16
// RUN: global=21 local=7
// RUN: global=6,4 local=3,4
// RUN: global=1 local=1
#include "assert.h"

#define GROUP (get_group_id(1) * get_num_groups(0) + get_group_id(0))
#define ITEM (get_local_id(1) * get_local_size(0) + get_local_id(0))
#define ITEMS (get_local_size(0) * get_local_size(1))

// in holds 0, 1, 2, ... as ints
#define BOTH_WAYS(T)                                                                                          \
    kernel void test_##T(global uint* record, global int* in, global T* out) {                                \
        local T box[40];                                                                                      \
        global T* mine = out + GROUP * 40;                                                                    \
        global const T* from = (global const T*)(in + 16);                                                    \
        for (uint i = ITEM; i < 40; i += ITEMS) box[i] = (T)(0);                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                         \
        event_t event = async_work_group_copy(box + 1, from, (size_t)in[37], 0);                              \
        wait_group_events(1, &event);                                                                         \
        for (uint i = ITEM; i < 40 * sizeof(T); i += ITEMS) {                                                 \
            bool is_copied = i >= sizeof(T) && i < 38 * sizeof(T);                                            \
            uchar expected = is_copied ? ((global const uchar*)from)[i - sizeof(T)] : (uchar)0;               \
            ASSERT(expected, ((local uchar*)box)[i]);                                                         \
        }                                                                                                     \
        event = async_work_group_copy(mine, box + 1, 37, 0);                                                  \
        wait_group_events(1, &event);                                                                         \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                                        \
        for (uint i = ITEM; i < 37 * sizeof(T); i += ITEMS)                                                   \
            ASSERT(((global const uchar*)from)[i], ((global uchar*)mine)[i]);                                 \
    }
BOTH_WAYS(char) BOTH_WAYS(uchar2) BOTH_WAYS(short) BOTH_WAYS(ushort4) BOTH_WAYS(int) BOTH_WAYS(uint2) BOTH_WAYS(long) BOTH_WAYS(ulong4)
BOTH_WAYS(float) BOTH_WAYS(float4) BOTH_WAYS(int8) BOTH_WAYS(float16) BOTH_WAYS(char16) BOTH_WAYS(short8)

// Vectors of 3 components occupy 4 elements, of which the last need not be copied
kernel void test_int3(global uint *record, global int *in, global int3 *out) {
    local int3 box[9];
    event_t event = async_work_group_copy(box, (global const int3 *)in, 9, 0);
    wait_group_events(1, &event);
    event = async_work_group_copy(out + GROUP * 9, box, 9, 0);
    wait_group_events(1, &event);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = ITEM; i < 9; i += ITEMS) {
        ASSERT(4 * i, box[i].x); ASSERT(4 * i + 2, box[i].z);
        ASSERT(4 * i + 1, out[GROUP * 9 + i].y); ASSERT(4 * i + 2, out[GROUP * 9 + i].z);
    }
}

// The stride is that of global memory; what lies between stays.
kernel void test_strided(global uint *record, global int *in, global int *out) {
    local int box[20];
    event_t event = async_work_group_strided_copy(box, in + 5, 20, (size_t)in[3], 0);
    wait_group_events(1, &event);
    for (uint i = ITEM; i < 20; i += ITEMS) ASSERT(5 + 3 * i, box[i]);
    global int *mine = out + GROUP * 200;
    event = async_work_group_strided_copy(mine, box, 20, 7, 0);
    wait_group_events(1, &event);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = ITEM; i < 140; i += ITEMS) ASSERT(i % 7 == 0 ? 5 + 3 * (i / 7) : (uint)(GROUP * 200 + i), mine[i]);
    local float4 wide[5];
    event = async_work_group_strided_copy(wide, (global const float4 *)in, 5, 2, 0);
    wait_group_events(1, &event);
    for (uint i = ITEM; i < 5; i += ITEMS) { ASSERT(8 * i, as_int(wide[i].x)); ASSERT(8 * i + 3, as_int(wide[i].w)); }
}

// An event goes on with a copy, several events are waited for at once, other work happens meanwhile.
kernel void test_events(global uint *record, global int *in, global int *out) {
    local int a[10], b[10], c[10], own[32];
    event_t events[2];
    events[0] = async_work_group_copy(a, in + 100, 10, 0);
    events[0] = async_work_group_copy(b, in + 200, 10, events[0]);
    events[1] = async_work_group_strided_copy(c, in + 300, 10, 4, 0);
    prefetch(in + 400, 64);
    if (ITEM < 32) own[ITEM] = (int)ITEM;
    wait_group_events(2, events);
    for (uint i = ITEM; i < 10; i += ITEMS) { ASSERT(100 + i, a[i]); ASSERT(200 + i, b[i]); ASSERT(300 + 4 * i, c[i]); }
    if (ITEM < 32) ASSERT(ITEM, own[ITEM]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int turn = 0; turn < in[3]; turn++) {
        event_t event = async_work_group_copy(a, in + 50 * turn, 10, 0);
        wait_group_events(1, &event);
        for (uint i = ITEM; i < 10; i += ITEMS) ASSERT(50 * turn + i, a[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    event_t none = async_work_group_copy(a, in + 7, (size_t)in[0], 0);  // of nothing
    wait_group_events(1, &none);
    if (ITEM == 0) ASSERT(100, a[0]);
}

// cl_khr_extended_async_copies: rectangles and boxes both ways. The room between lines and planes stays.
kernel void test_rectangles(global uint *record, global int *in, global int *out) {
    local int box[60];
    for (uint i = ITEM; i < 60; i += ITEMS) box[i] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    // 3 lines of 4 ints, from lines of 10 to lines of 6
    event_t event = async_work_group_copy_2D2D(box, 2, in, 5, 4, 4, 3, 10, (size_t)in[6], 0);
    wait_group_events(1, &event);
    for (uint i = ITEM; i < 60; i += ITEMS) {
        int at = (int)i - 2, line = at / 6, x = at % 6;
        ASSERT(at >= 0 && line < 3 && x < 4 ? 5 + line * 10 + x : -1, box[i]);
    }
    global int *mine = out + GROUP * 60;
    for (uint i = ITEM; i < 60; i += ITEMS) mine[i] = -2;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    event = async_work_group_copy_2D2D(mine, 1, box, 2, 4, 2, 3, 6, 20, event);
    wait_group_events(1, &event);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint i = ITEM; i < 60; i += ITEMS) {
        int at = (int)i - 1, line = at / 20, x = at % 20;
        ASSERT(at >= 0 && x < 2 ? 5 + line * 10 + x : -2, mine[i]);
    }
}

typedef struct __attribute__((packed)) { char c; short s; } Odd;  // elements of 3 bytes
kernel void test_boxes(global uint *record, global Odd *in, global Odd *out) {
    local Odd box[48];
    for (uint i = ITEM; i < 48; i += ITEMS) box[i].c = -1, box[i].s = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    // 2 planes of 3 lines of 2 elements
    event_t event = async_work_group_copy_3D3D(box, 1, in, 7, sizeof(Odd), 2, 3, 2, 5, 21, 4, 20, 0);
    wait_group_events(1, &event);
    for (uint i = ITEM; i < 48; i += ITEMS) {
        int at = (int)i - 1, plane = at / 20, line = at % 20 / 4, x = at % 20 % 4;
        bool is_copied = at >= 0 && plane < 2 && line < 3 && x < 2;
        int from = 7 + plane * 21 + line * 5 + x;
        ASSERT(is_copied ? in[from].c : -1, box[i].c);
        ASSERT(is_copied ? in[from].s : -1, box[i].s);
    }
    global Odd *mine = out + GROUP * 48;
    event = async_work_group_copy_3D3D(mine, 0, box, 1, sizeof(Odd), 2, 3, 2, 4, 20, 2, 6, 0);
    async_work_group_copy_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    // the second follows the first: its plane is where the first one wrote its own
    event = async_work_group_copy_3D3D(box, 30, mine, 6, sizeof(Odd), 6, 1, 1, 6, 6, 6, 6, event);
    wait_group_events(1, &event);
    for (uint i = ITEM; i < 6; i += ITEMS) {
        int from = 7 + 21 + (int)i / 2 * 5 + (int)i % 2;
        ASSERT(in[from].s, box[30 + i].s);
        ASSERT(in[from].c, box[30 + i].c);
    }
}
