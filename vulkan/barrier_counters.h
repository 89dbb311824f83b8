// SPDX-License-Identifier: Apache-2.0
// The local memory in which a work-group counts who has reached a barrier, for the pass check_barriers (C++)
// and the functions that it calls (builtins/check, OpenCL C).
#pragma once

/// First is whether the group has missed a barrier. Then come three counters: each is a place of the source
/// from 1, a number of work-items, a bit for each of them, and a bit for each word of such bits that all of
/// its work-items have set.
enum {
    kArrivalWords = 64,
    kFullWords = 2 + kArrivalWords,  ///< the first word of the last ones
    kCounterWords = kFullWords + kArrivalWords / 32,
    kBarrierWords = 1 + 3 * kCounterWords,
};
