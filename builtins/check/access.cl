// SPDX-License-Identifier: Apache-2.0
// Checks of accesses (MemoryChecks). A kernel has the address of a CheckState (caldera/device_abi.h).

#include "objects.h"

/// Whether the bytes are in the object.
static bool is_inside(ulong address, uint bytes, ulong begin, ulong size) {
    ulong at = address - begin;
    return at < size && size - at >= bytes;
}

/// The begin and the size of the object that contains the byte; the address and 0 if none does.
static ulong2 object_of(global uint *words, ulong address, uint limit) {
    return check_find_object(words, address, limit).xy;
}

// ---- At the entry of a function ----

/// The spare area for accesses that write, or for those that read.
ulong FUNCTION check_spare(global uint *words, uint writes) {
    global const CheckState *state = (global const CheckState *)words;
    return writes ? state->sink : state->zeros;
}

/// The begin and the size of the object that an argument points to.
ulong2 FUNCTION check_argument(global uint *words, uint argument) {
    CheckObject object = argument_object(words, argument);
    return (ulong2)(object.begin, object.size_bytes);
}

// ---- Accesses by any pointer ----

bool FUNCTION check_is_in(global uint *words, ulong address, uint bytes, uint limit) {
    ulong2 object = object_of(words, address, limit);
    return is_inside(address, bytes, object.x, object.y);
}

bool FUNCTION check_is_generic_in(global uint *words, ulong address, uint bytes, uint limit) {
    return is_tagged(address) ? true : check_is_in(words, address, bytes, limit);
}

/// The same in the object that check_shadow has found.
bool FUNCTION check_is_in_found(ulong address, uint bytes, ulong4 object) {
    return is_inside(address, bytes, object.x, object.y);
}

bool FUNCTION check_is_generic_in_found(ulong address, uint bytes, ulong4 object) {
    return is_tagged(address) ? true : is_inside(address, bytes, object.x, object.y);
}

// ---- Copies, which move nothing if one of their bytes is outside ----

/// The count of elements, or 0 if some of them, so many of their own sizes apart, are outside. No product wraps around.
ulong FUNCTION guard_count(global uint *words, ulong address, uint element_bytes, ulong count, ulong stride,
                           uint limit) {
    ulong2 object = object_of(words, address, limit);
    ulong at = address - object.x;
    ulong room = at < object.y ? (object.y - at) / element_bytes : 0;
    bool fits = count == 0 || (room != 0 && count - 1 <= (room - 1) / max(stride, 1ul));
    return fits || is_tagged(address) ? count : 0;
}
