// SPDX-License-Identifier: Apache-2.0
// Stopwatch: measures how long each stage of a computation takes.
#pragma once

#include <time.h>

#include <string_view>
#include <utility>
#include <vector>

namespace caldera {

/// The time of a stage in milliseconds of the calling thread's CPU time, so other processes do not count.
struct StageTime {
    std::string_view stage = {};  ///< a literal
    double cpu_ms = 0;
};

/// Starts when it is constructed; each lap is a stage.
class Stopwatch {
 public:
    void lap(std::string_view stage) {
        const double now = now_ms();
        laps_.push_back({stage, now - last_ms_});
        last_ms_ = now;
    }
    std::vector<StageTime> take() { return std::move(laps_); }

 private:
    static double now_ms() {
        timespec now = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }

    std::vector<StageTime> laps_ = {};
    double last_ms_ = now_ms();
};

}  // namespace caldera
