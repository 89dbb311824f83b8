// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_clock.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vulkan/runtime/device_properties.h"

namespace caldera::runtime {
namespace {

constexpr uint64_t kFreshNs = 10'000'000;  // clocks that differ by 100 ppm drift 1 us apart in this time

/// Null if the device's clock cannot be compared with that of std::chrono::steady_clock.
PFN_vkGetCalibratedTimestampsEXT timestamps_getter(VkInstance instance, VkPhysicalDevice physical,
                                                   VkDevice device) {
    const auto get_domains = reinterpret_cast<PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT>(
        vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"));
    if (!get_domains) return nullptr;
    uint32_t count = 0;
    get_domains(physical, &count, nullptr);
    std::vector<VkTimeDomainEXT> domains(count);
    get_domains(physical, &count, domains.data());
    for (const VkTimeDomainEXT wanted : {VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT})
        if (std::ranges::find(domains, wanted) == domains.end()) return nullptr;
    return reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
        vkGetDeviceProcAddr(device, "vkGetCalibratedTimestampsEXT"));
}

double ns_per_tick(VkPhysicalDevice physical) { return properties_of(physical).limits.timestampPeriod; }

}  // namespace

// ---- ClockComparison ----

int64_t ClockComparison::ns_between(uint64_t first_ticks, uint64_t last_ticks) const {
    const auto ticks = static_cast<int64_t>((last_ticks - first_ticks) << unused_bits_) >> unused_bits_;
    return std::llround(static_cast<double>(ticks) * ns_per_tick_);
}

uint64_t ClockComparison::host_ns(uint64_t ticks) const {
    return pair_->host_ns + static_cast<uint64_t>(ns_between(pair_->ticks, ticks));
}

uint64_t ClockComparison::duration_ns(uint64_t first_ticks, uint64_t last_ticks) const {
    return static_cast<uint64_t>(std::max<int64_t>(ns_between(first_ticks, last_ticks), 0));
}

void ClockComparison::correct(uint64_t first_ticks, uint64_t last_ticks, uint64_t submitted_ns,
                              uint64_t seen_ns) {
    if (!pair_) pair_ = {first_ticks, submitted_ns};
    // With a later pair, the count can go further before a value seems to be earlier than the pair.
    pair_ = {last_ticks, host_ns(last_ticks)};
    pair_->host_ns = std::min(pair_->host_ns, seen_ns);
    pair_->host_ns = std::max(pair_->host_ns, submitted_ns + duration_ns(first_ticks, last_ticks));
}

// ---- DeviceClock ----

DeviceClock::DeviceClock(VkInstance instance, VkPhysicalDevice physical, VkDevice device, bool has_extension,
                         uint32_t valid_bits)
    : device_(device),
      get_timestamps_(has_extension ? timestamps_getter(instance, physical, device) : nullptr),
      comparison_(ns_per_tick(physical), valid_bits) {}

void DeviceClock::compare() {
    if (!get_timestamps_ || steady_ns() - compared_ns_ < kFreshNs) return;
    VkCalibratedTimestampInfoEXT infos[2] = {{.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT},
                                             {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}};
    infos[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
    infos[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
    uint64_t now[2] = {}, deviation = 0;
    if (get_timestamps_(device_, 2, infos, now, &deviation) != VK_SUCCESS) return;
    comparison_.set({.ticks = now[0], .host_ns = now[1]});
    compared_ns_ = steady_ns();
}

void DeviceClock::tell_times(std::span<const uint64_t> ticks, uint64_t submitted_ns,
                             std::span<const std::shared_ptr<Timing>> timings) {
    if (timings.empty()) return;
    const uint64_t seen_ns = steady_ns();
    const std::lock_guard lock(mutex_);
    compare();
    uint64_t first = ticks[0], last = ticks[1];
    for (size_t i = 0; i < timings.size(); ++i) {
        if (comparison_.duration_ns(ticks[2 * i], first) > 0) first = ticks[2 * i];
        if (comparison_.duration_ns(last, ticks[2 * i + 1]) > 0) last = ticks[2 * i + 1];
    }
    comparison_.correct(first, last, submitted_ns, seen_ns);
    for (size_t i = 0; i < timings.size(); ++i) {
        const uint64_t start_ns = comparison_.host_ns(ticks[2 * i]);
        *timings[i] = {.start_ns = start_ns,
                       .end_ns = start_ns + comparison_.duration_ns(ticks[2 * i], ticks[2 * i + 1])};
    }
}

}  // namespace caldera::runtime
