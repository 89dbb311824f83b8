// SPDX-License-Identifier: Apache-2.0
// A card: queues whose commands run some time later, one at a time, in any order that barriers and semaphores
// allow.
#pragma once

#include <vulkan/vulkan.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace caldera::card {

constexpr uint32_t kKernelQueues = 4, kCopyQueues = 2;
constexpr uint32_t kKernels = 0;  // the family of queues for kernels; the other one copies

struct Semaphore {
    VkSemaphore handle = VK_NULL_HANDLE;
    uint64_t value = 0;
};

/// A command, or what orders commands.
struct Item {
    enum class Kind {
        Work,      ///< in any order
        Ordered,   ///< before all later items
        AfterAll,  ///< after all earlier work
        Barrier,   ///< all later work after all earlier work
        Wait,      ///< all later items after the semaphore
    } kind = Kind::Work;
    std::function<void(VkCommandBuffer)> record = {};
    Semaphore semaphore = {};  ///< to wait for, or to signal
    bool is_done = false;
};

class Card;
struct Queue {
    const void* dispatch = nullptr;  // the loader's
    Card* card = nullptr;
    std::deque<Item> items = {};
};

struct CommandBuffer {
    const void* dispatch = nullptr;  // the loader's
    std::vector<Item> items = {};
    // The state for the next dispatch.
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::vector<std::byte> constants = {};
    std::map<uint32_t, VkDescriptorSet> sets = {};  // by number

    void add(Item::Kind kind, std::function<void(VkCommandBuffer)> record) {
        items.push_back({.kind = kind, .record = std::move(record)});
    }
};

/// A device, and the thread that gives its only queue what those of the card have.
class Card {
 public:
    /// `at_exit` is called when the process ends: it calls end().
    Card(VkDevice device, PFN_vkGetDeviceProcAddr get, void (*at_exit)());
    ~Card();
    Card(const Card&) = delete;
    Card& operator=(const Card&) = delete;
    /// When the process ends: what runs ends first, within two seconds. lavapipe compiles in a thread of its
    /// own when a kernel first runs, with a library (LLVM) that ends with the process.
    void end();

    template <class F>
    F function(const char* name) const {
        return reinterpret_cast<F>(get_(device_, name));
    }
    VkQueue queue(uint32_t family, uint32_t index) const {
        return reinterpret_cast<VkQueue>(queues_[(family == kKernels ? 0 : kKernelQueues) + index].get());
    }
    void add(Queue& queue, std::span<const Item> items);
    void wait_idle(const Queue& queue) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return queue.items.empty(); });
    }
    void wait_idle() {
        for (const auto& queue : queues_) wait_idle(*queue);
    }
    std::vector<std::unique_ptr<CommandBuffer>>& command_buffers(VkCommandPool pool) {
        const std::lock_guard lock(mutex_);
        return command_buffers_[pool];
    }
    void forget(VkCommandPool pool) {
        const std::lock_guard lock(mutex_);
        command_buffers_.erase(pool);
    }
    /// Calls `make`, and says whether something was submitted meanwhile.
    template <class Make>
    bool submits_during(Make&& make) {
        const unsigned before = submissions_;
        std::this_thread::sleep_for(std::chrono::microseconds(200));  // as a compiler takes time
        make();
        return submissions_ != before;
    }
    void note_pipeline(VkPipeline pipeline, bool works) {
        const std::lock_guard lock(mutex_);
        if (works)
            mixed_up_.erase(pipeline);
        else
            mixed_up_.insert(pipeline);
    }
    bool works(VkPipeline pipeline) const {
        const std::lock_guard lock(mutex_);
        return !mixed_up_.contains(pipeline);
    }

 private:
    bool has_reached(const Semaphore& wanted) const;
    void add_what_may_run(Queue& queue, std::vector<Item*>& found) const;
    void execute(const Item& item);
    void run();

    VkDevice device_;
    PFN_vkGetDeviceProcAddr get_;
    void (*at_exit_)();
    VkQueue queue_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    std::vector<std::unique_ptr<Queue>> queues_ = {};
    std::map<VkCommandPool, std::vector<std::unique_ptr<CommandBuffer>>> command_buffers_ = {};
    std::atomic<unsigned> submissions_ = 0;
    std::set<VkPipeline> mixed_up_ = {};
    mutable std::mutex mutex_ = {};
    std::condition_variable changed_ = {};
    bool stop_ = false, has_ended_ = false;
    std::minstd_rand random_{1};
    std::thread thread_ = {};
};

}  // namespace caldera::card
