// SPDX-License-Identifier: Apache-2.0
// The times of commands: what they contain, and when the host has them.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

/// The part of the time from a call until its command is seen complete that the command says it took: the
/// largest of several, because others may keep this thread from running.
double largest_part(Queue& queue, const std::function<Result<Event>()>& enqueue) {
    constexpr int kTimes = 10;
    double largest = 0;
    for (int i = 0; i < kTimes; ++i) {
        const uint64_t before_ns = steady_ns();
        const Event event = enqueue().take();
        const Timing timing = queue.timing(event).take();
        const uint64_t after_ns = steady_ns();
        CHECK(timing.start_ns >= before_ns);
        CHECK(timing.end_ns <= after_ns);
        largest = std::max(
            largest, static_cast<double>(timing.duration_ns()) / static_cast<double>(after_ns - before_ns));
    }
    return largest;
}

}  // namespace

TEST_CASE("a command's time contains all of its work") {
    Fixture f;
    if (!f.device->timestamp_bits() || !f.device->is_cpu()) return;  // a card is done too soon
    constexpr uint64_t kItems = 16 << 20, kBytes = 4 * kItems;
    const Buffer buffer = Buffer::create(*f.device, kBytes).take();
    const Buffer other = Buffer::create(*f.device, kBytes).take();
    Kernel kernel = Kernel::create(*f.program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    REQUIRE(kernel.set(1, 1u));
    const NDRange range{.global = {kItems, 1, 1}, .local = {64, 1, 1}};
    CHECK(largest_part(*f.queue, [&] { return f.queue->dispatch(kernel, range); }) > 0.5);
    CHECK(largest_part(*f.queue, [&] { return f.queue->fill(buffer, 0, kBytes, 7u); }) > 0.5);
    CHECK(largest_part(*f.queue, [&] { return f.queue->copy(buffer, 0, other, 0, kBytes); }) > 0.5);
}

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
    uint64_t end_ns = 0;
    std::thread waiter([&] {
        end_ns = f.queue->timing(timed).take().end_ns;
        is_seen = true;
    });
    constexpr std::chrono::seconds kLongest{20};
    const auto start = std::chrono::steady_clock::now();
    while (!is_seen && std::chrono::steady_clock::now() - start < kLongest) std::this_thread::yield();
    CHECK(is_seen);
    gate.open();
    waiter.join();
    CHECK(end_ns != 0);
    REQUIRE(other->finish());
}
