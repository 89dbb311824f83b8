// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
// Which work-items of a group reach a barrier (vulkan/barrier_counters.h). A fault is the number of those that came,
// the local linear id of the first one that did not, the size of the group, and the place where others wait, from 1.
// All are 0 where there is no fault.
#include "function.h"
#include "vulkan/barrier_counters.h"

static uint group_size(void) {
    return (uint)get_local_size(0) * (uint)get_local_size(1) * (uint)get_local_size(2);
}

static volatile local uint *counter_of(local uint *counters, uint turn) {
    return counters + 1 + turn % 3 * kCounterWords;
}

/// All work-items clear what they use themselves, so that it does not matter which of them come.
static void clear(volatile local uint *counter) {
    counter[0] = counter[1] = 0;
    counter[2 + (uint)get_local_linear_id() / 32] = 0;
    counter[kFullWords] = counter[kFullWords + 1] = 0;
}

static uint lowest_zero(uint bits) { return popcount(bits & ~(bits + 1)); }

/// Before a kernel's first barrier. A barrier follows.
void FUNCTION check_no_arrivals(local uint *counters) {
    counters[0] = 0;
    for (uint turn = 0; turn < 3; ++turn) clear(counter_of(counters, turn));
}

/// Before the work-item waits for the others. `turn`: how many barriers it has left behind.
ulong4 FUNCTION check_arrive(uint site, local uint *counters, uint turn) {
    volatile local uint *counter = counter_of(counters, turn);
    uint id = (uint)get_local_linear_id(), other = atomic_cmpxchg(counter, 0, site + 1);
    uint word = id / 32, mine = 1u << id % 32, all = ~0u >> (32 - min(group_size() - word * 32, 32u));
    if ((atomic_or(counter + 2 + word, mine) | mine) == all)
        atomic_or(counter + kFullWords + word / 32, 1u << word % 32);
    uint came = atomic_inc(counter + 1);
    ulong4 fault = (ulong4)(0);
    if (other != 0 && other != site + 1 && atomic_xchg((volatile local uint *)counters, 1) == 0)
        fault = (ulong4)(came, id, group_size(), other);
    return fault;
}

/// When it goes on. There is no loop: a driver may count the turns of all loops of a work-item (ends_long_loops).
ulong4 FUNCTION check_complete(local uint *counters, uint turn) {
    volatile local uint *counter = counter_of(counters, turn);
    uint came = counter[1], size = group_size();
    ulong4 fault = (ulong4)(0);
    if (came != size && atomic_xchg((volatile local uint *)counters, 1) == 0) {
        uint word = lowest_zero(counter[kFullWords]);
        if (word == 32) word = min(32 + lowest_zero(counter[kFullWords + 1]), (uint)kArrivalWords - 1);
        fault = (ulong4)(came, word * 32 + lowest_zero(counter[2 + word]), size, 0);
    }
    clear(counter_of(counters, turn + 2));
    return fault;
}
