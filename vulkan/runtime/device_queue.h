// SPDX-License-Identifier: Apache-2.0
// DeviceQueue: a queue to which kernels enqueue (OpenCL C 6.13.17).
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vulkan/runtime/command_tree.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {

struct DeviceQueueOptions {
    /// Space for the records of what concurrently running kernels enqueue: some 120 bytes each, plus their
    /// captures.
    uint64_t size_bytes = 256 << 10;
    /// The number of events that kernels may have at one time; at least one.
    uint32_t max_events = 1024;
    bool is_default = true;  ///< get_default_queue() returns it
};

/// Thread-safe: one tree of commands runs at a time.
class DeviceQueue {
 public:
    static Result<std::unique_ptr<DeviceQueue>> create(Device& device, DeviceQueueOptions options = {});

    /// The value of a queue_t (Kernel::set_queue). Kernels may use the queue that they run with, and no
    /// other.
    uint64_t handle() const { return handle_; }
    const Device& device() const { return device_; }

    struct Outcome {
        int32_t status = 0;     ///< CL_COMPLETE (0), or the error of a command that could not run
        uint64_t commands = 0;  ///< number of kernels and markers that were enqueued
    };
    /// Runs the kernel on `queue`, then everything that it enqueues, directly or indirectly, and waits for
    /// all of it. Fails if Vulkan fails, or if all remaining commands wait for user events that no kernel can
    /// set any more. Events are valid during this call only.
    Result<Outcome> run(Queue& queue, const Kernel& kernel, const NDRange& range) {
        return run(queue, Launch{.kernel = &kernel, .range = range});
    }
    /// The same. Where accesses are checked, what is enqueued reaches what the launch's kernel does.
    Result<Outcome> run(Queue& queue, Launch launch);

 private:
    DeviceQueue(Device& device, DeviceQueueOptions options) : device_(device), options_(options) {}

    /// A tree that is running, and the kernels of its program that are blocks, by index in the interface.
    struct Run {
        Queue& queue;
        Program& program;
        CommandTree tree;
        std::vector<std::optional<Kernel>> blocks;
        std::vector<GivenPointer> pointers;  // of the first kernel, which its blocks may have captured
        bool reaches_all_memory;
    };
    Result<Outcome> run_tree(Run& run, Launch root);
    Result<Done> launch(Run& run, std::span<const uint32_t> commands, std::span<const Launch> launches);
    Result<Done> launch_ready(Run& run, std::span<const uint32_t> ready);
    static bool prepare(std::span<const uint32_t> record, Kernel& kernel, NDRange& range);
    Result<Done> read(Run& run);
    Result<Done> read_events(Run& run);
    Result<Done> write_header(Queue& queue);
    Result<Done> write_events(Queue& queue);
    void forget_times(uint32_t event);
    Result<Done> write_times(Queue& queue);
    Result<Done> write_profiles(Run& run);

    uint64_t events_at_bytes() const { return 4 * uint64_t{header_[vulkan::kQueueEventsAt]}; }
    uint32_t* event(uint32_t index) { return events_.data() + uint64_t{index} * vulkan::kEventWords; }
    uint32_t taken_events() const {
        return std::min(header_[vulkan::kQueueTakenEvents], header_[vulkan::kQueueFreeEvents]);
    }

    Device& device_;
    DeviceQueueOptions options_;
    std::mutex mutex_ = {};
    Buffer buffer_ = {};
    uint64_t handle_ = 0;
    // copies of the buffer's words, without what kernels have changed since
    std::vector<uint32_t> header_ = {}, events_ = {};
    std::vector<uint32_t> words_ = {};  // the words that were read: header and records
    uint64_t last_end_ = 0;      // the end of the records at the last read: the next ones may be as long
    uint32_t known_events_ = 0;  // entries of the free list that kernels took and the tree knows
    bool has_events_ = false;    // kernels have taken some
    // Behind the last run's writes to the buffer. The next run may be on another queue.
    std::optional<QueuePoint> written_ = {};
    using Times = std::array<uint64_t, 2>;
    static_assert(sizeof(Times) == 4 * vulkan::kEventTimesWords);
    std::vector<Times> times_ = {};  // of the events, as they will be written to the buffer
    bool has_new_times_ = false;
    std::unique_ptr<Program> writer_ = {};
};

}  // namespace caldera::runtime
