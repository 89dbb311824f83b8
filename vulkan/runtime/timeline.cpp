// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/timeline.h"

#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "spirv/support/owners.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/device.h"

namespace caldera::runtime {
namespace {

/// What a batch waits for, or signals.
struct Semaphores {
    std::vector<VkSemaphore> handles = {};
    std::vector<uint64_t> values = {};              // one for each
    std::vector<VkPipelineStageFlags> stages = {};  // of the batch, which wait for each

    void add(std::span<const SemaphoreValue> semaphores) {
        for (const SemaphoreValue& semaphore : semaphores) add(semaphore);
    }
    void add(const SemaphoreValue& semaphore) {
        handles.push_back(semaphore.semaphore);
        values.push_back(semaphore.value);
        stages.push_back(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    }
    uint32_t count() const { return static_cast<uint32_t>(handles.size()); }
};

/// Points to what it is given.
VkSubmitInfo submit_info(const Semaphores& waits, std::span<const VkCommandBuffer> commands,
                         const Semaphores& signals) {
    return {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .waitSemaphoreCount = waits.count(),
            .pWaitSemaphores = waits.handles.data(),
            .pWaitDstStageMask = waits.stages.data(),
            .commandBufferCount = static_cast<uint32_t>(commands.size()),
            .pCommandBuffers = commands.data(),
            .signalSemaphoreCount = signals.count(),
            .pSignalSemaphores = signals.handles.data()};
}

class SemaphoreTimeline : public Timeline {
 public:
    SemaphoreTimeline(Device& device, VkQueue its_queue, SemaphoreHandle semaphore)
        : Timeline(its_queue), device_(device), semaphore_(std::move(semaphore)) {}

    Result<Done> submit(const Submission& submission) override {
        Semaphores waits, signals, end;
        for (const auto& [timeline, wanted] : submission.waits)
            waits.add({static_cast<SemaphoreTimeline&>(*timeline).semaphore_.get(), wanted});
        waits.add(submission.semaphore_waits);
        signals.add(submission.signals);
        end.add({semaphore_.get(), submission.value});
        const std::span commands(&submission.commands, 1);
        // Who sees a signal may destroy the semaphores that were waited for.
        const bool signals_apart = waits.count() != 0 && device_.profile().quirks.locks_waited_semaphores;
        if (!signals_apart && signals.count() == 0) return submit_batch(waits, commands, end);
        // Who sees the end relies on the signals. Vulkan does not order those of one batch (7.2).
        TRY(submit_batch(waits, commands, signals_apart ? Semaphores{} : signals));
        Result<Done> ended = Done{};
        if (signals_apart && signals.count() != 0) ended = submit_batch({}, {}, signals);
        if (ended) ended = submit_batch({}, {}, end);
        if (!ended) device_.wait_idle(queue);  // a batch that the device has must not be forgotten
        return ended;
    }
    Result<uint64_t> reached() override {
        uint64_t value = 0;
        if (const VkResult result =
                device_.functions().get_semaphore_counter_value(device_.vk(), semaphore_.get(), &value);
            result != VK_SUCCESS)
            return device_.error("vkGetSemaphoreCounterValue", result);
        return value;
    }
    Result<Done> wait(uint64_t value) override {
        const VkSemaphore semaphore = semaphore_.get();
        const VkSemaphoreWaitInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                       .semaphoreCount = 1,
                                       .pSemaphores = &semaphore,
                                       .pValues = &value};
        if (const VkResult result = device_.functions().wait_semaphores(device_.vk(), &info, UINT64_MAX);
            result != VK_SUCCESS)
            return device_.error("vkWaitSemaphores", result);
        return Done{};
    }

 private:
    Result<Done> submit_batch(const Semaphores& waits, std::span<const VkCommandBuffer> commands,
                              const Semaphores& signals) {
        const VkTimelineSemaphoreSubmitInfo timeline{
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = waits.count(),
            .pWaitSemaphoreValues = waits.values.data(),
            .signalSemaphoreValueCount = signals.count(),
            .pSignalSemaphoreValues = signals.values.data()};
        VkSubmitInfo info = submit_info(waits, commands, signals);
        info.pNext = &timeline;
        if (const VkResult result = device_.submit(queue, info, VK_NULL_HANDLE); result != VK_SUCCESS)
            return device_.error("vkQueueSubmit", result);
        return Done{};
    }

    Device& device_;
    const SemaphoreHandle semaphore_;
};

class FenceTimeline : public Timeline {
 public:
    FenceTimeline(Device& device, VkQueue its_queue) : Timeline(its_queue), device_(device) {}

    Result<Done> submit(const Submission& submission) override {
        for (const auto& [timeline, wanted] : submission.waits) TRY(timeline->wait(wanted));
        const std::lock_guard lock(mutex_);
        Result<std::shared_ptr<const FenceHandle>> fence = unused_fence();
        if (!fence) return fence.error();
        Semaphores waits, signals;
        waits.add(submission.semaphore_waits);
        signals.add(submission.signals);
        const VkSubmitInfo info = submit_info(waits, {&submission.commands, 1}, signals);
        // The fence is noted first: a batch that the device has must not be forgotten.
        running_.push_back({submission.value, *fence});
        if (const VkResult result = device_.submit(queue, info, (*fence)->get()); result != VK_SUCCESS) {
            running_.pop_back();
            return device_.error("vkQueueSubmit", result);
        }
        return Done{};
    }
    Result<uint64_t> reached() override {
        const std::lock_guard lock(mutex_);
        while (!running_.empty()) {
            const VkResult result = vkGetFenceStatus(device_.vk(), running_.front().fence->get());
            if (result == VK_NOT_READY) break;
            if (result != VK_SUCCESS) return device_.error("vkGetFenceStatus", result);
            unused_.push_back(running_.front().fence);
            reached_ = running_.front().value;
            running_.pop_front();
        }
        return reached_;
    }
    Result<Done> wait(uint64_t value) override {
        std::shared_ptr<const FenceHandle> fence;
        {
            const std::lock_guard lock(mutex_);
            for (auto batch = running_.begin(); !fence && batch != running_.end(); ++batch)
                if (batch->value >= value) fence = batch->fence;
        }
        if (!fence) return Done{};
        const VkFence handle = fence->get();
        if (const VkResult result = vkWaitForFences(device_.vk(), 1, &handle, VK_TRUE, UINT64_MAX);
            result != VK_SUCCESS)
            return device_.error("vkWaitForFences", result);
        return Done{};
    }

 private:
    struct Running {
        uint64_t value = 0;
        std::shared_ptr<const FenceHandle> fence = {};
    };

    /// One at which no other thread waits, or a new one.
    Result<std::shared_ptr<const FenceHandle>> unused_fence() {
        for (auto fence = unused_.begin(); fence != unused_.end(); ++fence) {
            if (!is_shared_by(*fence, 1)) continue;
            const VkFence handle = (*fence)->get();
            if (const VkResult result = vkResetFences(device_.vk(), 1, &handle); result != VK_SUCCESS)
                return device_.error("vkResetFences", result);
            std::shared_ptr<const FenceHandle> found = std::move(*fence);
            unused_.erase(fence);
            return found;
        }
        const VkFenceCreateInfo info{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        FenceHandle made;
        if (const VkResult result = made.make(device_.vk(), vkCreateFence, info); result != VK_SUCCESS)
            return device_.error("vkCreateFence", result);
        return std::make_shared<const FenceHandle>(std::move(made));
    }

    Device& device_;
    std::mutex mutex_ = {};
    uint64_t reached_ = 0;
    std::deque<Running> running_ = {};  // in the order of their values
    std::vector<std::shared_ptr<const FenceHandle>> unused_ = {};
};

}  // namespace

Result<std::shared_ptr<Timeline>> Timeline::create(Device& device, VkQueue queue) {
    if (!device.functions().wait_semaphores)
        return std::shared_ptr<Timeline>(std::make_shared<FenceTimeline>(device, queue));
    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    SemaphoreHandle semaphore;
    if (const VkResult result = semaphore.make(device.vk(), vkCreateSemaphore, info); result != VK_SUCCESS)
        return vulkan_error("vkCreateSemaphore", result);
    return std::shared_ptr<Timeline>(
        std::make_shared<SemaphoreTimeline>(device, queue, std::move(semaphore)));
}

}  // namespace caldera::runtime
