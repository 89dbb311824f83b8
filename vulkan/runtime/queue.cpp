// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/queue.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

namespace caldera::runtime {
namespace {

constexpr uint32_t kMaxCommands = 64;           // per batch
constexpr uint32_t kMaxLaunches = 4096;         // of one command, per batch
constexpr uint64_t kStagingChunk = 4ull << 20;  // small pieces share one
constexpr uint64_t kStagingPiece = 8ull << 20;  // larger transfers go in pieces of this size
constexpr uint64_t kFillTile = 64ull << 10;
constexpr size_t kMaxRunning = 4;  // batches in flight while a large transfer is cut up

constexpr VkPipelineStageFlags kStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

/// A large copy is shared by threads: one reaches a third of what the memory can do.
void copy_bytes(std::byte* to, const std::byte* from, uint64_t size) {
    constexpr uint64_t kShare = 2ull << 20;
    const uint64_t shares = std::min<uint64_t>({4, std::thread::hardware_concurrency() / 2, size / kShare});
    std::vector<std::thread> helpers;
    uint64_t at = 0;
    for (uint64_t i = 1; i < shares; ++i, at += size / shares) try {
            helpers.emplace_back([=] { std::memcpy(to + at, from + at, size / shares); });
        } catch (const std::system_error&) {  // no more threads: we do the rest
            break;
        }
    std::memcpy(to + at, from + at, size - at);
    for (std::thread& helper : helpers) helper.join();
}

/// Everything before is finished and visible to everything after.
void full_barrier(VkCommandBuffer commands, VkPipelineStageFlags to, VkAccessFlags to_access) {
    const VkMemoryBarrier barrier{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask = to_access};
    vkCmdPipelineBarrier(commands, kStages, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

Error out_of_range(const char* what, uint64_t offset, uint64_t size, const Buffer& buffer) {
    return {.message = std::string(what) + " of " + std::to_string(size) + " bytes at " +
                       std::to_string(offset) + " is outside a buffer of " +
                       std::to_string(buffer.size_bytes()) + " bytes"};
}
bool fits(uint64_t offset, uint64_t size, const Buffer& buffer) {
    return offset <= buffer.size_bytes() && size <= buffer.size_bytes() - offset;
}

}  // namespace

Result<std::unique_ptr<Queue>> Queue::create(Device& device, QueueOptions options) {
    options.timestamps = options.timestamps && device.timestamp_bits() != 0;
    if (options.printf_bytes < 4 || options.printf_bytes > (1u << 30) || options.printf_bytes % 4)
        return Error{.message = "a buffer for printf has 4 bytes to 1 GiB, a multiple of 4, not " +
                                std::to_string(options.printf_bytes)};
    if (!options.print) options.print = print_to_stdout;
    std::unique_ptr<Queue> queue(new Queue(device, options));
    const VkCommandPoolCreateInfo pool_info{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                            .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                            .queueFamilyIndex = device.queue_family()};
    VkCommandPool pool = VK_NULL_HANDLE;
    if (const VkResult result = vkCreateCommandPool(device.vk(), &pool_info, nullptr, &pool);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateCommandPool", result);
    queue->pool_ = CommandPoolHandle(device.vk(), pool);

    const VkSemaphoreTypeCreateInfo type{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                         .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore timeline = VK_NULL_HANDLE;
    if (const VkResult result = vkCreateSemaphore(device.vk(), &info, nullptr, &timeline);
        result != VK_SUCCESS)
        return vulkan_error("vkCreateSemaphore", result);
    queue->timeline_ = std::make_shared<const SemaphoreHandle>(device.vk(), timeline);
    if (options.timestamps)
        if (Result<Done> done = queue->compare_clocks(); !done) return done.error();
    return queue;
}

/// The device's clock lags behind by what the host needs to notice: commands are never said to have begun before they were
/// submitted.
Result<Done> Queue::compare_clocks() {
    Result<Event> event = marker();
    if (!event) return event.error();
    Result<Timing> timing = this->timing(*event);
    if (!timing) return timing.error();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    host_minus_device_ns_ = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() -
                            static_cast<int64_t>(timing->end_ns);
    return Done{};
}

Queue::~Queue() {
    if (timeline_) (void)finish();
}

// ---- Batches ----

Result<Queue::Batch*> Queue::open_batch() {
    if (open_) return open_.get();
    if (Result<Done> done = retire(); !done) return done.error();
    if (!idle_.empty()) {
        open_ = std::move(idle_.back());
        idle_.pop_back();
    } else {
        auto batch = std::make_unique<Batch>();
        const VkCommandBufferAllocateInfo info{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                               .commandPool = pool_.get(),
                                               .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                               .commandBufferCount = 1};
        if (const VkResult result = vkAllocateCommandBuffers(device_.vk(), &info, &batch->commands);
            result != VK_SUCCESS)
            return vulkan_error("vkAllocateCommandBuffers", result);
        if (options_.timestamps) {
            const VkQueryPoolCreateInfo queries{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                                .queryCount = 2 * kMaxCommands};
            VkQueryPool query_pool = VK_NULL_HANDLE;
            if (const VkResult result = vkCreateQueryPool(device_.vk(), &queries, nullptr, &query_pool);
                result != VK_SUCCESS)
                return vulkan_error("vkCreateQueryPool", result);
            batch->queries = QueryPoolHandle(device_.vk(), query_pool);
        }
        open_ = std::move(batch);
    }
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    if (const VkResult result = vkBeginCommandBuffer(open_->commands, &begin); result != VK_SUCCESS)
        return vulkan_error("vkBeginCommandBuffer", result);
    // Host writes become visible at submission (Vulkan 7.9); what earlier batches wrote does not.
    full_barrier(open_->commands, kStages,
                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                     VK_ACCESS_TRANSFER_WRITE_BIT);
    if (open_->queries) vkCmdResetQueryPool(open_->commands, open_->queries.get(), 0, 2 * kMaxCommands);
    open_->value = last_submitted_ + 1;
    return open_.get();
}

void Queue::begin_command(Batch& batch) {
    if (batch.command_count != 0)
        full_barrier(batch.commands, kStages,
                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT);
    begin_timing(batch);
}

void Queue::begin_timing(Batch& batch) {
    if (batch.queries)
        vkCmdWriteTimestamp(batch.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, batch.queries.get(),
                            2 * batch.command_count);
}

Event Queue::end_timing(Batch& batch) {
    Event event;
    event.value_ = batch.value;
    if (batch.queries) {
        vkCmdWriteTimestamp(batch.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, batch.queries.get(),
                            2 * batch.command_count + 1);
        event.timing_ = std::make_shared<Timing>();
        batch.timings.push_back(event.timing_);
    }
    last_ = event;
    ++batch.command_count;
    return event;
}

Result<Event> Queue::end_command(Batch& batch) {
    const Event event = end_timing(batch);
    Result<uint64_t> value = completed();
    if (!value) return value.error();
    const bool device_idles = *value == last_submitted_;
    if (device_idles || batch.command_count >= kMaxCommands)
        if (Result<Done> done = submit(); !done) return done.error();
    return event;
}

Result<Done> Queue::submit() {
    if (!open_) return Done{};
    Batch& batch = *open_;
    full_barrier(batch.commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    if (const VkResult result = vkEndCommandBuffer(batch.commands); result != VK_SUCCESS)
        return vulkan_error("vkEndCommandBuffer", result);
    std::vector<VkSemaphore> semaphores;
    std::vector<uint64_t> values;
    for (const auto& [semaphore, value] : batch.waits) {
        semaphores.push_back(semaphore);
        values.push_back(value);
    }
    const std::vector<VkPipelineStageFlags> stages(values.size(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    const auto wait_count = static_cast<uint32_t>(values.size());
    const VkTimelineSemaphoreSubmitInfo timeline{.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = wait_count,
                                                 .pWaitSemaphoreValues = values.data(),
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &batch.value};
    const VkSemaphore semaphore = timeline_->get();
    const VkSubmitInfo info{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                            .pNext = &timeline,
                            .waitSemaphoreCount = wait_count,
                            .pWaitSemaphores = semaphores.data(),
                            .pWaitDstStageMask = stages.data(),
                            .commandBufferCount = 1,
                            .pCommandBuffers = &batch.commands,
                            .signalSemaphoreCount = 1,
                            .pSignalSemaphores = &semaphore};
    {
        const std::lock_guard lock(vulkan_queue_.mutex);
        if (const VkResult result = vkQueueSubmit(vulkan_queue_.queue, 1, &info, VK_NULL_HANDLE);
            result != VK_SUCCESS)
            return vulkan_error("vkQueueSubmit", result);
    }
    batch.waits.clear();
    last_submitted_ = batch.value;
    running_.push_back(std::move(open_));
    return Done{};
}

Result<uint64_t> Queue::completed() {
    uint64_t value = 0;
    if (const VkResult result = vkGetSemaphoreCounterValue(device_.vk(), timeline_->get(), &value);
        result != VK_SUCCESS)
        return vulkan_error("vkGetSemaphoreCounterValue", result);
    return value;
}

/// Takes back the batches that have run: their clock values, staging memory and command buffers.
Result<Done> Queue::retire() {
    Result<uint64_t> value = completed();
    if (!value) return value.error();
    while (!running_.empty() && running_.front()->value <= *value) {
        Batch& batch = *running_.front();
        if (batch.queries && batch.command_count != 0) {
            std::vector<uint64_t> ticks(2 * batch.command_count);
            const VkResult result =
                vkGetQueryPoolResults(device_.vk(), batch.queries.get(), 0, 2 * batch.command_count,
                                      ticks.size() * 8, ticks.data(), 8, VK_QUERY_RESULT_64_BIT);
            if (result != VK_SUCCESS) return vulkan_error("vkGetQueryPoolResults", result);
            const auto ns = [&](uint64_t value) {
                const double device_ns = static_cast<double>(value) * device_.limits().timestampPeriod;
                return static_cast<uint64_t>(static_cast<int64_t>(device_ns) + host_minus_device_ns_);
            };
            for (size_t i = 0; i < batch.timings.size(); ++i)
                *batch.timings[i] = {.start_ns = ns(ticks[2 * i]), .end_ns = ns(ticks[2 * i + 1])};
        }
        print(batch);
        batch.timings.clear();
        batch.kept.clear();
        batch.command_count = 0;
        batch.staging_used = 0;
        batch.descriptors.reset(device_);
        std::erase_if(batch.staging,
                      [](const Buffer& buffer) { return buffer.size_bytes() != kStagingChunk; });
        if (batch.staging.size() > 1) batch.staging.resize(1);
        idle_.push_back(std::move(running_.front()));
        running_.pop_front();
    }
    return Done{};
}

/// Looks for a while whether the value has come: a thread that sleeps is woken some 30 us late. Not where the device's work
/// is done by the same processor.
void Queue::spin(uint64_t value) {
    if (device_.is_cpu()) return;
    constexpr auto kPatience = std::chrono::microseconds(100);
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        const Result<uint64_t> reached = completed();
        if (!reached || *reached >= value || std::chrono::steady_clock::now() - start > kPatience) return;
    }
}

/// Holds the lock before and after, not while it waits.
Result<Done> Queue::wait_value(std::unique_lock<std::mutex>& lock, uint64_t value) {
    if (value > last_submitted_)
        if (Result<Done> done = submit(); !done) return done;
    const VkSemaphore semaphore = timeline_->get();
    const VkSemaphoreWaitInfo info{.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                   .semaphoreCount = 1,
                                   .pSemaphores = &semaphore,
                                   .pValues = &value};
    lock.unlock();
    spin(value);
    const VkResult result = vkWaitSemaphores(device_.vk(), &info, UINT64_MAX);
    lock.lock();
    if (result != VK_SUCCESS) return vulkan_error("vkWaitSemaphores", result);
    return retire();
}

/// Host memory that lives until the open batch has run.
Result<Queue::Slice> Queue::stage(uint64_t size_bytes) {
    Result<Batch*> batch = open_batch();
    if (!batch) return batch.error();
    Batch& open = **batch;
    constexpr uint64_t kAlignment = 256;  // the largest minUniformBufferOffsetAlignment
    const uint64_t at = (open.staging_used + kAlignment - 1) / kAlignment * kAlignment;
    const bool fits_last = !open.staging.empty() && open.staging.back().size_bytes() == kStagingChunk &&
                           at + size_bytes <= kStagingChunk;
    if (!fits_last) {
        Result<Buffer> buffer =
            Buffer::create(device_, std::max(size_bytes, kStagingChunk), MemoryUse::Upload);
        if (!buffer) return buffer.error();
        open.staging.push_back(buffer.take());
    }
    const uint64_t offset = fits_last ? at : 0;
    open.staging_used = offset + size_bytes;
    // Batches move their buffers only when they are retired, but a vector may grow: address the buffer afresh.
    return Slice{
        .buffer = &open.staging.back(), .offset = offset, .data = open.staging.back().mapped() + offset};
}

// ---- Commands ----

Result<Done> Queue::upload(const Buffer& to, uint64_t offset_bytes, std::span<const std::byte> bytes) {
    if (!fits(offset_bytes, bytes.size(), to))
        return out_of_range("an upload", offset_bytes, bytes.size(), to);
    if (bytes.empty()) return Done{};
    std::unique_lock lock(mutex_);
    Result<uint64_t> value = completed();
    if (!value) return value.error();
    if (to.mapped() && !open_ && *value == last_submitted_) {  // nothing is in flight: no copy in between
        copy_bytes(to.mapped() + offset_bytes, bytes.data(), bytes.size());
        last_ = {};
        return Done{};
    }
    for (uint64_t at = 0; at < bytes.size(); at += kStagingPiece) {
        const uint64_t size = std::min<uint64_t>(kStagingPiece, bytes.size() - at);
        if (running_.size() >= kMaxRunning)
            if (Result<Done> done = wait_value(lock, running_.front()->value); !done) return done;
        Result<Slice> slice = stage(size);
        if (!slice) return slice.error();
        copy_bytes(slice->data, bytes.data() + at, size);
        begin_command(*open_);
        const VkBufferCopy copy{.srcOffset = slice->offset, .dstOffset = offset_bytes + at, .size = size};
        vkCmdCopyBuffer(open_->commands, slice->buffer->vk(), to.vk(), 1, &copy);
        if (Result<Event> event = end_command(*open_); !event) return event.error();
        if (size == kStagingPiece)
            if (Result<Done> done = submit(); !done) return done;
    }
    return Done{};
}

Result<Done> Queue::download(const Buffer& from, uint64_t offset_bytes, std::span<std::byte> bytes) {
    if (!fits(offset_bytes, bytes.size(), from))
        return out_of_range("a download", offset_bytes, bytes.size(), from);
    if (bytes.empty()) return Done{};
    std::unique_lock lock(mutex_);
    if (from.host_cached()) {
        if (Result<Done> done = wait_value(lock, open_ ? open_->value : last_submitted_); !done) return done;
        copy_bytes(bytes.data(), from.mapped() + offset_bytes, bytes.size());
        last_ = {};
        return Done{};
    }
    // Two buffers in turn: one is filled by the device while the host empties the other.
    struct Piece {
        Buffer buffer = {};
        uint64_t value = 0, at = 0, size = 0;
    } pieces[2];
    auto empty = [&](Piece& piece) -> Result<Done> {
        if (piece.size == 0) return Done{};
        if (Result<Done> done = wait_value(lock, piece.value); !done) return done;
        copy_bytes(bytes.data() + piece.at, piece.buffer.mapped(), piece.size);
        piece.size = 0;
        return Done{};
    };
    const uint64_t piece_bytes = std::min<uint64_t>(kStagingPiece, bytes.size());
    Result<Done> result = Done{};
    size_t turn = 0;
    for (uint64_t at = 0; result && at < bytes.size(); at += piece_bytes, turn ^= 1) {
        Piece& piece = pieces[turn];
        result = empty(piece);
        if (!result) break;
        if (!piece.buffer.vk()) {
            Result<Buffer> buffer = Buffer::create(device_, piece_bytes, MemoryUse::Download);
            if (!buffer) {
                result = buffer.error();
                break;
            }
            piece.buffer = buffer.take();
        }
        Result<Batch*> batch = open_batch();
        if (!batch) {
            result = batch.error();
            break;
        }
        piece.at = at;
        piece.size = std::min<uint64_t>(piece_bytes, bytes.size() - at);
        piece.value = open_->value;
        begin_command(*open_);
        const VkBufferCopy copy{.srcOffset = offset_bytes + at, .dstOffset = 0, .size = piece.size};
        vkCmdCopyBuffer(open_->commands, from.vk(), piece.buffer.vk(), 1, &copy);
        if (Result<Event> event = end_command(*open_); !event) result = event.error();
        if (result) result = submit();
    }
    for (size_t i = 0; result && i < 2; ++i) result = empty(pieces[turn ^ i]);
    if (!result)
        (void)wait_value(lock, last_submitted_);  // the pieces die here: nothing may still write to them
    return result;
}

Result<Event> Queue::copy(const Buffer& from, uint64_t from_bytes, const Buffer& to, uint64_t to_bytes,
                          uint64_t size_bytes) {
    const VkBufferCopy region{.srcOffset = from_bytes, .dstOffset = to_bytes, .size = size_bytes};
    return copy(from, to, std::span(&region, 1));
}

Result<Event> Queue::copy(const Buffer& from, const Buffer& to, std::span<const VkBufferCopy> regions) {
    for (const VkBufferCopy& region : regions) {
        if (!fits(region.srcOffset, region.size, from))
            return out_of_range("a copy", region.srcOffset, region.size, from);
        if (!fits(region.dstOffset, region.size, to))
            return out_of_range("a copy", region.dstOffset, region.size, to);
    }
    const std::lock_guard lock(mutex_);
    Result<Batch*> batch = open_batch();
    if (!batch) return batch.error();
    begin_command(**batch);
    record_copy(**batch, from.vk(), to, regions);
    return end_command(**batch);
}

/// Vulkan wants at least one stretch, and none that is empty.
void Queue::record_copy(Batch& batch, VkBuffer from, const Buffer& to,
                        std::span<const VkBufferCopy> regions) {
    if (!regions.empty() && regions[0].size != 0)
        vkCmdCopyBuffer(batch.commands, from, to.vk(), static_cast<uint32_t>(regions.size()), regions.data());
}

Result<Event> Queue::upload(const Buffer& to, uint64_t staged_bytes,
                            const std::function<void(std::byte*)>& write,
                            std::span<const VkBufferCopy> regions) {
    for (const VkBufferCopy& region : regions)
        if (!fits(region.dstOffset, region.size, to))
            return out_of_range("an upload", region.dstOffset, region.size, to);
    const std::lock_guard lock(mutex_);
    Result<Slice> slice = stage(staged_bytes);
    if (!slice) return slice.error();
    write(slice->data);
    std::vector<VkBufferCopy> placed(regions.begin(), regions.end());
    for (VkBufferCopy& region : placed) region.srcOffset += slice->offset;
    begin_command(*open_);
    record_copy(*open_, slice->buffer->vk(), to, placed);
    return end_command(*open_);
}

Result<Event> Queue::fill(const Buffer& to, uint64_t offset_bytes, uint64_t size_bytes,
                          std::span<const std::byte> pattern) {
    if (!fits(offset_bytes, size_bytes, to)) return out_of_range("a fill", offset_bytes, size_bytes, to);
    if (pattern.empty() || size_bytes % pattern.size() != 0)
        return Error{.message = "a fill's size must be a multiple of its pattern's"};
    if (4 % pattern.size() == 0 && offset_bytes % 4 == 0 && size_bytes % 4 == 0) {
        uint32_t word = 0;
        for (size_t i = 0; i < 4; ++i)
            std::memcpy(reinterpret_cast<std::byte*>(&word) + i, &pattern[i % pattern.size()], 1);
        const std::lock_guard lock(mutex_);
        Result<Batch*> batch = open_batch();
        if (!batch) return batch.error();
        begin_command(**batch);
        if (size_bytes != 0) vkCmdFillBuffer(open_->commands, to.vk(), offset_bytes, size_bytes, word);
        return end_command(**batch);
    }
    // Vulkan repeats words only: what else is repeated lies in memory some times, and is copied from there as often as need be.
    const uint64_t tile = std::min<uint64_t>(size_bytes, kFillTile / pattern.size() * pattern.size());
    std::vector<VkBufferCopy> regions;
    for (uint64_t at = 0; at < size_bytes; at += tile)
        regions.push_back({.dstOffset = offset_bytes + at, .size = std::min(tile, size_bytes - at)});
    return upload(
        to, tile,
        [&](std::byte* out) {
            for (uint64_t at = 0; at < tile; at += pattern.size())
                std::memcpy(out + at, pattern.data(), pattern.size());
        },
        regions);
}

Result<Event> Queue::marker() {
    const std::lock_guard lock(mutex_);
    Result<Batch*> batch = open_batch();
    if (!batch) return batch.error();
    begin_command(**batch);
    return end_command(**batch);
}

Event Queue::last() {
    const std::lock_guard lock(mutex_);
    Event event = last_;
    event.value_ = open_ ? open_->value : last_submitted_;
    return event;
}

Event Queue::so_far() {
    Event event = last();
    event.timing_ = nullptr;
    return event;
}

void Queue::keep(std::shared_ptr<const void> object) {
    const std::lock_guard lock(mutex_);
    Batch* batch = open_ ? open_.get() : running_.empty() ? nullptr : running_.back().get();
    if (batch) batch->kept.push_back(std::move(object));
}

Result<NDRange> Queue::check(const Kernel& kernel, const NDRange& range) const {
    const vulkan::Kernel& interface = kernel.interface();
    const vulkan::DeviceProfile& profile = device_.profile();
    const std::string who = "kernel '" + interface.name + "'";
    if (range.dimensions < 1 || range.dimensions > 3)
        return Error{.message = who + ": an NDRange has 1 to 3 dimensions"};
    for (size_t i = 0; i < kernel.is_set_.size(); ++i)
        if (!kernel.is_set_[i])
            return Error{.message = "argument " + std::to_string(i) + " ('" + interface.arguments[i].name +
                                    "') of " + who + " is not set"};

    NDRange out = range;
    for (size_t d = range.dimensions; d < 3; ++d) {
        out.global[d] = 1;
        out.local[d] = 1;
        out.offset[d] = 0;
    }
    if (range.local[0] == 0) { out.local = choose_local_size(out, interface, profile); }
    uint64_t invocations = 1;
    for (size_t d = 0; d < 3; ++d) {
        if (out.local[d] == 0) return Error{.message = who + ": a local size is 0"};
        if (out.local[d] > profile.max_local_size[d])
            return Error{.message = who + ": local size " + std::to_string(out.local[d]) + " in dimension " +
                                    std::to_string(d) + " is above the device's " +
                                    std::to_string(profile.max_local_size[d])};
        invocations *= out.local[d];
        if (const uint32_t required = interface.required_local_size[d];
            interface.required_local_size[0] != 0) {
            if (out.local[d] != required)
                return Error{.message = who + " requires local size " + std::to_string(required) +
                                        " in dimension " + std::to_string(d)};
            if (out.global[d] % required != 0)
                return Error{.message = who +
                                        ": the global size must be a multiple of its required local size " +
                                        std::to_string(required)};
        }
        if (out.global[d] / out.local[d] > 0xffffffffull)
            return Error{.message = who + ": more than 2^32 work-groups in a dimension"};
        if (out.offset[d] + out.global[d] < out.global[d])
            return Error{.message = who + ": global offset and size overflow"};
    }
    if (invocations > profile.max_local_invocations)
        return Error{.message = who + ": " + std::to_string(invocations) +
                                " work-items in a group are above the device's " +
                                std::to_string(profile.max_local_invocations)};
    const uint64_t local_bytes = kernel.local_bytes();
    if (local_bytes > profile.max_local_bytes)
        return Error{.message = who + " needs " + std::to_string(local_bytes) +
                                " bytes of local memory; the device has " +
                                std::to_string(profile.max_local_bytes)};
    return out;
}

/// The kernel's arguments with the hidden ones of this region.
std::vector<std::byte> Queue::argument_block(const Launch& launch, const Region& region) const {
    const Kernel& kernel = *launch.kernel;
    const NDRange& range = launch.range;
    std::vector<std::byte> block = kernel.block_;
    auto put = [&block](uint32_t at, const auto& value) {
        std::memcpy(block.data() + at, &value, sizeof value);
    };
    for (const vulkan::HiddenArgument& hidden : kernel.interface().hidden) {
        const uint32_t at = hidden.offset_bytes;
        Size3 wide = {};
        std::array<uint32_t, 3> narrow = {};
        switch (hidden.kind) {
            case vulkan::HiddenKind::GlobalOffset: put(at, range.offset); break;
            case vulkan::HiddenKind::GlobalSize: put(at, range.global); break;
            case vulkan::HiddenKind::NumGroups:
                for (size_t d = 0; d < 3; ++d)
                    narrow[d] = static_cast<uint32_t>(range.global[d] / range.local[d] +
                                                      (range.global[d] % range.local[d] != 0));
                put(at, narrow);
                break;
            case vulkan::HiddenKind::EnqueuedLocalSize:
                for (size_t d = 0; d < 3; ++d) narrow[d] = static_cast<uint32_t>(range.local[d]);
                put(at, narrow);
                break;
            case vulkan::HiddenKind::GroupBase: put(at, region.group_base); break;
            case vulkan::HiddenKind::GlobalIdBase:
                for (size_t d = 0; d < 3; ++d) wide[d] = range.offset[d] + region.id_base[d];
                put(at, wide);
                break;
            case vulkan::HiddenKind::WorkDim: put(at, range.dimensions); break;
            case vulkan::HiddenKind::DataSegment: put(at, kernel.program().data_segment().address()); break;
            case vulkan::HiddenKind::PrintfBuffer: put(at, printf_buffer_.address()); break;
            case vulkan::HiddenKind::DeviceQueue: put(at, launch.device_queue->address()); break;
            case vulkan::HiddenKind::Command: put(at, launch.command); break;
        }
    }
    return block;
}

Result<Done> Queue::bind_arguments(Batch& batch, const Launch& launch, std::span<const std::byte> block) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    const VkPipelineLayout layout = kernel.program().pipeline_layout(interface);
    auto push = [&](const void* data, size_t size_bytes) {
        vkCmdPushConstants(batch.commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<uint32_t>(size_bytes), data);
    };
    Result<Slice> slice = Slice{};
    if (interface.block == vulkan::ArgumentBlock::PushConstants) {
        if (!block.empty()) push(block.data(), block.size());
    } else {
        slice = stage(block.size());
        if (!slice) return slice.error();
        std::memcpy(slice->data, block.data(), block.size());
    }
    if (interface.block == vulkan::ArgumentBlock::Buffer) {
        const uint64_t address = slice->address();
        push(&address, sizeof address);
    }
    if (!kernel.program().descriptor_layout(interface)) return Done{};
    return bind_descriptors(batch, launch, slice->buffer ? &*slice : nullptr, block.size());
}

/// `block`: where the argument block is when it is a uniform buffer.
Result<Done> Queue::bind_descriptors(Batch& batch, const Launch& launch, const Slice* block,
                                     uint64_t block_bytes) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    const DescriptorLayout& layout = *kernel.program().descriptor_layout(interface);
    std::vector<BufferBinding> buffers;
    for (size_t i = 0; i < interface.arguments.size(); ++i)
        if (interface.arguments[i].binding != vulkan::kNoBinding) buffers.push_back(kernel.buffers_[i]);
    if (block)
        buffers.push_back(
            {.binding = interface.block_binding,
             .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
             .info = {.buffer = block->buffer->vk(), .offset = block->offset, .range = block_bytes}});
    auto bind = [&](uint32_t number, VkDescriptorSetLayout set_layout,
                    std::span<const BufferBinding> bindings) -> Result<Done> {
        Result<VkDescriptorSet> set = batch.descriptors.make(device_, set_layout, bindings);
        if (!set) return set.error();
        vkCmdBindDescriptorSets(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline_layout(),
                                number, 1, &*set, 0, nullptr);
        return Done{};
    };
    if (Result<Done> done = bind(0, layout.arguments(), buffers); !done) return done;
    std::vector<BufferBinding> program;
    const Buffer& data = kernel.program().data_segment();
    if (data.size_bytes() != 0)
        program.push_back(
            {.binding = vulkan::kDataSegmentBinding, .info = {.buffer = data.vk(), .range = VK_WHOLE_SIZE}});
    if (interface.prints)
        program.push_back({.binding = vulkan::kPrintfBufferBinding,
                           .info = {.buffer = printf_buffer_.vk(), .range = VK_WHOLE_SIZE}});
    if (interface.enqueues)
        program.push_back({.binding = vulkan::kDeviceQueueBinding,
                           .info = {.buffer = launch.device_queue->vk(), .range = VK_WHOLE_SIZE}});
    return program.empty() ? Done{} : bind(vulkan::kDataSegmentSet, layout.program(), program);
}

Result<Done> Queue::record_region(Batch& batch, const Launch& launch, const Region& region) {
    const Kernel& kernel = *launch.kernel;
    const vulkan::Kernel& interface = kernel.interface();
    const bool has_base = region.group_base != std::array<uint32_t, 3>{} || region.id_base != Size3{} ||
                          launch.range.offset != Size3{};
    Result<VkPipeline> pipeline =
        kernel.program().pipeline(interface, region.local_size, has_base,
                                  static_cast<uint32_t>(options_.printf_bytes / 4), kernel.local_lengths_);
    if (!pipeline) return pipeline.error();
    vkCmdBindPipeline(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE, *pipeline);
    if (Result<Done> done = bind_arguments(batch, launch, argument_block(launch, region)); !done) return done;
    vkCmdDispatch(batch.commands, region.group_count[0], region.group_count[1], region.group_count[2]);
    return Done{};
}

Result<Event> Queue::dispatch(const Kernel& kernel, const NDRange& range) {
    const Launch launch{.kernel = &kernel, .range = range};
    Result<std::vector<Event>> events = dispatch_all({&launch, 1});
    if (!events) return events.error();
    return events->front();
}

Result<std::vector<Event>> Queue::dispatch_all(std::span<const Launch> launches) {
    std::vector<Launch> checked(launches.begin(), launches.end());
    for (Launch& launch : checked) {
        Result<NDRange> range = check(*launch.kernel, launch.range);
        if (!range) return range.error();
        launch.range = *range;
    }
    const std::lock_guard lock(mutex_);
    std::vector<Event> events;
    for (std::span<const Launch> rest = checked; !rest.empty();) {
        Result<Batch*> batch = open_batch();
        if (!batch) return batch.error();
        const uint32_t room = (*batch)->queries ? kMaxCommands - (*batch)->command_count : kMaxLaunches;
        const std::span<const Launch> now = rest.first(std::min<size_t>(rest.size(), room));
        if (Result<Done> done = record(now, events); !done) return done.error();
        rest = rest.subspan(now.size());
    }
    return events;
}

/// As one command of the open batch.
Result<Done> Queue::record(std::span<const Launch> launches, std::vector<Event>& events) {
    Batch& batch = *open_;
    const auto prints = std::ranges::find_if(
        launches, [](const Launch& launch) { return launch.kernel->interface().prints; });
    begin_command(batch);
    Result<Done> done = prints != launches.end() ? begin_printing(batch) : Done{};
    for (const Launch& launch : launches) {
        if (&launch != &launches.front()) {
            events.push_back(end_timing(batch));
            begin_timing(batch);
        }
        if (done) done = record(batch, launch);
    }
    if (done && prints != launches.end()) done = end_printing(batch, *prints->kernel);
    Result<Event> event = end_command(batch);
    if (!event) return event.error();
    events.push_back(event.take());
    return done;
}

/// Regions of one NDRange are work-groups of one launch: no barrier between them.
Result<Done> Queue::record(Batch& batch, const Launch& launch) {
    Launch with_queue = launch;
    if (launch.kernel->interface().enqueues && !launch.device_queue) {
        if (Result<Done> done = make_no_device_queue(); !done) return done;
        with_queue.device_queue = &no_device_queue_;
    }
    const auto& limit = device_.limits().maxComputeWorkGroupCount;
    for (const Region& region : split(launch.range, {limit[0], limit[1], limit[2]}))
        if (Result<Done> done = record_region(batch, with_queue, region); !done) return done;
    return Done{};
}

/// The buffer that says so.
Result<Done> Queue::make_no_device_queue() {
    if (no_device_queue_.vk()) return Done{};
    const std::vector<std::byte> zeros(4 * vulkan::kQueueRecords);
    Result<Buffer> buffer = Buffer::create(device_, zeros.size(), MemoryUse::Upload);
    if (!buffer) return buffer.error();
    no_device_queue_ = buffer.take();
    std::ranges::copy(zeros, no_device_queue_.mapped());
    return Done{};
}

// ---- Printing ----

/// Empties printf's buffer, which all dispatches use in turn.
Result<Done> Queue::begin_printing(Batch& batch) {
    if (!printf_buffer_.vk()) {
        Result<Buffer> buffer = Buffer::create(device_, options_.printf_bytes);
        if (!buffer) return buffer.error();
        printf_buffer_ = buffer.take();
    }
    vkCmdFillBuffer(batch.commands, printf_buffer_.vk(), 0, 4, 0);
    full_barrier(batch.commands, kStages, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    return Done{};
}

Result<Done> Queue::end_printing(Batch& batch, const Kernel& kernel) {
    Printing printing{.table = kernel.program().printf_table()};
    if (printf_downloads_.empty()) {
        Result<Buffer> buffer = Buffer::create(device_, options_.printf_bytes, MemoryUse::Download);
        if (!buffer) return buffer.error();
        printing.words = buffer.take();
    } else {
        printing.words = std::move(printf_downloads_.back());
        printf_downloads_.pop_back();
    }
    full_barrier(batch.commands, kStages, VK_ACCESS_TRANSFER_READ_BIT);
    const VkBufferCopy copy{.size = options_.printf_bytes};
    vkCmdCopyBuffer(batch.commands, printf_buffer_.vk(), printing.words.vk(), 1, &copy);
    batch.printing.push_back(std::move(printing));
    return Done{};
}

void Queue::print(Batch& batch) {
    for (Printing& printing : batch.printing) {
        const auto* words = reinterpret_cast<const uint32_t*>(printing.words.mapped());
        print_records({words, options_.printf_bytes / 4}, *printing.table, options_.print);
        printf_downloads_.push_back(std::move(printing.words));
    }
    batch.printing.clear();
}

// ---- Waiting ----

Result<Done> Queue::wait_for(Queue& other, const Event& event) {
    if (&other == this) return Done{};
    if (Result<Done> done = other.flush(); !done) return done;
    const std::lock_guard lock(mutex_);
    Result<Batch*> batch = open_batch();
    if (!batch) return batch.error();
    uint64_t& value = open_->waits[other.timeline_->get()];
    value = std::max(value, event.value_);
    open_->kept.push_back(other.timeline_);
    return Done{};
}

Result<Done> Queue::flush() {
    const std::lock_guard lock(mutex_);
    return submit();
}
Result<bool> Queue::is_complete(const Event& event) {
    const std::lock_guard lock(mutex_);
    if (event.value_ > last_submitted_) return false;
    if (Result<Done> done = retire(); !done) return done.error();
    return running_.empty() || running_.front()->value > event.value_;
}
Result<Done> Queue::wait(const Event& event) {
    std::unique_lock lock(mutex_);
    return wait_value(lock, event.value_);
}
Result<Done> Queue::finish() {
    std::unique_lock lock(mutex_);
    return wait_value(lock, open_ ? open_->value : last_submitted_);
}
Result<Timing> Queue::timing(const Event& event) {
    if (!event.timing_) return Error{.message = "the queue does not time commands"};
    if (Result<Done> done = wait(event); !done) return done.error();
    return *event.timing_;
}

}  // namespace caldera::runtime
