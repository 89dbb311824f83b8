// SPDX-License-Identifier: Apache-2.0
// How functions of checks record faults. They get the address of a CheckState as a pointer to words.
//
// Functions of checks return at their end alone, where work-items take different ways: those of a sub-group come
// together again at the end of a selection, but Vulkan does not say that they do behind a call. What the kernel does
// next may be a function of the sub-group.
#pragma once

#include "caldera/device_abi.h"
#include "function.h"

/// Counts so many faults at a place of the source, and keeps what is known of the first one.
static void record_all(global const uint *words, uint site, uint count, ulong address, ulong begin, ulong size,
                       ulong other) {
    global const CheckState *state = (global const CheckState *)words;
    global CheckRecord *own = (global CheckRecord *)state->records + site;
    if (atomic_add((volatile global uint *)&own->count, count) == 0) {
        own->launched = state->launched;
        own->address = address;
        own->begin = begin;
        own->size_bytes = size;
        own->id[0] = get_global_id(0);
        own->id[1] = get_global_id(1);
        own->id[2] = get_global_id(2);
        own->other = other;
    }
}

static void record(global const uint *words, uint site, ulong address, ulong begin, ulong size, ulong other) {
    record_all(words, site, 1, address, begin, size, other);
}
