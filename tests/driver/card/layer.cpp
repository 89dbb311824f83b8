// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes a driver that computes on the processor look like a card (card.h): it says that
// it is one, with memory of its own that the host does not see, several queues, and others that only copy.
// What nobody waits for comes too early or too late. It says that its driver is NVIDIA's, and has a fault of
// that one's (vulkan/driver_quirks.def): what is made of a pipeline while something is submitted does
// nothing.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/driver/card/card.h"
#include "tests/driver/vulkan_layer.h"

namespace caldera::card {
namespace {

/// The functions of the next layer or driver. They are looked up when the instance is made, because
/// afterwards the loader returns those of the first layer.
struct Instance {
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties_2 = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties memory = nullptr;
};

struct Layer {
    LayerChain<Instance> chain = {};
    ByHandle<std::unique_ptr<Card>> cards = {};
};
Layer& layer() {
    static Layer* const layer = new Layer;  // outlives what other libraries destroy at exit
    return *layer;
}
void end_cards() {
    layer().cards.for_each([](std::unique_ptr<Card>& card) { card->end(); });
}
Card& card_of(const void* handle) { return *layer().cards.of(handle); }
Queue& queue_of(VkQueue queue) { return *reinterpret_cast<Queue*>(queue); }
CommandBuffer& commands_of(VkCommandBuffer commands) { return *reinterpret_cast<CommandBuffer*>(commands); }
const Instance& instance_of(const void* handle) { return layer().chain.instance_of(handle); }

// ---- What the card is ----

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
    instance_of(physical).properties(physical, properties);
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}
VKAPI_ATTR void VKAPI_CALL get_properties_2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceProperties2* properties) {
    instance_of(physical).properties_2(physical, properties);
    properties->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceDriverProperties*>(next)->driverID =
                VK_DRIVER_ID_NVIDIA_PROPRIETARY;
}

VKAPI_ATTR void VKAPI_CALL get_queue_families(VkPhysicalDevice physical, uint32_t* count,
                                              VkQueueFamilyProperties* families) {
    if (!families) {
        *count = 2;
        return;
    }
    uint32_t one = 1;
    VkQueueFamilyProperties real = {};
    instance_of(physical).queue_families(physical, &one, &real);
    *count = std::min(*count, 2u);
    for (uint32_t i = 0; i < *count; ++i) {
        families[i] = real;
        families[i].queueFlags =
            i == kKernels ? VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT : VK_QUEUE_TRANSFER_BIT;
        families[i].queueCount = i == kKernels ? kKernelQueues : kCopyQueues;
    }
}

VKAPI_ATTR void VKAPI_CALL get_memory(VkPhysicalDevice physical,
                                      VkPhysicalDeviceMemoryProperties* properties) {
    instance_of(physical).memory(physical, properties);
    constexpr VkMemoryPropertyFlags kHost =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkDeviceSize size = properties->memoryHeaps[0].size;
    properties->memoryHeapCount = 2;
    properties->memoryHeaps[0] = {size, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    properties->memoryHeaps[1] = {size, 0};
    properties->memoryTypeCount = 3;
    properties->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
    properties->memoryTypes[1] = {kHost, 1};
    properties->memoryTypes[2] = {kHost | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
}

VKAPI_ATTR void VKAPI_CALL get_memory_requirements(VkDevice device, VkBuffer buffer,
                                                   VkMemoryRequirements* requirements) {
    card_of(device).function<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(
        device, buffer, requirements);
    requirements->memoryTypeBits = 7;
}

// ---- What is made on it: of what the driver has ----

VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* callbacks,
                                               VkDeviceMemory* memory) {
    VkMemoryAllocateInfo real = *info;
    real.memoryTypeIndex = 0;
    return card_of(device).function<PFN_vkAllocateMemory>("vkAllocateMemory")(device, &real, callbacks,
                                                                              memory);
}
VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
    VkBufferCreateInfo real = *info;
    real.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    return card_of(device).function<PFN_vkCreateBuffer>("vkCreateBuffer")(device, &real, callbacks, buffer);
}
VKAPI_ATTR VkResult VKAPI_CALL create_command_pool(VkDevice device, const VkCommandPoolCreateInfo* info,
                                                   const VkAllocationCallbacks* callbacks,
                                                   VkCommandPool* pool) {
    VkCommandPoolCreateInfo real = *info;
    real.queueFamilyIndex = 0;
    return card_of(device).function<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device, &real, callbacks,
                                                                                    pool);
}

// ---- Queues ----

VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
    *queue = card_of(device).queue(family, index);
}

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue handle, uint32_t count, const VkSubmitInfo* infos, VkFence) {
    Queue& queue = queue_of(handle);
    for (uint32_t i = 0; i < count; ++i) {
        const VkSubmitInfo& info = infos[i];
        const auto* timeline = static_cast<const VkTimelineSemaphoreSubmitInfo*>(info.pNext);
        std::vector<Item> items;
        for (uint32_t k = 0; k < info.waitSemaphoreCount; ++k)
            items.push_back({.kind = Item::Kind::Wait,
                             .semaphore = {info.pWaitSemaphores[k], timeline->pWaitSemaphoreValues[k]}});
        for (uint32_t k = 0; k < info.commandBufferCount; ++k) {
            const std::vector<Item>& commands = commands_of(info.pCommandBuffers[k]).items;
            items.insert(items.end(), commands.begin(), commands.end());
        }
        for (uint32_t k = 0; k < info.signalSemaphoreCount; ++k)
            items.push_back({.kind = Item::Kind::AfterAll,
                             .semaphore = {info.pSignalSemaphores[k], timeline->pSignalSemaphoreValues[k]}});
        queue.card->add(queue, items);
    }
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL queue_wait_idle(VkQueue handle) {
    Queue& queue = queue_of(handle);
    queue.card->wait_idle(queue);
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL device_wait_idle(VkDevice device) {
    card_of(device).wait_idle();
    return VK_SUCCESS;
}

// ---- Pipelines ----

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                const VkComputePipelineCreateInfo* infos,
                                                const VkAllocationCallbacks* callbacks,
                                                VkPipeline* pipelines) {
    Card& card = card_of(device);
    VkResult result = VK_SUCCESS;
    const bool is_mixed_up = card.submits_during([&] {
        result = card.function<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(
            device, cache, count, infos, callbacks, pipelines);
    });
    for (uint32_t i = 0; i < count; ++i) card.note_pipeline(pipelines[i], !is_mixed_up);
    return result;
}

// ---- Commands ----

VKAPI_ATTR VkResult VKAPI_CALL allocate_command_buffers(VkDevice device,
                                                        const VkCommandBufferAllocateInfo* info,
                                                        VkCommandBuffer* buffers) {
    auto& all = card_of(device).command_buffers(info->commandPool);
    for (uint32_t i = 0; i < info->commandBufferCount; ++i) {
        all.push_back(std::make_unique<CommandBuffer>());
        buffers[i] = reinterpret_cast<VkCommandBuffer>(all.back().get());
    }
    return VK_SUCCESS;
}
VKAPI_ATTR void VKAPI_CALL free_command_buffers(VkDevice device, VkCommandPool pool, uint32_t count,
                                                const VkCommandBuffer* buffers) {
    auto& all = card_of(device).command_buffers(pool);
    for (uint32_t i = 0; i < count; ++i)
        std::erase_if(all, [&](const auto& each) { return each.get() == &commands_of(buffers[i]); });
}
VKAPI_ATTR void VKAPI_CALL destroy_command_pool(VkDevice device, VkCommandPool pool,
                                                const VkAllocationCallbacks* callbacks) {
    Card& card = card_of(device);
    card.forget(pool);
    card.function<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device, pool, callbacks);
}
VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer handle, const VkCommandBufferBeginInfo*) {
    commands_of(handle).items.clear();
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL end(VkCommandBuffer) { return VK_SUCCESS; }

VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer handle, VkPipelineBindPoint, VkPipeline pipeline) {
    CommandBuffer& commands = commands_of(handle);
    commands.pipeline = pipeline;
    commands.constants.clear();  // the runtime sets everything for each dispatch
    commands.sets.clear();
}
VKAPI_ATTR void VKAPI_CALL bind_sets(VkCommandBuffer handle, VkPipelineBindPoint, VkPipelineLayout layout,
                                     uint32_t first, uint32_t count, const VkDescriptorSet* sets, uint32_t,
                                     const uint32_t*) {
    CommandBuffer& commands = commands_of(handle);
    commands.layout = layout;
    for (uint32_t i = 0; i < count; ++i) commands.sets[first + i] = sets[i];
}
VKAPI_ATTR void VKAPI_CALL push_constants(VkCommandBuffer handle, VkPipelineLayout layout, VkShaderStageFlags,
                                          uint32_t offset, uint32_t size, const void* data) {
    CommandBuffer& commands = commands_of(handle);
    commands.layout = layout;
    commands.constants.resize(std::max<size_t>(commands.constants.size(), offset + size));
    std::memcpy(commands.constants.data() + offset, data, size);
}
VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer handle, uint32_t x, uint32_t y, uint32_t z) {
    CommandBuffer& commands = commands_of(handle);
    const Card& card = card_of(handle);
    commands.add(Item::Kind::Work,
                 [=, &card, pipeline = commands.pipeline, layout = commands.layout,
                  constants = commands.constants, sets = commands.sets](VkCommandBuffer real) {
                     if (!card.works(pipeline)) return;
                     card.function<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(
                         real, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
                     if (!constants.empty())
                         card.function<PFN_vkCmdPushConstants>("vkCmdPushConstants")(
                             real, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<uint32_t>(constants.size()), constants.data());
                     for (const auto& [number, set] : sets)
                         card.function<PFN_vkCmdBindDescriptorSets>("vkCmdBindDescriptorSets")(
                             real, VK_PIPELINE_BIND_POINT_COMPUTE, layout, number, 1, &set, 0, nullptr);
                     card.function<PFN_vkCmdDispatch>("vkCmdDispatch")(real, x, y, z);
                 });
}
VKAPI_ATTR void VKAPI_CALL copy_buffer(VkCommandBuffer handle, VkBuffer from, VkBuffer to, uint32_t count,
                                       const VkBufferCopy* regions) {
    const Card& card = card_of(handle);
    for (uint32_t i = 0; i < count; ++i)
        commands_of(handle).add(Item::Kind::Work, [=, &card, region = regions[i]](VkCommandBuffer real) {
            card.function<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(real, from, to, 1, &region);
        });
}
VKAPI_ATTR void VKAPI_CALL copy_buffer_to_image(VkCommandBuffer handle, VkBuffer from, VkImage to,
                                                VkImageLayout layout, uint32_t count,
                                                const VkBufferImageCopy* regions) {
    const Card& card = card_of(handle);
    for (uint32_t i = 0; i < count; ++i)
        commands_of(handle).add(Item::Kind::Work, [=, &card, region = regions[i]](VkCommandBuffer real) {
            card.function<PFN_vkCmdCopyBufferToImage>("vkCmdCopyBufferToImage")(real, from, to, layout, 1,
                                                                                &region);
        });
}
VKAPI_ATTR void VKAPI_CALL copy_image_to_buffer(VkCommandBuffer handle, VkImage from, VkImageLayout layout,
                                                VkBuffer to, uint32_t count,
                                                const VkBufferImageCopy* regions) {
    const Card& card = card_of(handle);
    for (uint32_t i = 0; i < count; ++i)
        commands_of(handle).add(Item::Kind::Work, [=, &card, region = regions[i]](VkCommandBuffer real) {
            card.function<PFN_vkCmdCopyImageToBuffer>("vkCmdCopyImageToBuffer")(real, from, layout, to, 1,
                                                                                &region);
        });
}
VKAPI_ATTR void VKAPI_CALL fill_buffer(VkCommandBuffer handle, VkBuffer to, VkDeviceSize at,
                                       VkDeviceSize size, uint32_t word) {
    const Card& card = card_of(handle);
    commands_of(handle).add(Item::Kind::Work, [=, &card](VkCommandBuffer real) {
        card.function<PFN_vkCmdFillBuffer>("vkCmdFillBuffer")(real, to, at, size, word);
    });
}
VKAPI_ATTR void VKAPI_CALL update_buffer(VkCommandBuffer handle, VkBuffer to, VkDeviceSize at,
                                         VkDeviceSize size, const void* data) {
    const auto* bytes = static_cast<const std::byte*>(data);
    const Card& card = card_of(handle);
    commands_of(handle).add(
        Item::Kind::Work, [=, &card, copy = std::vector(bytes, bytes + size)](VkCommandBuffer real) {
            card.function<PFN_vkCmdUpdateBuffer>("vkCmdUpdateBuffer")(real, to, at, size, copy.data());
        });
}
VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer handle, VkPipelineStageFlags, VkPipelineStageFlags to,
                                   VkDependencyFlags, uint32_t, const VkMemoryBarrier*, uint32_t,
                                   const VkBufferMemoryBarrier*, uint32_t, const VkImageMemoryBarrier*) {
    constexpr VkPipelineStageFlags kDevice =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    if (to & kDevice) commands_of(handle).add(Item::Kind::Barrier, {});
}
VKAPI_ATTR void VKAPI_CALL execute_commands(VkCommandBuffer handle, uint32_t count,
                                            const VkCommandBuffer* secondaries) {
    std::vector<Item>& items = commands_of(handle).items;
    for (uint32_t i = 0; i < count; ++i) {
        const std::vector<Item>& more = commands_of(secondaries[i]).items;
        items.insert(items.end(), more.begin(), more.end());
    }
}
VKAPI_ATTR void VKAPI_CALL write_timestamp(VkCommandBuffer handle, VkPipelineStageFlagBits stage,
                                           VkQueryPool pool, uint32_t query) {
    const Card& card = card_of(handle);
    commands_of(handle).add(
        stage == VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT ? Item::Kind::AfterAll : Item::Kind::Ordered,
        [=, &card](VkCommandBuffer real) {
            card.function<PFN_vkCmdWriteTimestamp>("vkCmdWriteTimestamp")(real, stage, pool, query);
        });
}
VKAPI_ATTR void VKAPI_CALL reset_queries(VkCommandBuffer handle, VkQueryPool pool, uint32_t first,
                                         uint32_t count) {
    const Card& card = card_of(handle);
    commands_of(handle).add(Item::Kind::Ordered, [=, &card](VkCommandBuffer real) {
        card.function<PFN_vkCmdResetQueryPool>("vkCmdResetQueryPool")(real, pool, first, count);
    });
}

// ---- The layer ----

LayerChain<Instance>& chain() { return layer().chain; }
void find_next(Instance& made) {
    const auto find = [&]<class F>(F& function, const char* name) {
        function = reinterpret_cast<F>(made.get(made.handle, name));
    };
    find(made.properties, "vkGetPhysicalDeviceProperties");
    find(made.properties_2, "vkGetPhysicalDeviceProperties2");
    find(made.queue_families, "vkGetPhysicalDeviceQueueFamilyProperties");
    find(made.memory, "vkGetPhysicalDeviceMemoryProperties");
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue{
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo real = *info;
    real.queueCreateInfoCount = 1;
    real.pQueueCreateInfos = &queue;
    const VkResult result = chain().create_device(physical, &real, callbacks, device);
    if (result != VK_SUCCESS) return result;
    layer().cards.put(*device, std::make_unique<Card>(*device, chain().functions_of(*device), end_cards));
    return result;
}
VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks) {
    if (device) layer().cards.take(device).reset();
    chain().destroy_device(device, callbacks);
}

PFN_vkVoidFunction own(std::string_view name) {
    static const LayerFunction kFunctions[] = {
        {"vkCreateDevice", create_device},
        {"vkDestroyDevice", destroy_device},
        {"vkGetPhysicalDeviceProperties", get_properties},
        {"vkGetPhysicalDeviceProperties2", get_properties_2},
        {"vkGetPhysicalDeviceQueueFamilyProperties", get_queue_families},
        {"vkGetPhysicalDeviceMemoryProperties", get_memory},
        {"vkGetBufferMemoryRequirements", get_memory_requirements},
        {"vkAllocateMemory", allocate_memory},
        {"vkCreateBuffer", create_buffer},
        {"vkCreateCommandPool", create_command_pool},
        {"vkCreateComputePipelines", create_pipelines},
        {"vkDestroyCommandPool", destroy_command_pool},
        {"vkAllocateCommandBuffers", allocate_command_buffers},
        {"vkFreeCommandBuffers", free_command_buffers},
        {"vkBeginCommandBuffer", begin},
        {"vkEndCommandBuffer", end},
        {"vkCmdBindPipeline", bind_pipeline},
        {"vkCmdBindDescriptorSets", bind_sets},
        {"vkCmdPushConstants", push_constants},
        {"vkCmdDispatch", dispatch},
        {"vkCmdCopyBuffer", copy_buffer},
        {"vkCmdCopyBufferToImage", copy_buffer_to_image},
        {"vkCmdCopyImageToBuffer", copy_image_to_buffer},
        {"vkCmdFillBuffer", fill_buffer},
        {"vkCmdUpdateBuffer", update_buffer},
        {"vkCmdPipelineBarrier", barrier},
        {"vkCmdExecuteCommands", execute_commands},
        {"vkCmdWriteTimestamp", write_timestamp},
        {"vkCmdResetQueryPool", reset_queries},
        {"vkGetDeviceQueue", get_queue},
        {"vkQueueSubmit", submit},
        {"vkQueueWaitIdle", queue_wait_idle},
        {"vkDeviceWaitIdle", device_wait_idle}};
    return find_function(kFunctions, name);
}
using Functions = LayerFunctions<chain, find_next, own>;

}  // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    return negotiate_layer(version, Functions::get_instance_proc, Functions::get_device_proc);
}

}  // namespace caldera::card
