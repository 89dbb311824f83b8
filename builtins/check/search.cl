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

static uint index_in(global const CheckObject *objects, ulong address, uint before) {
    uint last = max(before, 1u) - 1;
    CheckObject found = objects[last];
    return before != 0 && address - found.begin < found.size_bytes ? last : ~0u;
}

uint FUNCTION check_find_object_loop(global uint *words, ulong address, uint limit) {
    global const CheckState *state = (global const CheckState *)words;
    global const CheckObject *objects = (global const CheckObject *)state->objects;
    uint count = state->object_count, before = 0, found = ~0u;
    if (count != 0) {
        for (uint step = 1u << (31 - clz(count)); step != 0; step /= 2)
            before = more_before(objects, count, address, before, step);
        found = index_in(objects, address, before);
    }
    return found;
}

/// Without a loop: a driver may count the turns of all loops of a work-item (ends_long_loops). `limit` is a
/// specialisation constant, so drivers leave out the steps that are not needed.
uint FUNCTION check_find_object_steps(global uint *words, ulong address, uint limit) {
    global const CheckState *state = (global const CheckState *)words;
    global const CheckObject *objects = (global const CheckObject *)state->objects;
    uint count = state->object_count, before = 0, found = ~0u;
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
        found = index_in(objects, address, before);
    }
    return found;
}
