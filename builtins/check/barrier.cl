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
}

/// Before a kernel's first barrier. A barrier follows.
void FUNCTION check_no_arrivals(local uint *counters) {
    counters[0] = 0;
    for (uint turn = 0; turn < 3; ++turn) clear(counter_of(counters, turn));
}

/// Before the work-item waits for the others. `turn`: how many barriers it has left behind.
ulong4 FUNCTION check_arrive(uint site, local uint *counters, uint turn) {
    volatile local uint *counter = counter_of(counters, turn);
    uint id = (uint)get_local_linear_id(), other = atomic_cmpxchg(counter, 0, site + 1);
    atomic_or(counter + 2 + id / 32, 1u << id % 32);
    uint came = atomic_inc(counter + 1);
    ulong4 fault = (ulong4)(0);
    if (other != 0 && other != site + 1 && atomic_xchg((volatile local uint *)counters, 1) == 0)
        fault = (ulong4)(came, id, group_size(), other);
    return fault;
}

/// When it goes on.
ulong4 FUNCTION check_complete(local uint *counters, uint turn) {
    volatile local uint *counter = counter_of(counters, turn);
    uint came = counter[1], size = group_size();
    ulong4 fault = (ulong4)(0);
    if (came != size && atomic_xchg((volatile local uint *)counters, 1) == 0) {
        uint missing = 0;
        for (uint word = 0; word < (size + 31) / 32 && missing == word * 32; ++word)
            missing += min(popcount(counter[2 + word] & ~(counter[2 + word] + 1)), 32u);
        fault = (ulong4)(came, missing, size, 0);
    }
    clear(counter_of(counters, turn + 2));
    return fault;
}
