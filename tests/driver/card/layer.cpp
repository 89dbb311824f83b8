// SPDX-License-Identifier: Apache-2.0
// A Vulkan layer that makes a driver that computes on the processor look like a card: it says that it is one, with memory of its
// own that the host does not see, several queues, and others that only copy. What is submitted to a queue begins some time later,
// in any order that semaphores allow: what nobody waits for comes too early or too late.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/driver/vulkan_layer.h"

namespace caldera::card {
namespace {

constexpr uint32_t kKernelQueues = 4, kCopyQueues = 2;
constexpr uint32_t kKernels = 0, kCopies = 1;  // families of queues

struct Semaphore {
    VkSemaphore handle = VK_NULL_HANDLE;
    uint64_t value = 0;
};
struct Submission {
    std::vector<VkCommandBuffer> commands = {};
    std::vector<Semaphore> waits = {}, signals = {};
    VkFence fence = VK_NULL_HANDLE;
};

class Card;
struct Queue {
    const void* dispatch = nullptr;  // the loader's
    Card* card = nullptr;
    std::deque<Submission> submissions = {};  // the first may be running
};

/// A device, and the thread that gives its only queue what those of the card have.
class Card {
 public:
    Card(VkDevice device, PFN_vkGetDeviceProcAddr get)
        : device_(device), get_(get), thread_([this] { run(); }) {
        function<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device, 0, 0, &queue_);
        for (uint32_t i = 0; i < kKernelQueues + kCopyQueues; ++i) {
            queues_.push_back(std::make_unique<Queue>());
            queues_.back()->card = this;
        }
        const std::lock_guard lock(mutex_);
        is_ready_ = true;
    }
    ~Card() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;

    template <class F>
    F function(const char* name) const {
        return reinterpret_cast<F>(get_(device_, name));
    }
    VkQueue queue(uint32_t family, uint32_t index) const {
        return reinterpret_cast<VkQueue>(queues_[family * kKernelQueues + index].get());
    }
    void add(Queue& queue, Submission submission) {
        const std::lock_guard lock(mutex_);
        queue.submissions.push_back(std::move(submission));
        changed_.notify_all();
    }
    void wait_idle(const Queue& queue) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return queue.submissions.empty(); });
    }
    void wait_idle() {
        for (const auto& queue : queues_) wait_idle(*queue);
    }

 private:
    bool may_begin(const Submission& submission) const {
        const auto value = function<PFN_vkGetSemaphoreCounterValue>("vkGetSemaphoreCounterValue");
        return std::ranges::all_of(submission.waits, [&](const Semaphore& wait) {
            uint64_t reached = 0;
            return value(device_, wait.handle, &reached) == VK_SUCCESS && reached >= wait.value;
        });
    }
    Queue* any_that_may_begin() {
        std::vector<Queue*> found;
        for (const auto& queue : queues_)
            if (!queue->submissions.empty() && may_begin(queue->submissions.front()))
                found.push_back(queue.get());
        return found.empty() ? nullptr : found[random_() % found.size()];
    }
    void execute(const Submission& submission) {
        std::vector<VkSemaphore> semaphores;
        std::vector<uint64_t> values;
        for (const Semaphore& signal : submission.signals) {
            semaphores.push_back(signal.handle);
            values.push_back(signal.value);
        }
        const auto count = static_cast<uint32_t>(semaphores.size());
        const VkTimelineSemaphoreSubmitInfo timeline{
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .signalSemaphoreValueCount = count,
            .pSignalSemaphoreValues = values.data()};
        const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                .pNext = &timeline,
                                .commandBufferCount = static_cast<uint32_t>(submission.commands.size()),
                                .pCommandBuffers = submission.commands.data(),
                                .signalSemaphoreCount = count,
                                .pSignalSemaphores = semaphores.data()};
        function<PFN_vkQueueSubmit>("vkQueueSubmit")(queue_, 1, &info, submission.fence);
        function<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_);
    }
    void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] {
                return stop_ || (is_ready_ && std::ranges::any_of(queues_, [](const auto& queue) {
                                     return !queue->submissions.empty();
                                 }));
            });
            if (stop_) return;
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
            lock.lock();
            Queue* queue = any_that_may_begin();
            if (!queue) continue;
            const Submission submission = queue->submissions.front();
            lock.unlock();
            execute(submission);
            lock.lock();
            queue->submissions.pop_front();
            changed_.notify_all();
        }
    }

    VkDevice device_;
    PFN_vkGetDeviceProcAddr get_;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::vector<std::unique_ptr<Queue>> queues_ = {};
    std::mutex mutex_ = {};
    std::condition_variable changed_ = {};
    bool is_ready_ = false, stop_ = false;
    std::minstd_rand random_{1};
    std::thread thread_;
};

/// What comes next; looked up when the instance is made, since the loader finds the first layer's functions afterwards.
struct Instance {
    VkInstance handle = VK_NULL_HANDLE;
    PFN_vkGetInstanceProcAddr get = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties_2 = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties memory = nullptr;
};

struct Layer {
    std::mutex mutex = {};
    std::map<const void*, Instance> instances = {};
    std::map<const void*, std::unique_ptr<Card>> cards = {};
};
Layer& layer() {
    static Layer* const layer = new Layer;  // outlives what other libraries destroy at exit
    return *layer;
}
Card& card_of(const void* handle) {
    const std::lock_guard lock(layer().mutex);
    return *layer().cards.at(layer_key(handle));
}
Queue& queue_of(VkQueue queue) { return *reinterpret_cast<Queue*>(queue); }
Instance instance_of(const void* handle) {
    const std::lock_guard lock(layer().mutex);
    return layer().instances.at(layer_key(handle));
}

// ---- What the card is ----

VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* properties) {
    instance_of(physical).properties(physical, properties);
    properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}
VKAPI_ATTR void VKAPI_CALL get_properties_2(VkPhysicalDevice physical,
                                            VkPhysicalDeviceProperties2* properties) {
    instance_of(physical).properties_2(physical, properties);
    properties->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
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

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue handle, uint32_t count, const VkSubmitInfo* infos,
                                      VkFence fence) {
    Queue& queue = queue_of(handle);
    for (uint32_t i = 0; i < count; ++i) {
        const VkSubmitInfo& info = infos[i];
        const auto* timeline = static_cast<const VkTimelineSemaphoreSubmitInfo*>(info.pNext);
        Submission submission{
            .commands = {info.pCommandBuffers, info.pCommandBuffers + info.commandBufferCount}};
        for (uint32_t k = 0; k < info.waitSemaphoreCount; ++k)
            submission.waits.push_back({info.pWaitSemaphores[k], timeline->pWaitSemaphoreValues[k]});
        for (uint32_t k = 0; k < info.signalSemaphoreCount; ++k)
            submission.signals.push_back({info.pSignalSemaphores[k], timeline->pSignalSemaphoreValues[k]});
        if (i + 1 == count) submission.fence = fence;
        queue.card->add(queue, std::move(submission));
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

// ---- The chain ----

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks, VkInstance* instance) {
    PFN_vkGetInstanceProcAddr get = nullptr;
    const VkResult result = create_next_instance(info, callbacks, instance, get);
    if (result != VK_SUCCESS) return result;
    const auto find = [&]<class F>(F& function, const char* name) {
        function = reinterpret_cast<F>(get(*instance, name));
    };
    Instance made{.handle = *instance, .get = get};
    find(made.properties, "vkGetPhysicalDeviceProperties");
    find(made.properties_2, "vkGetPhysicalDeviceProperties2");
    find(made.queue_families, "vkGetPhysicalDeviceQueueFamilyProperties");
    find(made.memory, "vkGetPhysicalDeviceMemoryProperties");
    const std::lock_guard lock(layer().mutex);
    layer().instances[layer_key(*instance)] = made;
    return result;
}
VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device) {
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue{
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo real = *info;
    real.queueCreateInfoCount = 1;
    real.pQueueCreateInfos = &queue;
    PFN_vkGetDeviceProcAddr get = nullptr;
    const VkResult result =
        create_next_device(instance_of(physical).handle, physical, &real, callbacks, device, get);
    if (result != VK_SUCCESS) return result;
    auto card = std::make_unique<Card>(*device, get);
    const std::lock_guard lock(layer().mutex);
    layer().cards[layer_key(*device)] = std::move(card);
    return result;
}
VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks) {
    if (!device) return;
    std::unique_ptr<Card> card;
    {
        const std::lock_guard lock(layer().mutex);
        card = std::move(layer().cards.at(layer_key(device)));
        layer().cards.erase(layer_key(device));
    }
    const auto destroy = card->function<PFN_vkDestroyDevice>("vkDestroyDevice");
    card.reset();
    destroy(device, callbacks);
}

PFN_vkVoidFunction get_device_proc(VkDevice device, const char* name);
PFN_vkVoidFunction get_instance_proc(VkInstance instance, const char* name);

PFN_vkVoidFunction own(std::string_view name) {
    struct Row {
        std::string_view name;
        PFN_vkVoidFunction function;
    };
    const auto row = [](std::string_view of, auto* function) {
        return Row{of, reinterpret_cast<PFN_vkVoidFunction>(function)};
    };
    static const Row kRows[] = {row("vkGetInstanceProcAddr", get_instance_proc),
                                row("vkGetDeviceProcAddr", get_device_proc),
                                row("vkCreateInstance", create_instance),
                                row("vkCreateDevice", create_device),
                                row("vkDestroyDevice", destroy_device),
                                row("vkGetPhysicalDeviceProperties", get_properties),
                                row("vkGetPhysicalDeviceProperties2", get_properties_2),
                                row("vkGetPhysicalDeviceQueueFamilyProperties", get_queue_families),
                                row("vkGetPhysicalDeviceMemoryProperties", get_memory),
                                row("vkGetBufferMemoryRequirements", get_memory_requirements),
                                row("vkAllocateMemory", allocate_memory),
                                row("vkCreateBuffer", create_buffer),
                                row("vkCreateCommandPool", create_command_pool),
                                row("vkGetDeviceQueue", get_queue),
                                row("vkQueueSubmit", submit),
                                row("vkQueueWaitIdle", queue_wait_idle),
                                row("vkDeviceWaitIdle", device_wait_idle)};
    const auto* found = std::ranges::find(kRows, name, &Row::name);
    return found == std::end(kRows) ? nullptr : found->function;
}
PFN_vkVoidFunction get_device_proc(VkDevice device, const char* name) {
    if (const PFN_vkVoidFunction function = own(name)) return function;
    return card_of(device).function<PFN_vkVoidFunction>(name);
}
PFN_vkVoidFunction get_instance_proc(VkInstance instance, const char* name) {
    if (const PFN_vkVoidFunction function = own(name)) return function;
    return instance ? instance_of(instance).get(instance, name) : nullptr;
}

}  // namespace

extern "C" VK_LAYER_EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* version) {
    version->loaderLayerInterfaceVersion = 2;
    version->pfnGetInstanceProcAddr = get_instance_proc;
    version->pfnGetDeviceProcAddr = get_device_proc;
    version->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}

}  // namespace caldera::card
