// SPDX-License-Identifier: Apache-2.0
// How functions of checks find the object that an address is in.
#pragma once

#include "caldera/device_abi.h"

/// The index of the object that contains the byte, or ~0 if none does. The search has no loop: a driver may count the
/// turns of all loops of a work-item (driver_quirks.def). Its steps have no branches, since drivers inline them into
/// each access (spares_registers_for_checks).
static uint index_of(global const CheckState *state, ulong address) {
    global const CheckObject *objects = (global const CheckObject *)state->objects;
    uint count = state->object_count, before = 0;  // so many objects begin at the byte or before it
    if (count == 0) return ~0u;
#define STEP(n)                                                      \
    {                                                                \
        uint next = min(before + (n), count);                        \
        before = objects[next - 1].begin <= address ? next : before; \
    }
#define STEPS(n) STEP(n) STEP((n) / 2) STEP((n) / 4) STEP((n) / 8)
    if (count >= 1 << 8) {
        STEPS(1 << 19) STEPS(1 << 15) STEPS(1 << 11)
    }
    if (count >= 1 << 4) {
        STEPS(1 << 7)
    }
    STEPS(1 << 3)
    if (before == 0) return ~0u;
    CheckObject found = objects[before - 1];
    return address - found.begin < found.size_bytes ? before - 1 : ~0u;
}

/// Whether a generic pointer points to local or private memory, as the translator's tag says.
static bool is_tagged(ulong address) {
    uint tag = (uint)(address >> 62);
    return tag == 1 || tag == 2;
}
