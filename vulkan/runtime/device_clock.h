// SPDX-License-Identifier: Apache-2.0
// DeviceClock: converts values of the device's clock to the host's.
#pragma once

#include <vulkan/vulkan.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace caldera::runtime {

/// The current time in nanoseconds of std::chrono::steady_clock, the clock of all times that programs see.
inline uint64_t steady_ns() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// The same moment on both clocks.
struct ClockPair {
    uint64_t ticks = 0;    ///< of the device's clock
    uint64_t host_ns = 0;  ///< steady_ns()
};

/// The two clocks drift apart, by some 10 us per second on a graphics card. So durations are always computed
/// from the device's ticks, and moments relative to the latest comparison, which every use may correct. Not
/// thread-safe.
class ClockComparison {
 public:
    /// A tick count has `valid_bits` bits and then wraps around
    /// (VkQueueFamilyProperties::timestampValidBits).
    ClockComparison(double ns_per_tick, uint32_t valid_bits)
        : ns_per_tick_(ns_per_tick), unused_bits_(64 - valid_bits) {}

    void set(const ClockPair& pair) { pair_ = pair; }
    /// Corrects the comparison with a command that began after `submitted_ns` and had ended when the host saw
    /// it at `seen_ns`, if the comparison contradicts this. Without a comparison yet, the command is assumed
    /// to have begun at `submitted_ns`.
    void correct(uint64_t first_ticks, uint64_t last_ticks, uint64_t submitted_ns, uint64_t seen_ns);
    /// Call after set() or correct(). The result is right for times within half of the count's range from the
    /// comparison.
    uint64_t host_ns(uint64_t ticks) const;
    /// From the first to the last tick, whatever the host's clock did meanwhile.
    uint64_t duration_ns(uint64_t first_ticks, uint64_t last_ticks) const;

 private:
    int64_t ns_between(uint64_t first_ticks, uint64_t last_ticks) const;

    const double ns_per_tick_;
    const uint32_t unused_bits_;
    std::optional<ClockPair> pair_ = {};
};

/// When a command ran, in steady_ns(); zeros until it is complete. The duration is exactly the device's.
struct Timing {
    uint64_t start_ns = 0, end_ns = 0;
    uint64_t duration_ns() const { return end_ns - start_ns; }
};

/// Compares the device's clock with the host's repeatedly, through VK_EXT_calibrated_timestamps. Without the
/// extension, it derives the relation from the times of commands. Thread-safe.
class DeviceClock {
 public:
    /// `physical` is the device's; `has_extension`: it is enabled.
    DeviceClock(VkInstance instance, VkPhysicalDevice physical, VkDevice device, bool has_extension,
                uint32_t valid_bits);

    /// Takes start and end ticks, alternating, of commands that were submitted together after `submitted_ns`
    /// and have ended.
    void tell_times(std::span<const uint64_t> ticks, uint64_t submitted_ns,
                    std::span<const std::shared_ptr<Timing>> timings);

 private:
    void compare();

    const VkDevice device_;
    PFN_vkGetCalibratedTimestampsEXT get_timestamps_ = nullptr;  // null without the extension
    std::mutex mutex_ = {};
    ClockComparison comparison_;
    uint64_t compared_ns_ = 0;
};

}  // namespace caldera::runtime
