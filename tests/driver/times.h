// SPDX-License-Identifier: Apache-2.0
// Comparisons of times that hold on a busy machine too.
#pragma once

#include <doctest/doctest.h>

#include <chrono>

namespace caldera::driver_test {

/// The time that `work` takes.
template <class Work>
double seconds_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Fails if `is_quick()` returns false in each of several tries, each of which measures both times anew.
///
/// Other processes and a processor's clock stretch some times many times over, and not others. One try then
/// proves nothing; a mechanism that is too slow fails all tries.
template <class Try>
void check_is_quick_once(const Try& is_quick) {
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i)
        if (is_quick()) return;
    FAIL_CHECK("too slow in each try");
}

}  // namespace caldera::driver_test
