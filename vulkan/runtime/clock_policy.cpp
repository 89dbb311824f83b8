// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/clock_policy.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

#include "vulkan/runtime/settings.h"

namespace caldera::runtime {
namespace {

std::string first_line(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

}  // namespace

KeepClocks wanted_keep_clocks() {
    constexpr std::string_view kWords[] = {"auto", "off", "on"};  // as KeepClocks lists them
    return static_cast<KeepClocks>(word_setting("CALDERA_KEEP_CLOCKS", kWords));
}

bool wants_clock_keeper(const vulkan::DriverQuirks& quirks, KeepClocks wish) {
    return wish != KeepClocks::Off && quirks.loses_clocks;
}

bool runs_on_battery(const std::filesystem::path& supplies) {
    bool has_mains = false, has_power = false;
    std::error_code error;
    for (std::filesystem::directory_iterator supply(supplies, error), end; !error && supply != end;
         supply.increment(error)) {
        const std::filesystem::path& folder = supply->path();
        const std::string type = first_line(folder / "type");
        const bool is_of_machine = first_line(folder / "scope") != "Device";
        if (type == "Battery" && is_of_machine && first_line(folder / "status") == "Discharging") return true;
        const bool is_online = first_line(folder / "online") == "1";
        has_mains |= type == "Mains";
        has_power |= is_online && (type == "Mains" || type.starts_with("USB"));
    }
    return has_mains && !has_power;
}

void LaunchRun::launched(Clock::time_point now) {
    if (moments_ != 0 && is_over(now)) moments_ = 0;
    last_ = now;
    if (moments_ != 0 && now - counted_ < kMoment) return;
    counted_ = now;
    moments_ = std::min(moments_ + 1, kMoments);
}

}  // namespace caldera::runtime
