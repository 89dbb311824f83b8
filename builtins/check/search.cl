// SPDX-License-Identifier: Apache-2.0
// The search for the object that an address is in. link_builtins chooses how it is made. No step has a branch, since
// drivers inline it into each access (spares_registers_for_checks).
#include "objects.h"

/// The number of objects that begin at the byte or before it, of which there were `before` so far, where `step` more
/// are looked at.
static uint more_before(global const CheckObject *objects, uint count, ulong address, uint before, uint step) {
    uint next = min(before + step, count);
    return objects[next - 1].begin <= address ? next : before;
}

/// What check_find_object returns if so many objects begin at the byte or before it.
static ulong4 last_of(global const CheckObject *objects, ulong address, uint before) {
    uint last = max(before, 1u) - 1;
    CheckObject found = objects[last];
    bool is_in = before != 0 && address - found.begin < found.size_bytes;
    return (ulong4)(is_in ? found.begin : address, is_in ? found.size_bytes : 0, last, 0);
}

ulong4 FUNCTION check_find_object_loop(global uint *words, ulong address, uint limit) {
    global const CheckState *state = (global const CheckState *)words;
    global const CheckObject *objects = (global const CheckObject *)state->objects;
    uint count = state->object_count, before = 0;
    ulong4 found = (ulong4)(address, 0, 0, 0);
    if (count != 0) {
        for (uint step = 1u << (31 - clz(count)); step != 0; step /= 2)
            before = more_before(objects, count, address, before, step);
        found = last_of(objects, address, before);
    }
    return found;
}

/// Without a loop: a driver may count the turns of all loops of a work-item (ends_long_loops). `limit` is a
/// specialisation constant, so drivers leave out the steps that are not needed.
ulong4 FUNCTION check_find_object_steps(global uint *words, ulong address, uint limit) {
    global const CheckState *state = (global const CheckState *)words;
    global const CheckObject *objects = (global const CheckObject *)state->objects;
    uint count = state->object_count, before = 0;
    ulong4 found = (ulong4)(address, 0, 0, 0);
    if (count != 0) {
#define STEP(n) before = more_before(objects, count, address, before, n);
#define STEPS(n) STEP(n) STEP((n) / 2) STEP((n) / 4) STEP((n) / 8)
        if (limit > 1 << 8 && count >= 1 << 8) {
            STEPS(1 << 19) STEPS(1 << 15) STEPS(1 << 11)
        }
        if (limit > 1 << 4 && count >= 1 << 4) {
            STEPS(1 << 7)
        }
        STEPS(1 << 3)
        found = last_of(objects, address, before);
    }
    return found;
}
