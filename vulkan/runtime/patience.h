// SPDX-License-Identifier: Apache-2.0
// Patience: how long a process that exits waits for a device that is the processor.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace caldera::runtime {

/// A thread of the driver may be compiling, by a library whose static objects end with the process: it would
/// crash. How long that takes on a busy machine is told by the time that the processor spends on this
/// process, not by the clock. What waits for something that never comes takes no such time, and a kernel that
/// never ends takes it all: neither keeps a process for ever.
class Patience {
 public:
    using Time = std::chrono::nanoseconds;
    struct Moment {
        Time clock = {};   ///< of a steady clock
        Time worked = {};  ///< what the processor has spent on this process so far, for all threads together
    };
    static Moment now();

    /// At least so long by the clock, and at least so much work.
    static constexpr Time kClock = std::chrono::seconds(5), kWork = std::chrono::seconds(20);
    /// A process that has done less than kLittle in kClock waits for something else, unless one of its
    /// threads could go on, but gets no processor.
    static constexpr Time kLittle = std::chrono::milliseconds(10);

    explicit Patience(const Moment& start = now()) : start_(start), mark_(start) {}
    /// Whether it ends at this moment. To be asked several times a second.
    bool ends(const Moment& at);

    /// Waits until the condition holds, but no longer than patience lasts. Returns whether it holds.
    template <class Condition>
    bool wait(std::unique_lock<std::mutex>& lock, std::condition_variable& changed, Condition holds) {
        while (!changed.wait_for(lock, std::chrono::milliseconds(200), holds))
            if (ends(now())) return false;
        return true;
    }

 private:
    Moment start_, mark_;  // mark_: since when little was done
};

}  // namespace caldera::runtime
