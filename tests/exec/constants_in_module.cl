// SPDX-License-Identifier: Apache-2.0
// ALWAYS: constants-in-module
// Constants of program scope that are read at indices which nobody knows: as arrays of the module, or in the data
// segment where they cannot be that.
// RUN: global=4
#include "assert.h"
constant uint squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
constant uint cubes[5] = {0, 1, 8, 27, 64};
constant uchar odd[7] = {1, 3, 5, 7, 9, 11, 13};
constant ushort shorts[2][3] = {{1, 2, 3}, {40000, 50000, 60000}};
constant long longs[3] = {-1, 0x123456789abcdef, 5};
constant float4 colours[3] = {(float4)(1, 2, 3, 4), (float4)(5, 6, 7, 8), (float4)(-0.0f, 10, 11, 12)};
constant uint zeros[16] = {0};
struct entry {
    char tag;
    ushort number;
    float2 place;
    char name[3];
};
constant struct entry entries[2] = {{'a', 1000, (float2)(1, 2), "xy"}, {'b', 2000, (float2)(3, 4), "zw"}};
constant uint alone = 77;
// Narrow, and many: words in the module.
constant uchar many[3001] = {[1] = 7, [2] = 8, [2999] = 9, [3000] = 10};

kernel void test_tables(global uint *record, global const uint *in) {
    const uint one = in[1], two = in[2];
    ASSERT(4, squares[two]);
    ASSERT(49, squares[5 + two]);
    ASSERT(64, *(cubes + 3 + one));
    ASSERT(13, odd[6 * one]);
    ASSERT(50000, shorts[one][one]);
    ASSERT(3, shorts[one - 1][two]);
    ASSERT_LONG(0x123456789abcdef, longs[one]);
    ASSERT_BITS(as_uint((float)(7)), colours[one].z);
    ASSERT_BITS(as_uint((float)(-0.0f)), colours[two].x);
    ASSERT(0, zeros[one]);
    ASSERT('b', entries[one].tag);
    ASSERT(2000, entries[one].number);
    ASSERT_BITS(as_uint((float)(4)), entries[one].place.y);
    ASSERT('w', entries[one].name[one]);
    ASSERT(77, alone);
    ASSERT(9, squares[3]);
    ASSERT(7, many[one]);
    ASSERT(9, many[2998 + one]);
    ASSERT(10, many[2998 + two]);
    const uchar2 pair = vload2(one, many);
    ASSERT(8, pair.x);
    ASSERT(0, pair.y);
}

uint sum(constant uint *table, uint count) {
    uint total = 0;
    for (uint i = 0; i < count; ++i) total += table[i];
    return total;
}
constant uint *larger(constant uint *a, constant uint *b, uint at) { return a[at] > b[at] ? a : b; }

kernel void test_pointers(global uint *record, global const uint *in) {
    const uint one = in[1], two = in[2];
    ASSERT(140, sum(squares, 6 + two));
    ASSERT(36, sum(cubes + one, 2 + one));
    constant uint *chosen = larger(squares, cubes, two);
    ASSERT(27, chosen[3 * one]);
    ASSERT(1, chosen == cubes);
    constant uint *at = squares + two;
    ASSERT(2, at - squares);
    ASSERT(1, at > squares && squares < at);
    ASSERT(1, at[-1]);
    struct entry mine = entries[one];
    ASSERT(2000, mine.number);
    ASSERT('z', mine.name[0]);
    const uint2 pair = vload2(one, squares);
    ASSERT(4, pair.x);
    ASSERT(9, pair.y);
    constant uchar *bytes = (constant uchar *)squares;
    ASSERT(4, bytes[8 * one]);
    ASSERT(0x07050301, *(constant uint *)(odd + one - 1));
    constant float *first = (constant float *)colours;
    ASSERT_BITS(as_uint((float)(6)), first[4 + one]);
}

// These cannot be in the module.
constant uint kept[4] = {3, 1, 4, 1};
constant uint mixed[4] = {2, 7, 1, 8};
constant uint shown[2] = {5, 6};
constant uint large[5000] = {[4999] = 17};
constant uint *constant list[2] = {kept, kept + 1};

kernel void test_others(global uint *record, global const uint *in, constant uint *given) {
    const uint one = in[1], two = in[2];
    ASSERT(4, list[one][one]);
    constant uint *either = get_global_id(0) < 2 ? mixed : given;
    ASSERT(get_global_id(0) < 2 ? 1 : 2, either[two]);
    ASSERT(6, *(constant uint *)((size_t)shown + 4 * one));
    ASSERT(17, large[4998 + one]);
    ASSERT(0, large[two]);
    ASSERT(16, squares[2 * two]);
}
