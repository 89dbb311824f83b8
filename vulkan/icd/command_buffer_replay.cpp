// SPDX-License-Identifier: Apache-2.0
// How command-buffers are enqueued. Each group of commands is a command of its queue. Events order the
// groups, so that the device waits where it can, and otherwise the host. One event is the end of all groups.
#include <span>

#include "vulkan/icd/command_buffer.h"
#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/image_lock.h"
#include "vulkan/icd/launch_images.h"
#include "vulkan/icd/transfer.h"

namespace caldera::icd {
namespace {

constexpr cl_command_queue_properties kSupportedQueues =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// The queues that replay the command-buffer.
std::vector<Ref<CommandQueue>> replaying_queues(const CommandBuffer& buffer, cl_uint count,
                                                const cl_command_queue* list) {
    require((count == 0) == (list == nullptr), CL_INVALID_VALUE);
    require(count == 0 || count == buffer.queues.size(), CL_INVALID_VALUE);
    if (count == 0) return buffer.queues;
    std::vector<Ref<CommandQueue>> queues;
    for (CommandQueue* each : std::span(list, count)) queues.emplace_back(&checked(each));
    const auto require_of_all = [&](const auto& is_right, cl_int code) {
        for (size_t i = 0; i < queues.size(); ++i) require(is_right(*queues[i], *buffer.queues[i]), code);
    };
    require_of_all([](const CommandQueue& queue,
                      const CommandQueue&) { return !(queue.properties & ~kSupportedQueues); },
                   CL_INCOMPATIBLE_COMMAND_QUEUE_KHR);
    require_of_all([](const CommandQueue& queue,
                      const CommandQueue& of_it) { return &queue.device() == &of_it.device(); },
                   CL_INVALID_DEVICE);
    require_of_all(
        [](const CommandQueue& queue, const CommandQueue& of_it) { return queue.context == of_it.context; },
        CL_INVALID_CONTEXT);
    return queues;
}

/// Recorded commands know no textures. They exist in contexts with one device.
constexpr size_t kPlace = 0;

/// The images that the part's sequences use.
std::vector<Storage*> images_of(const Replay::Part& part) {
    std::vector<Storage*> images;
    for (const auto& transfer : part.transfers) {
        images.push_back(transfer->from.get());
        images.push_back(transfer->to.get());
    }
    for (const auto& arguments : part.launches) {
        const std::vector<Storage*> more = image_storages(*arguments);
        images.insert(images.end(), more.begin(), more.end());
    }
    return images;
}

/// What the queue gets next runs the part's sequences.
void begin_uses(const Replay::Part& part, runtime::Queue& queue) {
    for (const auto& transfer : part.transfers) {
        if (transfer->from) transfer->from->newest_on(kPlace, queue, {.are_written = false});
        transfer->to->newest_on(kPlace, queue);
    }
    for (const auto& arguments : part.launches)
        begin_uses(*arguments, arguments->kernels[kPlace].interface(), kPlace, queue);
}

/// The queue has got them.
void end_uses(const Replay::Part& part, runtime::Queue& queue) {
    for (const auto& transfer : part.transfers) transfer->to->end_write(kPlace, queue);
    for (const auto& arguments : part.launches)
        end_uses(*arguments, arguments->kernels[kPlace].interface(), kPlace, queue);
}

/// Records what a queue gets of a replay. The event is complete when all parts are, and its time is that of
/// all of them. If one of them waits for the device, then this does so too, because such a command ends when
/// it has been recorded.
runtime::Event record(const std::shared_ptr<const Replay>& replay, const Replay::Group& group,
                      runtime::Queue& queue) {
    if (group.parts.empty()) return record_nothing(queue);
    runtime::Event first, last;
    for (const Replay::Part& part : group.parts) {
        if (part.after_all) queue.order();
        const ImageLock lock(images_of(part));
        begin_uses(part, queue);
        last = part.command ? part.command->record(queue) : take(queue.run(part.sequences));
        end_uses(part, queue);
        queue.keep(replay);
        if (&part == &group.parts.front()) first = last;
    }
    if (group.waits) take(queue.wait(queue.so_far()));
    if (group.parts.size() == 1) return last;
    if (!queue.times_commands()) return queue.so_far();
    queue.order();
    return take(queue.marker()).timed_from(first);
}

/// What a queue gets of a replay.
Command command_of(const std::shared_ptr<const Replay>& replay, const Replay::Group& group,
                   const Context& context) {
    return {.type = CL_COMMAND_COMMAND_BUFFER_KHR,
            .record = [replay, &group](runtime::Queue& queue) { return record(replay, group, queue); },
            .uses_host_memory = group.uses_host_memory,
            .waits = group.waits,
            // kernels find shared memory through pointers, also what was allocated after they were recorded
            .reads_shared = group.reads_shared || context.shares_memory(),
            .writes_shared = group.writes_shared || context.shares_memory(),
            .prints = group.prints};
}

/// Enqueues the replay behind those that another queue has. Each queue keeps the order of its own. Functions
/// of the program, which may replay the command-buffer too, are called when its lock is free.
void enqueue_in_turn(CommandBuffer& buffer, CommandQueue& queue, Command command, cl_uint wait_count,
                     const cl_event* wait_list, cl_event* event) {
    (void)checked_wait_list(*queue.context, wait_count, wait_list);
    std::vector<cl_event> list(wait_list, wait_list + wait_count);
    queue.make_room_for(command);
    Ref<CommandQueue> last(&queue);
    Ref<Event> before;
    Progress follows;
    const std::lock_guard lock(buffer.latest_replay.mutex);
    CommandQueue* const latest = buffer.latest_replay.queue.get();
    if (latest && latest != &queue) {
        latest->enqueue(nothing(CL_COMMAND_MARKER), 0, nullptr, &list.emplace_back(),
                        {.after_all = true, .follows = &follows});
        before = Ref<Event>::adopt(list.back());
        latest->flush();
    }
    queue.enqueue(std::move(command), static_cast<cl_uint>(list.size()), list.empty() ? nullptr : list.data(),
                  event, {.follows = &follows});
    std::swap(last, buffer.latest_replay.queue);  // the earlier one goes when the lock is free
}

/// Enqueues the groups of a replay, each in its queue. Returns the event of all. Without simultaneous use, a
/// replay waits for the one before it: in-order queues promise this, but each only for its own commands.
/// Functions of the program are called when the lock is free, as above.
Ref<Event> enqueue_groups(CommandBuffer& buffer, const std::shared_ptr<const Replay>& replay,
                          std::span<const Ref<CommandQueue>> queues, cl_uint wait_count,
                          const cl_event* wait_list) {
    Context& context = buffer.context();
    (void)checked_wait_list(context, wait_count, wait_list);
    const auto whole = Ref<Event>::adopt(
        new Event(context, CL_COMMAND_COMMAND_BUFFER_KHR, static_cast<uint32_t>(replay->groups.size())));
    std::vector<Command> commands;
    for (const Replay::Group& group : replay->groups) {
        commands.push_back(command_of(replay, group, context));
        queues[group.queue]->make_room_for(commands.back());
    }
    std::vector<Event::Part> parts;
    parts.reserve(replay->groups.size());
    std::vector<Ref<Event>> before;
    Ref<Event> latest = whole;
    Progress follows;
    const std::lock_guard lock(buffer.latest_replay.mutex);
    const Ref<Event>& last = buffer.latest_replay.whole;
    if (!(buffer.flags & CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR) && last) add_awaited(before, *last);
    for (size_t i = 0; i < commands.size(); ++i) {
        const Replay::Group& group = replay->groups[i];
        std::vector<cl_event> after;
        for (const size_t each : group.after) after.push_back(parts[each].event.get());
        const bool is_first = after.empty();
        if (is_first) after.assign(wait_list, wait_list + wait_count);
        cl_event made = nullptr;
        CommandQueue::How how{.whole = whole.get(), .follows = &follows};
        if (is_first) how.after = before;
        queues[group.queue]->enqueue(std::move(commands[i]), static_cast<cl_uint>(after.size()),
                                     after.empty() ? nullptr : after.data(), &made, how);
        parts.push_back({Ref<Event>::adopt(made), group.is_last});
    }
    whole->parts = std::move(parts);
    std::swap(latest, buffer.latest_replay.whole);  // the earlier one goes when the lock is free
    return whole;
}

}  // namespace

cl_int CL_API_CALL EnqueueCommandBufferKHR(cl_uint queue_count, cl_command_queue* queues,
                                           cl_command_buffer_khr handle, cl_uint wait_count,
                                           const cl_event* wait_list, cl_event* event) {
    return entry([&] {
        CommandBuffer& buffer = checked(handle);
        const std::shared_ptr<const Replay> replay = buffer.replay();
        const std::vector<Ref<CommandQueue>> in = replaying_queues(buffer, queue_count, queues);
        if (in.size() > 1) {
            const Ref<Event> whole = enqueue_groups(buffer, replay, in, wait_count, wait_list);
            if (event) *event = give(whole);
            return;
        }
        CommandQueue& queue = *in[0];
        Command command = command_of(replay, replay->groups[0], buffer.context());
        if (queue.opened().profile().quirks.mixes_up_secondaries && !replay->sequences.empty())
            return enqueue_in_turn(buffer, queue, std::move(command), wait_count, wait_list, event);
        queue.enqueue(std::move(command), wait_count, wait_list, event);
    });
}

}  // namespace caldera::icd
