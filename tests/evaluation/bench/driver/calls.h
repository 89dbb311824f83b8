// SPDX-License-Identifier: Apache-2.0
// Calls of OpenCL and their times, for bench_driver.
#pragma once

#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace caldera::bench {

/// Ends the program where a call failed.
inline void check(cl_int code, const char* what) {
    if (code == CL_SUCCESS) return;
    std::fprintf(stderr, "%s: error %d\n", what, code);
    std::exit(1);
}

template <class Work>
double seconds_of(const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace caldera::bench
