// SPDX-License-Identifier: Apache-2.0
// cl_intel_subgroups, _char, _short and _long on any device's sub-groups: shuffles of two values, blocks of memory
// of both kinds.
// OPTIONS: -cl-std=CL2.0
// NEEDS: sub-groups
// RUN: global=128 local=64
#include "sub_groups.h"

#define OF_LANE(wanted, result) FOR_EACH_MATE(i) if (LANE_OF(i) == (wanted)) result = i;

kernel void test_shuffles(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint from = 0, mates = get_sub_group_size();
    OF_LANE((lane + 2) % mates, from)
    ASSERT(from + (lane + 2 < mates ? 0 : 1000), intel_sub_group_shuffle_down(in[me], in[me] + 1000, 2));
    ASSERT(from + (lane + 2 < mates ? 0 : 1000), intel_sub_group_shuffle_down((ushort)in[me], (ushort)(me + 1000), 2));
    OF_LANE((lane + mates - 1) % mates, from)
    ASSERT(from + (lane >= 1 ? 0 : 1000), intel_sub_group_shuffle_up(in[me] + 1000, in[me], 1));
    float2 pair = intel_sub_group_shuffle_up((float2)(me, me + 0.5f), (float2)(me + 2, me + 2.5f), 1);
    ASSERT_BITS(as_uint(from + (lane >= 1 ? 2.5f : 0.5f)), pair.y);
    OF_LANE(lane ^ 1, from)
    ASSERT(from, intel_sub_group_shuffle_xor(in[me], 1));
    ASSERT_LONG((long)from << 33, intel_sub_group_shuffle((long)in[me] << 33, lane ^ 1));
}

#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void test_half_vectors(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint from = 0;
    OF_LANE(lane ^ 1, from)
    const half4 mine = (half4)(in[me], in[me] + 0.5f, -1, 2);
    half4 other = intel_sub_group_shuffle_xor(mine, 1);
    ASSERT_BITS(as_uint((float)from), other.x);
    ASSERT_BITS(as_uint(from + 0.5f), other.y);
    ASSERT_BITS(as_uint(2.0f), other.w);
    half16 wide = intel_sub_group_shuffle((half16)(mine, mine, mine, mine + (half)1), lane ^ 1);
    ASSERT_BITS(as_uint(from + 1.5f), wide.sd);
}
#endif

kernel void test_blocks(global uint *record, global uint *in, global uint *out, global ushort *halves) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size();
    uint4 block = intel_sub_group_block_read4(in + 16);
    ASSERT(16 + lane, block.x);
    ASSERT(16 + 3 * mates + lane, block.w);
    ASSERT(8 + lane, intel_sub_group_block_read(in + 8));
    ASSERT((8 + mates + lane) / 2 * ((lane + 1) % 2), intel_sub_group_block_read_us2(halves + 8).y);
    uint first = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * 2 * mates;
    intel_sub_group_block_write2(out + first, (uint2)(lane + 100, lane + 200));
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    ASSERT((lane + 1) % mates + 100, out[first + (lane + 1) % mates]);
    ASSERT((lane + 1) % mates + 200, out[first + mates + (lane + 1) % mates]);
}

// cl_intel_subgroup_local_block_io
#define LOCAL_BLOCKS(name, type)                                                                              \
    kernel void test_local_##name(global uint *record, global int *in) {                                      \
        WHO_IS_WHERE                                                                                          \
        local type memory[64 * 8];                                                                            \
        const uint mates = get_sub_group_size();                                                              \
        local type *mine = memory + get_sub_group_id() * get_max_sub_group_size() * 8;                        \
        for (uint i = 0; i < 8; ++i) mine[i * mates + lane] = (type)(i * 10 + lane + in[1]);                  \
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                               \
        const type##8 read = intel_sub_group_block_read_##name##8((const local type *)mine);                  \
        ASSERT(1 + lane, read.s0);                                                                            \
        ASSERT(71 + lane, read.s7);                                                                           \
        ASSERT(11 + lane, intel_sub_group_block_read_##name(mine + mates));                                   \
        intel_sub_group_block_write_##name##4(mine + 2 * mates, read.hi + (type)100);                         \
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);                                                               \
        const uint next = (lane + 1) % mates;                                                                 \
        ASSERT((type)(141 + next), mine[2 * mates + next]);                                                   \
        ASSERT((type)(171 + next), mine[5 * mates + next]);                                                   \
        ASSERT((type)(61 + next), mine[6 * mates + next]);                                                    \
    }
LOCAL_BLOCKS(uc, uchar)
LOCAL_BLOCKS(us, ushort)
LOCAL_BLOCKS(ui, uint)
LOCAL_BLOCKS(ul, ulong)

kernel void test_blocks_of_sixteen(global uint *record, global ushort *in, global ushort *out) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size();
    ushort16 block = intel_sub_group_block_read_us16(in + 8);
    for (uint i = 0; i < 16; i++) ASSERT(in[8 + i * mates + lane], ((ushort *)&block)[i]);
    uint first = (get_group_id(0) * get_num_sub_groups() + get_sub_group_id()) * 16 * mates;
    const ushort16 numbers = (ushort16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    intel_sub_group_block_write_us16(out + first, numbers * (ushort)1000 + (ushort)lane);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    uint next = (lane + 1) % mates;
    for (uint i = 0; i < 16; i++) ASSERT(1000 * i + next, out[first + i * mates + next]);
}

kernel void test_chars(global uint *record, global int *in) {
    WHO_IS_WHERE
    uint from = 0, mates = get_sub_group_size();
    OF_LANE((lane + 2) % mates, from)
    uchar beyond = lane + 2 < mates ? 0 : 100;
    ASSERT((uchar)(from + beyond), intel_sub_group_shuffle_down((uchar)in[me], (uchar)(in[me] + 100), 2));
    OF_LANE(lane ^ 1, from)
    char4 other = intel_sub_group_shuffle_xor((char4)(in[me], -1, -in[me], 3), 1);
    ASSERT((char)from, other.x);
    ASSERT((char)-from, other.z);
    OF_LANE(0, from)
    ASSERT((uchar)(from + 7), intel_sub_group_broadcast((uchar)(in[me] + 7), 0));
    char sum = 0, least = 127;
    FOR_EACH_MATE(i) {
        sum += (char)value(in, i);
        least = min(least, (char)value(in, i));
    }
    ASSERT(sum, intel_sub_group_reduce_add((char)value(in, me)));
    ASSERT(least, intel_sub_group_reduce_min((char)value(in, me)));
    char before = 0;
    FOR_EACH_MATE(i) if (LANE_OF(i) < lane) before += (char)value(in, i);
    ASSERT(before, intel_sub_group_scan_exclusive_add((char)value(in, me)));
}

kernel void test_blocks_of_other_types(global uint *record, global uchar *bytes, global ulong *longs,
                                       global uchar *out, global ulong *long_out) {
    WHO_IS_WHERE
    uint mates = get_sub_group_size(), sub_group = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
    uchar16 block = intel_sub_group_block_read_uc16(bytes + 64);
    for (uint i = 0; i < 16; i++) ASSERT(bytes[64 + i * mates + lane], ((uchar *)&block)[i]);
    ASSERT(bytes[4 + lane], intel_sub_group_block_read_uc(bytes + 4));
    ulong2 pair = intel_sub_group_block_read_ul2(longs + 8);
    ASSERT_LONG(longs[8 + lane], pair.x);
    ASSERT_LONG(longs[8 + mates + lane], pair.y);
    uint first = sub_group * 16 * mates;
    intel_sub_group_block_write_uc16(out + first, (uchar16)(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, lane));
    intel_sub_group_block_write_ul2(long_out + sub_group * 2 * mates, (ulong2)((ulong)lane << 33, lane));
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    uint next = (lane + 1) % mates;
    ASSERT(1, out[first + next]);
    ASSERT(12, out[first + 11 * mates + next]);
    ASSERT((uchar)next, out[first + 15 * mates + next]);
    ASSERT_LONG((ulong)next << 33, long_out[sub_group * 2 * mates + next]);
    ASSERT_LONG((ulong)next, long_out[sub_group * 2 * mates + mates + next]);
}
