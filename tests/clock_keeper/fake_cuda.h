// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 that counts, and ends the process where it is used wrongly: in a child of fork, or in a call
// while it ends itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

/// The state that tests read and set, through the symbol `fake_cuda`.
struct FakeCuda {
    static constexpr std::array<uint8_t, 16> kUuid = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    std::atomic<int> inits = 0, created = 0, contexts = 0, currents = 0;
    std::atomic<int> compute_mode = 0;
    std::atomic<bool> all_signals_were_blocked = false;
};
