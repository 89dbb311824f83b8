// SPDX-License-Identifier: Apache-2.0
// What the shadows of memory (CheckState) have of accesses, for the functions that the pass check_races calls
// (builtins/check, OpenCL C) and the runtime, which makes shadows and reports (C++).
#pragma once

/// A shadow has two words for each four bytes: the last access that wrote, and the last that only read. A
/// word has, from its lowest bit on: the work-item's number in its group, the number of its group, and the
/// barriers that the group had left behind and that order this memory, all of them cut to so many bits; a
/// flag; and a bit for each of the bytes. 0: there was none.
enum {
    kRaceItemBits = 10,
    kRaceGroupBits = 9,
    kRaceEpochBits = 8,  ///< all ones: so many barriers or more
    kRaceGroupShift = kRaceItemBits,
    kRaceEpochShift = kRaceGroupShift + kRaceGroupBits,
    kRaceFlagShift = kRaceEpochShift + kRaceEpochBits,
    kRaceBytesShift = kRaceFlagShift + 1,
    kRaceItemMask = (1 << kRaceItemBits) - 1,
    kRaceGroupMask = (1 << kRaceGroupBits) - 1,
    kRaceEpochMask = (1 << kRaceEpochBits) - 1,
    kRaceCopiers = 16,       ///< the last numbers of work-items, by turns, are asynchronous copies
    kShadowFactor = 2,       ///< the bytes of a shadow for each byte
    kLocalShadowFactor = 3,  ///< those of one of local memory: the third word has bits for the bytes written
};

/// What CheckRecord::other has of the other access, above its word.
enum {
    kRaceWithWrite = 1,       ///< else it read
    kRaceWithAtomic = 2,      ///< it was an atomic operation, or volatile
    kRaceWithSeveral = 4,     ///< several work-items did so
    kRaceWithOtherGroup = 8,  ///< the other work-item is of another group
};
