// SPDX-License-Identifier: Apache-2.0
// The local memory in which a work-group counts who has reached a barrier, for the pass check_barriers (C++)
// and the functions that it calls (builtins/check, OpenCL C).
#pragma once

/// First is whether the group has missed a barrier. Then come three counters: each is a place of the source
/// from 1, a number of work-items, and a bit for each of them.
enum {
    kCounterWords = 2 + 64,
    kBarrierWords = 1 + 3 * kCounterWords,
};
