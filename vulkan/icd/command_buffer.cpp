// SPDX-License-Identifier: Apache-2.0
// Command-buffers as objects: their life, their queries, and how they are enqueued.
#include "vulkan/icd/command_buffer.h"

#include <algorithm>
#include <span>

#include "spirv/support/owners.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/transfer.h"

using namespace caldera;
using namespace caldera::icd;

// ---- Recording ----

/// The number of commands, from the first, that the next one waits for. Sync points are in the order of the
/// commands, so waiting for the latest one is enough.
cl_uint _cl_command_buffer_khr::checked_wait_list(const SyncPoints& sync) const {
    require((sync.count == 0) == (sync.list == nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    cl_uint latest = 0;
    for (cl_uint i = 0; i < sync.count; ++i) {
        require(sync.list[i] != 0 && sync.list[i] <= count_, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
        latest = std::max(latest, sync.list[i]);
    }
    return latest;
}

void _cl_command_buffer_khr::end_command(const SyncPoints& sync) {
    ++count_;
    if (sync.point_ret) *sync.point_ret = count_;
}

void _cl_command_buffer_khr::check_recording() const {
    const std::lock_guard lock(mutex_);
    require(!is_final_, CL_INVALID_OPERATION);
}

void _cl_command_buffer_khr::add_step(Step step, const SyncPoints& sync) {
    require(!is_final_, CL_INVALID_OPERATION);
    const cl_uint listed = checked_wait_list(sync);
    require(count_ != CL_UINT_MAX, CL_OUT_OF_RESOURCES);
    const cl_uint after = queue->is_in_order() ? count_ : std::max(listed, blocked_);
    step.after_all = after > ordered_;
    steps_.push_back(std::move(step));
    if (steps_.back().after_all) ordered_ = count_;
    end_command(sync);
}

void _cl_command_buffer_khr::add(Work work, const SyncPoints& sync,
                                 std::vector<std::shared_ptr<const void>> kept) {
    const std::lock_guard lock(mutex_);
    kept_.insert(kept_.end(), kept.begin(), kept.end());
    add_step({.work = std::move(work)}, sync);
}

void _cl_command_buffer_khr::add(const Ref<MutableCommand>& launch, const SyncPoints& sync) {
    const std::lock_guard lock(mutex_);
    launch->step = steps_.size();
    Work work = make_work(*queue, launch->settings);
    const bool lacks_some = !work.command;
    launches_.push_back(launch);
    const bool can_change = flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
    add_step({.work = std::move(work),
              .can_change = can_change,
              .stores_arguments = can_change && launch->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
              .is_fixed_otherwise = !(launch->fields & ~cl_bitfield{CL_MUTABLE_DISPATCH_ARGUMENTS_KHR})},
             sync);
    lacking_ += lacks_some;
}

void _cl_command_buffer_khr::add_barrier(const SyncPoints& sync) {
    const std::lock_guard lock(mutex_);
    require(!is_final_, CL_INVALID_OPERATION);
    const cl_uint listed = checked_wait_list(sync);
    require(count_ != CL_UINT_MAX, CL_OUT_OF_RESOURCES);
    blocked_ = std::max(blocked_, sync.count == 0 ? count_ : listed);
    end_command(sync);
}

void _cl_command_buffer_khr::finalize() {
    const std::lock_guard lock(mutex_);
    require(!is_final_, CL_INVALID_OPERATION);
    divide();
    if (lacking_ == 0) replay_ = make_replay();
    is_final_ = true;
}

cl_command_buffer_state_khr _cl_command_buffer_khr::state() const {
    const std::lock_guard lock(mutex_);
    if (!is_final_) return CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
    return lacking_ != 0 ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
}

// ---- Replaying ----

namespace {

/// A launch that changes takes those of its segment with it, which are recorded again. So few are together,
/// except where arguments change in memory and nothing else does.
constexpr size_t kMostInSegment = 64, kMostThatChange = 4;

}  // namespace

/// What the arguments are may change too, so all launches that can change may be recordable. A buffer of a
/// context with several devices moves.
bool _cl_command_buffer_khr::is_recordable(const Step& step) const {
    if (step.work.arguments || step.can_change) return true;
    const Transfer* transfer = step.work.command->transfer.get();
    return transfer && queue->context->places.size() == 1 &&
           runtime::LaunchSequence::can_have(sequence_transfer(*transfer, queue->place));
}

void _cl_command_buffer_khr::divide() {
    segments_.clear();
    size_t changeable = 0;
    for (size_t i = 0; i < steps_.size(); ++i) {
        Step& step = steps_[i];
        const bool can_be_recorded = is_recordable(step);
        const bool stays = step.stores_arguments && step.is_fixed_otherwise &&
                           !(flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
        const bool is_recorded_again = step.can_change && !stays;
        const bool joins = can_be_recorded && !segments_.empty() && segments_.back().is_recordable &&
                           segments_.back().count < kMostInSegment &&
                           (changeable == 0) == !is_recorded_again && changeable < kMostThatChange;
        if (!joins) {
            segments_.push_back({.first = i, .is_recordable = can_be_recorded});
            changeable = 0;
        }
        ++segments_.back().count;
        changeable += is_recorded_again;
        step.segment = segments_.size() - 1;
    }
}

/// Leaves the segment without a sequence if a launch cannot be recorded.
void _cl_command_buffer_khr::record(Segment& segment) {
    const std::span steps = std::span(steps_).subspan(segment.first, segment.count);
    std::vector<runtime::LaunchSequence::Item> items;
    std::vector<std::shared_ptr<const void>> kept;
    for (const Step& step : steps) {
        if (!step.work.arguments && step.can_change) return;
        if (!step.work.arguments) {
            items.push_back({.after_all = step.after_all,
                             .transfer = sequence_transfer(*step.work.command->transfer, queue->place)});
            kept.push_back(step.work.command->transfer);
            continue;
        }
        items.push_back({.kernel = &step.work.arguments->kernels[queue->place],
                         .range = step.work.range,
                         .after_all = step.after_all,
                         .stores_arguments = step.stores_arguments});
        kept.push_back(step.work.arguments);
    }
    if (!pool_) pool_ = take(runtime::SequencePool::create(queue->opened()));
    auto made = runtime::LaunchSequence::create(pool_, items, std::move(kept));
    if (made)
        segment.sequence = made.take();
    else
        log(made.error());
}

std::shared_ptr<const Replay> _cl_command_buffer_khr::make_replay() {
    auto made = std::make_shared<Replay>();
    made->use = use_;
    std::vector<Replay::Part>& parts = made->parts;
    for (Segment& segment : segments_) {
        if (segment.is_recordable && !segment.sequence) record(segment);
        if (segment.sequence) {
            if (parts.empty() || parts.back().sequences.empty()) parts.emplace_back();
            parts.back().sequences.push_back(segment.sequence->commands());
            made->sequences.push_back(segment.sequence);
            for (const Step& step : std::span(steps_).subspan(segment.first, segment.count))
                if (const auto& transfer = step.work.command->transfer)
                    parts.back().transfers.push_back(transfer);
            continue;
        }
        for (const Step& step : std::span(steps_).subspan(segment.first, segment.count))
            parts.push_back({.command = step.work.command, .after_all = step.after_all});
    }
    for (const Step& step : steps_) {
        const Command& command = *step.work.command;
        made->uses_host_memory |= command.uses_host_memory;
        made->waits |= command.waits;
        made->reads_shared |= command.reads_shared;
        made->writes_shared |= command.writes_shared;
        made->ends_unwatched |= command.ends_unwatched;
    }
    return made;
}

std::shared_ptr<const Replay> _cl_command_buffer_khr::replay() {
    const std::lock_guard lock(mutex_);
    require(is_final_ && lacking_ == 0, CL_INVALID_OPERATION);
    if (!replay_) replay_ = make_replay();
    return replay_;
}

// ---- Changing ----

void _cl_command_buffer_khr::check_changeable() const {
    require(is_final_ && flags & CL_COMMAND_BUFFER_MUTABLE_KHR, CL_INVALID_OPERATION);
}

/// Whether no replay, of the command-buffer as it is or as it was, waits or runs. A queue keeps a replay
/// until the host has seen that the device has completed it.
bool _cl_command_buffer_khr::is_idle() const {
    const long own = replay_ ? 1 : 0;
    return is_shared_by(use_, 1 + own) && (!replay_ || is_shared_by(replay_, 1));
}

_cl_command_buffer_khr::Recorded _cl_command_buffer_khr::recorded(const MutableCommand& launch) const {
    const Segment& segment = segments_[steps_[launch.step].segment];
    const size_t item = launch.step - segment.first;
    if (!segment.sequence || !segment.sequence->stores_arguments(item)) return {};
    return {segment.sequence.get(), item};
}

void _cl_command_buffer_khr::apply(std::vector<Change> changes) {
    for (Change& change : changes) {
        Step& step = steps_[change.launch->step];
        lacking_ += size_t{!change.work.command} - size_t{!step.work.command};
        step.work = std::move(change.work);
        segments_[step.segment].sequence = nullptr;
        change.launch->settings = std::move(change.settings);
    }
    if (!changes.empty()) replay_ = nullptr;
}

LaunchSettings _cl_command_buffer_khr::settings(const MutableCommand& launch) const {
    const std::lock_guard lock(mutex_);
    return launch.settings;
}

namespace caldera::icd {
namespace {

constexpr cl_command_queue_properties kSupportedQueues =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

constexpr cl_command_buffer_flags_khr kFlags =
    CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
/// A flag of cl_khr_command_buffer_multi_device, which is valid and which no device supports.
constexpr cl_command_buffer_flags_khr kDeviceSideSync = 1 << 2;

CommandBuffer* create(cl_uint queue_count, const cl_command_queue* queues,
                      const cl_command_buffer_properties_khr* properties) {
    require(queue_count == 1 && queues, CL_INVALID_VALUE);
    CommandQueue& queue = checked(queues[0]);
    require(!queue.device_queue, CL_INVALID_COMMAND_QUEUE);
    auto buffer = std::make_unique<CommandBuffer>(queue);
    const std::vector<cl_command_buffer_properties_khr> given = properties_of(properties);
    for (size_t i = 0; i + 1 < given.size(); i += 2) {
        for (size_t earlier = 0; earlier < i; earlier += 2)
            require(given[earlier] != given[i], CL_INVALID_VALUE);
        switch (given[i]) {
            case CL_COMMAND_BUFFER_FLAGS_KHR: buffer->flags = given[i + 1]; break;
            case CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR: buffer->asserts = given[i + 1]; break;
            default: throw ApiError(CL_INVALID_VALUE);
        }
    }
    require(!(buffer->flags & ~(kFlags | kDeviceSideSync)), CL_INVALID_VALUE);
    require(!(buffer->asserts & ~cl_bitfield{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}),
            CL_INVALID_VALUE);
    require(!(buffer->flags & kDeviceSideSync), CL_INVALID_PROPERTY);
    buffer->given_properties = given;
    return buffer.release();
}

/// The queue that replays the command-buffer.
CommandQueue& checked_queue(const CommandBuffer& buffer, cl_uint queue_count, cl_command_queue* queues) {
    require((queue_count == 0) == (queues == nullptr), CL_INVALID_VALUE);
    require(queue_count <= 1, CL_INVALID_VALUE);
    if (queue_count == 0) return *buffer.queue;
    CommandQueue& queue = checked(queues[0]);
    require(!(queue.properties & ~kSupportedQueues), CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
    require(&queue.device() == &buffer.queue->device(), CL_INVALID_DEVICE);
    require(queue.context == buffer.queue->context, CL_INVALID_CONTEXT);
    return queue;
}

/// Recorded transfers know no textures. They exist in contexts with one device.
void bring_texels(const Transfer& transfer, runtime::Queue& queue) {
    if (transfer.from) transfer.from->newest_on(0, queue);
    transfer.to->newest_on(0, queue);
}

/// The event is complete when all parts are, and its time is that of all of them. If one of them waits for
/// the device, then this does so too, because such a command ends when it has been recorded.
runtime::Event record(const std::shared_ptr<const Replay>& replay, runtime::Queue& queue) {
    if (replay->parts.empty()) return record_nothing(queue);
    runtime::Event first, last;
    for (const Replay::Part& part : replay->parts) {
        if (part.after_all) queue.order();
        for (const auto& transfer : part.transfers) bring_texels(*transfer, queue);
        last = part.command ? part.command->record(queue) : take(queue.run(part.sequences));
        for (const auto& transfer : part.transfers) transfer->to->note_write();
        queue.keep(replay);
        if (&part == &replay->parts.front()) first = last;
    }
    if (replay->waits) take(queue.wait(queue.so_far()));
    if (replay->parts.size() == 1) return last;
    if (!queue.times_commands()) return queue.so_far();
    queue.order();
    return take(queue.marker()).timed_from(first);
}

Command command_of(const std::shared_ptr<const Replay>& replay, const Context& context) {
    return {.type = CL_COMMAND_COMMAND_BUFFER_KHR,
            .record = [replay](runtime::Queue& queue) { return record(replay, queue); },
            .uses_host_memory = replay->uses_host_memory,
            .waits = replay->waits,
            // kernels find shared memory through pointers, also what was allocated after they were recorded
            .reads_shared = replay->reads_shared || context.shares_memory(),
            .writes_shared = replay->writes_shared || context.shares_memory(),
            .ends_unwatched = replay->ends_unwatched};
}

/// Enqueues the replay behind those that another queue has. Each queue keeps the order of its own.
void enqueue_in_turn(CommandBuffer& buffer, CommandQueue& queue, Command command, cl_uint wait_count,
                     const cl_event* wait_list, cl_event* event) {
    (void)checked_wait_list(*queue.context, wait_count, wait_list);
    std::vector<cl_event> list(wait_list, wait_list + wait_count);
    const std::lock_guard lock(buffer.latest_replay.mutex);
    CommandQueue* const latest = buffer.latest_replay.queue.get();
    Ref<Event> before;
    if (latest && latest != &queue) {
        latest->enqueue(nothing(CL_COMMAND_MARKER), 0, nullptr, &list.emplace_back(), {.after_all = true});
        before = Ref<Event>::adopt(list.back());
        latest->flush();
    }
    queue.enqueue(std::move(command), static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(),
                  event);
    buffer.latest_replay.queue = Ref<CommandQueue>(&queue);
}

}  // namespace

cl_command_buffer_khr CL_API_CALL CreateCommandBufferKHR(cl_uint queue_count, const cl_command_queue* queues,
                                                         const cl_command_buffer_properties_khr* properties,
                                                         cl_int* code_ret) {
    return make(code_ret, [&] { return create(queue_count, queues, properties); });
}

cl_int CL_API_CALL RetainCommandBufferKHR(cl_command_buffer_khr buffer) { return retain(buffer); }
cl_int CL_API_CALL ReleaseCommandBufferKHR(cl_command_buffer_khr buffer) { return release(buffer); }

cl_int CL_API_CALL FinalizeCommandBufferKHR(cl_command_buffer_khr buffer) {
    return entry([&] { checked(buffer).finalize(); });
}

cl_int CL_API_CALL EnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue* queues,
                                           cl_command_buffer_khr handle, cl_uint wait_count,
                                           const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandBuffer& buffer = checked(handle);
        const std::shared_ptr<const Replay> replay = buffer.replay();
        CommandQueue& queue = checked_queue(buffer, queue_count, queues);
        Command command = command_of(replay, *queue.context);
        if (queue.opened().profile().quirks.mixes_up_secondaries && !replay->sequences.empty())
            return enqueue_in_turn(buffer, queue, std::move(command), wait_count, wait_list, event);
        queue.enqueue(std::move(command), wait_count, wait_list, event);
    });
}

cl_int CL_API_CALL GetCommandBufferInfoKHR(cl_command_buffer_khr handle, cl_command_buffer_info_khr name,
                                           size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const CommandBuffer& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_COMMAND_BUFFER_QUEUES_KHR: return answer.put<cl_command_queue>(self.queue.get());
            case CL_COMMAND_BUFFER_NUM_QUEUES_KHR: return answer.put<cl_uint>(1);
            case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: return answer.put(self.references());
            case CL_COMMAND_BUFFER_STATE_KHR: return answer.put(self.state());
            case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: return answer.put_all(self.given_properties);
            case CL_COMMAND_BUFFER_CONTEXT_KHR: return answer.put<cl_context>(self.queue->context.get());
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
