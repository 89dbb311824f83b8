// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/queue.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

#include "spirv/support/float_environment.h"
#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"

namespace caldera::runtime {
namespace {

/// Small pieces share one.
uint64_t staging_chunk(const Device& device) {
    return std::min<uint64_t>(4 << 20, device.max_allocation_bytes());
}

/// Whoever enqueues more than the device does waits when it has so much: what is in flight takes memory.
constexpr size_t kMaxRunningBatches = 256;
constexpr uint64_t kMaxRunningBytes = 256 << 20;
/// A batch of more is submitted although the device is busy, so that it counts.
constexpr uint64_t kMaxBatchBytes = 8 << 20;
constexpr uint32_t kSetsOfBatches = 256;
/// So many batches wait for commands, with memory for them. Many run at once only now and then.
constexpr size_t kReadyBatches = 16;

}  // namespace

Queue::Batch::Batch(uint64_t chunk_bytes) : memory(chunk_bytes, kSetsOfBatches) {}

Result<std::unique_ptr<Queue>> Queue::create(Device& device, QueueOptions options) {
    options.timestamps = options.timestamps && device.timestamp_bits() != 0;
    if (options.printf_bytes < 4 || options.printf_bytes > kMostPrintfBytes || options.printf_bytes % 4)
        return Error{
            .message =
                "the size of the printf buffer must be a multiple of 4 between 4 bytes and 1 GiB, not " +
                std::to_string(options.printf_bytes)};
    if (!options.print) options.print = print_to_stdout;
    return create(device, std::move(options), device.next_queue(), false);
}

Result<std::unique_ptr<Queue>> Queue::create(Device& device, QueueOptions options, VkQueue vulkan_queue,
                                             bool only_copies) {
    const QueueFamilies& families = device.families();
    std::unique_ptr<Queue> queue(new Queue(device, options, vulkan_queue, only_copies));
    const VkCommandPoolCreateInfo pool_info{
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = only_copies ? families.copies->index : families.compute.index};
    if (const VkResult result = queue->pool_.make(device.vk(), vkCreateCommandPool, pool_info);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateCommandPool", result);

    Result<std::shared_ptr<Timeline>> timeline = Timeline::create(device, vulkan_queue);
    if (!timeline) return timeline.error();
    queue->timeline_ = timeline.take();
    queue->owner_->queue = queue.get();
    return queue;
}

Queue::~Queue() {
    if (!timeline_) return;
    FaultDelivery delivery;
    bool is_idle = false;
    try {
        drop_mere_wait();
        (void)finish();
    } catch (...) {  // out of memory, or what the sink for text throws: the collected commands are dropped
    }
    {
        const std::lock_guard lock(owner_->mutex);
        owner_->queue = nullptr;
        owner_->last_submitted = last_submitted_;
    }
    try {
        is_idle = static_cast<bool>(wait_on_device(last_submitted_));
    } catch (const std::bad_alloc&) {  // the device is lost
    }
    if (is_idle) return;
    // A device that counts as lost, or that is out of memory, may still run commands whose memory is about to
    // be freed.
    (void)device_.wait_idle(vulkan_queue_);
}

/// Waits for timeline semaphores that no command follows are not submitted: nobody would see that they ended,
/// and the application may never signal. Others are, since such a wait takes the semaphore's signal.
void Queue::drop_mere_wait() {
    const std::lock_guard lock(mutex_);
    if (!open_ || open_->command_count != 0 || !open_->signals.empty() || open_->semaphore_waits.empty())
        return;
    if (std::ranges::all_of(open_->semaphore_waits, &SemaphoreValue::value)) open_.reset();
}

// ---- Batches ----

Result<std::unique_ptr<Queue::Batch>> Queue::make_batch() const {
    auto batch = std::make_unique<Batch>(staging_chunk(device_));
    const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = pool_.get(),
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1};
    if (const VkResult result = vkAllocateCommandBuffers(device_.vk(), &info, &batch->commands);
        result != VK_SUCCESS)
        return vulkan_error("vkAllocateCommandBuffers", result);
    if (!options_.timestamps) return batch;
    const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                        .queryCount = 2 * kMaxCommands};
    if (const VkResult result = batch->queries.make(device_.vk(), vkCreateQueryPool, queries);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateQueryPool", result);
    reset_queries(*batch, 2 * kMaxCommands);
    if (device_.profile().quirks.idles_for_query_results) {
        Result<Buffer> results =
            Buffer::create(device_, sizeof(uint64_t) * 2 * kMaxCommands, MemoryUse::Download);
        if (!results) return results.error();
        batch->query_results = results.take();
    }
    return batch;
}

/// Queries are reset before they are used: by the host if it can, since the device takes some microseconds.
void Queue::reset_queries(const Batch& batch, uint32_t count) const {
    const auto reset = device_.functions().reset_query_pool;
    if (batch.queries && reset && count != 0) reset(device_.vk(), batch.queries.get(), 0, count);
}

/// Only where the host should not ask for the results itself. The barrier behind the batch makes them
/// visible.
void Queue::copy_query_results(const Batch& batch) const {
    if (!batch.query_results.vk() || batch.command_count == 0) return;
    vkCmdCopyQueryPoolResults(batch.commands, batch.queries.get(), 0, 2 * batch.command_count,
                              batch.query_results.vk(), batch.query_results.vk_offset_bytes(),
                              sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

/// Start and end of each command of a batch that has run, in ticks.
Result<std::vector<uint64_t>> Queue::query_results(const Batch& batch) const {
    std::vector<uint64_t> ticks(2 * batch.command_count);
    const size_t size_bytes = sizeof(uint64_t) * ticks.size();
    if (batch.query_results.vk()) {
        std::memcpy(ticks.data(), batch.query_results.mapped(), size_bytes);
        return ticks;
    }
    const VkResult result =
        vkGetQueryPoolResults(device_.vk(), batch.queries.get(), 0, 2 * batch.command_count, size_bytes,
                              ticks.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT);
    if (result != VK_SUCCESS) return device_.error("vkGetQueryPoolResults", result);
    return ticks;
}

Result<Done> Queue::begin(Batch& batch) const {
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (const VkResult result = vkBeginCommandBuffer(batch.commands, &begin); result != VK_SUCCESS)
        return vulkan_error("vkBeginCommandBuffer", result);
    if (batch.queries && !device_.functions().reset_query_pool)
        vkCmdResetQueryPool(batch.commands, batch.queries.get(), 0, 2 * kMaxCommands);
    return Done{};
}

bool Queue::is_full() const {
    return running_.size() >= kMaxRunningBatches || running_bytes_ > kMaxRunningBytes;
}

/// The only place where recording a command waits for earlier ones. The lock is not held during the wait. If
/// the device waits for the program, the program may need this thread to go on.
Result<Done> Queue::wait_for_room(std::unique_lock<std::mutex>& lock) {
    if (!is_full()) return Done{};
    TRY(retire());
    while (is_full() && !is_held_up()) TRY(wait_value(lock, running_.front()->value));
    return Done{};
}

Result<Done> Queue::make_room() {
    std::unique_lock lock(mutex_);
    TRY(wait_for_room(lock));
    for (const std::unique_ptr<Queue>& owner : lanes_) {
        Queue* const lane = owner.get();  // once made, it stays
        if (!lane) continue;
        lock.unlock();
        TRY(lane->make_room());
        lock.lock();
    }
    return Done{};
}

/// All batches of commands begin here. Another thread may open one during the wait.
Result<Queue::Batch*> Queue::open_batch(std::unique_lock<std::mutex>& lock) {
    if (!open_) TRY(wait_for_room(lock));
    return open_batch_now();
}

Result<Queue::Batch*> Queue::open_batch_now() {
    if (open_) return open_.get();
    if (!next_) {
        TRY(retire());
        if (idle_.empty()) {
            idle_.reserve(kReadyBatches);  // so that recycling a batch needs no memory
            Result<std::unique_ptr<Batch>> made = make_batch();
            if (!made) return made.error();
            idle_.push_back(made.take());
        }
        TRY(begin(*idle_.back()));
        next_ = std::move(idle_.back());
        idle_.pop_back();
    }
    failed_.reserve(failed_.size() + 1);  // and neither does dropping one
    open_ = std::move(next_);
    open_->value = ++last_value_;
    return open_.get();
}

void Queue::begin_command(Batch& batch) {
    const bool after_all = wants_barrier_;
    if (after_all) {
        full_barrier(batch.commands, kStages, kDeviceAccess, only_copies_);
        ordered_count_ = command_count_;
        buffers_.uses_private_memory = false;
    }
    wants_barrier_ = options_.in_order;
    begin_timing(batch, after_all || options_.in_order);
}

/// Writes the time at this moment, or when all commands before have ended.
void Queue::write_time(const Batch& batch, Moment moment, uint32_t query) const {
    const bool at_top = moment == Moment::Now || device_.profile().quirks.slow_late_timestamps;
    const VkPipelineStageFlagBits stage =
        at_top ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
    if (batch.queries) vkCmdWriteTimestamp(batch.commands, stage, batch.queries.get(), query);
}

/// A command's time begins when the commands before it have ended, if it waits for them.
void Queue::begin_timing(Batch& batch, bool after_all) {
    write_time(batch, after_all ? Moment::AfterAll : Moment::Now, 2 * batch.command_count);
}

Event Queue::end_timing(Batch& batch) {
    Event event;
    event.value_ = batch.value;
    event.number_ = ++command_count_;
    write_time(batch, Moment::AfterAll, 2 * batch.command_count + 1);
    if (batch.queries) {
        event.timing_ = std::make_shared<Timing>();
        batch.timings.push_back(event.timing_);
    }
    last_ = event;
    ++batch.command_count;
    return event;
}

/// Submits the collected commands if the device is idle. A light command is not submitted at once: the device
/// would be done before the next one arrives.
Result<Event> Queue::end_command(Batch& batch, Weight weight) {
    const Event event = end_timing(batch);
    bool is_time = batch.command_count >= kMaxCommands || batch.bytes + batch.memory.bytes() > kMaxBatchBytes;
    if (!is_time && weight == Weight::Heavy) is_time = has_ended_all();
    if (!is_time) return event;
    // From here on an error means that the command does not run.
    TRY(submit());
    return event;
}

/// Whether the device has ended all that it was given.
bool Queue::has_ended_all() {
    const Result<uint64_t> value = completed();
    return value && *value == last_submitted_;
}

/// Submits the open batch. If this fails, the batch is dropped with all its commands.
Result<Done> Queue::submit() {
    if (!open_) return Done{};
    Result<Done> done = Done{};
    try {
        running_.emplace_back();  // must come first: a batch that the device has must not be forgotten
        done = submit(*open_);
    } catch (...) {
        give_up(VK_ERROR_OUT_OF_HOST_MEMORY);
        throw;
    }
    if (!done) {
        give_up(VK_ERROR_UNKNOWN);
        return done;
    }
    last_submitted_ = open_->value;
    open_->bytes += open_->memory.bytes();
    running_bytes_ += open_->bytes;
    running_.back() = std::move(open_);
    if (options_.in_order) {
        wants_barrier_ = false;
        ordered_count_ = command_count_;
        buffers_.uses_private_memory = false;
    }
    if (idle_.empty() || !begin(*idle_.back())) return Done{};
    // While the device is busy, there is time to begin the next batch.
    next_ = std::move(idle_.back());
    idle_.pop_back();
    return Done{};
}

Queue::Recording::~Recording() {
    if (is_whole_) return;
    try {
        (void)queue_.wait_value(lock_, queue_.so_far_value());
    } catch (...) {  // the batch was dropped and does not run
    }
}

void Queue::give_up(VkResult why) {
    if (!running_.empty() && !running_.back()) running_.pop_back();
    failed_.push_back({open_->value, why});
    wants_barrier_ = true;
    recycle(std::move(open_));
}

bool Queue::may_wait_for_program(const Batch& batch) {
    return !batch.semaphore_waits.empty() || std::ranges::any_of(batch.waits, [&](const auto& wait) {
        return device_.hold_ups().has(wait.first->queue);
    });
}

/// The batch's writes are visible to the host before the host sees it complete. In an in-order queue, they
/// are also visible before anything that is submitted later begins.
Result<Done> Queue::submit(Batch& batch) {
    copy_query_results(batch);
    full_barrier(batch.commands, VK_PIPELINE_STAGE_HOST_BIT | (options_.in_order ? kStages : 0),
                 VK_ACCESS_HOST_READ_BIT | (options_.in_order ? kDeviceAccess : 0), only_copies_);
    if (const VkResult result = vkEndCommandBuffer(batch.commands); result != VK_SUCCESS)
        return device_.error("vkEndCommandBuffer", result);
    batch.submitted_ns = steady_ns();
    if (may_wait_for_program(batch))
        device_.hold_ups().add(vulkan_queue_, [timeline = std::weak_ptr(timeline_), value = batch.value] {
            const std::shared_ptr<Timeline> its =
                timeline.lock();  // none: its owner has waited for the batch
            const Result<uint64_t> reached = its ? its->reached() : Result<uint64_t>(value);
            return reached && *reached < value;
        });
    TRY(timeline_->submit({.commands = batch.commands,
                           .waits = batch.waits,
                           .semaphore_waits = batch.semaphore_waits,
                           .signals = batch.signals,
                           .value = batch.value}));
    batch.waits.clear();
    return Done{};
}

Result<uint64_t> Queue::completed() {
    const DefaultFloatEnvironment floats;
    if (device_.is_lost()) return device_.error("the queue", VK_ERROR_DEVICE_LOST);
    return timeline_->reached();
}

/// Recycles the batches that have run: their timestamps, staging memory and command buffers.
Result<Done> Queue::retire() {
    const DefaultFloatEnvironment floats;
    Result<uint64_t> value = completed();
    if (!value) return value.error();
    const size_t count = running_.size();
    while (!running_.empty() && running_.front()->value <= *value) {
        Batch& batch = *running_.front();
        if (batch.queries && batch.command_count != 0) {
            const Result<std::vector<uint64_t>> ticks = query_results(batch);
            if (!ticks) return ticks.error();
            device_.clock().tell_times(*ticks, batch.submitted_ns, batch.timings);
        }
        print(batch);
        for (const std::shared_ptr<CheckLog>& log : batch.check_logs) log->read();
        running_bytes_ -= batch.bytes;
        recycle(std::move(running_.front()));
        running_.pop_front();
    }
    // Some drivers keep the memory of command buffers that were freed for later ones.
    if (count - running_.size() > kReadyBatches) vkTrimCommandPool(device_.vk(), pool_.get(), 0);
    return Done{};
}

/// Recycles a batch that the device does not use any more.
void Queue::recycle(std::unique_ptr<Batch> batch) {
    batch->timings.clear();
    batch->printing.clear();
    batch->check_logs.clear();
    batch->waits.clear();
    batch->semaphore_waits.clear();
    batch->signals.clear();
    // The last command may have begun without an end.
    reset_queries(*batch, std::min(2 * batch->command_count + 1, 2 * kMaxCommands));
    batch->command_count = 0;
    batch->bytes = 0;
    batch->memory.recycle(device_);
    if (idle_.size() < kReadyBatches)
        idle_.push_back(std::move(batch));
    else
        vkFreeCommandBuffers(device_.vk(), pool_.get(), 1, &batch->commands);
}

/// Polls for a while for the value, because a sleeping thread wakes up 50 to 150 us late. After a short time,
/// it yields to other threads. It does not poll if the device is the same CPU.
void Queue::spin(uint64_t value) {
    if (device_.is_cpu()) return;
    constexpr std::chrono::microseconds kPatience(2000), kAlone(100);
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        const Result<uint64_t> reached = completed();
        const auto waited = std::chrono::steady_clock::now() - start;
        if (!reached || *reached >= value || waited > kPatience) return;
        if (waited > kAlone) std::this_thread::yield();
    }
}

Result<Done> Queue::wait_on_device(uint64_t value) const {
    const DefaultFloatEnvironment floats;
    if (device_.is_lost()) return device_.error("the queue", VK_ERROR_DEVICE_LOST);
    return timeline_->wait(value);
}

/// The lock is held before and after, but not during the wait.
Result<Done> Queue::wait_value(std::unique_lock<std::mutex>& lock, uint64_t value) {
    if (open_ && value >= open_->value) TRY(submit());
    if (const Failed* failed = failed_batch(value)) return never_ran(*failed);
    lock.unlock();
    spin(value);
    const Result<Done> done = wait_on_device(value);
    lock.lock();
    if (!done) return done;
    return retire();
}

/// Returns host memory that stays valid until the open batch has run.
Result<StagedSlice> Queue::stage(std::unique_lock<std::mutex>& lock, uint64_t size_bytes) {
    Result<Batch*> batch = open_batch(lock);
    if (!batch) return batch.error();
    return (*batch)->memory.stage(device_, size_bytes);
}

// ---- Order and waiting ----

Result<Event> Queue::marker() {
    return add_command([](Batch&) { return Done{}; });
}

Event Queue::last() {
    const std::lock_guard lock(mutex_);
    Event event = last_;
    event.value_ = so_far_value();
    event.number_ = command_count_;
    return event;
}

Event Queue::so_far() {
    Event event = last();
    event.timing_ = nullptr;
    return event;
}

void Queue::order() {
    const std::lock_guard lock(mutex_);
    wants_barrier_ |= command_count_ > ordered_count_;
}

size_t Queue::batch_count() {
    const std::lock_guard lock(mutex_);
    return running_.size() + idle_.size() + (open_ ? 1 : 0) + (next_ ? 1 : 0);
}

void Queue::keep(const std::shared_ptr<const void>& object, uint64_t copied_bytes) {
    std::unique_lock lock(mutex_);
    Batch* batch = open_ ? open_.get() : running_.empty() ? nullptr : running_.back().get();
    if (!batch) return;
    batch->bytes += copied_bytes;
    if (!open_) running_bytes_ += copied_bytes;
    try {
        batch->memory.kept.push_back(object);
    } catch (const std::bad_alloc&) {  // only this function knows about it now
        (void)wait_value(lock, batch->value);
    }
}

const Queue::Failed* Queue::failed_batch(uint64_t value) const {
    const auto found = std::ranges::lower_bound(failed_, value, {}, &Failed::value);
    return found != failed_.end() && found->value == value ? &*found : nullptr;
}
Error Queue::never_ran(const Failed& batch) {
    return {.message = batch.why == VK_ERROR_OUT_OF_HOST_MEMORY
                           ? "there was no host memory to submit the command"
                           : "the device did not accept the command",
            .code = batch.why};
}
/// The timeline reaches this value when all commands so far are complete.
uint64_t Queue::so_far_value() const { return open_ ? open_->value : last_submitted_; }

Result<Done> Queue::wait_for(Queue& other, const Event& event) {
    if (&other != this) TRY(other.flush_for(event));
    QueuePoint point = other.point();
    point.event_ = event;
    return wait_for(point);
}

QueuePoint Queue::point() {
    QueuePoint point;
    point.owner_ = owner_;
    point.timeline_ = timeline_;
    point.event_ = so_far();
    return point;
}

Result<QueuePoint> Queue::submitted_point() {
    QueuePoint point = this->point();
    TRY(flush_for(point.event_));
    return point;
}

/// Returns the value that the timeline reaches for what is before the point.
uint64_t QueuePoint::submit() const {
    if (!owner_) return event_.value();
    const std::lock_guard lock(owner_->mutex);
    return owner_->queue ? owner_->queue->submit_until(event_.value())
                         : std::min(event_.value(), owner_->last_submitted);
}

bool QueuePoint::is_of_queue_that_is_gone() const {
    const std::lock_guard lock(owner_->mutex);
    return !owner_->queue;
}

bool QueuePoint::may_wait_for_program() const {
    const std::lock_guard lock(owner_->mutex);
    return owner_->queue && owner_->queue->may_wait_for_program();
}

bool Queue::may_wait_for_program() {
    const std::lock_guard lock(mutex_);
    return is_held_up() || (open_ && may_wait_for_program(*open_));
}

/// Returns the last value up to this one that the timeline reaches: batches that fail have none.
uint64_t Queue::submit_until(uint64_t value) {
    const std::lock_guard lock(mutex_);
    if (open_ && value >= open_->value) (void)submit();
    return std::min(value, last_submitted_);
}

Result<Done> Queue::wait_for(const QueuePoint& point) {
    const uint64_t reached = point.timeline_ == timeline_ ? 0 : point.submit();
    std::unique_lock lock(mutex_);
    if (point.timeline_ == timeline_) {
        wants_barrier_ |= point.event_.number_ > ordered_count_;
        return Done{};
    }
    // so_far() must be complete after it, even if no command follows.
    Result<Batch*> batch = open_batch(lock);
    if (!batch) return batch.error();
    // One Vulkan queue begins what it is given in order: a barrier is enough. (Mesa 22.3 crashes where a
    // queue's thread waits for a timeline that others look at. driver_quirks.def: puts_a_barrier_for_a_wait.)
    if (point.timeline_->queue == vulkan_queue_) {
        wants_barrier_ = true;
        return Done{};
    }
    uint64_t& value = open_->waits[point.timeline_];
    value = std::max(value, reached);
    open_->memory.kept.push_back(point.timeline_);
    return Done{};
}

Result<Done> Queue::flush() {
    const std::lock_guard lock(mutex_);
    return submit();
}
Result<Done> Queue::flush_for(const Event& event) {
    const std::lock_guard lock(mutex_);
    if (open_ && event.value_ >= open_->value) TRY(submit());
    const Failed* failed = failed_batch(event.value_);
    return failed ? Result<Done>(never_ran(*failed)) : Done{};
}
Result<bool> Queue::is_complete(const Event& event) {
    const std::lock_guard lock(mutex_);
    if (const Failed* failed = failed_batch(event.value_)) return never_ran(*failed);
    if (event.value_ > last_submitted_) {
        // A program that only asks makes no call that would submit the batch when the device becomes idle.
        if (has_ended_all()) TRY(submit());
        return false;
    }
    const auto is_retired = [&] { return running_.empty() || running_.front()->value > event.value_; };
    if (is_retired()) return true;
    TRY(retire());
    return is_retired();
}
Result<Done> Queue::wait(const Event& event) {
    std::unique_lock lock(mutex_);
    return wait_value(lock, event.value_);
}
Result<Done> Queue::finish() {
    std::unique_lock lock(mutex_);
    return wait_value(lock, so_far_value());
}
Result<Timing> Queue::timing(const Event& event) {
    if (!event.timing_) return Error{.message = "the queue does not time commands"};
    TRY(wait(event));
    return *event.timing_;
}

}  // namespace caldera::runtime
