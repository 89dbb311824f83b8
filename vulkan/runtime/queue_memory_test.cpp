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

/// Keeps a processor busy for some tenths of a second.
void dispatch_slow_kernel(Fixture& f, Queue& queue, Buffer& buffer) {
    Kernel kernel = Kernel::create(*f.program, "main").take();
    REQUIRE(kernel.set(0, buffer));
    REQUIRE(kernel.set(1, 1u));
    const uint64_t items = buffer.size_bytes() / 4;
    REQUIRE(queue.dispatch(kernel, {.global = {items, 1, 1}, .local = {1, 1, 1}}));
    REQUIRE(queue.flush());
}

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
    const CopyRegion region{.size = kMega};
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

TEST_CASE("a queue that is flushed after each command has few of them in flight") {
    Fixture f;
    const auto queue = Queue::create(*f.device, {.timestamps = true}).take();
    Buffer slow = Buffer::create(*f.device, 16 * kMega).take();
    Buffer buffer = Buffer::create(*f.device, 4096).take();
    dispatch_slow_kernel(f, *queue, slow);
    size_t most = 0;
    for (uint32_t i = 0; i < 3000; ++i) {
        REQUIRE(queue->fill(buffer, 4 * (i % 1024), 4, i));
        REQUIRE(queue->flush());
        most = std::max(most, queue->batch_count());
    }
    CHECK(most <= 280);
    REQUIRE(queue->finish());
    CHECK(queue->batch_count() <= 17);
    std::vector<uint32_t> words(1024);
    REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    for (uint32_t i = 0; i < 1024; ++i) CHECK(words[i] == i + (i < 3000 % 1024 ? 2048 : 1024));
}

TEST_CASE("signals, waits and points of a queue have few batches in flight") {
    Fixture f;
    if (!has_timelines(*f.device)) return;
    const auto queue = Queue::create(*f.device).take(), other = Queue::create(*f.device).take();
    Buffer slow = Buffer::create(*f.device, 16 * kMega).take();
    const Gate gate(*f.device);
    dispatch_slow_kernel(f, *queue, slow);
    for (uint64_t i = 1; i <= 1000; ++i) {
        REQUIRE(queue->signal({.semaphore = gate.value().semaphore, .value = i}));
        CHECK(queue->batch_count() <= 280);
    }
    dispatch_slow_kernel(f, *queue, slow);
    for (uint32_t i = 0; i < 1000; ++i) {
        REQUIRE(other->wait_for(queue->submitted_point().take()));
        REQUIRE(other->flush());
        CHECK(other->batch_count() <= 280);
    }
    REQUIRE(other->finish());
    REQUIRE(queue->finish());
}

TEST_CASE("a small upload does not wait for what the device has") {
    Fixture f;
    const auto queue = Queue::create(*f.device).take();
    Buffer slow = Buffer::create(*f.device, 16 * kMega).take();
    Buffer buffer = Buffer::create(*f.device, 32 * kMega).take();
    dispatch_slow_kernel(f, *queue, slow);
    const Event first = queue->last();
    for (int i = 0; i < 10; ++i) {
        REQUIRE(queue->fill(buffer, 0, 4, 1));
        REQUIRE(queue->flush());
    }
    const std::vector<std::byte> bytes(Queue::kUploadsAtOnce, std::byte{5});
    REQUIRE(queue->upload(buffer, 0, std::span(bytes).first(4)));
    REQUIRE(queue->upload(buffer, 0, bytes));
    CHECK_FALSE(queue->is_complete(first).take());
    std::vector<std::byte> read(bytes.size());
    REQUIRE(queue->download(buffer, 0, read));
    CHECK(read == bytes);
}

TEST_CASE("a queue has not more than some bytes of staging memory in flight") {
    Fixture f;
    const auto queue = Queue::create(*f.device).take();
    Buffer slow = Buffer::create(*f.device, 16 * kMega).take();
    Buffer buffer = Buffer::create(*f.device, 8 * kMega).take();
    dispatch_slow_kernel(f, *queue, slow);
    const uint64_t before = f.device->allocator().used_bytes();
    const CopyRegion region{.size = 8 * kMega};
    uint64_t most = 0;
    for (uint32_t i = 0; i < 100; ++i) {
        const auto write = [&](std::byte* to) { *to = std::byte(i); };
        REQUIRE(queue->upload(buffer, 8 * kMega, write, {&region, 1}));
        most = std::max(most, f.device->allocator().used_bytes() - before);
    }
    CHECK(most <= 300 * kMega);
    std::byte last = {};
    REQUIRE(queue->download(buffer, 0, {&last, 1}));
    CHECK(last == std::byte{99});
}

TEST_CASE("a queue that waits for its program, at once or by another queue, takes all commands") {
    Fixture f;
    if (!has_timelines(*f.device)) return;
    const auto first = Queue::create(*f.device).take(), second = Queue::create(*f.device).take();
    Buffer buffer = Buffer::create(*f.device, 4096).take();
    const Gate gate(*f.device);
    REQUIRE(first->wait_for(gate.value()));
    REQUIRE(second->wait_for(*first, first->marker().take()));
    for (Queue* queue : {first.get(), second.get()}) {
        for (uint32_t i = 0; i < 600; ++i) {
            REQUIRE(queue->fill(buffer, queue == first.get() ? 0 : 4, 4, i + 1));
            REQUIRE(queue->flush());
        }
        CHECK(queue->is_held_up());
    }
    std::vector<std::byte> bytes(48 * kMega, std::byte{5}), read(bytes.size());
    Buffer large = Buffer::create(*f.device, bytes.size()).take();
    REQUIRE(first->upload(large, 0, bytes));
    gate.open();
    REQUIRE(first->finish());
    REQUIRE(second->finish());
    CHECK_FALSE(first->is_held_up());
    CHECK_FALSE(second->is_held_up());
    uint32_t words[2] = {};
    REQUIRE(first->download(buffer, 0, std::as_writable_bytes(std::span(words))));
    CHECK(words[0] == 600);
    CHECK(words[1] == 600);
    REQUIRE(first->download(large, 0, read));
    CHECK(read == bytes);
}
