// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/device_queue.h"

#include <memory>
#include <vector>

#include "vulkan/runtime/runtime_fixture.h"

namespace caldera::runtime {
namespace {

TEST_CASE("DeviceQueue: sizes that cannot be are errors; queues are told apart") {
    const std::unique_ptr<Device> device = open_device().take();
    CHECK(!DeviceQueue::create(*device, {.size_bytes = 95}));
    CHECK(!DeviceQueue::create(*device, {.size_bytes = (1ull << 32) + 4}));
    CHECK(!DeviceQueue::create(*device, {.max_events = 0}));
    CHECK(!DeviceQueue::create(*device, {.max_events = (1u << 26) + 1}));
    const std::unique_ptr<DeviceQueue> one = DeviceQueue::create(*device).take(),
                                       other = DeviceQueue::create(*device, {.size_bytes = 96}).take();
    CHECK(one->handle() != 0);
    CHECK(one->handle() != other->handle());
}

/// out[id] = id + bias, as a program that asks for a device queue.
std::unique_ptr<Program> make_program(Device& device) {
    vulkan::ProgramInterface interface = test_interface();
    interface.kernels[0].enqueues = true;
    return Program::create(device, runtime_test_spv, interface).take();
}

TEST_CASE("DeviceQueue: a kernel that enqueues nothing, with and without a device queue") {
    const std::unique_ptr<Device> device = open_device().take();
    const std::unique_ptr<Queue> queue = Queue::create(*device).take();
    const std::unique_ptr<DeviceQueue> device_queue = DeviceQueue::create(*device).take();
    const std::unique_ptr<Program> program = make_program(*device);
    const Buffer buffer = Buffer::create(*device, 400).take();
    Kernel kernel = Kernel::create(*program, "main").take();
    REQUIRE(queue->fill(buffer, 0, 400, 0u));
    REQUIRE(kernel.set(0, buffer));
    CHECK(!device_queue->run(*queue, kernel, {.global = {100, 1, 1}}));  // an argument is not set
    REQUIRE(kernel.set(1, 7u));
    CHECK(!kernel.set_queue(1, device_queue->handle()));
    const Result<DeviceQueue::Outcome> outcome =
        device_queue->run(*queue, kernel, {.global = {100, 1, 1}, .local = {10, 1, 1}});
    REQUIRE(outcome);
    CHECK(outcome->status == 0);
    CHECK(outcome->commands == 0);
    REQUIRE(queue->dispatch(kernel, {.global = {100, 1, 1}, .local = {10, 1, 1}}));
    std::vector<uint32_t> words(100);
    REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    for (uint32_t i = 0; i < 100; ++i) CHECK(words[i] == 2 * (i + 7));
}

TEST_CASE("Queue: several launches are one command, with an event for each") {
    const std::unique_ptr<Device> device = open_device().take();
    for (const bool timestamps : {false, true}) {
        const std::unique_ptr<Queue> queue = Queue::create(*device, {.timestamps = timestamps}).take();
        const std::unique_ptr<Program> program = make_program(*device);
        constexpr uint32_t kLaunches = 300;  // more than a batch times
        const Buffer buffer = Buffer::create(*device, 4 * kLaunches).take();
        REQUIRE(queue->fill(buffer, 0, 4 * kLaunches, 0u));
        std::vector<Kernel> kernels;
        std::vector<Launch> launches;
        kernels.reserve(kLaunches);
        for (uint32_t i = 0; i < kLaunches; ++i) {
            kernels.push_back(Kernel::create(*program, "main").take());
            REQUIRE(kernels.back().set(0, buffer, uint64_t{4} * i));
            REQUIRE(kernels.back().set(1, 1000 + i));
            launches.push_back({.kernel = &kernels.back(), .range = {.local = {1, 1, 1}}});
        }
        const Result<std::vector<Event>> events = queue->dispatch_all(launches);
        REQUIRE(events);
        CHECK(events->size() == kLaunches);
        std::vector<uint32_t> words(kLaunches);
        REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
        for (uint32_t i = 0; i < kLaunches; ++i) CHECK(words[i] == 1000 + i);
        if (queue->times_commands())
            for (const Event& event : *events) CHECK(event.timing()->end_ns >= event.timing()->start_ns);
        CHECK(queue->dispatch_all({})->empty());
    }
}

}  // namespace
}  // namespace caldera::runtime
