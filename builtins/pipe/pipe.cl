// SPDX-License-Identifier: Apache-2.0
// Pipes (OpenCL C 6.13.16): a ring of packets in global memory, whose layout caldera/device_abi.h tells (PipeWord).
// OPTIONS: -cl-std=CL3.0
//
// A position counts packets, up to a multiple of the ring's size below 2^32. Packet p is in slot p % size, in
// round p / size of the ring. A slot's state is twice the round while the slot waits for that packet, and one
// more while it holds the packet. The call that moves the write position from p over waiting slots owns these
// slots until its commit marks them as holding their packets. The read position moves over slots that hold
// their packets, and the commit makes them wait for the next round. So no work-item waits for another: if a
// position does not move, the pipe is full or empty, or an earlier reservation has not been committed.
//
// Why this is correct in the memory model (the same in OpenCL, C11 and Vulkan): loads are relaxed, so any load may
// return an old value. A call of reserve() loads position p, then the states of the slots from p on. "Before" means
// happens-before, and the "owner" of a packet is the call that moved the position over it. Positions and states only
// increase. (This ignores that 2^32 packets may pass between two loads of one call.)
// - All states are as expected: the exchange succeeds if the last value in the position's modification order is p (it
//   is an atomic read-modify-write), so each packet has one owner. The states are not old ones then: only an owner of
//   packet p or a later one can have stored more, and there is none while the position is p. The fence after the
//   exchange acquires what the commits released that stored these states. So the owner sees the packets that it reads,
//   and writes after the calls that read the slots.
// - A state is too high: an owner's commit stored it. The owner's exchange is before its fence (release), which is
//   before our fence (acquire), since we loaded that state. So the exchange is before our second load of the position,
//   which returns what the exchange stored, or more. This is not p, and we try again. (Without our fence, both loads
//   may return p, and a pipe with room would count as full.)
// - A state is too low: the commit that raises it is not before our call, or we would have loaded its value
//   (coherence). Neither are the reservations of calls that saw it raised, since they have acquired that commit. So
//   there is an order of all calls, consistent with happens-before, in which the pipe is full or empty at our call:
//   there is no room, or no packet, that the caller could know of.

#include "caldera/device_abi.h"

#define FUNCTION __attribute__((overloadable))

static uint load(global uint *from) {
    return atomic_load_explicit((volatile global atomic_uint *)from, memory_order_relaxed, memory_scope_device);
}
/// For compilers that take what another load has given (Mesa's, which knows of no fence between relaxed loads).
/// driver_quirks.def: loads_pipes_anew.
static uint load_anew(global uint *from) {
    return atomic_fetch_or_explicit((volatile global atomic_uint *)from, 0u, memory_order_relaxed, memory_scope_device);
}
static void store(global uint *to, uint value) {
    atomic_store_explicit((volatile global atomic_uint *)to, value, memory_order_relaxed, memory_scope_device);
}

static uint rounds(uint size) { return ~0u / size; }

/// `position + count`, which is at most a round further.
static uint advance(uint position, uint count, uint size) {
    uint left = rounds(size) * size - position;
    return count < left ? position + count : count - left;
}

static bool all_slots_are(global uint *ring, uint position, uint count, uint size, uint full) {
    for (uint i = 0; i < count; i++) {
        uint packet = advance(position, i, size);
        if (load(&ring[kPipeHeaderWords + packet % size]) != 2 * (packet / size) + full) return false;
    }
    return true;
}

/// The first position and the number of packets, or no packets. Why it is right: at the top of this file.
static uint2 reserve(global uint *ring, uint which, uint count, uint full) {
    uint size = ring[kPipeMaxPackets];
    if (count == 0 || count > size) return (uint2)(0);
    while (true) {
        uint position = load(&ring[which]), expected = position;
        if (all_slots_are(ring, position, count, size, full)) {
            if (atomic_compare_exchange_strong_explicit((volatile global atomic_uint *)&ring[which], &expected,
                                                        advance(position, count, size), memory_order_relaxed,
                                                        memory_order_relaxed, memory_scope_device)) {
                atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
                return (uint2)(position, count);
            }
            continue;
        }
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
        if (load_anew(&ring[which]) == position) return (uint2)(0);
    }
}

uint2 FUNCTION pipe_reserve_read(global uint *ring, uint count) { return reserve(ring, kPipeReadPosition, count, 1); }
uint2 FUNCTION pipe_reserve_write(global uint *ring, uint count) { return reserve(ring, kPipeWritePosition, count, 0); }

void FUNCTION pipe_commit_read(global uint *ring, uint2 reserved) {
    uint size = ring[kPipeMaxPackets];
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    for (uint i = 0; i < reserved.y; i++) {
        uint packet = advance(reserved.x, i, size), next = packet / size + 1;
        store(&ring[kPipeHeaderWords + packet % size], next == rounds(size) ? 0 : 2 * next);
    }
}
void FUNCTION pipe_commit_write(global uint *ring, uint2 reserved) {
    uint size = ring[kPipeMaxPackets];
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    for (uint i = 0; i < reserved.y; i++) {
        uint packet = advance(reserved.x, i, size);
        store(&ring[kPipeHeaderWords + packet % size], 2 * (packet / size) + 1);
    }
}

uint FUNCTION pipe_max_packets(global uint *ring) { return ring[kPipeMaxPackets]; }
uint FUNCTION pipe_num_packets(global uint *ring) {
    uint size = ring[kPipeMaxPackets];
    uint read = load(&ring[kPipeReadPosition]), written = load(&ring[kPipeWritePosition]);
    return min(written >= read ? written - read : written + (rounds(size) * size - read), size);
}

// ---- For a whole group: its first work-item does the work ----
// Barriers pass on what that work-item has acquired, or is to release. `shared` tells the others of a work-group.

static bool is_first(void) { return get_local_id(0) == 0 && get_local_id(1) == 0 && get_local_id(2) == 0; }

#define GROUP(direction)                                                                                       \
    uint2 FUNCTION pipe_group_reserve_##direction(global uint *ring, uint count, local uint2 *shared) {        \
        if (is_first()) *shared = pipe_reserve_##direction(ring, count);                                       \
        work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                        \
        uint2 reserved = *shared;                                                                              \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                               \
        return reserved;                                                                                       \
    }                                                                                                          \
    void FUNCTION pipe_group_commit_##direction(global uint *ring, uint2 reserved) {                           \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                              \
        if (is_first()) pipe_commit_##direction(ring, reserved);                                               \
        work_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                              \
    }
GROUP(read)
GROUP(write)

#define SUB_GROUP(direction)                                                                                   \
    uint2 FUNCTION pipe_sub_group_reserve_##direction(global uint *ring, uint count) {                         \
        uint2 reserved = (uint2)(0);                                                                           \
        if (get_sub_group_local_id() == 0) reserved = pipe_reserve_##direction(ring, count);                   \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                               \
        return (uint2)(sub_group_broadcast(reserved.x, 0), sub_group_broadcast(reserved.y, 0));                \
    }                                                                                                          \
    void FUNCTION pipe_sub_group_commit_##direction(global uint *ring, uint2 reserved) {                       \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                               \
        if (get_sub_group_local_id() == 0) pipe_commit_##direction(ring, reserved);                            \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                               \
    }
SUB_GROUP(read)
SUB_GROUP(write)

// ---- Packets: `count` elements of T, in slots of `words` words ----

#define PACKETS(T)                                                                                             \
    static global T *slot_##T(global uint *ring, uint position, uint words) {                                  \
        uint size = ring[kPipeMaxPackets];                                                                         \
        return (global T *)(ring + kPipeHeaderWords + size + (size_t)(position % size) * words);                        \
    }                                                                                                          \
    int FUNCTION pipe_read(global uint *ring, uint2 reserved, uint index, uint count, uint words, T *to) {     \
        if (index >= reserved.y) return -1;                                                                    \
        global T *from = slot_##T(ring, advance(reserved.x, index, ring[kPipeMaxPackets]), words);                 \
        for (uint i = 0; i < count; i++) to[i] = from[i];                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    int FUNCTION pipe_write(global uint *ring, uint2 reserved, uint index, uint count, uint words,             \
                            const T *from) {                                                                   \
        if (index >= reserved.y) return -1;                                                                    \
        global T *to = slot_##T(ring, advance(reserved.x, index, ring[kPipeMaxPackets]), words);                   \
        for (uint i = 0; i < count; i++) to[i] = from[i];                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    int FUNCTION pipe_read(global uint *ring, uint count, uint words, T *to) {                                 \
        uint2 reserved = pipe_reserve_read(ring, 1);                                                           \
        if (pipe_read(ring, reserved, 0, count, words, to) != 0) return -1;                                    \
        pipe_commit_read(ring, reserved);                                                                      \
        return 0;                                                                                              \
    }                                                                                                          \
    int FUNCTION pipe_write(global uint *ring, uint count, uint words, const T *from) {                        \
        uint2 reserved = pipe_reserve_write(ring, 1);                                                          \
        if (pipe_write(ring, reserved, 0, count, words, from) != 0) return -1;                                 \
        pipe_commit_write(ring, reserved);                                                                     \
        return 0;                                                                                              \
    }
PACKETS(uchar)
PACKETS(ushort)
PACKETS(uint)
