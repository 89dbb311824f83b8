// SPDX-License-Identifier: Apache-2.0
// Decides whether to keep a device's clock high (clock_keeper.h), from the user's wish, the machine's power
// supply and the program's launches.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "vulkan/driver_quirks.h"

namespace caldera::runtime {

/// CALDERA_KEEP_CLOCKS.
enum class KeepClocks : uint8_t {
    /// while a program launches kernels repeatedly and the machine is not running on battery
    Auto,
    Off,
    On,  ///< from the first launch until the device is closed
};
/// What the variable says.
KeepClocks wanted_keep_clocks();

/// Whether a device whose driver has these quirks needs somebody who keeps its clock.
bool wants_clock_keeper(const vulkan::DriverQuirks& quirks, KeepClocks wish);

/// Whether the machine runs on battery: one of its batteries discharges, or it has mains supplies and none is
/// online (Linux's class power_supply). Batteries of peripherals such as mice do not count.
bool runs_on_battery(const std::filesystem::path& supplies = "/sys/class/power_supply");

/// A run of launches without a pause. Short programs, for example one that copies, computes and copies back,
/// have no long run.
class LaunchRun {
 public:
    using Clock = std::chrono::steady_clock;
    /// launches that are closer together count once
    static constexpr std::chrono::milliseconds kMoment{250};
    static constexpr int kMoments = 5;  ///< so many launches make a run long: at least a second
    static constexpr std::chrono::seconds kPause{30};  ///< a pause that ends a run

    explicit LaunchRun(Clock::duration pause = kPause) : pause_(pause) {}
    void launched(Clock::time_point now);
    bool has_launches() const { return moments_ != 0; }
    bool is_long() const { return moments_ >= kMoments; }
    /// when the run ends, unless there is a launch before
    Clock::time_point over_at() const { return last_ + pause_; }
    bool is_over(Clock::time_point now) const { return now >= over_at(); }
    void end() { moments_ = 0; }

 private:
    Clock::duration pause_;
    int moments_ = 0;
    Clock::time_point counted_ = {}, last_ = {};
};

/// Whether to start keeping the clock high.
inline bool wants_clock(KeepClocks wish, const LaunchRun& run) {
    return wish == KeepClocks::On ? run.has_launches() : wish == KeepClocks::Auto && run.is_long();
}
/// Whether to go on keeping the clock high.
inline bool still_wants_clock(KeepClocks wish, const LaunchRun& run, LaunchRun::Clock::time_point now) {
    return wish == KeepClocks::On || (wish == KeepClocks::Auto && !run.is_over(now));
}

}  // namespace caldera::runtime
