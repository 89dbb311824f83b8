// SPDX-License-Identifier: Apache-2.0
#include "tests/driver/card/card.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace caldera::card {

Card::Card(VkDevice device, PFN_vkGetDeviceProcAddr get, void (*at_exit)())
    : device_(device), get_(get), at_exit_(at_exit) {
    function<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device, 0, 0, &queue_);
    for (uint32_t i = 0; i < kKernelQueues + kCopyQueues; ++i) {
        queues_.push_back(std::make_unique<Queue>());
        queues_.back()->card = this;
    }
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    function<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device, &pool, nullptr, &pool_);
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool_,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    function<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device, &info, &commands_);
    // The loader would have set the dispatch pointer.
    std::memcpy(static_cast<void*>(commands_), static_cast<const void*>(device), sizeof(void*));
    thread_ = std::thread([this] { run(); });
}

Card::~Card() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
    function<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device_, pool_, nullptr);
}

void Card::end() {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(2), [&] { return has_ended_; });
}

void Card::add(Queue& queue, std::span<const Item> items) {
    const std::lock_guard lock(mutex_);
    // Functions of atexit() are called in the reverse order, and LLVM makes some of its static objects when
    // it compiles.
    if (std::has_single_bit(++submissions_)) (void)std::atexit(at_exit_);
    queue.items.insert(queue.items.end(), items.begin(), items.end());
    changed_.notify_all();
}

bool Card::has_reached(const Semaphore& wanted) const {
    uint64_t value = 0;
    return function<PFN_vkGetSemaphoreCounterValue>("vkGetSemaphoreCounterValue")(device_, wanted.handle,
                                                                                  &value) == VK_SUCCESS &&
           value >= wanted.value;
}

void Card::add_what_may_run(Queue& queue, std::vector<Item*>& found) const {
    bool has_work_before = false;
    for (Item& item : queue.items) {
        switch (item.kind) {
            case Item::Kind::Work:
                if (!item.is_done) found.push_back(&item);
                has_work_before |= !item.is_done;
                break;
            case Item::Kind::Ordered:
                if (item.is_done) break;
                found.push_back(&item);
                return;
            case Item::Kind::AfterAll:
                if (!item.is_done && !has_work_before) found.push_back(&item);
                has_work_before |= !item.is_done;
                break;
            case Item::Kind::Barrier:
                if (has_work_before) return;
                item.is_done = true;
                break;
            case Item::Kind::Wait:
                if (!item.is_done && !has_reached(item.semaphore)) return;
                item.is_done = true;
                break;
        }
    }
}

void Card::execute(const Item& item) {
    if (item.record) {
        const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        function<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands_, &begin);
        item.record(commands_);
        function<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands_);
        const VkSubmitInfo info{
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands_};
        function<PFN_vkQueueSubmit>("vkQueueSubmit")(queue_, 1, &info, VK_NULL_HANDLE);
        function<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_);
    } else {
        const VkSemaphoreSignalInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                         .semaphore = item.semaphore.handle,
                                         .value = item.semaphore.value};
        function<PFN_vkSignalSemaphore>("vkSignalSemaphore")(device_, &info);
    }
}

void Card::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] {
            return stop_ ||
                   std::ranges::any_of(queues_, [](const auto& queue) { return !queue->items.empty(); });
        });
        if (stop_) {
            has_ended_ = true;
            changed_.notify_all();
            return;
        }
        if (random_() % 8 == 0) {
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
            lock.lock();
        }
        std::vector<Item*> found;
        for (const auto& queue : queues_) add_what_may_run(*queue, found);
        if (!found.empty()) {
            Item* const item = found[random_() % found.size()];  // items are added behind it alone
            lock.unlock();
            execute(*item);
            lock.lock();
            item->is_done = true;
        }
        for (const auto& queue : queues_)
            while (!queue->items.empty() && queue->items.front().is_done) queue->items.pop_front();
        changed_.notify_all();
    }
}

}  // namespace caldera::card
