// SPDX-License-Identifier: Apache-2.0
// The device's clock beside what a benchmark measures: times at different clocks are not comparable.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace caldera::bench {

using DeviceUuid = std::array<uint8_t, 16>;

struct ClockSample {
    unsigned mhz = 0;       ///< of the multiprocessors
    unsigned most_mhz = 0;  ///< that the device has
    unsigned memory_mhz = 0;
    double watts = 0;
    uint64_t used_bytes = 0;  ///< of the device's memory, by all processes
};
/// "1980 of 1980 MHz, memory 2619 MHz, 118 W, 1.2 GB used".
std::string text(const ClockSample& sample);
/// Whether times at these clocks may be compared: they differ by 3% at most.
bool are_alike(const ClockSample& one, const ClockSample& other);

/// Reads the clocks of one device, from NVIDIA's management library if that is installed and knows the
/// device. The library stays loaded.
class Clocks {
 public:
    /// `name` is the device's, for messages. Without a UUID there is no source of clocks.
    Clocks(const std::optional<DeviceUuid>& uuid, std::string name);
    /// Nothing if no source knows the clocks.
    std::optional<ClockSample> sample() const;
    const std::string& name() const { return name_; }

 private:
    struct Library;
    std::shared_ptr<const Library> library_ = {};
    void* device_ = nullptr;
    std::string name_ = {};
};

/// Work that occupies the device for about 20 ms. An idle device lowers its clock, so the clock must be read
/// while kernels run.
struct Burst {
    std::function<void()> begin = {};  ///< gives it to the device
    std::function<void()> end = {};    ///< waits
};

/// A burst launches this kernel kBurstLaunches times with kBurstItems work-items.
constexpr const char* kBurstSource = R"(kernel void burst(global uint *out) {
    uint x = get_global_id(0) + 1;
    for (int i = 0; i < 4000; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
    out[get_global_id(0)] = x;
})";
constexpr size_t kBurstItems = 1024;
constexpr int kBurstLaunches = 500;

/// Samples while the same work runs, and refuses to compare what was measured while the clock changed. Where
/// clocks are unknown it says so once, and all may be compared.
class ClockWatch {
 public:
    static constexpr int kRefused = 2;  ///< the exit status of a program that refused
    static constexpr const char* kAnyClock =
        "compare times although the device's clock changed by more than 3% while they were taken";

    ClockWatch(Clocks clocks, Burst burst, bool any_clock)
        : clocks_(std::move(clocks)), burst_(std::move(burst)), any_clock_(any_clock) {}
    /// Before all else: prints the clocks.
    void start();
    /// Directly before and after what is measured. The first waits, at most a second, until the clock is
    /// steady.
    void before();
    /// Whether what was measured may be compared.
    bool after();
    /// "clock: 1980, then 345 MHz" where the last after() found that the clock changed.
    const std::string& change() const { return change_; }
    /// Prints the clocks again and what was refused; returns 0 or kRefused.
    int finish();

 private:
    std::optional<ClockSample> sample();
    bool accepts(const std::optional<ClockSample>& from, const std::optional<ClockSample>& to);

    Clocks clocks_;
    Burst burst_;
    bool any_clock_ = false;
    std::optional<ClockSample> first_ = {}, before_ = {};
    std::string change_ = {};
    unsigned refused_ = 0;
};

}  // namespace caldera::bench
