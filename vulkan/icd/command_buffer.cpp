// SPDX-License-Identifier: Apache-2.0
// Command-buffers as objects: their life, their queries, and what their replays are.
// command_buffer_replay.cpp enqueues them.
#include "vulkan/icd/command_buffer.h"

#include <algorithm>
#include <limits>
#include <span>

#include "spirv/support/owners.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/launch_images.h"
#include "vulkan/icd/transfer.h"

using namespace caldera;
using namespace caldera::icd;

// ---- Recording ----

namespace {

/// The queue of a barrier. All further commands wait for what it waits for, so waiting for it adds nothing.
constexpr size_t kNoQueue = std::numeric_limits<size_t>::max();

}  // namespace

_cl_command_buffer_khr::Numbers _cl_command_buffer_khr::checked_wait_list(const SyncPoints& sync) const {
    require((sync.count == 0) == (sync.list == nullptr), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    const auto is_known = [&](cl_sync_point_khr point) { return point != 0 && point <= count_; };
    require(std::all_of(sync.list, sync.list + sync.count, is_known), CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
    return {sync.list, sync.list + sync.count};
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
    step.after_each = checked_wait_list(sync);
    require(count_ != CL_UINT_MAX, CL_OUT_OF_RESOURCES);
    step.number = count_ + 1;
    step.after = blocked_;
    cl_uint& latest = latest_[step.queue];
    if (queues[step.queue]->is_in_order() && latest != 0) step.after_each.push_back(latest);
    latest = step.number;
    queue_of_.push_back(step.queue);
    steps_.push_back(std::move(step));
    end_command(sync);
}

void _cl_command_buffer_khr::add(size_t queue, Work work, MakeWork make, const SyncPoints& sync,
                                 std::vector<std::shared_ptr<const void>> kept) {
    const std::lock_guard lock(mutex_);
    kept_.insert(kept_.end(), kept.begin(), kept.end());
    add_step({.work = std::move(work), .make = std::move(make), .queue = queue}, sync);
}

void _cl_command_buffer_khr::add(const Ref<MutableCommand>& launch, const SyncPoints& sync) {
    const std::lock_guard lock(mutex_);
    launch->step = steps_.size();
    Work work = make_work(*queues[launch->queue], launch->settings);
    const bool lacks_some = !work.command;
    const bool can_change = flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
    add_step({.work = std::move(work),
              .launch = launch,
              .queue = launch->queue,
              .can_change = can_change,
              .stores_arguments = can_change && launch->fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR},
             sync);
    lacking_ += lacks_some;
}

/// The following commands of all queues wait for a barrier. Without a list, it waits for all before it.
void _cl_command_buffer_khr::add_barrier(size_t queue, const SyncPoints& sync) {
    const std::lock_guard lock(mutex_);
    require(!is_final_, CL_INVALID_OPERATION);
    const Numbers listed = checked_wait_list(sync);
    require(count_ != CL_UINT_MAX, CL_OUT_OF_RESOURCES);
    queue_of_.push_back(kNoQueue);
    if (listed.empty()) std::ranges::fill(blocked_, count_);
    if (queues[queue]->is_in_order()) blocked_[queue] = count_;
    for (const cl_uint number : listed)
        if (const size_t awaited = queue_of_[number - 1]; awaited != kNoQueue)
            blocked_[awaited] = std::max(blocked_[awaited], number);
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

/// A launch that changes otherwise than by stored arguments takes those of its segment with it, which are
/// recorded again. So few are together that did so before. A segment costs a device of NVIDIA's 3 us at each
/// replay, so all others are many together.
constexpr size_t kMostInSegment = 64, kMostThatChange = 4;
/// So many replays may be on their way, and changes are still stored. A queue learns after some batches of
/// commands what the device has completed.
constexpr size_t kMostSpares = 256;

}  // namespace

/// What the arguments are may change too, so all launches that can change may be recordable. A buffer of a
/// context with several devices moves.
bool _cl_command_buffer_khr::is_recordable(const Step& step) const {
    if (step.work.arguments || step.can_change) return true;
    const Transfer* transfer = step.work.command->transfer.get();
    return transfer && context().places.size() == 1 &&
           runtime::LaunchSequence::can_have(sequence_transfer(*transfer, queues[step.queue]->place));
}

void _cl_command_buffer_khr::divide() {
    CommandGroups groups(queues.size());
    for (Step& step : steps_)
        step.after_all = groups.add(
            {.number = step.number, .queue = step.queue, .after = step.after, .after_each = step.after_each});
    groups_ = groups.take();
    if (groups_.empty()) groups_.emplace_back();  // so that its replays are in some queue
    segments_.clear();
    for (size_t group = 0; group < groups_.size(); ++group) divide(group, groups_[group].commands);
    number_segments();
}

/// Adds segments with these steps of a group, in their order. A launch without arguments may get them later,
/// and is recorded then.
void _cl_command_buffer_khr::divide(size_t group, std::span<const size_t> places) {
    const size_t first = segments_.size();
    size_t changeable = 0;
    for (const size_t place : places) {
        const Step& step = steps_[place];
        const bool can_be_recorded = is_recordable(step);
        const bool is_recorded_again = step.can_change && (step.was_recorded_again || !step.work.arguments);
        const bool joins = can_be_recorded && segments_.size() > first && segments_.back().is_recordable &&
                           segments_.back().steps.size() < kMostInSegment &&
                           (changeable == 0) == !is_recorded_again && changeable < kMostThatChange;
        if (!joins) {
            segments_.push_back({.group = group, .is_recordable = can_be_recorded});
            changeable = 0;
        }
        segments_.back().steps.push_back(place);
        changeable += is_recorded_again;
    }
}

/// Divides segments anew. Others keep what was recorded.
void _cl_command_buffer_khr::divide_again(std::vector<size_t> which) {
    std::ranges::sort(which);
    std::vector<Segment> before = std::exchange(segments_, {});
    for (size_t i = 0; i < before.size(); ++i) {
        if (!std::ranges::binary_search(which, i)) {
            segments_.push_back(std::move(before[i]));
            continue;
        }
        const size_t first = segments_.size();
        divide(before[i].group, before[i].steps);
        for (Segment& part : std::span(segments_).subspan(first))
            part.replays_share_arguments = before[i].replays_share_arguments;
    }
    number_segments();
}

void _cl_command_buffer_khr::number_segments() {
    for (size_t segment = 0; segment < segments_.size(); ++segment)
        for (size_t item = 0; item < segments_[segment].steps.size(); ++item) {
            Step& step = steps_[segments_[segment].steps[item]];
            step.segment = segment;
            step.item = item;
        }
}

/// Returns null if a launch of the segment cannot be recorded.
std::shared_ptr<runtime::LaunchSequence> _cl_command_buffer_khr::record(const Segment& segment) {
    CommandQueue& queue = *queues[groups_[segment.group].queue];
    // These would run the same command buffers of Vulkan's at the same time.
    if (queues.size() > 1 && flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR &&
        queue.opened().profile().quirks.mixes_up_secondaries)
        return nullptr;
    std::vector<runtime::LaunchSequence::Item> items;
    std::vector<std::shared_ptr<const void>> kept;
    for (const size_t place : segment.steps) {
        const Step& step = steps_[place];
        if (!step.work.arguments && step.can_change) return nullptr;
        if (!step.work.arguments) {
            items.push_back({.after_all = step.after_all,
                             .transfer = sequence_transfer(*step.work.command->transfer, queue.place)});
            kept.push_back(step.work.command->transfer);
            continue;
        }
        items.push_back({.kernel = &step.work.arguments->kernels[queue.place],
                         .range = step.work.range,
                         .after_all = step.after_all,
                         .stores_arguments = step.stores_arguments});
        kept.push_back(step.work.arguments);
    }
    if (!pool_) pool_ = take(runtime::SequencePool::create(queue.opened()));
    auto made = runtime::LaunchSequence::create(pool_, items, std::move(kept));
    if (made) return made.take();
    log(made.error());
    return nullptr;
}

std::shared_ptr<const Replay> _cl_command_buffer_khr::make_replay() {
    auto made = std::make_shared<Replay>();
    made->use = use_;
    for (const CommandGroup& group : groups_)
        made->groups.push_back({.queue = group.queue, .after = group.after, .is_last = group.is_last});
    for (Segment& segment : segments_) {
        std::vector<Replay::Part>& parts = made->groups[segment.group].parts;
        if (segment.is_recordable && !segment.sequence) segment.sequence = record(segment);
        if (segment.sequence) {
            if (parts.empty() || parts.back().sequences.empty()) parts.emplace_back();
            parts.back().sequences.push_back(segment.sequence->commands());
            made->sequences.push_back(segment.sequence);
            for (const size_t place : segment.steps) {
                const Work& work = steps_[place].work;
                if (work.command->transfer) parts.back().transfers.push_back(work.command->transfer);
                if (work.arguments && has_images(*work.arguments))
                    parts.back().launches.push_back(work.arguments);
            }
            continue;
        }
        segment.replays_share_arguments = true;
        for (const size_t place : segment.steps)
            parts.push_back({.command = steps_[place].work.command, .after_all = steps_[place].after_all});
    }
    for (const Segment& segment : segments_) {
        Replay::Group& group = made->groups[segment.group];
        for (const size_t place : segment.steps) {
            const Command& command = *steps_[place].work.command;
            group.uses_host_memory |= command.uses_host_memory;
            group.waits |= command.waits;
            group.reads_shared |= command.reads_shared;
            group.writes_shared |= command.writes_shared;
            group.prints |= command.prints;
        }
    }
    return made;
}

std::shared_ptr<const Replay> _cl_command_buffer_khr::replay() {
    const std::lock_guard lock(mutex_);
    require(is_final_ && lacking_ == 0, CL_INVALID_OPERATION);
    for (Segment& segment : segments_)
        if (segment.spares_keep_some) let_go(segment);
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

/// Whether no replay has the segment's sequence that waits or runs.
bool _cl_command_buffer_khr::is_idle(const Segment& segment) const {
    const long own = replay_ ? 1 : 0;
    return is_shared_by(segment.sequence, 1 + own) && (!replay_ || is_shared_by(replay_, 1));
}

/// The spare sequence that has been one for the longest time, with all changes. A new one if replays still
/// have that. Null if there are too many.
std::shared_ptr<runtime::LaunchSequence> _cl_command_buffer_khr::take_spare(Segment& segment) {
    if (segment.spares.empty() || !is_shared_by(segment.spares.front().sequence, 1))
        return segment.spares.size() < kMostSpares ? record(segment) : nullptr;
    const Spare spare = std::move(segment.spares.front());
    segment.spares.pop_front();
    (void)spare.sequence->take_held();
    for (const size_t place : segment.steps) {
        const Step& step = steps_[place];
        if (step.latest_change <= spare.latest_change) continue;
        for (cl_uint index = 0; index < step.changes.size(); ++index)
            if (step.changes[index] > spare.latest_change)
                spare.sequence->store_argument(
                    step.item, step.work.arguments->kernels[queues[step.queue]->place], index);
    }
    return spare.sequence;
}

/// A replay that waits may look at arguments of its launches, which stay as they are then: at images, and at
/// all that was not recorded.
bool _cl_command_buffer_khr::make_writable(const MutableCommand& launch) {
    const Step& step = steps_[launch.step];
    Segment& segment = segments_[step.segment];
    const bool may_be_read = segment.replays_share_arguments || has_images(*step.work.arguments);
    if (may_be_read && !is_idle()) return false;
    segment.replays_share_arguments = false;
    if (is_idle(segment)) return true;
    std::shared_ptr<runtime::LaunchSequence> next = take_spare(segment);
    if (!next || !next->stores_arguments(step.item)) return false;
    segment.sequence->hold(next->held());
    segment.spares.push_back({segment.sequence, change_count_});
    segment.sequence = std::move(next);
    replay_ = nullptr;
    return true;
}

/// The segment forgets its sequences. For their replays, the last one keeps what arguments of the launches
/// point to now.
void _cl_command_buffer_khr::drop_sequences(Segment& segment) {
    for (const size_t place : segment.steps)
        if (segment.sequence && steps_[place].stores_arguments && steps_[place].work.arguments)
            for (const Arguments::BufferArgument& buffer : steps_[place].work.arguments->buffers)
                if (buffer.storage) segment.sequence->hold(buffer.storage);
    segment.spares.clear();
    segment.sequence = nullptr;
}

void _cl_command_buffer_khr::hold_argument(const MutableCommand& launch, cl_uint index) {
    const Step& step = steps_[launch.step];
    const std::shared_ptr<Storage>& storage = step.work.arguments->buffers[index].storage;
    Segment& segment = segments_[step.segment];
    if (!storage || segment.spares.empty()) return;
    segment.spares.back().sequence->hold(storage);
    segment.spares_keep_some = true;
}

/// Drops what no replay needs any more.
void _cl_command_buffer_khr::let_go(Segment& segment) {
    for (const Spare& spare : segment.spares) {
        if (!is_shared_by(spare.sequence, 1)) return;
        (void)spare.sequence->take_held();
    }
    segment.spares_keep_some = false;
}

void _cl_command_buffer_khr::note_stored(const MutableCommand& launch, cl_uint index) {
    Step& step = steps_[launch.step];
    if (segments_[step.segment].spares.empty()) return;
    step.changes.resize(step.work.arguments->buffers.size());
    step.changes[index] = step.latest_change = ++change_count_;
}

_cl_command_buffer_khr::Recorded _cl_command_buffer_khr::recorded(const MutableCommand& launch) const {
    const Step& step = steps_[launch.step];
    const Segment& segment = segments_[step.segment];
    if (!segment.sequence || !segment.sequence->stores_arguments(step.item)) return {};
    return {segment.sequence.get(), step.item};
}

void _cl_command_buffer_khr::apply(std::vector<Change> changes) {
    std::vector<size_t> to_divide;
    for (const Change& change : changes) {
        Step& step = steps_[change.launch->step];
        drop_sequences(segments_[step.segment]);
        if (!std::exchange(step.was_recorded_again, true)) to_divide.push_back(step.segment);
    }
    for (Change& change : changes) {
        Step& step = steps_[change.launch->step];
        lacking_ += size_t{!change.work.command} - size_t{!step.work.command};
        step.work = std::move(change.work);
        change.launch->settings = std::move(change.settings);
    }
    if (!changes.empty()) replay_ = nullptr;
    if (!to_divide.empty()) divide_again(std::move(to_divide));
}

LaunchSettings _cl_command_buffer_khr::settings(const MutableCommand& launch) const {
    const std::lock_guard lock(mutex_);
    return launch.settings;
}

namespace caldera::icd {

std::vector<Ref<CommandQueue>> checked_queues(cl_uint count, const cl_command_queue* list) {
    require(count != 0 && list, CL_INVALID_VALUE);
    std::vector<Ref<CommandQueue>> queues;
    for (CommandQueue* each : std::span(list, count)) {
        CommandQueue& queue = checked(each);
        require(!queue.device_queue, CL_INVALID_COMMAND_QUEUE);
        queues.emplace_back(&queue);
    }
    for (const Ref<CommandQueue>& queue : queues)
        require(queue->context == queues[0]->context, CL_INVALID_CONTEXT);
    return queues;
}

/// One queue, and the queues of one device, may wait for each other without the host.
void check_sync(cl_command_buffer_flags_khr flags, std::span<const Ref<CommandQueue>> queues) {
    if (!(flags & CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR) || queues.size() == 1) return;
    Device& device = queues[0]->device();
    for (const Ref<CommandQueue>& queue : queues)
        require(&queue->device() == &device, CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
    require(syncs_queues(device), CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
}

namespace {

constexpr cl_command_buffer_flags_khr kFlags = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR |
                                               CL_COMMAND_BUFFER_MUTABLE_KHR |
                                               CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;

CommandBuffer* create(cl_uint queue_count, const cl_command_queue* queues,
                      const cl_command_buffer_properties_khr* properties) {
    auto buffer = std::make_unique<CommandBuffer>(checked_queues(queue_count, queues));
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
    require(!(buffer->flags & ~kFlags), CL_INVALID_VALUE);
    require(!(buffer->asserts & ~cl_bitfield{CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR}),
            CL_INVALID_VALUE);
    check_sync(buffer->flags, buffer->queues);
    buffer->given_properties = given;
    return buffer.release();
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

cl_int CL_API_CALL GetCommandBufferInfoKHR(cl_command_buffer_khr handle, cl_command_buffer_info_khr name,
                                           size_t size, void* value, size_t* size_ret) {
    return entry([&] {
        const CommandBuffer& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_COMMAND_BUFFER_QUEUES_KHR: {
                std::vector<cl_command_queue> list;
                for (const Ref<CommandQueue>& queue : self.queues) list.push_back(queue.get());
                return answer.put_all(list);
            }
            case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
                return answer.put(static_cast<cl_uint>(self.queues.size()));
            case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: return answer.put(self.references());
            case CL_COMMAND_BUFFER_STATE_KHR: return answer.put(self.state());
            case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: return answer.put_all(self.given_properties);
            case CL_COMMAND_BUFFER_CONTEXT_KHR: return answer.put<cl_context>(&self.context());
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
