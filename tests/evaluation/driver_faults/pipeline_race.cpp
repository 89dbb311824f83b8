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
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "pipeline_race_spv.h"
#include "vulkan/runtime/handle.h"

using namespace caldera::runtime;

namespace {

struct Options {
    std::string device = {};
    unsigned threads = 8, count = 200, queues = 1, kept = 8;
    bool apart = false, again = false;
};

constexpr uint32_t kInvocations = 32;
constexpr uint64_t kPatienceNs = 3'000'000'000;

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS)
        throw std::runtime_error(std::string(call) + " gives " + std::to_string(result));
}

/// As the shader's.
uint32_t expected(uint32_t value, uint32_t i) {
    uint32_t x = value + i;
    for (uint32_t turn = 0; turn < value % 24; ++turn) x = (x ^ (value + turn)) * (2 * value + 1);
    return x;
}

struct Gpu {
    Gpu() = default;
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;
    ~Gpu() {
        shader = {};
        layout = {};
        cache = {};
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
    }
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    uint32_t family = 0;
    std::vector<VkQueue> queues = {};
    ShaderHandle shader = {};
    PipelineLayoutHandle layout = {};
    PipelineCacheHandle cache = {};
    std::mutex submitting = {};
};

/// The first device of such a name, and its first family of queues for kernels, one without graphics if it
/// has that.
void open(Gpu& gpu, const Options& options) {
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                             .pApplicationInfo = &application};
    check(vkCreateInstance(&instance_info, nullptr, &gpu.instance), "vkCreateInstance");
    uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(gpu.instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(gpu.instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
    VkPhysicalDeviceProperties properties;
    for (VkPhysicalDevice device : devices) {
        vkGetPhysicalDeviceProperties(device, &properties);
        if (gpu.physical || std::string(properties.deviceName).find(options.device) == std::string::npos)
            continue;
        gpu.physical = device;
        std::printf("%s\n", properties.deviceName);
    }
    if (!gpu.physical) throw std::runtime_error("no such device");
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(gpu.physical, &count, families.data());
    bool has_graphics = true;
    for (uint32_t f = 0; f < count; ++f) {
        if (!(families[f].queueFlags & VK_QUEUE_COMPUTE_BIT) || !has_graphics) continue;
        has_graphics = families[f].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        gpu.family = f;
    }
    const uint32_t queue_count = std::min(options.queues, families[gpu.family].queueCount);
    const std::vector<float> priorities(queue_count, 1.0f);
    const VkDeviceQueueCreateInfo queues{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = gpu.family,
                                         .queueCount = queue_count,
                                         .pQueuePriorities = priorities.data()};
    VkPhysicalDeviceVulkan12Features features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .bufferDeviceAddress = VK_TRUE};
    const VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                  .pNext = &features,
                                  .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queues};
    check(vkCreateDevice(gpu.physical, &info, nullptr, &gpu.device), "vkCreateDevice");
    for (uint32_t q = 0; q < queue_count; ++q)
        vkGetDeviceQueue(gpu.device, gpu.family, q, &gpu.queues.emplace_back());
    const VkShaderModuleCreateInfo module{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .codeSize = sizeof pipeline_race_spv,
                                          .pCode = pipeline_race_spv};
    check(gpu.shader.make(gpu.device, vkCreateShaderModule, module), "vkCreateShaderModule");
    const VkPushConstantRange range{.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = 8};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
    check(gpu.layout.make(gpu.device, vkCreatePipelineLayout, layout), "vkCreatePipelineLayout");
    const VkPipelineCacheCreateInfo cache{.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    check(gpu.cache.make(gpu.device, vkCreatePipelineCache, cache), "vkCreatePipelineCache");
}

/// A thread's own: memory for what its kernels write, a command buffer, pipelines.
class Caller {
 public:
    Caller(Gpu& gpu, const Options& options, unsigned number)
        : gpu_(gpu), options_(options), queue_(gpu.queues[number % gpu.queues.size()]), random_(number) {
        make_buffer();
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
            std::fill_n(words_, kInvocations, 0u);
            dispatch(pipelines_.back().get());
            bool is_right = true;
            for (uint32_t w = 0; w < kInvocations; ++w) is_right &= words_[w] == expected(value, w);
            wrong += !is_right;
            if (pipelines_.size() > options_.kept) pipelines_.pop_front();
        }
        return wrong;
    }

 private:
    void make_buffer() {
        const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                      .size = kInvocations * sizeof(uint32_t),
                                      .usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
        check(buffer_.make(gpu_.device, vkCreateBuffer, info), "vkCreateBuffer");
        VkMemoryRequirements requirements;
        vkGetBufferMemoryRequirements(gpu_.device, buffer_.get(), &requirements);
        VkPhysicalDeviceMemoryProperties memories;
        vkGetPhysicalDeviceMemoryProperties(gpu_.physical, &memories);
        constexpr VkMemoryPropertyFlags kWanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        uint32_t type = 0;
        while (!(requirements.memoryTypeBits >> type & 1) ||
               (memories.memoryTypes[type].propertyFlags & kWanted) != kWanted)
            ++type;
        const VkMemoryAllocateFlagsInfo flags{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                              .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
        const VkMemoryAllocateInfo memory_info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                               .pNext = &flags,
                                               .allocationSize = requirements.size,
                                               .memoryTypeIndex = type};
        check(memory_.make(gpu_.device, vkAllocateMemory, memory_info), "vkAllocateMemory");
        check(vkBindBufferMemory(gpu_.device, buffer_.get(), memory_.get(), 0), "vkBindBufferMemory");
        void* mapped = nullptr;
        check(vkMapMemory(gpu_.device, memory_.get(), 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        words_ = static_cast<uint32_t*>(mapped);
        const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                                .buffer = buffer_.get()};
        address_ = vkGetBufferDeviceAddress(gpu_.device, &address);
    }

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
        vkCmdPushConstants(commands_, gpu_.layout.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof address_,
                           &address_);
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
    uint32_t* words_ = nullptr;  // mapped
    VkDeviceAddress address_ = 0;
    MemoryHandle memory_ = {};
    BufferHandle buffer_ = {};
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
