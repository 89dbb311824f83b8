// SPDX-License-Identifier: Apache-2.0
// Whether a device's clock is to be kept up (clock_keeper.h): what the user wants, what the machine runs on, how a program launches.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "vulkan/driver_quirks.h"

namespace caldera::runtime {

/// CALDERA_KEEP_CLOCKS.
enum class KeepClocks : uint8_t {
    Auto,  ///< while a program launches again and again, and the machine does not run on its battery
    Off,
    On,  ///< from the first launch on until the device is closed
};
/// "auto", "off" or "on"; any other word is as good as none, which is "auto".
KeepClocks parse_keep_clocks(std::string_view text);

/// Whether a device whose driver has these quirks needs somebody who keeps its clock.
bool wants_clock_keeper(const vulkan::DriverQuirks& quirks, KeepClocks wish);

/// Whether the machine's battery gives what it takes: a battery of the machine discharges, or there is mains' supply and none of it is
/// online (Linux's class power_supply). Batteries of mice and the like do not count.
bool runs_on_battery(const std::filesystem::path& supplies = "/sys/class/power_supply");

/// Launches without a pause among them. Short programs, such as one that copies, computes and copies back, have no long run.
class LaunchRun {
 public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kMoment{
        250};                                          ///< launches nearer than that to each other count once
    static constexpr int kMoments = 5;                 ///< that make a run long: a second at least
    static constexpr std::chrono::seconds kPause{30};  ///< which ends a run

    explicit LaunchRun(Clock::duration pause = kPause) : pause_(pause) {}
    void launched(Clock::time_point now);
    bool has_launches() const { return moments_ != 0; }
    bool is_long() const { return moments_ >= kMoments; }
    Clock::time_point over_at() const { return last_ + pause_; }  ///< where no launch comes before
    bool is_over(Clock::time_point now) const { return now >= over_at(); }
    void end() { moments_ = 0; }

 private:
    Clock::duration pause_;
    int moments_ = 0;
    Clock::time_point counted_ = {}, last_ = {};
};

/// Whether the clock is to be kept from now on.
inline bool wants_clock(KeepClocks wish, const LaunchRun& run) {
    return wish == KeepClocks::On ? run.has_launches() : wish == KeepClocks::Auto && run.is_long();
}
/// Whether it is to be kept any longer.
inline bool still_wants_clock(KeepClocks wish, const LaunchRun& run, LaunchRun::Clock::time_point now) {
    return wish == KeepClocks::On || (wish == KeepClocks::Auto && !run.is_over(now));
}

}  // namespace caldera::runtime
