// SPDX-License-Identifier: Apache-2.0
// Vulkan's calls fail, one after the other: the right codes, nothing hangs, and what comes after works.
#include <dlfcn.h>
#include <unistd.h>

#include "tests/driver/faults/layer.h"
#include "tests/driver/faults/small_program.h"

using namespace caldera::driver_test;
using caldera::faults::Fault;
using caldera::faults::Layer;

namespace {

/// The one that Vulkan's loader loads too, by the same path.
const Layer& layer() {
    void* const library = dlopen(FAULT_LAYER, RTLD_NOW);
    REQUIRE(library);
    const auto* found = static_cast<const Layer*>(dlsym(library, "caldera_fault_layer"));
    REQUIRE(found);
    return *found;
}

struct Row {
    const char* function = nullptr;
    std::vector<VkResult> results = {};
};
const Row kRows[] = {
    {"vkCreateDevice", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkAllocateMemory", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateBuffer", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateCommandPool", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateComputePipelines", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkCreatePipelineCache", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreatePipelineLayout", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateQueryPool", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkCreateSemaphore", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkCreateShaderModule", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkAllocateCommandBuffers", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkBeginCommandBuffer", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkBindBufferMemory", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkEndCommandBuffer", {VK_ERROR_OUT_OF_DEVICE_MEMORY}},
    {"vkGetPipelineCacheData", {VK_ERROR_OUT_OF_HOST_MEMORY}},
    {"vkMapMemory", {VK_ERROR_MEMORY_MAP_FAILED}},
    {"vkGetQueryPoolResults", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkGetSemaphoreCounterValue", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkQueueSubmit", {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
    {"vkWaitSemaphores", {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST}},
};

/// Something hangs: the test ends, and says where.
struct Watchdog {
    explicit Watchdog(unsigned seconds) { alarm(seconds); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { alarm(0); }
};

}  // namespace

TEST_CASE("each call of Vulkan's that a program makes fails once") {
    const Layer& faults = layer();
    for (const Row& row : kRows)
        for (const VkResult result : row.results) {
            int64_t objects = 0;
            for (uint32_t n = 0;; ++n) {
                CAPTURE(row.function);
                CAPTURE(result);
                CAPTURE(n);
                const uint32_t before = faults.calls(row.function);
                faults.set({.function = row.function, .skip = n, .times = 1, .result = result});
                Outcome outcome;
                {
                    const Watchdog watchdog(30);
                    outcome = SmallProgram::run();
                }
                const uint32_t calls = faults.calls(row.function) - before;
                faults.clear();
                MESSAGE(row.function << " " << result << " " << n << ": " << outcome.call << " "
                                     << outcome.code << " calls " << calls);
                CHECK(is_of_fault(outcome.code));
                {
                    const Watchdog watchdog(30);
                    const Outcome after = SmallProgram::run();
                    INFO("after: " << after.call << ": " << after.code);
                    CHECK(after.code == CL_SUCCESS);
                }
                if (n != 0) CHECK(faults.objects() <= objects + 2);  // a memory block or two are kept
                objects = faults.objects();
                if (calls <= n) break;
            }
        }
}
