// SPDX-License-Identifier: Apache-2.0
// shared_secondary: two queues run one secondary command buffer at the same time, using Vulkan alone.
//
// It is begun with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, which allows that (Vulkan 6.4). On NVIDIA's
// driver neither queue ends then. Both do with a secondary command buffer for each (--copies), and one after
// the other (--apart).
#include <vulkan/vulkan.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/evaluation/driver_faults/gpu.h"

using namespace caldera::driver_faults;

namespace {

constexpr uint32_t kInvocations = 32, kValue = 7;
constexpr uint64_t kPatienceNs = 3'000'000'000;

struct Options : GpuOptions {
    unsigned count = 1000;
    bool copies = false, apart = false;
};

PipelineHandle make_pipeline(const Gpu& gpu) {
    const VkSpecializationMapEntry entry{.constantID = 0, .offset = 0, .size = sizeof kValue};
    const VkSpecializationInfo constants{
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof kValue, .pData = &kValue};
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = gpu.shader.get(),
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = gpu.layout.get()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(vkCreateComputePipelines(gpu.device, gpu.cache.get(), 1, &info, nullptr, &pipeline),
          "vkCreateComputePipelines");
    return PipelineHandle(gpu.device, pipeline);
}

VkCommandBuffer make_commands(const Gpu& gpu, VkCommandPool pool, VkCommandBufferLevel level) {
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool,
                                           .level = level,
                                           .commandBufferCount = 1};
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(gpu.device, &info, &commands), "vkAllocateCommandBuffers");
    return commands;
}

VkCommandBuffer record_secondary(const Gpu& gpu, VkCommandPool pool, VkPipeline pipeline,
                                 VkDeviceAddress words) {
    VkCommandBuffer commands = make_commands(gpu, pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inherited{.sType =
                                                       VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                         .pInheritanceInfo = &inherited};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdPushConstants(commands, gpu.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof words, &words);
    vkCmdDispatch(commands, 1, 1, 1);
    vkCmdDispatch(commands, 1, 1, 1);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

/// Runs the secondary command buffer so many times, one after the other.
VkCommandBuffer record_primary(const Gpu& gpu, VkCommandPool pool, VkCommandBuffer secondary,
                               unsigned count) {
    VkCommandBuffer commands = make_commands(gpu, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT};
    for (unsigned i = 0; i < count; ++i) {
        vkCmdExecuteCommands(commands, 1, &secondary);
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    }
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return commands;
}

void run(const Options& options) {
    Gpu gpu;
    open(gpu, options);
    if (gpu.queues.size() < 2) std::printf("there is one queue for kernels only\n");
    Words memory(gpu, kInvocations);
    const PipelineHandle pipeline = make_pipeline(gpu);
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .queueFamilyIndex = gpu.family};
    CommandPoolHandle pool;
    check(pool.make(gpu.device, vkCreateCommandPool, pool_info), "vkCreateCommandPool");
    const VkCommandBuffer shared = record_secondary(gpu, pool.get(), pipeline.get(), memory.address());
    std::vector<FenceHandle> fences(gpu.queues.size());
    const auto wait = [&](const FenceHandle& fence) {
        const VkFence awaited = fence.get();
        if (vkWaitForFences(gpu.device, 1, &awaited, VK_TRUE, kPatienceNs) == VK_SUCCESS) return;
        std::printf("a queue does not end\n");
        std::fflush(stdout);
        std::_Exit(1);
    };
    std::vector<VkCommandBuffer> primaries;
    for (size_t q = 0; q < gpu.queues.size(); ++q) {
        const VkCommandBuffer secondary =
            options.copies ? record_secondary(gpu, pool.get(), pipeline.get(), memory.address()) : shared;
        primaries.push_back(record_primary(gpu, pool.get(), secondary, options.count));
    }
    for (size_t q = 0; q < gpu.queues.size(); ++q) {
        const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        check(fences[q].make(gpu.device, vkCreateFence, fence), "vkCreateFence");
        const VkSubmitInfo batch{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &primaries[q]};
        check(vkQueueSubmit(gpu.queues[q], 1, &batch, fences[q].get()), "vkQueueSubmit");
        if (options.apart) wait(fences[q]);
    }
    for (const FenceHandle& fence : fences) wait(fence);
    std::printf("all queues end\n");
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.queues = 2;
    CLI::App app("shared_secondary: queues that run one secondary command buffer at the same time",
                 "shared_secondary");
    app.add_option("--device", options.device, "part of the Vulkan device's name");
    app.add_option("--queues", options.queues, "number of queues")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--count", options.count, "times that each runs it")->capture_default_str();
    app.add_flag("--copies", options.copies, "each queue has a secondary command buffer of its own");
    app.add_flag("--apart", options.apart, "each queue waits for the one before");
    app.footer(
        "\nExamples:\n"
        "  shared_secondary            as Vulkan allows it\n"
        "  shared_secondary --copies   what goes right");
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "shared_secondary: %s\n", error.what());
        return 1;
    }
}
