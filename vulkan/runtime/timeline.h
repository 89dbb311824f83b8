// SPDX-License-Identifier: Apache-2.0
// Timeline: counts what a queue has run.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>

#include "spirv/support/result.h"

namespace caldera::runtime {

class Device;
class Timeline;

/// Values that timelines must reach first.
using TimelineWaits = std::map<std::shared_ptr<Timeline>, uint64_t>;

/// A timeline semaphore of an application, and a value that it has or gets. Or a binary semaphore that other
/// APIs share, whose value means nothing.
struct SemaphoreValue {
    VkSemaphore semaphore = VK_NULL_HANDLE;
    uint64_t value = 0;
};

/// What a queue submits at once.
struct Submission {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    const TimelineWaits& waits;  ///< was submitted before
    /// Only binary ones on a device without timeline semaphores.
    std::span<const SemaphoreValue> semaphore_waits = {}, signals = {};
    uint64_t value = 0;  ///< that the timeline has at the end, larger than all before
};

/// A number that becomes larger as the batches of a queue end. It is a timeline semaphore where the device
/// has them (Vulkan 1.2, VK_KHR_timeline_semaphore). Otherwise each batch has a fence, and a batch that waits
/// for another queue is submitted when that has got so far. Thread-safe; must not outlive its device.
class Timeline {
 public:
    /// All submissions are to this queue.
    static Result<std::shared_ptr<Timeline>> create(Device& device, VkQueue queue);
    explicit Timeline(VkQueue its_queue) : queue(its_queue) {}
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;
    virtual ~Timeline() = default;

    virtual Result<Done> submit(const Submission& submission) = 0;
    virtual Result<uint64_t> reached() = 0;
    /// For a value that was submitted.
    virtual Result<Done> wait(uint64_t value) = 0;

    const VkQueue queue;
};

}  // namespace caldera::runtime
