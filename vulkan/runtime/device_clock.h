// SPDX-License-Identifier: Apache-2.0
// DeviceClock: what the host's clock said when the device's had a value.
#pragma once

#include <vulkan/vulkan.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace caldera::runtime {

/// Now, in nanoseconds of std::chrono::steady_clock: the clock of all times that programs see.
inline uint64_t steady_ns() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// The same moment on both clocks.
struct ClockPair {
    uint64_t ticks = 0;    ///< of the device
    uint64_t host_ns = 0;  ///< steady_ns()
};

/// The two clocks drift apart, by some 10 us a second on a card. So lengths are always counted in the device's ticks, and moments from
/// the latest comparison, which every use may correct. Not thread-safe.
class ClockComparison {
 public:
    /// `valid_bits` of a tick count (VkQueueFamilyProperties::timestampValidBits), after which it begins again.
    ClockComparison(double ns_per_tick, uint32_t valid_bits)
        : ns_per_tick_(ns_per_tick), unused_bits_(64 - valid_bits) {}

    void set(const ClockPair& pair) { pair_ = pair; }
    /// What began after `submitted_ns` and had ended when the host saw it at `seen_ns` corrects the comparison where that says otherwise.
    /// Without one yet, it began at `submitted_ns`.
    void correct(uint64_t first_ticks, uint64_t last_ticks, uint64_t submitted_ns, uint64_t seen_ns);
    /// After set() or correct(). Times within half of the count's range of the comparison are right.
    uint64_t host_ns(uint64_t ticks) const;
    /// From the first to the last, whatever the host's clock did meanwhile.
    uint64_t duration_ns(uint64_t first_ticks, uint64_t last_ticks) const;

 private:
    int64_t ns_between(uint64_t first_ticks, uint64_t last_ticks) const;

    const double ns_per_tick_;
    const uint32_t unused_bits_;
    std::optional<ClockPair> pair_ = {};
};

/// When a command ran, by steady_ns(); zeros until it is complete. The duration is the device's own.
struct Timing {
    uint64_t start_ns = 0, end_ns = 0;
    uint64_t duration_ns() const { return end_ns - start_ns; }
};

/// Compares a device's clock with the host's where VK_EXT_calibrated_timestamps can, again and again; elsewhere it learns from what
/// commands tell. Thread-safe.
class DeviceClock {
 public:
    /// `physical` is the device's, for which the extension is enabled if it has it.
    DeviceClock(VkInstance instance, VkPhysicalDevice physical, VkDevice device, uint32_t valid_bits);

    /// Start and end of commands, in turn, which were submitted together after `submitted_ns` and have ended.
    void tell_times(std::span<const uint64_t> ticks, uint64_t submitted_ns,
                    std::span<const std::shared_ptr<Timing>> timings);

 private:
    void compare();

    const VkDevice device_;
    PFN_vkGetCalibratedTimestampsEXT get_timestamps_ = nullptr;  // null: cannot
    std::mutex mutex_ = {};
    ClockComparison comparison_;
    uint64_t compared_ns_ = 0;
};

}  // namespace caldera::runtime
