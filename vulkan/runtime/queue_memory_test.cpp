// SPDX-License-Identifier: Apache-2.0
// What a queue keeps of its memory when a burst of commands has run.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/runtime/runtime_fixture.h"

using namespace caldera;
using namespace caldera::runtime;

namespace {

constexpr uint64_t kMega = 1 << 20;

}  // namespace

TEST_CASE("a queue keeps staging memory for a few batches of a burst") {
    Fixture f;
    if (!has_timelines(*f.device)) return;
    const auto queue = Queue::create(*f.device).take();
    Buffer buffer = Buffer::create(*f.device, kMega).take();
    const std::vector<std::byte> bytes(kMega, std::byte{7});
    const uint64_t before = f.device->allocator().used_bytes();
    const Gate gate(*f.device);
    REQUIRE(queue->wait_for(gate.value()));
    constexpr uint32_t kBatches = 100;
    const auto write = [&](std::byte* to) { std::ranges::copy(bytes, to); };
    const VkBufferCopy region{.size = kMega};
    for (uint32_t i = 0; i < kBatches; ++i) {
        REQUIRE(queue->upload(buffer, kMega, write, {&region, 1}));
        REQUIRE(queue->flush());
    }
    CHECK(f.device->allocator().used_bytes() - before >= kBatches * kMega);
    gate.open();
    REQUIRE(queue->finish());
    CHECK(f.device->allocator().used_bytes() - before <= 80 * kMega);
    std::vector<std::byte> read(kMega);
    REQUIRE(queue->download(buffer, 0, read));
    CHECK(read == bytes);
}

TEST_CASE("a queue keeps few of the buffers that a burst of printing kernels needs") {
    Fixture f;
    if (!has_timelines(*f.device)) return;
    vulkan::ProgramInterface interface = test_interface();
    interface.kernels[0].prints = true;  // nothing: the kernel does not know
    interface.printf_formats = {{}};
    const auto program = Program::create(*f.device, runtime_test_spv, interface).take();
    const auto queue = Queue::create(*f.device, {.printf_bytes = kMega}).take();
    Buffer buffer = Buffer::create(*f.device, 64 * 4).take();
    Kernel kernel = Kernel::create(*program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    REQUIRE(kernel.set(1, 1u));
    const uint64_t before = f.device->allocator().used_bytes();
    const Gate gate(*f.device);
    REQUIRE(queue->wait_for(gate.value()));
    constexpr uint32_t kLaunches = 100;
    for (uint32_t i = 0; i < kLaunches; ++i)
        REQUIRE(queue->dispatch(kernel, {.global = {64, 1, 1}, .local = {8, 1, 1}}));
    CHECK(f.device->allocator().used_bytes() - before >= kLaunches * kMega);
    gate.open();
    REQUIRE(queue->finish());
    CHECK(f.device->allocator().used_bytes() - before <= 20 * kMega);
}
