// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/queue.h"

#include <algorithm>
#include <utility>

#include "spirv/support/threads.h"
#include "vulkan/icd/loans.h"
#include "vulkan/icd/unload.h"

using namespace caldera;
using namespace caldera::icd;

namespace {

// from this number on, a queue checks for completion itself, even if nobody waits
constexpr size_t kManyRecorded = 1024;
/// Who enqueues more waits: each takes about 1 KB. It is so many that the device does not become idle.
constexpr size_t kMostUnfinished = 8192;

/// Printf's buffer is as large as the program wants, if kernels can have it.
runtime::QueueOptions options_of(const Context& context, const runtime::Device& device,
                                 cl_command_queue_properties properties, PrintedText& printed) {
    const uint64_t most = std::min({runtime::kMostPrintfBytes, device.max_allocation_bytes(),
                                    uint64_t{device.limits().maxStorageBufferRange}});
    const uint64_t wanted = std::min<uint64_t>(context.printing.buffer_bytes, most / 4 * 4);
    runtime::QueueOptions options{.in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                  .timestamps = bool(properties & CL_QUEUE_PROFILING_ENABLE),
                                  .printf_bytes = (wanted + 3) / 4 * 4,
                                  .gives_up = &process_ends()};
    if (context.printing.function)
        options.print = [&printed](const runtime::Printed& piece) { printed.add(piece); };
    return options;
}

}  // namespace

_cl_command_queue::_cl_command_queue(Context& its_context, size_t its_place,
                                     cl_command_queue_properties its_properties)
    : context(Ref<Context>(&its_context)),
      place(its_place),
      properties(its_properties),
      runtime_(take(runtime::Queue::create(opened(), options_of(*context, opened(), properties, printed_)))) {
    const std::lock_guard lock(context->mutex);
    context->queues.push_back({this, place, runtime_.get()});
}

_cl_command_queue::_cl_command_queue(Context& its_context, size_t its_place,
                                     cl_command_queue_properties its_properties, cl_uint its_size_bytes)
    : context(Ref<Context>(&its_context)),
      place(its_place),
      properties(its_properties),
      device_queue(take(runtime::DeviceQueue::create(
          opened(), {.size_bytes = std::max(its_size_bytes, kLeastDeviceQueueBytes),
                     .max_events = kMaxDeviceEvents,
                     .is_default = bool(its_properties & CL_QUEUE_ON_DEVICE_DEFAULT)}))),
      size_bytes(its_size_bytes) {}

_cl_command_queue::~_cl_command_queue() {
    stop(watcher_);
    stop(recorder_);
    const std::lock_guard lock(context->mutex);
    std::erase_if(context->queues, [this](const auto& queue) { return queue.handle == this; });
}

/// Commands continue after the program has released its queue (clReleaseCommandQueue), and no other thread
/// checks for their completion.
void _cl_command_queue::on_last_release() {
    if (device_queue) {
        const std::lock_guard lock(context->mutex);
        cl_command_queue& default_queue = context->places[place].default_device_queue;
        // Another thread may have retained it meanwhile, by a request for the default queue.
        if (default_queue == this && references() == 0) default_queue = nullptr;
        return;
    }
    bool has_commands = false;
    {
        const std::lock_guard lock(mutex_);
        is_released_ = true;
        has_commands = !recorded_.empty();
    }
    entry([&] { (void)runtime_->flush(); });
    if (has_commands) watch();
}

std::optional<Reached> _cl_command_queue::until_written(cl_bool blocking) const {
    if (!blocking) return std::nullopt;
    const std::lock_guard lock(context->mutex);
    return is_in_order() && context->queues.size() == 1 ? Reached::Recorded : Reached::Complete;
}

// ---- From the program to the device ----

Reached _cl_command_queue::needed(const _cl_event& dependency, const Command& command) const {
    if (!dependency.queue) return Reached::Complete;
    if (&dependency.queue->device() != &device()) return Reached::Complete;
    return (dependency.hazards & command.heeds()).any() ? Reached::Complete : Reached::Recorded;
}

/// The hazards that the next command of the queue finds before it: out of order, behind the latest barrier.
Hazards _cl_command_queue::hazards_before() const {
    Hazards before;
    for (size_t i = 0; i < kHazards; ++i) before.set(i, hazardous_[i].last && !hazardous_[i].last->is_over());
    return before;
}

/// The next command's Event::ends. It is recorded when what it heeds is over, so what follows it need not
/// look further back.
Hazards _cl_command_queue::ends_of(const Command& command, std::span<const EventRef> wait_list,
                                   const How& how) const {
    Hazards before;
    for (const EventRef& event : wait_list)
        if (!event->is_over()) before |= event->hazards;
    if (!is_in_order() && how.after_all)
        for (size_t i = 0; i < kHazards; ++i)
            if (hazardous_[i].count != 0) before.set(i);
    return command.hazards() | (before & ~command.heeds());
}

/// Makes the commands that follow the event in its queue find the hazards that it ends.
void _cl_command_queue::note_hazards(const EventRef& event, const How& how) {
    for (size_t i = 0; i < kHazards; ++i) {
        if (!event->ends[i]) continue;
        ++hazardous_[i].count;
        if (!is_in_order() && !how.before_all) continue;
        EventRef before = std::exchange(hazardous_[i].last, event);
        if (!event->has(Reached::Recorded)) event->before[i] = std::move(before);
    }
}

/// The event is over. The caller keeps it alive.
void _cl_command_queue::forget_hazards(const _cl_event& event) {
    for (size_t i = 0; i < kHazards; ++i) {
        if (!event.ends[i]) continue;
        --hazardous_[i].count;
        if (hazardous_[i].last.get() == &event) hazardous_[i].last = {};
    }
}

/// A pending event fails before what precedes it is over. What waits for its end because of a hazard now
/// waits for the one before it that ends the same. The caller drops `dropped` when it holds no lock.
void _cl_command_queue::skip_hazards(_cl_event& failed, Hazardous::Before& dropped,
                                     Progress& progress) noexcept {
    for (size_t i = 0; i < kHazards; ++i) {
        if (!failed.ends[i]) continue;
        EventRef before = failed.before[i];
        while (before && before->status() < 0) before = EventRef(before->before[i]);
        dropped[i] = std::exchange(failed.before[i], before);
        if (before && before->is_over()) before = {};
        if (hazardous_[i].last.get() == &failed) hazardous_[i].last = before;
        if (!before) continue;
        {
            const std::lock_guard lock(context->graph);
            for (auto next = failed.dependents.begin(); next != failed.dependents.end();) {
                const auto dependent = next++;
                if (dependent->hazards[i] && !before->is_over())
                    before->dependents.splice(before->dependents.end(), failed.dependents, dependent);
            }
        }
        progress.look_at(*before);
    }
}

bool _cl_command_queue::must_wait(const Command& command, std::span<const EventRef> wait_list,
                                  const How& how) {
    const auto is_open = [&](const EventRef& event) { return !event->has(needed(*event, command)); };
    const auto may_fail = wait_list.first(wait_list.size() - how.after.size());
    if (std::ranges::any_of(may_fail, [](const EventRef& event) { return event->status() < 0; })) return true;
    if (std::ranges::any_of(wait_list, is_open)) return true;
    if (is_in_order() || how.after_all ? !pending_.empty() : bool(barrier_)) return true;
    return (hazards_before() & command.heeds()).any();
}

/// Adds the command to the pending ones, and registers it with all events that it waits for. Returns false if
/// there is nothing to wait for. Steps that need memory come first, so that either all is done or nothing.
bool _cl_command_queue::suspend(std::list<EventRef>& node, std::span<const EventRef> wait_list,
                                const How& how) {
    const EventRef event = node.front();
    const std::lock_guard lock(context->graph);
    event->wait_list.assign(wait_list.begin(), wait_list.end());
    struct Wait {
        EventRef dependency = {};
        std::list<_cl_event::Dependent> dependent = {};
    };
    std::list<Wait> waits;
    const auto wait = [&](const EventRef& dependency, Reached at, bool fails_with_it, Hazards hazards = {}) {
        if (dependency->has(at)) return;
        waits.push_back({dependency, {{event, at, fails_with_it, hazards}}});
        // Chains of pending commands stay short: each has what the first one waits for.
        const std::vector<EventRef>& behind = dependency->behind_program;
        if (dependency->is_user_event() || behind.size() > 1)
            event->behind_program.push_back(dependency);
        else if (!behind.empty())
            event->behind_program.push_back(behind.front());
    };
    for (size_t i = 0; i < wait_list.size(); ++i) {
        const EventRef& dependency = wait_list[i];
        const bool fails_with_it = i < wait_list.size() - how.after.size();
        if (fails_with_it && dependency->status() < 0) event->has_failed_dependency = true;
        wait(dependency, needed(*dependency, event->command), fails_with_it);
    }
    if (is_in_order()) {
        // Each pending command waits for the one before it, so waiting for the last one is enough.
        if (!pending_.empty()) wait(pending_.back(), Reached::Recorded, false);
    } else if (how.after_all) {
        // The latest such command waits for those before it, and the device runs this one after it.
        for (auto before = pending_.rbegin(); before != pending_.rend(); ++before) {
            wait(*before, Reached::Recorded, false);
            if ((*before)->follows_all) break;
        }
    } else if (barrier_) {
        wait(barrier_, Reached::Recorded, false);
    }
    const Hazards heeded = event->command.heeds();
    for (size_t i = 0; i < kHazards; ++i)
        if (heeded[i] && hazardous_[i].last)
            wait(hazardous_[i].last, Reached::Complete, false, Hazards().set(i));
    for (Wait& each : waits) {
        std::list<_cl_event::Dependent>& dependents = each.dependency->dependents;
        dependents.splice(dependents.end(), each.dependent);
        ++event->unresolved;
    }
    if (how.before_all) barrier_ = event;
    event->place = node.begin();
    pending_.splice(pending_.end(), node);
    return !waits.empty();
}

/// Makes the device run commands after those in the wait list that have been recorded.
void _cl_command_queue::follow(std::span<const EventRef> wait_list) {
    for (const EventRef& event : wait_list) {
        const bool is_ordered = event->queue.get() == this && is_in_order();
        if (event->queue && !is_ordered && !event->is_over())
            take(runtime_->wait_for(*event->queue->runtime_, event->recorded));
    }
}

runtime::Event _cl_command_queue::record_now(Command& command) {
    // No other device may move the bytes away between the move to this device and the command's recording.
    std::unique_lock<std::mutex> lock;
    if (context->places.size() > 1) {
        lock = std::unique_lock(context->moving);
        context->end_loans_of_others(place);
    }
    Loans loans;
    const runtime::Event recorded = command.record(*runtime_);
    if (loans.waits_for_device()) take(runtime_->finish());
    loans.give_back();
    command.record = nullptr;
    command.instead = nullptr;
    return recorded;
}

void _cl_command_queue::record(_cl_event& event, std::vector<EventRef> wait_list) {
    follow(wait_list);
    event.submitted_ns = runtime::steady_ns();
    event.recorded = record_now(event.command);
    if (event.command.waits) event.returned_ns = runtime::steady_ns();
    event.wait_list = std::move(wait_list);
}

void _cl_command_queue::make_room_for(const Command& command) noexcept {
    if (command.heeds().any() || command.afterwards) progress();
    make_room();
}

/// Waits, while no lock is held, for the device to have less of the queue and for events that nobody waits
/// for to end. What waits for the program is not waited for: pending commands, functions of the program that
/// other threads call, and a device that is held up. If waiting fails, recording the next command says so.
void _cl_command_queue::make_room() noexcept {
    entry([&] { (void)runtime_->make_room(); });
    for (EventRef before;;) {
        EventRef first;
        bool is_full = false;
        {
            const std::lock_guard lock(mutex_);
            is_full = recorded_.size() + pending_.size() >= kMostUnfinished && !recorded_.empty();
            if (!is_full && recorded_.size() < kManyRecorded) return;
            first = recorded_.front();
        }
        if (!is_full) return (void)progress();
        if (first == before || runtime_->is_held_up()) return;
        wait_on_device(first->recorded);
        progress();
        before = std::move(first);
    }
}

void _cl_command_queue::enqueue(Command command, cl_uint wait_count, const cl_event* wait_list,
                                cl_event* event_ret, How how) {
    require(!device_queue, CL_INVALID_COMMAND_QUEUE);
    std::vector<EventRef> waits = checked_wait_list(*context, wait_count, wait_list);
    waits.insert(waits.end(), how.after.begin(), how.after.end());
    command.ends_unwatched |= command.prints;
    if (command.prints && context->printing.function)
        command.program_function = [this] { printed_.pass_on(context->printing); };
    if (!how.follows) make_room_for(command);
    EventRef event;
    {
        Progress own;
        Progress& follows = how.follows ? *how.follows : own;
        const std::lock_guard lock(mutex_);
        const bool suspends = command.waits || must_wait(command, waits, how), is_awaited = bool(how.until);
        const Hazards ends = ends_of(command, waits, how);
        const bool needs_event =
            suspends || event_ret || how.until || how.whole || ends.any() || command.ends_unwatched;
        std::list<EventRef> node;
        if (needs_event) {
            const Hazards passed_on = hazards_before() & ~command.heeds();
            event = EventRef::adopt(new _cl_event(*this, std::move(command)));
            event->ends = ends;
            event->hazards = ends | passed_on;
            event->follows_all = is_in_order() || how.after_all;
            event->precedes_all = how.before_all;
            event->whole = EventRef(how.whole);
            node.push_back(event);
        }
        if (suspends) {
            std::list<_cl_event::Dependent> ready = {{.event = event}};
            if (suspend(node, waits, how)) {
                for (const EventRef& dependency : waits)
                    if (dependency->queue) follows.add_watched(dependency->queue);
                if (!recorded_.empty()) follows.add_watched(Ref<CommandQueue>(this));
            } else {
                event->is_recorded_by_call = is_awaited;
                follows.add_ready(ready);
            }
        } else if (event) {
            record(*event, waits);
            recorded_.splice(recorded_.end(), node);
            follows.settle(*event, CL_SUBMITTED);
            if (event->command.ends_unwatched) follows.add_watched(Ref<CommandQueue>(this));
        } else {
            follow(waits);
            record_now(command);
        }
        if (event) note_hazards(event, how);
    }
    if (how.until && !(how.returns_early && waits_for_program(*event))) {
        const cl_int status = wait_for(*event, *how.until);
        require(status >= 0, status);
    }
    if (event_ret) *event_ret = give(event);
}

/// A command that waits for the device does not block the queue for other threads: commands that must come
/// after it become pending.
void _cl_command_queue::record_pending(const EventRef& event, Progress& progress) noexcept {
    Hazardous::Before dropped;
    std::vector<EventRef> behind;
    std::unique_lock lock(mutex_, std::defer_lock);
    if (!event->command.waits) lock.lock();
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (!event->has_failed_dependency) status = entry([&] { record(*event, event->wait_list); });
    if (!lock) lock.lock();
    if (status == CL_SUCCESS) {
        recorded_.splice(recorded_.end(), pending_, event->place);
        event->before.swap(dropped);
        status = CL_SUBMITTED;
    } else {
        pending_.erase(event->place);
        if (event->command.instead) entry(event->command.instead);
        event->command.instead = nullptr;
    }
    if (barrier_ == event) barrier_ = {};
    if (status != CL_SUBMITTED) event->wait_list.clear();
    if (status != CL_SUBMITTED) skip_hazards(*event, dropped, progress);
    {
        const std::lock_guard graph(context->graph);
        behind.swap(event->behind_program);
    }
    progress.settle(*event, status);
    if (status != CL_SUBMITTED) forget_hazards(*event);
    if (is_released_ || event->command.ends_unwatched) progress.add_watched(Ref<CommandQueue>(this));
    // The program may look at memory, and call nothing any more that would submit it.
    const bool is_wanted = std::exchange(event->is_flushed, false);
    lock.unlock();
    if (status != CL_SUBMITTED) event->forget_others();
    if (is_wanted) entry([&] { take(runtime_->flush()); });
}

/// Pending commands are submitted as soon as they are recorded (OpenCL API 5.15).
void _cl_command_queue::flush() {
    require(!device_queue, CL_INVALID_COMMAND_QUEUE);
    {
        const std::lock_guard lock(mutex_);
        if (is_in_order() && !pending_.empty()) pending_.back()->is_flushed = true;
        if (!is_in_order())
            for (const EventRef& event : pending_) event->is_flushed = true;
    }
    take(runtime_->flush());
}

void _cl_command_queue::finish() {
    require(!device_queue, CL_INVALID_COMMAND_QUEUE);
    // Other threads may enqueue meanwhile; this does not wait for that (OpenCL API 5.15).
    std::vector<EventRef> queued;
    {
        const std::lock_guard lock(mutex_);
        const auto first = is_in_order() && !pending_.empty() ? std::prev(pending_.end()) : pending_.begin();
        queued.assign(first, pending_.end());
    }
    for (const EventRef& event : queued) wait_for(*event);
    take(runtime_->finish());
    // A command may have to end after one of another queue that the device does not have yet, or after a
    // function of the program that another thread calls.
    for (EventRef other = progress(); other; other = progress()) {
        if (other->queue->wait_for_call(*other) || other->is_over()) continue;
        if (other->queue.get() == this) return;
        other->queue->wait_on_device(other->recorded);
    }
}

void _cl_command_queue::call_when_over(Event::Callback function, void* user_data) {
    cl_event handle = nullptr;
    enqueue({.type = CL_COMMAND_MARKER, .record = [](runtime::Queue& queue) { return queue.so_far(); }}, 0,
            nullptr, &handle, {.after_all = true});
    const EventRef event(handle);
    handle->release();
    progress();  // they are often over already, so no thread needs to poll
    add_callback(*event, {function, CL_COMPLETE, user_data});
}

void caldera::icd::keep_while_busy(Context& context, const std::shared_ptr<const void>& kept) noexcept {
    entry([&] {
        std::vector<Ref<CommandQueue>> queues;
        {
            const std::lock_guard lock(context.mutex);
            queues.reserve(context.queues.size());
            for (const Context::HostQueue& queue : context.queues)
                if (Ref<CommandQueue> owned = Ref<CommandQueue>::if_owned(queue.handle))
                    queues.push_back(std::move(owned));
        }
        using Kept = std::shared_ptr<const void>;
        for (const Ref<CommandQueue>& queue : queues) {
            auto own = std::make_unique<Kept>(kept);
            queue->call_when_over(
                [](cl_event, cl_int, void* user_data) { delete static_cast<Kept*>(user_data); }, own.get());
            own.release();
        }
    });
}

// ---- From the device to the program ----

void _cl_command_queue::wait_on_device(const runtime::Event& recorded) noexcept {
    entry([&] { (void)runtime_->wait(recorded); });  // progress() handles errors
}

/// Waits while another thread calls the program's function of the command. Returns false if none does.
bool _cl_command_queue::wait_for_call(const _cl_event& event) noexcept {
    std::unique_lock lock(finishing_);
    const auto is_called = [&] { return called_.get() == &event && caller_ != std::this_thread::get_id(); };
    if (!is_called()) return false;
    call_is_over_.wait(lock, [&] { return !is_called(); });
    return true;
}

void _cl_command_queue::wait_recorded(const _cl_event& event) noexcept {
    wait_on_device(event.recorded);
    const EventRef unfinished = progress();
    if (!unfinished || event.is_over()) return;
    CommandQueue& its_queue = *unfinished->queue;
    if (!its_queue.wait_for_call(*unfinished)) its_queue.wait_on_device(unfinished->recorded);
}

/// Moves the first recorded command to `over` if the device has completed it. Otherwise `awaited` is that
/// command, or an event of another queue that must end first. A command that calls a function of the program
/// stays the first one until that returns.
_cl_command_queue::Next _cl_command_queue::next_complete(std::list<EventRef>& over, cl_int& status,
                                                         EventRef& awaited) {
    const std::lock_guard lock(mutex_);
    awaited = {};
    if (recorded_.empty()) return Next::None;
    const EventRef& event = recorded_.front();
    bool is_complete = false;
    const cl_int code = entry([&] { is_complete = take(runtime_->is_complete(event->recorded)); });
    if (code == CL_SUCCESS && !is_complete) {
        awaited = event;
        return Next::None;
    }
    status = code == CL_SUCCESS ? CL_COMPLETE : code;
    const auto is_open = [](const EventRef& before) { return before->queue && !before->is_over(); };
    const auto open = std::ranges::find_if(event->wait_list, is_open);
    if (status == CL_COMPLETE && open != event->wait_list.end()) {
        awaited = *open;
        return Next::Follows;
    }
    if (event->command.program_function && status == CL_COMPLETE) {
        awaited = event;
        return Next::Calls;
    }
    over.splice(over.end(), recorded_, recorded_.begin());
    return Next::Complete;
}

/// Sets when a command ran: not before it was submitted, nor before the end of what it follows. After a new
/// comparison of the clocks, the times could otherwise contradict this. The duration is exactly the device's.
void _cl_command_queue::set_times(_cl_event& event) {
    uint64_t first = std::max(event.submitted_ns, event.follows_all ? latest_end_ns_ : barrier_end_ns_);
    for (const EventRef& before : event.wait_list)
        if (before->is_over()) first = std::max(first, before->ended_ns);
    const std::optional<runtime::Timing> timing = event.recorded.timing();
    const bool by_host = event.command.is_host_work || event.returned_ns != 0 || !timing;
    event.started_ns = by_host ? first : std::max(first, timing->start_ns);
    event.ended_ns = by_host ? std::max(first, event.returned_ns ? event.returned_ns : runtime::steady_ns())
                             : event.started_ns + timing->duration_ns();
    latest_end_ns_ = std::max(latest_end_ns_, event.ended_ns);
    if (event.precedes_all) barrier_end_ns_ = event.ended_ns;
}

/// Does the rest of a command's work, whose afterwards() has run.
void _cl_command_queue::settle(_cl_event& event, cl_int status, Progress& follows) {
    set_times(event);
    follows.settle(event, status);
    if (event.ends.any()) {
        const std::lock_guard lock(mutex_);
        forget_hazards(event);
    }
    event.command.afterwards = nullptr;
    event.command.program_function = nullptr;
}

/// Ends the commands that the device has completed, in order, up to the first that it has not, that follows
/// an event of another queue, or whose function another thread calls. Returns that command or event.
_cl_command_queue::EventRef _cl_command_queue::end_complete(Next& next) noexcept {
    next = Next::None;
    for (;;) {
        std::list<EventRef> over;  // some are destroyed here, with their queues
        EventRef awaited;
        {
            Progress follows;
            const std::lock_guard lock(finishing_);
            // This may be the function that the program's thread called.
            if (called_) return caller_ == std::this_thread::get_id() ? EventRef{} : called_;
            cl_int status = CL_COMPLETE;
            while ((next = next_complete(over, status, awaited)) == Next::Complete) {
                _cl_event& event = *over.back();
                if (event.command.afterwards && status == CL_COMPLETE)
                    if (const cl_int code = entry(event.command.afterwards); code != CL_SUCCESS)
                        status = code;
                settle(event, status, follows);
            }
            if (next == Next::Calls) {
                called_ = awaited;
                caller_ = std::this_thread::get_id();
            }
        }
        for (const EventRef& event : over) event->forget_others();
        if (next != Next::Calls) return awaited;
        call(*awaited);
    }
}

/// Calls the program's function. Other threads wait for it only if they wait for a command from there on.
void _cl_command_queue::call(_cl_event& event) noexcept {
    const cl_int code = entry(event.command.program_function);
    std::list<EventRef> over;
    Progress follows;
    {
        const std::lock_guard lock(finishing_);
        {
            const std::lock_guard lists(mutex_);
            over.splice(over.end(), recorded_, recorded_.begin());
        }
        settle(event, code == CL_SUCCESS ? CL_COMPLETE : code, follows);
        called_ = {};
        caller_ = {};
    }
    call_is_over_.notify_all();
    event.forget_others();
}

/// A command was recorded after everything that it follows. So going from queue to queue leads to a command
/// that can end.
_cl_command_queue::EventRef _cl_command_queue::progress() noexcept {
    const Ref<CommandQueue> self(this);  // a callback may release the queue
    Ref<CommandQueue> at = self;
    for (EventRef awaited;;) {
        Next next = Next::None;
        EventRef found = at->end_complete(next);
        if (next == Next::Follows) {
            awaited = std::move(found);
            at = awaited->queue;
        } else if (at == self || !awaited->is_over()) {
            return found;
        } else {
            at = self;
        }
    }
}

void _cl_command_queue::watch() noexcept {
    std::unique_lock lock(mutex_);
    if (!start(watcher_, run_watcher)) {  // out of memory or threads: this thread does the work
        lock.unlock();
        entry([&] { (void)runtime_->finish(); });
        progress();
        return;
    }
    {
        const std::lock_guard watcher_lock(watcher_.own->mutex);
        watcher_.own->wanted = true;
    }
    watcher_.own->wanted_changed.notify_one();
}

bool _cl_command_queue::hand_over(std::list<_cl_event::Dependent>& ready) noexcept {
    const std::lock_guard lock(mutex_);
    if (!start(recorder_, run_recorder)) return false;
    {
        const std::lock_guard recorder_lock(recorder_.own->mutex);
        std::list<_cl_event::Dependent>& list = recorder_.own->to_record;
        list.splice(list.end(), ready, ready.begin());
    }
    recorder_.own->wanted_changed.notify_one();
    return true;
}

// ---- Threads of its own ----

/// The lock is held. Returns false if there is no memory, or no thread.
bool _cl_command_queue::start(Owned& owned, Run* run) noexcept {
    if (owned.own) return true;
    return entry([&] {
               auto own = std::make_shared<OwnThread>();
               owned.thread = start_thread(run, own, this);
               owned.own = std::move(own);
           }) == CL_SUCCESS;
}

void _cl_command_queue::stop(Owned& owned) {
    if (!owned.own) return;
    {
        const std::lock_guard lock(owned.own->mutex);
        owned.own->stop = true;
    }
    owned.own->wanted_changed.notify_one();
    if (owned.thread.get_id() == std::this_thread::get_id())
        owned.thread.detach();
    else
        owned.thread.join();
}

/// The queue exists as long as there is something to record.
void _cl_command_queue::run_recorder(const std::shared_ptr<OwnThread>& recorder, _cl_command_queue* queue) {
    begin_own_thread();
    for (;;) {
        std::list<_cl_event::Dependent> next;
        {
            std::unique_lock lock(recorder->mutex);
            recorder->wanted_changed.wait(lock,
                                          [&] { return !recorder->to_record.empty() || recorder->stop; });
            if (recorder->to_record.empty()) return;
            next.splice(next.begin(), recorder->to_record, recorder->to_record.begin());
        }
        const Call call;
        if (!call) return;
        {
            Progress progress;
            queue->record_pending(next.front().event, progress);
        }
        next.clear();  // this may be the last owner of the queue, which is then destroyed
    }
}

void _cl_command_queue::run_watcher(const std::shared_ptr<OwnThread>& watcher, _cl_command_queue* queue) {
    begin_own_thread();
    const auto next = [queue]() -> EventRef {
        const std::lock_guard lock(queue->mutex_);
        return queue->recorded_.empty() ? EventRef{} : queue->recorded_.front();
    };
    for (;;) {
        {
            std::unique_lock lock(watcher->mutex);
            watcher->wanted_changed.wait(lock, [&] { return watcher->wanted || watcher->stop; });
            if (watcher->stop) return;
            watcher->wanted = false;
        }
        for (;;) {
            const Call call;
            if (!call) return;
            EventRef event = next();
            if (!event) break;
            queue->wait_recorded(*event);
            event = {};  // this may be the last owner of the queue, which is then destroyed
            const std::lock_guard lock(watcher->mutex);
            if (watcher->stop) return;
        }
    }
}
