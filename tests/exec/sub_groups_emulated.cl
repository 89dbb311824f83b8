// SPDX-License-Identifier: Apache-2.0
// Sub-groups of a size that the device may not have, and which the translator then makes by local memory
// (emulated_sub_groups.cl): lavapipe has 4 or 8 work-items, SwiftShader 4. Sizes that devices have run by them.
// OPTIONS: -cl-std=CL3.0
// NEEDS: sub-groups
// RUN: global=256 local=64
// RUN: global=16,16 local=8,8
// RUN: global=120 local=40
// RUN: global=24 local=8
// RUN: global=100 local=64
#include "assert.h"

#define SIZE 32
#define REQUIRED __attribute__((intel_reqd_sub_group_size(SIZE)))

#define WHO                                                                                       \
    const uint me = get_local_linear_id(), all = get_local_size(0) * get_local_size(1), lane = me % SIZE, \
               first = me - lane, mates = min((uint)SIZE, all - first);

REQUIRED kernel void test_ids(global uint *record, global int *in) {
    WHO
    ASSERT(SIZE, get_max_sub_group_size());
    ASSERT(mates, get_sub_group_size());
    ASSERT(lane, get_sub_group_local_id());
    ASSERT(me / SIZE, get_sub_group_id());
    ASSERT((all + SIZE - 1) / SIZE, get_num_sub_groups());
    const uint most = get_enqueued_local_size(0) * get_enqueued_local_size(1);
    ASSERT((most + SIZE - 1) / SIZE, get_enqueued_num_sub_groups());
    ASSERT(1u << lane, get_sub_group_eq_mask().x);
    ASSERT((1u << lane) - 1, get_sub_group_lt_mask().x);
    ASSERT(((1u << lane) - 1) | 1u << lane, get_sub_group_le_mask().x);
    ASSERT(~((1u << lane) - 1), get_sub_group_ge_mask().x);
    ASSERT(~(((1u << lane) - 1) | 1u << lane), get_sub_group_gt_mask().x);
    ASSERT(0, get_sub_group_gt_mask().y | get_sub_group_ge_mask().w);
}

REQUIRED kernel void test_moves(global uint *record, global int *in) {
    WHO
    const int mine = in[me] * 3 + 1;
    ASSERT(in[first + mates - 1] * 3 + 1, sub_group_broadcast(mine, mates - 1));
    ASSERT(in[first] * 3 + 1, sub_group_broadcast_first(mine));
    ASSERT(in[first + (lane + 5) % mates] * 3 + 1, sub_group_shuffle(mine, (lane + 5) % mates));
    if (all % SIZE == 0) {
        ASSERT(in[first + (lane ^ 17)] * 3 + 1, sub_group_shuffle_xor(mine, 17));
        ASSERT(in[first + (lane + 7) % SIZE] * 3 + 1, sub_group_rotate(mine, 7));
        ASSERT(in[first + lane / 8 * 8 + (lane + 3) % 8] * 3 + 1, sub_group_clustered_rotate(mine, 3, 8));
    }
    const int up = sub_group_shuffle_up(mine, 9), down = sub_group_shuffle_down(mine, 9);
    if (lane >= 9) ASSERT(in[me - 9] * 3 + 1, up);
    if (lane + 9 < mates) ASSERT(in[me + 9] * 3 + 1, down);
    // Values of other types.
    const uint from = (lane + 1) % mates;
    ASSERT_LONG((long)in[first + from] << 40, sub_group_shuffle((long)in[me] << 40, from));
    ASSERT((ushort)(in[first + from] + 65000), sub_group_shuffle((ushort)(in[me] + 65000), from));
    ASSERT_BITS(as_uint(in[first + from] + 0.25f), sub_group_shuffle(in[me] + 0.25f, from));
    ASSERT(in[first + from], intel_sub_group_shuffle((int4)(in[me], 1, 2, 3), from).x);
    ASSERT(3, intel_sub_group_shuffle((int4)(in[me], 1, 2, 3), from).w);
}

REQUIRED kernel void test_reductions(global uint *record, global int *in) {
    WHO
    int sum = 0, before = 0, cluster = 0;
    for (uint i = first; i < first + mates; i++) {
        sum += in[i] * 7;
        if (i < me) before += in[i] * 7;
        if (i / 8 == me / 8) cluster += in[i] * 7;
    }
    const int mine = in[me] * 7;
    ASSERT(sum, sub_group_reduce_add(mine));
    ASSERT(before + mine, sub_group_scan_inclusive_add(mine));
    ASSERT(before, sub_group_scan_exclusive_add(mine));
    ASSERT(sum, sub_group_non_uniform_reduce_add(mine));
    ASSERT(cluster, sub_group_clustered_reduce_add(mine, 8));
    ASSERT(in[first + mates - 1], sub_group_reduce_max(in[me]));
    ASSERT((char)in[first], sub_group_reduce_min((char)in[me]));
    ASSERT_LONG((long)sum << 32, sub_group_reduce_add((long)mine << 32));
    ASSERT_BITS(as_uint((float)sum), sub_group_reduce_add((float)mine));
    ASSERT(1, sub_group_non_uniform_reduce_logical_and(in[me] >= 0));
    ASSERT(lane == 0 ? INT_MAX : in[first], sub_group_scan_exclusive_min(in[me]));
    ASSERT(all * (all - 1) / 2, work_group_reduce_add(me));
}

REQUIRED kernel void test_votes(global uint *record, global int *in) {
    WHO
    const uint valid = mates == SIZE ? UINT_MAX : (1u << mates) - 1, odd = 0xaaaaaaaa & valid;
    ASSERT(lane == 0, sub_group_elect());
    ASSERT(1, sub_group_all(lane < SIZE) != 0);
    ASSERT(mates == 1, sub_group_all(lane == 0) != 0);
    ASSERT(1, sub_group_any(lane == mates - 1) != 0);
    ASSERT(0, sub_group_non_uniform_any(lane == SIZE));
    ASSERT(1, sub_group_non_uniform_all_equal(first));
    ASSERT(mates == 1, sub_group_non_uniform_all_equal((float)me));
    const uint4 ballot = sub_group_ballot(in[me] & 1);
    ASSERT(odd, ballot.x);
    ASSERT(0, ballot.y | ballot.z | ballot.w);
    ASSERT(lane & 1, sub_group_inverse_ballot(ballot) != 0);
    ASSERT(1, sub_group_ballot_bit_extract(ballot, 1) != 0);
    ASSERT(popcount(odd), sub_group_ballot_bit_count(ballot));
    ASSERT((lane + 1) / 2, sub_group_ballot_inclusive_scan(ballot));
    ASSERT(lane / 2, sub_group_ballot_exclusive_scan(ballot));
    ASSERT(1, sub_group_ballot_find_lsb(ballot));
    ASSERT((mates - 1) | 1, sub_group_ballot_find_msb(ballot) | (mates & 1 ? (mates - 1) | 1 : 0));
}

uint halves(uint x) {
    for (uint step = SIZE / 2; step > 0; step /= 2) x += sub_group_shuffle_xor(x, step);
    return x;
}

// All work-items of the work-group go the same way: by what they have in common, and past what they do not.
REQUIRED kernel void test_uniform_control(global uint *record, global int *in, uint n) {
    WHO
    local uint box[64];
    uint sum = 0;
    for (uint i = 0; i < get_num_sub_groups() * 2; i++) {
        if (me & 1) sum += in[i];
        if (get_group_id(0) % 2 == 0 || i > 1) ASSERT(mates, sub_group_reduce_add(1));
    }
    if (all % SIZE == 0) ASSERT(SIZE * first + SIZE * (SIZE - 1) / 2, halves(me));
    box[me] = in[me];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(in[first + (lane + 1) % mates], box[first + (lane + 1) % mates]);
    uint x = work_group_all(me < all) ? sub_group_broadcast(me, 0) : 0;
    ASSERT(first, x);
}

// Work-items of a sub-group see each other's writes at a sub-group's scope, and at wider ones.
REQUIRED kernel void test_scopes(global uint *record, global int *in) {
    WHO
    local uint box[64];
    local atomic_uint count;
    if (me == 0) atomic_init(&count, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed, memory_scope_sub_group);
    box[me] = in[me];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
    ASSERT(in[first + (lane + 1) % mates], box[first + (lane + 1) % mates]);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
    ASSERT(all, atomic_load_explicit(&count, memory_order_relaxed, memory_scope_sub_group));
    box[me] = in[me] + 3;
    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel, memory_scope_sub_group);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    ASSERT(in[first + (lane + 5) % mates] + 3, box[first + (lane + 5) % mates]);
}

#undef SIZE
#define SIZE 64
REQUIRED kernel void test_64(global uint *record, global int *in) {
    WHO
    const uint4 ballot = sub_group_ballot(lane > 30);
    ASSERT(mates > 31 ? 0x80000000 : 0, ballot.x);
    ASSERT(mates == 64 ? UINT_MAX : mates > 32 ? (1u << (mates - 32)) - 1 : 0, ballot.y);
    ASSERT(lane > 31 ? lane - 31 : 0, sub_group_ballot_exclusive_scan(ballot));
    ASSERT(lane > 30, sub_group_inverse_ballot(ballot) != 0);
    if (mates > 31) ASSERT(31, sub_group_ballot_find_lsb(ballot));
    if (mates > 31) ASSERT(mates - 1, sub_group_ballot_find_msb(ballot));
    ASSERT(lane >= 32 ? 1u << (lane - 32) : 0, get_sub_group_eq_mask().y);
    ASSERT(me, sub_group_scan_exclusive_add(1));
    ASSERT(in[mates - 1 - lane], sub_group_shuffle(in[me], mates - 1 - lane));
}
