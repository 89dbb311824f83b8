// SPDX-License-Identifier: Apache-2.0
// Queue: dispatches kernels with their arguments, and handles their output.
#include <algorithm>
#include <utility>

#include "spirv/support/try.h"
#include "vulkan/runtime/command_buffer.h"
#include "vulkan/runtime/queue.h"

namespace caldera::runtime {
namespace {

constexpr uint32_t kMaxLaunches = 4096;  // launches of one command in a batch
constexpr size_t kSpareDownloads = 8;    // buffers for what kernels will print

}  // namespace

Result<Event> Queue::dispatch(const Kernel& kernel, const NDRange& range) {
    Launch launch{.kernel = &kernel, .range = range};
    if (auto fault = check_launch(kernel, launch.range)) return Error{.message = std::move(fault->message)};
    return dispatch(launch);
}

Result<Event> Queue::dispatch(const Launch& launch) {
    Result<std::vector<Event>> events = dispatch_all({&launch, 1});
    if (!events) return events.error();
    return events->front();
}

Result<std::vector<Event>> Queue::dispatch_all(std::span<const Launch> launches) {
    Recording recording(*this);
    std::vector<Event> events;
    for (std::span<const Launch> rest = launches; !rest.empty();) {
        Result<Batch*> batch = open_batch(recording.lock());
        if (!batch) return batch.error();
        const uint32_t room = (*batch)->queries ? kMaxCommands - (*batch)->command_count : kMaxLaunches;
        const std::span<const Launch> now = rest.first(std::min<size_t>(rest.size(), room));
        TRY(record(now, events));
        rest = rest.subspan(now.size());
    }
    return recording.end(Result<std::vector<Event>>(std::move(events)));
}

Result<Event> Queue::run(std::span<const VkCommandBuffer> sequences) {
    return add_command([&](Batch& batch) {
        vkCmdExecuteCommands(batch.commands, static_cast<uint32_t>(sequences.size()), sequences.data());
        return Done{};
    });
}

/// Records the launches as one command of the open batch.
Result<Done> Queue::record(std::span<const Launch> launches, std::vector<Event>& events) {
    Batch& batch = *open_;
    const auto prints = std::ranges::find_if(
        launches, [](const Launch& launch) { return launch.kernel->interface().prints; });
    const bool has_printing = prints != launches.end();
    wants_barrier_ |= has_printing;  // they use the same printf buffer, one after another
    begin_command(batch);
    Result<Done> done = has_printing ? begin_printing(batch) : Done{};
    for (const Launch& launch : launches) {
        if (&launch != &launches.front()) {
            events.push_back(end_timing(batch));
            begin_timing(batch, options_.in_order);
        }
        if (done) done = record(batch, launch);
    }
    if (done && has_printing) done = end_printing(batch, *prints->kernel);
    wants_barrier_ |= has_printing;
    Result<Event> event = end_command(batch);
    if (!event) return event.error();
    events.push_back(event.take());
    return done;
}

Result<Done> Queue::record(Batch& batch, const Launch& launch) {
    LaunchRecorder recorder(device_, batch.memory, buffers_);
    const Result<std::vector<Dispatch>> dispatches = recorder.prepare(launch);
    if (!dispatches) return dispatches.error();
    LaunchRecorder::record(batch.commands, *dispatches);
    if (const std::shared_ptr<CheckLog>& log = launch.kernel->program().check_log();
        log && std::ranges::find(batch.check_logs, log) == batch.check_logs.end())
        batch.check_logs.push_back(log);
    return Done{};
}

// ---- Printing ----

/// Clears printf's buffer, which all dispatches use one after another.
Result<Done> Queue::begin_printing(Batch& batch) {
    if (!buffers_.printf.vk()) {
        Result<Buffer> buffer = Buffer::create(device_, options_.printf_bytes);
        if (!buffer) return buffer.error();
        buffers_.printf = buffer.take();
    }
    vkCmdFillBuffer(batch.commands, buffers_.printf.vk(), 0, 4, 0);
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
    vkCmdCopyBuffer(batch.commands, buffers_.printf.vk(), printing.words.vk(), 1, &copy);
    batch.printing.push_back(std::move(printing));
    batch.bytes += options_.printf_bytes;
    return Done{};
}

/// What the sink throws leaves the call. No text is given twice: a dispatch is off the list before it prints.
void Queue::print(Batch& batch) {
    while (!batch.printing.empty()) {
        Printing printing = std::move(batch.printing.front());
        batch.printing.erase(batch.printing.begin());
        const auto* words = reinterpret_cast<const uint32_t*>(printing.words.mapped());
        print_records({words, options_.printf_bytes / 4}, *printing.table, options_.print);
        if (printf_downloads_.size() < kSpareDownloads)
            printf_downloads_.push_back(std::move(printing.words));
    }
}

}  // namespace caldera::runtime
