// SPDX-License-Identifier: Apache-2.0
// Kernels that read their arguments from memory, where they change after their launches were recorded.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "vulkan/build_program.h"
#include "vulkan/runtime/launch_sequence.h"
#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/queue.h"

using namespace caldera;

TEST_CASE("a recorded launch finds the arguments that were stored between its runs") {
    const auto device = runtime::open_device().take();
    const auto queue = runtime::Queue::create(*device).take();
    const BuildResult built = build_program(*device,
                                            "kernel void put(global int *out, int value) {"
                                            "    out[get_global_id(0)] = value;"
                                            "}"
                                            "kernel void none() {}",
                                            "put.cl");
    REQUIRE_MESSAGE(built, built.log);
    constexpr uint32_t kItems = 37;  // in groups of 8: two dispatches
    runtime::Buffer first = runtime::Buffer::create(*device, kItems * 4).take();
    runtime::Buffer second = runtime::Buffer::create(*device, kItems * 4).take();
    runtime::Kernel put = runtime::Kernel::create(*built.program, "put").take();
    const runtime::Kernel none = runtime::Kernel::create(*built.program, "none").take();
    REQUIRE(put.set(0, first));
    REQUIRE(put.set(1, 1));
    const auto pool = runtime::SequencePool::create(*device).take();
    const runtime::NDRange range{.global = {kItems, 1, 1}, .local = {8, 1, 1}};
    const runtime::LaunchSequence::Item items[] = {
        {.kernel = &none, .range = range, .stores_arguments = true},
        {.kernel = &put, .range = range, .after_all = true, .stores_arguments = true},
        {.kernel = &put, .range = {.global = {0, 1, 1}}, .stores_arguments = true},
        {.kernel = &none, .range = range}};
    const auto sequence = runtime::LaunchSequence::create(pool, items, {}).take();
    // By descriptors there are pointers that are not in memory.
    const bool has_form = device->profile().buffer_device_address;
    CHECK((built.program->block_form() != nullptr) == has_form);
    CHECK(sequence->stores_arguments(1) == has_form);
    for (const size_t item : {2, 3}) CHECK(!sequence->stores_arguments(item));
    if (!has_form) return;
    const VkCommandBuffer commands = sequence->commands();
    const auto check = [&](const runtime::Buffer& buffer, int value) {
        REQUIRE(queue->run({&commands, 1}));
        REQUIRE(queue->finish());
        std::vector<int> found(kItems);
        REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(found))));
        CHECK(found == std::vector<int>(kItems, value));
    };
    check(first, 1);
    REQUIRE(put.set(1, 2));
    check(first, 1);  // not yet
    sequence->store_argument(1, put, 1);
    check(first, 2);
    REQUIRE(put.set(0, second));
    sequence->store_argument(1, put, 0);
    check(second, 2);
}
