// SPDX-License-Identifier: Apache-2.0
// What tests with the layer of faults have in common.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/driver/faults/layer.h"
#include "tests/driver/fixture.h"

namespace caldera::driver_test {

/// The one that Vulkan's loader loads too, by the same path.
inline const faults::Layer& layer() {
    void* const library = dlopen(FAULT_LAYER, RTLD_NOW);
    REQUIRE(library);
    const auto* found = static_cast<const faults::Layer*>(dlsym(library, "caldera_fault_layer"));
    REQUIRE(found);
    return *found;
}

/// Something hangs: the test ends, and says where.
struct Watchdog {
    explicit Watchdog(unsigned seconds) { alarm(seconds); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { alarm(0); }
};

template <class Condition>
bool comes_true(const Condition& condition, std::chrono::seconds at_most) {
    const auto end = std::chrono::steady_clock::now() + at_most;
    while (!condition() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
}

}  // namespace caldera::driver_test
