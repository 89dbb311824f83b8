// SPDX-License-Identifier: Apache-2.0
// waited_semaphore: destroys a timeline semaphore when the batch that waited for it is complete, using Vulkan
// alone.
//
// Vulkan allows that (VUID-vkDestroySemaphore-semaphore-05149). The queue's thread of Mesa's lavapipe locks
// the destroyed semaphore after it has signalled that the batch is complete: it crashes, or waits forever.
// All goes right where a batch of its own signals that (--apart): the thread is done with the batch before.
#include <vulkan/vulkan.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "tests/evaluation/driver_faults/gpu.h"

using namespace caldera::driver_faults;

namespace {

constexpr uint64_t kPatienceNs = 3'000'000'000;

struct Options : GpuOptions {
    unsigned count = 10'000;
    bool apart = false;
};

SemaphoreHandle make_timeline(const Gpu& gpu) {
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    SemaphoreHandle made;
    check(made.make(gpu.device, vkCreateSemaphore, info), "vkCreateSemaphore");
    return made;
}

/// Submits a batch without commands. Null handles: it waits for none, or signals none.
void submit(const Gpu& gpu, VkSemaphore waits, VkSemaphore signals, uint64_t signal_value) {
    constexpr uint64_t kWaited = 1;
    constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint32_t wait_count = waits ? 1 : 0, signal_count = signals ? 1 : 0;
    const VkTimelineSemaphoreSubmitInfo values{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                               .waitSemaphoreValueCount = wait_count,
                                               .pWaitSemaphoreValues = &kWaited,
                                               .signalSemaphoreValueCount = signal_count,
                                               .pSignalSemaphoreValues = &signal_value};
    const VkSubmitInfo batch{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                             .pNext = &values,
                             .waitSemaphoreCount = wait_count,
                             .pWaitSemaphores = &waits,
                             .pWaitDstStageMask = &kStages,
                             .signalSemaphoreCount = signal_count,
                             .pSignalSemaphores = &signals};
    check(vkQueueSubmit(gpu.queues[0], 1, &batch, VK_NULL_HANDLE), "vkQueueSubmit");
}

void run(const Options& options) {
    Gpu gpu;
    open(gpu, options);
    const SemaphoreHandle done = make_timeline(gpu);
    const VkSemaphore awaited = done.get();
    for (uint64_t turn = 1; turn <= options.count; ++turn) {
        const SemaphoreHandle waited = make_timeline(gpu);
        submit(gpu, VK_NULL_HANDLE, waited.get(), 1);
        submit(gpu, waited.get(), options.apart ? VK_NULL_HANDLE : awaited, turn);
        if (options.apart) submit(gpu, VK_NULL_HANDLE, awaited, turn);
        const VkSemaphoreWaitInfo wait{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                       .semaphoreCount = 1,
                                       .pSemaphores = &awaited,
                                       .pValues = &turn};
        if (vkWaitSemaphores(gpu.device, &wait, kPatienceNs) == VK_SUCCESS) continue;
        std::printf("the queue does not end\n");
        std::fflush(stdout);
        std::_Exit(1);
    }
    std::printf("%u semaphores were destroyed\n", options.count);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("waited_semaphore: destroys semaphores when the batches that waited for them are complete",
                 "waited_semaphore");
    app.add_option("--device", options.device, "part of the Vulkan device's name");
    app.add_option("--count", options.count, "number of semaphores")->capture_default_str();
    app.add_flag("--apart", options.apart, "a batch of its own signals that the waiting one is complete");
    app.footer(
        "\nExamples:\n"
        "  waited_semaphore           as Vulkan allows it\n"
        "  waited_semaphore --apart   what goes right");
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "waited_semaphore: %s\n", error.what());
        return 1;
    }
}
