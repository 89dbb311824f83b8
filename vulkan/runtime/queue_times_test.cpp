// SPDX-License-Identifier: Apache-2.0
// The times of commands: when the host has them.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

TEST_CASE("a timed command is seen complete while a command of another queue waits") {
    Fixture f;
    if (!f.device->timestamp_bits() || !has_timelines(*f.device)) return;
    const Buffer buffer = Buffer::create(*f.device, 64).take();
    const Event timed = f.queue->fill(buffer, 0, 64, 1u).take();
    REQUIRE(f.queue->flush());
    const auto other = Queue::create(*f.device).take();
    const Gate gate(*f.device);
    REQUIRE(other->wait_for(gate.value()));
    REQUIRE(other->marker());
    REQUIRE(other->flush());
    std::atomic<bool> is_seen = false;
    std::thread waiter([&] {
        CHECK(f.queue->timing(timed).take().end_ns != 0);
        is_seen = true;
    });
    constexpr std::chrono::seconds kLongest{20};
    const auto start = std::chrono::steady_clock::now();
    while (!is_seen && std::chrono::steady_clock::now() - start < kLongest) std::this_thread::yield();
    CHECK(is_seen);
    gate.open();
    waiter.join();
    REQUIRE(other->finish());
}
