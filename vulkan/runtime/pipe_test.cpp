// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/pipe.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {
namespace {

TEST_CASE("Pipe: a ring that is empty; sizes that cannot be are errors") {
    const std::unique_ptr<Device> device = open_device().take();
    const Pipe pipe = Pipe::create(*device, 6, 5).take();
    CHECK(pipe.packet_bytes() == 6);
    CHECK(pipe.max_packets() == 5);
    CHECK(pipe.ring().size_bytes() == 4 * (vulkan::kPipeHeaderWords + 5 + 5 * 2));
    const std::unique_ptr<Queue> queue = Queue::create(*device).take();
    std::vector<uint32_t> head(vulkan::kPipeHeaderWords + 5, 1);
    REQUIRE(queue->download(pipe.ring(), 0, std::as_writable_bytes(std::span(head))));
    CHECK(head == std::vector<uint32_t>{5, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(!Pipe::create(*device, 0, 5));
    CHECK(!Pipe::create(*device, 4, 0));
    CHECK(!Pipe::create(*device, 4, (1u << 30) + 1));
    CHECK(!Pipe::create(*device, 1u << 20, 1u << 20));
}

TEST_CASE("Queue: the size of printf's buffer") {
    const std::unique_ptr<Device> device = open_device().take();
    CHECK(Queue::create(*device, {.printf_bytes = 4}));
    CHECK(!Queue::create(*device, {.printf_bytes = 0}));
    CHECK(!Queue::create(*device, {.printf_bytes = 6}));
    CHECK(!Queue::create(*device, {.printf_bytes = uint64_t{1} << 31}));
}

}  // namespace
}  // namespace caldera::runtime
