// SPDX-License-Identifier: Apache-2.0
// What tests of the runtime share: a device, a queue, a program whose kernel stores the global id plus a
// value, and a gate that holds up a queue.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vulkan/runtime/open_device.h"
#include "vulkan/runtime/program.h"
#include "vulkan/runtime/queue.h"
// The generated header wants <cstdint>'s names: runtime_test.comp, by glslang.
#include "runtime_test_spv.h"

namespace caldera::runtime {

inline vulkan::ProgramInterface test_interface() {
    vulkan::Kernel kernel;
    kernel.name = "main";
    kernel.arguments = {
        {.kind = vulkan::ArgumentKind::GlobalPointer, .name = "result", .offset_bytes = 0, .size_bytes = 8},
        {.kind = vulkan::ArgumentKind::Value, .name = "bias", .offset_bytes = 8, .size_bytes = 4}};
    kernel.hidden = {{vulkan::HiddenKind::GlobalIdBase, 16}, {vulkan::HiddenKind::GlobalSize, 40}};
    kernel.block_bytes = 64;
    return {.kernels = {kernel}};
}

struct Fixture {
    std::unique_ptr<Device> device = open_device().take();
    std::unique_ptr<Queue> queue = Queue::create(*device, {.timestamps = true}).take();
    std::unique_ptr<Program> program = Program::create(*device, runtime_test_spv, test_interface()).take();

    /// Runs the kernel over a zeroed buffer and says whether each work-item ran once, and nothing else was
    /// touched.
    bool covers(const NDRange& range) {
        const uint64_t items = range.global[0] * range.global[1] * range.global[2];
        constexpr uint64_t kGuard = 64;
        Buffer buffer = Buffer::create(*device, (items + kGuard) * 4).take();
        Kernel kernel = Kernel::create(*program, "main").take();
        REQUIRE(queue->fill(buffer, 0, buffer.size_bytes(), 0));
        REQUIRE(kernel.set(0, buffer));
        REQUIRE(kernel.set(1, 7u));
        REQUIRE(queue->dispatch(kernel, range));
        std::vector<uint32_t> words(items + kGuard);
        REQUIRE(queue->download(buffer, 0, std::as_writable_bytes(std::span(words))));
        for (uint64_t i = 0; i < words.size(); ++i)
            if (words[i] != (i < items ? static_cast<uint32_t>(i) + 7 : 0)) return false;
        return true;
    }
};

/// A semaphore that holds up a queue until it is opened.
class Gate {
 public:
    explicit Gate(Device& device) : device_(device) {
        const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                             .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
        const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
        REQUIRE(semaphore_.make(device.vk(), vkCreateSemaphore, info) == VK_SUCCESS);
    }
    SemaphoreValue value() const { return {.semaphore = semaphore_.get(), .value = 1}; }
    void open() const {
        const VkSemaphoreSignalInfo info{
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore_.get(), .value = 1};
        REQUIRE(vkSignalSemaphore(device_.vk(), &info) == VK_SUCCESS);
    }

 private:
    Device& device_;
    SemaphoreHandle semaphore_ = {};
};

/// Whether the device has what a Gate is made of.
inline bool has_timelines(const Device& device) {
    return device.properties().apiVersion >= VK_API_VERSION_1_2 && device.functions().wait_semaphores;
}

}  // namespace caldera::runtime
