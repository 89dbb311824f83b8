// SPDX-License-Identifier: Apache-2.0
// pipeline_race: several threads make pipelines, run them and check what they wrote, using Vulkan alone.
//
// The threads share nothing but the queues, to which they submit one at a time. On NVIDIA's driver, kernels
// then write what other kernels should have written, or never end: a queue executes what was in the memory of
// the pipeline's code before. This does not happen when no thread submits while another makes a pipeline
// (--apart). It does not happen either with pipelines that were compiled earlier and come from a cache
// (--again), which is what runtime::PipelineCache does.
#include <vulkan/vulkan.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <deque>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/evaluation/driver_faults/gpu.h"

using namespace caldera::driver_faults;

namespace {

struct Options : GpuOptions {
    unsigned threads = 8, count = 200, kept = 8;
    bool apart = false, again = false;
};

constexpr uint32_t kInvocations = 32;
constexpr uint64_t kPatienceNs = 3'000'000'000;

/// As the shader's.
uint32_t expected(uint32_t value, uint32_t i) {
    uint32_t x = value + i;
    for (uint32_t turn = 0; turn < value % 24; ++turn) x = (x ^ (value + turn)) * (2 * value + 1);
    return x;
}

/// A thread's own: memory for what its kernels write, a command buffer, pipelines.
class Caller {
 public:
    Caller(Gpu& gpu, const Options& options, unsigned number)
        : gpu_(gpu),
          options_(options),
          queue_(gpu.queues[number % gpu.queues.size()]),
          random_(number),
          memory_(gpu, kInvocations) {
        const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                           .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                           .queueFamilyIndex = gpu_.family};
        check(pool_.make(gpu_.device, vkCreateCommandPool, pool), "vkCreateCommandPool");
        const VkCommandBufferAllocateInfo commands{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                   .commandPool = pool_.get(),
                                                   .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                   .commandBufferCount = 1};
        check(vkAllocateCommandBuffers(gpu_.device, &commands, &commands_), "vkAllocateCommandBuffers");
        const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        check(fence_.make(gpu_.device, vkCreateFence, fence), "vkCreateFence");
    }

    /// How many pipelines wrote something else.
    unsigned run() {
        unsigned wrong = 0;
        for (unsigned i = 0; i < options_.count; ++i) {
            const uint32_t value = random_();
            pipelines_.push_back(make_pipeline(value));
            std::fill_n(memory_.words(), kInvocations, 0u);
            dispatch(pipelines_.back().get());
            bool is_right = true;
            for (uint32_t w = 0; w < kInvocations; ++w) is_right &= memory_.words()[w] == expected(value, w);
            wrong += !is_right;
            if (pipelines_.size() > options_.kept) pipelines_.pop_front();
        }
        return wrong;
    }

 private:
    PipelineHandle make_pipeline(uint32_t value) {
        const VkSpecializationMapEntry entry{.constantID = 0, .offset = 0, .size = sizeof value};
        const VkSpecializationInfo constants{
            .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof value, .pData = &value};
        const VkComputePipelineCreateInfo info{
            .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                      .module = gpu_.shader.get(),
                      .pName = "main",
                      .pSpecializationInfo = &constants},
            .layout = gpu_.layout.get()};
        const auto create = [&] {
            VkPipeline pipeline = VK_NULL_HANDLE;
            check(vkCreateComputePipelines(gpu_.device, gpu_.cache.get(), 1, &info, nullptr, &pipeline),
                  "vkCreateComputePipelines");
            return PipelineHandle(gpu_.device, pipeline);
        };
        if (!options_.apart && !options_.again) return create();
        if (options_.again) create();
        const std::lock_guard lock(gpu_.submitting);
        return create();
    }

    void dispatch(VkPipeline pipeline) {
        const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                             .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
        check(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
        vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        const VkDeviceAddress address = memory_.address();
        vkCmdPushConstants(commands_, gpu_.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof address,
                           &address);
        vkCmdDispatch(commands_, 1, 1, 1);
        const VkMemoryBarrier to_host{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                      .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
        vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                             1, &to_host, 0, nullptr, 0, nullptr);
        check(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
        const VkSubmitInfo batch{
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands_};
        const VkFence fence = fence_.get();
        {
            const std::lock_guard lock(gpu_.submitting);
            check(vkQueueSubmit(queue_, 1, &batch, fence), "vkQueueSubmit");
        }
        check(vkWaitForFences(gpu_.device, 1, &fence, VK_TRUE, kPatienceNs), "vkWaitForFences");
        check(vkResetFences(gpu_.device, 1, &fence), "vkResetFences");
    }

    Gpu& gpu_;
    const Options& options_;
    const VkQueue queue_;
    std::mt19937 random_;
    Words memory_;
    CommandPoolHandle pool_ = {};
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    FenceHandle fence_ = {};
    std::deque<PipelineHandle> pipelines_ = {};  // the latest ones
};

bool run(const Options& options) {
    Gpu gpu;
    open(gpu, options);
    std::atomic<unsigned> wrong = 0, failed = 0;
    // Destroyed when all have ended well: the device may still use what they have otherwise.
    std::deque<Caller> callers;
    for (unsigned number = 0; number < options.threads; ++number) callers.emplace_back(gpu, options, number);
    const auto call = [&](unsigned number) {
        try {
            wrong += callers[number].run();
        } catch (const std::exception& error) {
            std::fprintf(stderr, "thread %u: %s\n", number, error.what());
            ++failed;
        }
    };
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < options.threads; ++number) threads.emplace_back(call, number);
    for (std::thread& thread : threads) thread.join();
    std::printf("%u of %u pipelines wrote something else; %u of %u threads gave up\n", wrong.load(),
                options.threads * options.count, failed.load(), options.threads);
    std::fflush(stdout);
    if (failed != 0) std::_Exit(1);
    return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("pipeline_race: threads that make pipelines, run them and look at what they wrote",
                 "pipeline_race");
    app.add_option("--device", options.device, "part of the Vulkan device's name");
    app.add_option("--threads", options.threads, "number of threads")->capture_default_str();
    app.add_option("--count", options.count, "pipelines that each makes")->capture_default_str();
    app.add_option("--queues", options.queues, "that they submit to in turn")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--kept", options.kept, "pipelines that each keeps before it destroys the oldest")
        ->capture_default_str();
    app.add_flag("--apart", options.apart, "no thread submits while another makes a pipeline");
    app.add_flag("--again", options.again,
                 "each pipeline is made and destroyed, then made from the cache while no thread submits");
    app.footer(
        "\nExamples:\n"
        "  pipeline_race                  8 threads, 200 pipelines each\n"
        "  pipeline_race --kept=1000000   no pipeline is destroyed\n"
        "  pipeline_race --apart          what goes right\n"
        "  pipeline_race --again          and what does so without waiting for a compiler");
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pipeline_race: %s\n", error.what());
        return 1;
    }
}
