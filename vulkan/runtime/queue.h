// SPDX-License-Identifier: Apache-2.0
// Queue: a command queue on a timeline.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/runtime/buffer.h"
#include "vulkan/runtime/copier.h"
#include "vulkan/runtime/device.h"
#include "vulkan/runtime/launch.h"
#include "vulkan/runtime/launch_recorder.h"
#include "vulkan/runtime/shared_texture.h"
#include "vulkan/runtime/texture.h"
#include "vulkan/runtime/timeline.h"
#include "vulkan/runtime/transfer_recorder.h"

namespace caldera::runtime {

class ExternalSemaphore;

/// A command in a queue. Copyable; valid as long as its queue.
class Event {
 public:
    /// The value that the queue's timeline has when the command is complete.
    uint64_t value() const { return value_; }
    /// None if the queue did not time the command. Read it only after the queue has found that the command is
    /// complete.
    std::optional<Timing> timing() const {
        if (!timing_) return std::nullopt;
        return Timing{.start_ns = (first_timing_ ? first_timing_ : timing_)->start_ns,
                      .end_ns = timing_->end_ns};
    }
    /// The same command, whose time begins with that of an earlier one of its queue.
    Event timed_from(const Event& first) const {
        Event event = *this;
        event.first_timing_ = first.timing_;
        return event;
    }

 private:
    friend class Queue;
    uint64_t value_ = 0;
    uint64_t number_ = 0;  // number of the command in its queue, from 1
    std::shared_ptr<Timing> timing_ = {}, first_timing_ = {};
};

/// A place in the commands of a queue. Valid also when the queue is gone.
class QueuePoint {
 public:
    bool is_of_same_queue(const QueuePoint& other) const { return timeline_ == other.timeline_; }
    /// The queue has run what it was given.
    bool is_of_queue_that_is_gone() const;
    /// Whether the device may wait for a semaphore of the program before it gets there.
    bool may_wait_for_program() const;

 private:
    friend class Queue;
    /// Lets others find the queue as long as it is there.
    struct Owner {
        std::mutex mutex = {};
        Queue* queue = nullptr;
        uint64_t last_submitted = 0;  // when it went
    };
    uint64_t submit() const;

    std::shared_ptr<Owner> owner_ = {};
    std::shared_ptr<Timeline> timeline_ = {};
    Event event_ = {};
};

constexpr uint64_t kMostPrintfBytes = 1ull << 30;

struct QueueOptions {
    /// If true, each command runs after the one before it. Otherwise a command waits only for those that
    /// wait_for() and order() name.
    bool in_order = true;
    bool timestamps = false;  ///< time each command
    /// The size of the buffer that all printf calls of one dispatch share: 4 bytes to 1 GiB, a multiple of 4.
    uint64_t printf_bytes = vulkan::kPrintfBufferBytes;
    /// The most bytes of the buffer for private memory that is too large for variables, unless one work-group
    /// needs more. Ranges that need more run in parts. 0: default_private_buffer_bytes().
    uint64_t private_buffer_bytes = 0;
    /// Receives the output of kernels, one dispatch after another, during the call that finds a dispatch
    /// complete: wait(), finish() or any other. That call has locked the queue. If empty: print_to_stdout.
    PrintSink print = {};
    /// The caller's. Once it is true, copies between host and device fail at their next piece. Null: never.
    const std::atomic<bool>* gives_up = nullptr;
};

/// Commands begin in the order of the calls. The queue collects them in command buffers and submits these
/// before the device would become idle, when 64 commands are waiting, or at flush(). Thread-safe.
///
/// The device has at most 256 command buffers of a queue at once. When it has more than 256 MiB of copies of
/// the host's bytes, or for the host, no more are begun. A call that records more waits for the oldest
/// command buffer first; flush() does not wait. There is no such limit while the device waits for a semaphore
/// of the program, because the caller may be who signals it.
class Queue {
 public:
    static Result<std::unique_ptr<Queue>> create(Device& device, QueueOptions options = {});
    /// Waits for all submitted commands.
    ~Queue();

    /// Copies from host memory; `bytes` may be reused when the call returns. Above kUploadsAtOnce the call
    /// waits for the device.
    static constexpr uint64_t kUploadsAtOnce = 32ull << 20;
    Result<Done> upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes);
    /// A copy of so many bytes between host and device runs beside kernels: it is worth a semaphore before it
    /// and one after it.
    static constexpr uint64_t kLaneBytes = 4ull << 20;
    /// Copies to host memory; waits for the data.
    Result<Done> download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes);
    Result<Event> copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                       uint64_t size_bytes);
    /// Copies several regions. If both are the same buffer, no region that is read may overlap one that is
    /// written.
    Result<Event> copy(const Buffer& from, const Buffer& to, std::span<const CopyRegion> regions);
    /// Copies all texels of a texture, level by level.
    Result<Event> copy(const Buffer& from, std::span<const TexelRows> levels, const Texture& to);
    Result<Event> copy(const Buffer& from, const TexelRows& rows, const Texture& to) {
        return copy(from, std::span(&rows, 1), to);
    }
    /// The same from a texture of one level, which kernels write.
    Result<Event> copy(const Texture& from, const Buffer& to, const TexelRows& rows);
    /// Calls `write` once to fill `staged_bytes` of staging memory, then copies regions of it.
    Result<Event> upload(const Buffer& to, uint64_t staged_bytes,
                         const std::function<void(std::byte*)>& write, std::span<const CopyRegion> regions);
    /// Repeats a pattern; `size_bytes` must be a multiple of its size.
    Result<Event> fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                       std::span<const std::byte> pattern);
    Result<Event> fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes, uint32_t pattern) {
        return fill(to, offset_bytes, size_bytes, std::as_bytes(std::span(&pattern, 1)));
    }
    /// Runs a kernel with its current arguments, unless check_launch() finds a fault. A range of size 0 in
    /// any dimension runs nothing.
    Result<Event> dispatch(const Kernel& kernel, const NDRange& range);
    /// The same for a launch that has been checked.
    Result<Event> dispatch(const Launch& launch);
    /// Runs several launches that need not wait for each other as one command. Each has an event.
    Result<std::vector<Event>> dispatch_all(std::span<const Launch> launches);
    /// Runs command buffers of LaunchSequences, one after another, as one command.
    Result<Event> run(std::span<const VkCommandBuffer> sequences);
    bool times_commands() const { return options_.timestamps; }
    /// Fails if QueueOptions::gives_up is true.
    Result<Done> check_goes_on() const;

    /// Adds a command that does nothing.
    Result<Event> marker();
    /// The latest command.
    Event last();
    /// An event that is complete when everything before it is; it is not timed.
    Event so_far();
    /// Keeps an object alive until everything recorded so far has run. So many bytes of it are a copy for the
    /// host, and count as what the device has.
    void keep(const std::shared_ptr<const void>& object, uint64_t copied_bytes = 0);
    /// Waits until the device has so little that the next command need not wait. The queue is not locked
    /// meanwhile.
    Result<Done> make_room();
    /// Whether the device may wait for a semaphore of the program before it completes what it has.
    bool is_held_up() { return device_.hold_ups().has(vulkan_queue_); }
    /// The same for what is recorded next.
    bool may_wait_for_program();
    /// Command buffers that the queue has: those on their way, and a few that are ready.
    size_t batch_count();

    /// Everything that is recorded from now on waits for a command of this or another queue of the device.
    Result<Done> wait_for(Queue& other, const Event& event);
    /// The place behind the latest command.
    QueuePoint point();
    /// The same, and submits what has been collected.
    Result<QueuePoint> submitted_point();
    /// Everything that is recorded from now on waits for what is before that place in this or another queue
    /// of the device. The other queue submits that first. If it cannot, nothing waits for it.
    Result<Done> wait_for(const QueuePoint& point);
    /// Everything that is recorded from now on waits until a semaphore of the application has a value.
    /// Whoever signals it must not wait for what is recorded after this, nor for other commands of the same
    /// VkQueue that are submitted later.
    Result<Done> wait_for(const SemaphoreValue& semaphore);
    /// Submits what has been collected. When all that has been recorded so far is complete, the semaphore
    /// gets the value.
    Result<Done> signal(const SemaphoreValue& semaphore);
    /// The same for a semaphore that other APIs or processes share. It is used up by one wait, and signalled
    /// once before the next one.
    Result<Done> wait_for(const ExternalSemaphore& semaphore);
    Result<Done> signal(const ExternalSemaphore& semaphore);
    /// Makes imported buffers those of this queue, which sees what others wrote, or gives them back.
    Result<Event> acquire(std::span<const Buffer* const> buffers,
                          std::span<const SharedTexels> textures = {});
    Result<Event> release(std::span<const Buffer* const> buffers,
                          std::span<const SharedTexels> textures = {});
    /// Everything that is recorded from now on waits for everything recorded so far.
    void order();
    Result<Done> flush();  ///< submits what has been collected
    Result<bool> is_complete(const Event& event);
    /// flushes if needed, then waits; other threads may use the queue meanwhile
    Result<Done> wait(const Event& event);
    Result<Done> finish();                      ///< waits for everything that was recorded before the call
    Result<Timing> timing(const Event& event);  ///< waits, then reads the clock values

 private:
    /// The output of one dispatch of a batch.
    struct Printing {
        std::shared_ptr<const PrintfTable> table = {};
        Buffer words = {};
    };
    /// A command buffer and what must live until it has run.
    struct Batch {
        explicit Batch(uint64_t chunk_bytes);

        VkCommandBuffer commands = VK_NULL_HANDLE;
        QueryPoolHandle queries = {};
        Buffer query_results = {};  // where the device copies them to, if it does
        uint64_t value = 0;         // of the timeline when it has run
        uint32_t command_count = 0;
        uint64_t bytes = 0;  // of copies beside `memory`; of both once it is submitted
        uint64_t submitted_ns = 0;
        CommandMemory memory;
        std::vector<std::shared_ptr<Timing>> timings = {};
        std::vector<Printing> printing = {};
        std::vector<std::shared_ptr<CheckLog>> check_logs = {};  // of its kernels, each once
        TimelineWaits waits = {};  // what other queues' timelines must reach first
        std::vector<SemaphoreValue> semaphore_waits = {}, signals = {};  // of others
    };
    /// Holds the lock while a command is recorded. If the command fails half-way, with an error or an
    /// exception, the part that was recorded runs before the caller learns of the failure, because nobody
    /// keeps alive what it uses.
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
        : device_(device),
          vulkan_queue_(vulkan_queue),
          only_copies_(only_copies),
          options_(options),
          buffers_(device, options.private_buffer_bytes, options.printf_bytes) {}
    static Result<std::unique_ptr<Queue>> create(Device& device, QueueOptions options, VkQueue vulkan_queue,
                                                 bool only_copies);
    enum class Direction : uint8_t { ToDevice, ToHost };
    Result<Queue*> lane_for(Direction direction, const Buffer& on_device, uint64_t size_bytes);
    template <class Copy>
    Result<std::optional<Event>> copy_in_lane(Direction direction, const Buffer& on_device,
                                              uint64_t size_bytes, Copy&& copy);
    bool is_full() const;
    Result<Done> wait_for_room(std::unique_lock<std::mutex>& lock);
    Result<Batch*> open_batch(std::unique_lock<std::mutex>& lock);
    Result<Batch*> open_batch_now();
    bool may_wait_for_program(const Batch& batch);
    Result<std::unique_ptr<Batch>> make_batch() const;
    void reset_queries(const Batch& batch, uint32_t count) const;
    void copy_query_results(const Batch& batch) const;
    Result<std::vector<uint64_t>> query_results(const Batch& batch) const;
    Result<Done> begin(Batch& batch) const;
    Result<Done> submit_wait(const SemaphoreValue& semaphore);
    void drop_mere_wait();
    Result<Done> submit_signal(const SemaphoreValue& semaphore);
    enum class Owner : uint8_t { ThisQueue, Others };
    Result<Event> change_owner(std::span<const Buffer* const> buffers, std::span<const SharedTexels> textures,
                               Owner next);
    Result<Done> submit();
    Result<Done> submit(Batch& batch);
    void give_up(VkResult why);
    void recycle(std::unique_ptr<Batch> batch);
    /// A batch that could not be submitted.
    struct Failed {
        uint64_t value = 0;
        VkResult why = VK_ERROR_UNKNOWN;
    };
    /// Null if the batch with this value has not failed.
    const Failed* failed_batch(uint64_t value) const;
    static Error never_ran(const Failed& batch);
    uint64_t so_far_value() const;
    Result<Done> flush_for(const Event& event);
    friend class QueuePoint;
    uint64_t submit_until(uint64_t value);
    Result<Done> wait_value(std::unique_lock<std::mutex>& lock, uint64_t value);
    void spin(uint64_t value);
    Result<Done> wait_on_device(uint64_t value) const;
    Result<uint64_t> completed();
    bool has_ended_all();
    Result<Done> retire();
    Result<StagedSlice> stage(std::unique_lock<std::mutex>& lock, uint64_t size_bytes);
    enum class Weight : uint8_t { Heavy, Light };
    Result<Event> end_command(Batch& batch, Weight weight = Weight::Heavy);
    Result<Done> upload_piece(std::unique_lock<std::mutex>& lock, const Buffer& to, uint64_t at,
                              std::span<const std::byte> bytes);
    TransferRecorder transfers(Batch& batch) { return {device_, batch.memory, buffers_, copier_}; }
    void begin_command(Batch& batch);
    /// Records a command of its own. `record(batch)` returns whether it could; what it recorded by then is
    /// submitted all the same.
    template <class Record>
    Result<Event> add_command(Record&& record, Weight weight = Weight::Heavy) {
        Recording recording(*this);
        Result<Batch*> batch = open_batch(recording.lock());
        if (!batch) return batch.error();
        begin_command(**batch);
        const Result<Done> done = record(**batch);
        Result<Event> event = end_command(**batch, weight);
        return recording.end(done ? event : Result<Event>(done.error()));
    }
    enum class Moment : uint8_t { Now, AfterAll };
    void write_time(const Batch& batch, Moment moment, uint32_t query) const;
    void begin_timing(Batch& batch, bool after_all);
    Event end_timing(Batch& batch);
    Result<Done> record(std::span<const Launch> launches, std::vector<Event>& events);
    Result<Done> record(Batch& batch, const Launch& launch);
    Result<Done> begin_printing(Batch& batch);
    Result<Done> end_printing(Batch& batch, const Kernel& kernel);
    void print(Batch& batch);

    Device& device_;
    const VkQueue vulkan_queue_;
    const bool only_copies_;  // it is a lane of another queue
    QueueOptions options_;
    std::mutex mutex_ = {};
    CommandPoolHandle pool_ = {};
    std::shared_ptr<Timeline> timeline_ = {};  // shared with batches that wait for it
    const std::shared_ptr<QueuePoint::Owner> owner_ = std::make_shared<QueuePoint::Owner>();
    LaunchBuffers buffers_;
    std::vector<Buffer> printf_downloads_ = {};  // not used by any batch
    std::unique_ptr<Copier> copier_ = {};        // created for the first copy with a kernel
    /// One for each direction: for large copies between host and device that run beside kernels. Created at
    /// the first such copy.
    std::array<std::unique_ptr<Queue>, 2> lanes_ = {};
    uint64_t last_submitted_ = 0;      // value of the last submitted batch
    uint64_t last_value_ = 0;          // of the last batch
    std::vector<Failed> failed_ = {};  // by value
    Event last_ = {};
    uint64_t command_count_ = 0;  // recorded so far
    uint64_t ordered_count_ = 0;  // so many of them end before the next command begins
    bool wants_barrier_ = false;  // the next command needs a barrier for that
    std::unique_ptr<Batch> open_ = {}, next_ = {};
    std::deque<std::unique_ptr<Batch>> running_ = {};
    uint64_t running_bytes_ = 0;  // of these
    std::vector<std::unique_ptr<Batch>> idle_ = {};
};

}  // namespace caldera::runtime
