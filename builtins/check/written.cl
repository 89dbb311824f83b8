// SPDX-License-Identifier: Apache-2.0
// Reads of local memory that nobody has written. The shadow of the group has a bit for each byte (vulkan/race_words.h).
#include "function.h"
#include "vulkan/race_words.h"

/// The third word of the shadow of four bytes, or 0 if there is none. `at` is a pointer as an integer, which has a tag.
static volatile global uint *written_of(ulong at, ulong2 shadow) {
    ulong place = at & shadow.y;
    bool is_there = at >> 62 == 1 && shadow.x != 0;
    return is_there ? (volatile global uint *)shadow.x + place / 4 * kLocalShadowFactor + 2 : 0;
}

/// At most four bytes; those in the next word do not count, and are taken for written.
static uint parts_of(ulong at, uint bytes) { return ((1u << bytes) - 1) << (at & 3) & 15; }

/// `is_aligned`, a constant: all bytes are in one word.
void FUNCTION check_local_store(ulong at, uint bytes, bool is_aligned, ulong2 shadow) {
    volatile global uint *written = written_of(at, shadow);
    if (written != 0) {
        uint parts = parts_of(at, bytes);
        if (parts & ~*written) atomic_or(written, parts);
        if (!is_aligned && (at & 3) + bytes > 4 && (written = written_of(at + 4, shadow)) != 0) atomic_or(written, 15);
    }
}

/// Whether no byte is written of those that are read, which are in one word of four bytes. It has one load: a driver
/// that inlines this into each access takes time by the square of how many loads there are.
bool FUNCTION check_local_word(ulong at, uint bytes, ulong2 shadow) {
    bool is_unwritten = false;
    volatile global uint *word = written_of(at, shadow);
    if (word != 0) is_unwritten = (*word & parts_of(at, bytes)) == 0;
    return is_unwritten;
}

/// The same as far as they are in the first or the last of several words.
bool FUNCTION check_local_load(ulong at, uint bytes, ulong2 shadow) {
    bool is_unwritten = false;
    ulong end = at + bytes - 1;
    volatile global uint *first = written_of(at, shadow), *last = written_of(end, shadow);
    if (first != 0 && last != 0) {
        uint head = parts_of(at, min(bytes, 4u)), tail = at / 4 == end / 4 ? head : (2u << (end & 3)) - 1;
        is_unwritten = (*first & head) == 0 && (*last & tail) == 0;
    }
    return is_unwritten;
}
