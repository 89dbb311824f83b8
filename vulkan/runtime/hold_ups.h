// SPDX-License-Identifier: Apache-2.0
// HoldUps: which queues of a device may wait for the program.
#pragma once

#include <vulkan/vulkan.h>

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace caldera::runtime {

/// Knows which queues may wait for a semaphore that the program signals. A queue begins what it is given in
/// order, so what it is given later waits too, whoever submits it. Thread-safe.
class HoldUps {
 public:
    /// The queue is about to be given a batch that may wait for the program, until `lasts` is false. That may
    /// be called by any thread as long as the device exists.
    void add(VkQueue queue, std::function<bool()> lasts) {
        const std::lock_guard lock(mutex_);
        latest_[queue] = std::move(lasts);
    }
    /// Whether what the queue is given now may wait for the program.
    bool has(VkQueue queue) {
        std::function<bool()> lasts;
        {
            const std::lock_guard lock(mutex_);
            const auto found = latest_.find(queue);
            if (found != latest_.end()) lasts = found->second;
        }
        return lasts && lasts();
    }

 private:
    std::mutex mutex_ = {};
    std::map<VkQueue, std::function<bool()>> latest_ = {};
};

}  // namespace caldera::runtime
