// SPDX-License-Identifier: Apache-2.0
#include "tests/evaluation/bench/clocks.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <type_traits>

namespace caldera::bench {
namespace {

// NVML's API, of which no header is needed.
using NvmlDevice = void*;
constexpr unsigned kMultiprocessors = 1, kMemory = 2;  // nvmlClockType_t
struct NvmlMemory {
    unsigned long long total = 0, free = 0, used = 0;
};

/// As NVML writes a UUID.
std::string name_of(const DeviceUuid& uuid) {
    std::string out = "GPU-";
    for (size_t i = 0; i < uuid.size(); ++i) {
        char byte[4];
        std::snprintf(byte, sizeof byte, i == 4 || i == 6 || i == 8 || i == 10 ? "-%02x" : "%02x", uuid[i]);
        out += byte;
    }
    return out;
}

}  // namespace

struct Clocks::Library {
    int (*init)() = nullptr;
    int (*device)(const char* uuid, NvmlDevice* device) = nullptr;
    int (*clock)(NvmlDevice device, unsigned type, unsigned* mhz) = nullptr;
    int (*most_clock)(NvmlDevice device, unsigned type, unsigned* mhz) = nullptr;
    int (*milliwatts)(NvmlDevice device, unsigned* milliwatts) = nullptr;
    int (*memory)(NvmlDevice device, NvmlMemory* memory) = nullptr;
};

std::string text(const ClockSample& sample) {
    char out[128];
    std::snprintf(out, sizeof out, "%u of %u MHz, memory %u MHz, %.0f W, %.2f GB used", sample.mhz,
                  sample.most_mhz, sample.memory_mhz, sample.watts,
                  static_cast<double>(sample.used_bytes) * 1e-9);
    return out;
}

bool are_alike(const ClockSample& one, const ClockSample& other) {
    const auto [low, high] = std::minmax(one.mhz, other.mhz);
    return (high - low) * 100 <= high * 3;
}

Clocks::Clocks(const std::optional<DeviceUuid>& uuid, std::string name) : name_(std::move(name)) {
    if (!uuid) return;
    void* handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return;
    const auto library = std::make_shared<Library>();
    bool has_all = true;
    const auto get = [&](auto& function, const char* its_name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, its_name));
        has_all &= function != nullptr;
    };
    get(library->init, "nvmlInit_v2");
    get(library->device, "nvmlDeviceGetHandleByUUID");
    get(library->clock, "nvmlDeviceGetClockInfo");
    get(library->most_clock, "nvmlDeviceGetMaxClockInfo");
    get(library->milliwatts, "nvmlDeviceGetPowerUsage");
    get(library->memory, "nvmlDeviceGetMemoryInfo");
    if (has_all && library->init() == 0 && library->device(name_of(*uuid).c_str(), &device_) == 0)
        library_ = library;
}

std::optional<ClockSample> Clocks::sample() const {
    if (!library_) return std::nullopt;
    ClockSample sample;
    if (library_->clock(device_, kMultiprocessors, &sample.mhz) != 0) return std::nullopt;
    // The other values are optional: they stay 0 if the library does not report them.
    unsigned milliwatts = 0;
    NvmlMemory memory;
    (void)library_->most_clock(device_, kMultiprocessors, &sample.most_mhz);
    (void)library_->clock(device_, kMemory, &sample.memory_mhz);
    (void)library_->milliwatts(device_, &milliwatts);
    (void)library_->memory(device_, &memory);
    sample.watts = milliwatts / 1000.0;
    sample.used_bytes = memory.used;
    return sample;
}

std::optional<ClockSample> ClockWatch::sample() {
    burst_.begin();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const std::optional<ClockSample> sample = clocks_.sample();
    burst_.end();
    return sample;
}

void ClockWatch::start() {
    if (!clocks_.sample()) return void(std::printf("clocks: unknown (%s)\n", clocks_.name().c_str()));
    before();
    first_ = before_;
    if (first_) std::printf("clocks before: %s\n", text(*first_).c_str());
    std::fflush(stdout);
}

void ClockWatch::before() {
    if (!clocks_.sample()) return;
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    before_ = sample();
    for (bool is_steady = false; !is_steady && Clock::now() - start < std::chrono::seconds(1);) {
        const std::optional<ClockSample> next = sample();
        is_steady = !next || !before_ || are_alike(*before_, *next);
        before_ = next;
    }
}

bool ClockWatch::accepts(const std::optional<ClockSample>& from, const std::optional<ClockSample>& to) {
    change_.clear();
    if (!from || !to || are_alike(*from, *to)) return true;
    change_ = "clock: " + std::to_string(from->mhz) + ", then " + std::to_string(to->mhz) + " MHz";
    if (any_clock_) return true;
    ++refused_;
    return false;
}

bool ClockWatch::after() { return !before_ || accepts(before_, sample()); }

int ClockWatch::finish() {
    if (!first_) return 0;
    const unsigned rows = refused_;
    before();  // as start() does
    if (before_) std::printf("clocks after:  %s\n", text(*before_).c_str());
    if (!accepts(first_, before_))
        std::printf(
            "NOT COMPARABLE: the clock before all and after is not the same (--any-clock ignores that)\n");
    if (rows) std::printf("NOT COMPARED: %u rows, while which the clock changed (--any-clock does)\n", rows);
    return refused_ ? kRefused : 0;
}

}  // namespace caldera::bench
