// SPDX-License-Identifier: Apache-2.0
// How functions of checks find the object that an address is in.
#pragma once

#include "caldera/device_abi.h"
#include "function.h"

/// The begin, the size and the index of the object that contains the byte; the address and 0 if none does.
/// There are fewer objects than `limit`, which is one of search_limit() (vulkan/check_search.h). The
/// functions of search.cl: they load an object once, since drivers inline them into each access.
ulong4 FUNCTION check_find_object(global uint* words, ulong address, uint limit);

/// The object that an argument points to. It is at an address that a driver knows to be the same for all
/// work-items.
static CheckObject argument_object(global uint* words, uint argument) {
    return ((global const CheckObject*)((global const CheckState*)words + 1))[argument];
}

/// Whether a generic pointer points to local or private memory, as the translator's tag says.
static bool is_tagged(ulong address) {
    uint tag = (uint)(address >> 62);
    return tag == 1 || tag == 2;
}
