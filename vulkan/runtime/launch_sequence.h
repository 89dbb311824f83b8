// SPDX-License-Identifier: Apache-2.0
// LaunchSequence: launches that are recorded once and run again and again.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vulkan/runtime/command_recording.h"
#include "vulkan/runtime/handle.h"

namespace caldera::runtime {

/// Where the command buffers of sequences come from. Thread-safe; the device must outlive it.
class SequencePool {
 public:
    static Result<std::shared_ptr<SequencePool>> create(Device& device);
    explicit SequencePool(Device& device) : device_(device) {}

 private:
    friend class LaunchSequence;
    Device& device_;
    std::mutex mutex_ = {};  // held while a command buffer of the pool is made, recorded or freed
    CommandPoolHandle pool_ = {};
};

/// A secondary command buffer with launches. It does not change, so that queues of its device run it any
/// number of times, also at the same time (Queue::run). It must stay alive while they do.
class LaunchSequence {
 public:
    struct Item {
        const Kernel* kernel = nullptr;  ///< with arguments that stay alive
        NDRange range = {};
        bool after_all = false;  ///< it waits for the items before it, and for what ran before the sequence
    };
    /// Whether a sequence can have the kernel. It cannot print, enqueue kernels, or use a buffer for private
    /// memory, of which simultaneous runs would need one each.
    static bool can_have(const Kernel& kernel);
    /// Objects in `kept` live as long as the sequence.
    static Result<std::shared_ptr<const LaunchSequence>> create(
        const std::shared_ptr<SequencePool>& pool, std::span<const Item> items,
        std::vector<std::shared_ptr<const void>> kept);

    explicit LaunchSequence(const std::shared_ptr<SequencePool>& pool)
        : pool_(pool), recording_(pool->device_) {}
    ~LaunchSequence();
    LaunchSequence(const LaunchSequence&) = delete;
    LaunchSequence& operator=(const LaunchSequence&) = delete;
    VkCommandBuffer commands() const { return commands_; }

 private:
    Result<Done> record(std::span<const Item> items);

    const std::shared_ptr<SequencePool> pool_;
    CommandRecording recording_;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace caldera::runtime
