// SPDX-License-Identifier: Apache-2.0
// Checks of accesses (MemoryChecks). A kernel has the address of a CheckState (caldera/device_abi.h). Each function
// returns the address for the access: the one that was asked for, or `spare`, where the access harms nobody. So no
// access needs a branch around it. What begins with check_ also records the fault.

#include "objects.h"
#include "record.h"

/// Whether the bytes are in the object.
static bool is_inside(ulong address, uint bytes, ulong begin, ulong size) {
    ulong at = address - begin;
    return at < size && size - at >= bytes;
}

/// The begin and the size of the object that contains the byte; the address and 0 if none does.
static ulong2 object_of(global uint *words, ulong address) {
    uint index = check_find_object(words, address);
    ulong2 object = (ulong2)(address, 0);
    if (index != ~0u) {
        CheckObject found = ((global const CheckObject *)((global const CheckState *)words)->objects)[index];
        object = (ulong2)(found.begin, found.size_bytes);
    }
    return object;
}

// ---- At the entry of a function ----

/// The spare area for accesses that write, or for those that read.
ulong FUNCTION check_spare(global uint *words, uint writes) {
    global const CheckState *state = (global const CheckState *)words;
    return writes ? state->sink : state->zeros;
}

/// The begin and the size of the object that an argument points to.
ulong2 FUNCTION check_argument(global uint *words, uint argument) {
    global const CheckState *state = (global const CheckState *)words;
    CheckObject object = ((global const CheckObject *)state->objects)[state->object_count + argument];
    return (ulong2)(object.begin, object.size_bytes);
}

// ---- Accesses in a known object ----

ulong FUNCTION guard_inside(ulong address, uint bytes, ulong begin, ulong size, ulong spare) {
    return is_inside(address, bytes, begin, size) ? address : spare;
}

ulong FUNCTION check_inside(global uint *words, uint site, ulong address, uint bytes, ulong begin, ulong size,
                            ulong spare) {
    bool inside = is_inside(address, bytes, begin, size);
    if (!inside) record(words, site, address, begin, size, 0);
    return inside ? address : spare;
}

// ---- Accesses by any pointer ----

ulong FUNCTION guard_any(global uint *words, ulong address, uint bytes, ulong spare) {
    ulong2 object = object_of(words, address);
    return is_inside(address, bytes, object.x, object.y) ? address : spare;
}

ulong FUNCTION check_any(global uint *words, uint site, ulong address, uint bytes, ulong spare) {
    ulong2 object = object_of(words, address);
    bool inside = is_inside(address, bytes, object.x, object.y);
    if (!inside) record(words, site, address, 0, 0, 0);
    return inside ? address : spare;
}

ulong FUNCTION guard_generic(global uint *words, ulong address, uint bytes, ulong spare) {
    return is_tagged(address) ? address : guard_any(words, address, bytes, spare);
}

ulong FUNCTION check_generic(global uint *words, uint site, ulong address, uint bytes, ulong spare) {
    return is_tagged(address) ? address : check_any(words, site, address, bytes, spare);
}

// ---- Alignment ----

/// The address, or `spare` if it is no multiple of a power of two. The object is for the report alone.
ulong FUNCTION check_aligned(global uint *words, uint site, ulong address, uint alignment, ulong begin, ulong size,
                             ulong spare) {
    bool is_aligned = (address & (alignment - 1)) == 0;
    if (!is_aligned) record(words, site, address, begin, size, 0);
    return is_aligned ? address : spare;
}

// ---- Copies, which move nothing if one of their bytes is outside ----

/// The count of elements, or 0 if some of them, so many of their own sizes apart, are outside. No product wraps around.
ulong FUNCTION guard_count(global uint *words, ulong address, uint element_bytes, ulong count, ulong stride) {
    ulong2 object = object_of(words, address);
    ulong at = address - object.x;
    ulong room = at < object.y ? (object.y - at) / element_bytes : 0;
    bool fits = count == 0 || (room != 0 && count - 1 <= (room - 1) / max(stride, 1ul));
    return fits || is_tagged(address) ? count : 0;
}

ulong FUNCTION check_count(global uint *words, uint site, ulong address, uint element_bytes, ulong count,
                           ulong stride) {
    ulong allowed = guard_count(words, address, element_bytes, count, stride);
    if (allowed != count) record(words, site, address, 0, 0, 0);
    return allowed;
}

// ---- Accesses in an array of private or local memory ----

/// The index of an element, or one that is outside of every array. `at` is the access's offset in the object.
ulong FUNCTION check_index(global uint *words, uint site, ulong index, ulong at, uint bytes, ulong size) {
    bool inside = is_inside(at, bytes, 0, size);
    if (!inside) record(words, site, at, 0, size, 0);
    return inside ? index : 0x7fffffff;
}
