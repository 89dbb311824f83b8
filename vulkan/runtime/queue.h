// SPDX-License-Identifier: Apache-2.0
// Queue: a command queue on a timeline semaphore.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/copier.h"
#include "vulkan/runtime/descriptors.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/launch.h"

namespace caldera::runtime {

/// A command in a queue. Copyable; valid as long as its queue.
class Event {
 public:
    /// Of the queue's timeline semaphore when the command is complete.
    uint64_t value() const { return value_; }
    /// Null when the queue did not time the command; to be read once it is complete and the queue knows it.
    const Timing* timing() const { return timing_.get(); }

 private:
    friend class Queue;
    uint64_t value_ = 0;
    uint64_t number_ = 0;  // of the command in its queue, from 1
    std::shared_ptr<Timing> timing_ = {};
};

struct QueueOptions {
    /// Each command runs after the one before it. Otherwise commands run after those that wait_for() and order() name, and beside all
    /// others.
    bool in_order = true;
    bool timestamps = false;  ///< time each command
    /// Of the buffer that all printf calls of one dispatch share; 4 bytes to 1 GiB, a multiple of 4.
    uint64_t printf_bytes = vulkan::kPrintfBufferBytes;
    /// Takes what kernels print, dispatch after dispatch, in the call that finds that one is complete: wait(), finish() or any
    /// other, which has locked the queue. None: print_to_stdout.
    PrintSink print = {};
};

/// Commands begin in the order of the calls. They are gathered into command buffers and submitted when the device would idle, when
/// 64 are waiting, or at flush(). Thread-safe.
class Queue {
 public:
    static Result<std::unique_ptr<Queue>> create(Device& device, QueueOptions options = {});
    /// Waits for everything that was submitted.
    ~Queue();

    /// Copies from host memory; `bytes` may be reused when the call returns. Above kUploadsAtOnce it waits for the device.
    static constexpr uint64_t kUploadsAtOnce = 32ull << 20;
    Result<Done> upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes);
    /// Copies to host memory; waits for the data.
    Result<Done> download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes);
    Result<Event> copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                       uint64_t size_bytes);
    /// Several stretches at once. Those of one buffer must not overlap those that are written.
    Result<Event> copy(const Buffer& from, const Buffer& to, std::span<const VkBufferCopy> regions);
    /// Has `write` put so many bytes in memory at once, then copies stretches of them.
    Result<Event> upload(const Buffer& to, uint64_t staged_bytes,
                         const std::function<void(std::byte*)>& write, std::span<const VkBufferCopy> regions);
    /// Repeats a pattern, of which `size_bytes` is a multiple.
    Result<Event> fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                       std::span<const std::byte> pattern);
    Result<Event> fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes, uint32_t pattern) {
        return fill(to, offset_bytes, size_bytes, std::as_bytes(std::span(&pattern, 1)));
    }
    /// Runs a kernel with the arguments that it has now, where check_launch() finds nothing wrong. A range of size 0 in any
    /// dimension runs nothing.
    Result<Event> dispatch(const Kernel& kernel, const NDRange& range);
    /// What has been checked.
    Result<Event> dispatch(const Launch& launch);
    /// Several that need not wait for each other, as one command; an event for each.
    Result<std::vector<Event>> dispatch_all(std::span<const Launch> launches);
    bool times_commands() const { return options_.timestamps; }

    /// Does nothing, in order.
    Result<Event> marker();
    /// The latest command.
    Event last();
    /// Complete when everything before it is; not timed.
    Event so_far();
    /// Keeps an object until all that has been recorded so far has run.
    void keep(const std::shared_ptr<const void>& object);

    /// What is recorded from here on runs after a command of this or another queue of the device.
    Result<Done> wait_for(Queue& other, const Event& event);
    /// What is recorded from here on runs after all that has been recorded so far.
    void order();
    Result<Done> flush();  ///< submits what is gathered
    Result<bool> is_complete(const Event& event);
    Result<Done> wait(const Event& event);  ///< flushes if need be, then waits; others may go on meanwhile
    Result<Done> finish();                  ///< waits for all that has been recorded when it is called
    Result<Timing> timing(const Event& event);  ///< waits, then reads the clock values

 private:
    /// What a dispatch of the batch prints.
    struct Printing {
        std::shared_ptr<const PrintfTable> table = {};
        Buffer words = {};
    };
    /// A command buffer and what must live until it has run.
    struct Batch {
        VkCommandBuffer commands = VK_NULL_HANDLE;
        QueryPoolHandle queries = {};
        uint64_t value = 0;  // of the timeline when it has run
        uint32_t command_count = 0;
        uint64_t submitted_ns = 0;
        std::vector<Buffer> staging = {};
        uint64_t staging_used = 0;  // of staging.back()
        DescriptorSets descriptors = {};
        std::vector<std::shared_ptr<Timing>> timings = {};
        std::vector<Printing> printing = {};
        std::vector<std::shared_ptr<const void>> kept = {};
        std::map<VkSemaphore, uint64_t> waits = {};  // other queues' values that must be reached first
    };
    struct Slice {
        const Buffer* buffer = nullptr;
        uint64_t offset = 0;
        std::byte* data = nullptr;
        uint64_t address() const { return buffer->address() + offset; }
    };

    /// Holds the lock while a command is recorded. Where the command fails half-way, by an error or an exception, what was recorded
    /// of it runs before the caller hears of that, since nobody keeps what it uses.
    class Recording {
     public:
        explicit Recording(Queue& queue) : queue_(queue), lock_(queue.mutex_) {}
        Recording(const Recording&) = delete;
        Recording& operator=(const Recording&) = delete;
        ~Recording();
        template <class T>
        Result<T> end(Result<T> result) {
            is_whole_ = bool(result);
            return result;
        }
        Done end() {
            is_whole_ = true;
            return {};
        }
        std::unique_lock<std::mutex>& lock() { return lock_; }

     private:
        Queue& queue_;
        std::unique_lock<std::mutex> lock_;
        bool is_whole_ = false;
    };

    Queue(Device& device, QueueOptions options, VkQueue vulkan_queue, bool only_copies)
        : device_(device), vulkan_queue_(vulkan_queue), only_copies_(only_copies), options_(options) {}
    static Result<std::unique_ptr<Queue>> create(Device& device, QueueOptions options, VkQueue vulkan_queue,
                                                 bool only_copies);
    enum class Direction : uint8_t { ToDevice, ToHost };
    Result<Queue*> lane_for(Direction direction, const Buffer& on_device, uint64_t size_bytes);
    Result<Event> after(Queue& lane);
    Result<Batch*> open_batch();
    Result<std::unique_ptr<Batch>> make_batch() const;
    Result<Done> begin(Batch& batch) const;
    Result<Done> submit();
    Result<Done> submit(Batch& batch);
    void give_up();
    void recycle(std::unique_ptr<Batch> batch);
    bool has_failed(uint64_t value) const;
    Error never_ran() const;
    uint64_t so_far_value() const;
    Result<Done> flush_for(const Event& event);
    Result<Done> wait_value(std::unique_lock<std::mutex>& lock, uint64_t value);
    void spin(uint64_t value);
    Result<Done> wait_on_device(uint64_t value) const;
    Result<uint64_t> completed();
    Result<Done> retire();
    Result<Slice> stage(uint64_t size_bytes);
    enum class Weight : uint8_t { Heavy, Light };
    Result<Event> end_command(Batch& batch, Weight weight = Weight::Heavy);
    Result<Done> upload_piece(const Buffer& to, uint64_t at, std::span<const std::byte> bytes);
    Result<Done> record_copy(Batch& batch, const Buffer& from, const Buffer& to,
                             std::span<const VkBufferCopy> regions);
    template <class Make>
    Result<Done> record_made(Batch& batch, Make&& make);
    void begin_command(Batch& batch);
    void begin_timing(Batch& batch, bool after_all);
    Event end_timing(Batch& batch);
    Result<Done> record(std::span<const Launch> launches, std::vector<Event>& events);
    Result<Done> record(Batch& batch, const Launch& launch);
    std::vector<std::byte> argument_block(const Launch& launch, const Region& region) const;
    Result<Done> bind_arguments(Batch& batch, const Launch& launch, std::span<const std::byte> block);
    Result<Done> bind_descriptors(Batch& batch, const Launch& launch, const Slice* block,
                                  uint64_t block_bytes);
    Result<Done> make_no_device_queue();
    Result<Done> begin_printing(Batch& batch);
    Result<Done> end_printing(Batch& batch, const Kernel& kernel);
    void print(Batch& batch);
    Result<Done> record_region(Batch& batch, const Launch& launch, const Region& region);

    Device& device_;
    const VkQueue vulkan_queue_;
    const bool only_copies_;  // another queue's lane
    QueueOptions options_;
    std::mutex mutex_ = {};
    CommandPoolHandle pool_ = {};
    std::shared_ptr<const SemaphoreHandle> timeline_ = {};  // shared with batches that wait for it
    Buffer printf_buffer_ = {};                             // made for the first kernel that prints
    Buffer no_device_queue_ = {};                // zeros, made for the first kernel that enqueues without one
    std::vector<Buffer> printf_downloads_ = {};  // that no batch uses
    std::unique_ptr<Copier> copier_ = {};        // made for the first copy that a kernel does
    /// By direction: for large copies between host and device, beside kernels; made for the first.
    std::array<std::unique_ptr<Queue>, 2> lanes_ = {};
    uint64_t last_submitted_ = 0;        // value of the last batch that the device has
    uint64_t last_value_ = 0;            // of the last batch
    std::vector<uint64_t> failed_ = {};  // values of batches that the device did not take
    size_t batch_count_ = 0;
    Event last_ = {};
    uint64_t command_count_ = 0;  // recorded so far
    uint64_t ordered_count_ = 0;  // so many of them end before the next one begins
    bool wants_barrier_ = false;  // as all of them do
    std::unique_ptr<Batch> open_ = {}, next_ = {};
    std::deque<std::unique_ptr<Batch>> running_ = {};
    std::vector<std::unique_ptr<Batch>> idle_ = {};
};

}  // namespace caldera::runtime
