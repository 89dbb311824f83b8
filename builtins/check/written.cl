// SPDX-License-Identifier: Apache-2.0
// Reads of what nobody has written. The passes keep a bit for each part of a private variable; for local memory the
// shadow of the group has them (vulkan/race_words.h).
#include "record.h"
#include "vulkan/race_words.h"

/// Records a read of `needed` parts, unless all of them are among the written ones.
void FUNCTION check_written(global uint *words, uint site, uint needed, uint written, ulong at, ulong size) {
    if ((needed & ~written) != 0) record(words, site, at, 0, size, 0);
}

/// The same of parts that are read as one value: one that is written in part may be copied.
void FUNCTION check_any_written(global uint *words, uint site, uint needed, uint written, ulong at, ulong size) {
    if ((needed & written) == 0) record(words, site, at, 0, size, 0);
}

// ---- Local memory ----

/// The third word of the shadow of four bytes, or 0 if there is none. `at` is a pointer as an integer, which has a tag.
static volatile global uint *written_of(global const uint *words, ulong at, ulong shadow) {
    uint place = (uint)at % max(((global const CheckState *)words)->local_bytes, 1u);
    bool is_there = at >> 62 == 1 && shadow != 0;
    return is_there ? (volatile global uint *)shadow + place / 4 * kLocalShadowFactor + 2 : 0;
}

/// At most four bytes; those in the next word do not count, and are taken for written.
static uint parts_of(ulong at, uint bytes) { return ((1u << bytes) - 1) << (at & 3) & 15; }

void FUNCTION check_local_store(global uint *words, ulong at, uint bytes, ulong shadow) {
    volatile global uint *written = written_of(words, at, shadow);
    if (written != 0) {
        uint parts = parts_of(at, bytes);
        if (parts & ~*written) atomic_or(written, parts);
        if ((at & 3) + bytes > 4 && (written = written_of(words, at + 4, shadow)) != 0) atomic_or(written, 15);
    }
}

/// Records a read of bytes of which neither the first nor the last is written.
void FUNCTION check_local_load(global uint *words, uint site, ulong at, uint bytes, ulong shadow) {
    volatile global uint *first = written_of(words, at, shadow), *last = written_of(words, at + bytes - 1, shadow);
    if (first != 0 && last != 0) {
        bool is_written = (*first & parts_of(at, 1)) || (*last & parts_of(at + bytes - 1, 1));
        if (!is_written) record(words, site, at, 0, 0, 0);
    }
}
