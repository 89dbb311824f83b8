// SPDX-License-Identifier: Apache-2.0
/// @file
/// DeviceQueue: a queue to which kernels enqueue (OpenCL C 6.13.17).
#pragma once

#include <cstdint>
#include <memory>

#include "caldera/api.h"
#include "caldera/device.h"
#include "caldera/kernel.h"
#include "caldera/queue.h"
#include "caldera/result.h"

namespace caldera {

/// How large a device queue is.
struct DeviceQueueOptions {
    /// For records of what the kernels that run at one time enqueue: some 120 bytes each, and their captures.
    uint64_t size_bytes = 256 << 10;
    uint32_t max_events = 1024;  ///< how many events kernels may have at one time; at least one
    bool is_default = true;      ///< get_default_queue() gives it
};

/// A device queue. A handle: copies are the same queue. Thread-safe: it runs one tree of commands at a time.
/// A default-constructed one is no queue and good for assignment only.
class CALDERA_API DeviceQueue {
 public:
    /// No device queue.
    DeviceQueue() = default;
    /// A new device queue. Fails where the device has no memory left.
    static Result<DeviceQueue> create(const Device& device, DeviceQueueOptions options = {});

    /// Whether this is a device queue.
    explicit operator bool() const { return impl_ != nullptr; }

    /// The result of a tree of commands.
    struct Outcome {
        int32_t status = 0;     ///< CL_COMPLETE (0), or the error of a command that could not run
        uint64_t commands = 0;  ///< how many kernels and markers were enqueued
    };
    /// Runs the kernel on `queue`, then all that it enqueues, and what that enqueues, and waits for it. Fails
    /// where Vulkan does, or when all that is left waits for user events that no kernel can set any more.
    /// Events live until then.
    Result<Outcome> run(const Queue& queue, const Kernel& kernel, const NDRange& range);

 private:
    friend struct detail::Access;
    struct Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace caldera
