// SPDX-License-Identifier: Apache-2.0
// Events (OpenCL API 5.11 to 5.14).
#include "vulkan/icd/event.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <new>
#include <unordered_set>
#include <utility>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/queue.h"

using namespace caldera;
using namespace caldera::icd;

_cl_event::_cl_event(CommandQueue& its_queue, Command its_command)
    : context(its_queue.context),
      queue(Ref<CommandQueue>(&its_queue)),
      command(std::move(its_command)),
      queued_ns(runtime::steady_ns()) {}

_cl_event::_cl_event(Context& its_context)
    : context(Ref<Context>(&its_context)), command{.type = CL_COMMAND_USER}, status_(CL_SUBMITTED) {}

_cl_event::_cl_event(Context& its_context, cl_command_type type, uint32_t part_count)
    : context(Ref<Context>(&its_context)),
      command{.type = type},
      queued_ns(runtime::steady_ns()),
      unresolved(part_count) {}

_cl_event::~_cl_event() = default;

void _cl_event::forget_others() noexcept {
    wait_list.clear();
    Ref<_cl_event> dropped;
    if (!whole) return;
    const std::lock_guard lock(context->graph);
    std::swap(dropped, whole);
}

/// One of several queues that takes times is enough (OpenCL API 5.14).
bool _cl_event::is_profiled() const {
    bool is_some = false;
    for_queues(*this, [&](const Ref<CommandQueue>& one) { is_some |= one->is_profiled(); });
    return is_some;
}

namespace caldera::icd {

namespace {

/// The Progress that calls a function of the program in this thread.
constinit thread_local Progress* calling = nullptr;

}  // namespace

Progress::~Progress() { go_on(); }

void Progress::go_on() noexcept {
    for (;;) {
        const auto watched = std::ranges::find_if(watched_, [](const auto& queue) { return bool(queue); });
        if (!ready_.empty()) {
            const Ref<Event> event = ready_.front().event;
            const bool is_for_others = event->command.waits && !event->is_recorded_by_call;
            if (is_for_others && event->queue->hand_over(ready_)) continue;
            ready_.pop_front();
            event->queue->record_pending(event, *this);
        } else if (watched != watched_.end()) {
            std::exchange(*watched, {})->watch();
        } else if (!more_watched_.empty()) {
            const Ref<CommandQueue> queue = std::move(more_watched_.back());
            more_watched_.pop_back();
            queue->watch();
        } else if (!calls_.empty()) {
            call_one();
        } else {
            return;
        }
    }
}

/// Such a function may set an event whose callback sets the next one, and so on. So functions that are to be
/// called while another one runs are called after that, and a chain of them needs no stack.
void Progress::call_one() noexcept {
    if (calling) return calling->calls_.splice(calling->calls_.end(), calls_);
    const Event::Registered call = std::move(calls_.front());
    calls_.pop_front();
    calling = this;
    {
        const CallersFloatEnvironment callers;
        call.function(call.event.get(), call.status, call.user_data);
    }
    calling = nullptr;
}

void Progress::add_watched(const Ref<CommandQueue>& queue) noexcept {
    for (Ref<CommandQueue>& place : watched_) {
        if (!place) place = queue;
        if (place == queue) return;
    }
    try {
        more_watched_.push_back(queue);
        // out of memory: the thread that waits for these events polls the queues itself
    } catch (const std::bad_alloc&) {}
}

void Progress::settle(Event& event, cl_int status) noexcept {
    const std::lock_guard lock(event.context->graph);
    event.status_ = status;
    tell(event);
}

void Progress::look_at(Event& event) noexcept {
    const std::lock_guard lock(event.context->graph);
    tell(event);
}

/// The event may have come so far already: a user event is CL_SUBMITTED from the start.
void Progress::add(Event& event, const Event::Registered& callback) {
    const std::lock_guard lock(event.context->graph);
    event.callbacks.push_back(callback);
    const auto added = std::prev(event.callbacks.end());
    if (event.status() <= added->status)
        call(event, added);
    else
        for_queues(event, [&](const Ref<CommandQueue>& queue) { add_watched(queue); });
}

void Progress::call(Event& event, std::list<Event::Registered>::iterator callback) noexcept {
    callback->event = Ref<Event>(&event);
    if (event.status() < 0) callback->status = event.status();
    calls_.splice(calls_.end(), event.callbacks, callback);
}

void Progress::tell(Event& event) noexcept {
    const cl_int status = event.status();
    for (auto next = event.dependents.begin(); next != event.dependents.end();) {
        const auto dependent = next++;
        if (!event.has(dependent->at)) continue;
        Event& other = *dependent->event;
        if (status < 0 && dependent->fails_with_it) other.has_failed_dependency = true;
        if (--other.unresolved == 0)
            ready_.splice(ready_.end(), event.dependents, dependent);
        else
            event.dependents.erase(dependent);
    }
    for (auto next = event.callbacks.begin(); next != event.callbacks.end();) {
        const auto callback = next++;
        if (status <= callback->status) call(event, callback);
    }
    const auto is_awaited = [](const Event& one) {
        return !one.dependents.empty() || !one.callbacks.empty();
    };
    const bool is_wanted = is_awaited(event) || (event.whole && is_awaited(*event.whole));
    if (!event.is_over() && is_wanted)
        for_queues(event, [&](const Ref<CommandQueue>& queue) { add_watched(queue); });
    event.context->changed.notify_all();
    if (event.whole) tell_whole(event);
}

/// A command of several queues is submitted with its first part, and ends with the last one. It runs from the
/// first part's start to the last one's end.
void Progress::tell_whole(Event& part) noexcept {
    Event& whole = *part.whole;
    if (part.is_counted) return;
    const auto set = [&](cl_int status) {
        whole.status_ = status;
        tell(whole);
    };
    const auto earlier = [](uint64_t before, uint64_t time) {
        return before ? std::min(before, time) : time;
    };
    if (part.status() == CL_SUBMITTED) {
        whole.submitted_ns = earlier(whole.submitted_ns, part.submitted_ns);
        if (whole.status() == CL_QUEUED) set(CL_SUBMITTED);
    }
    if (!part.is_over()) return;
    part.is_counted = true;
    if (part.status() < 0 && whole.failure == CL_SUCCESS) whole.failure = part.status();
    if (part.status() == CL_COMPLETE) {
        whole.started_ns = earlier(whole.started_ns, part.started_ns);
        whole.ended_ns = std::max(whole.ended_ns, part.ended_ns);
    }
    if (--whole.unresolved == 0) set(whole.failure < 0 ? whole.failure : CL_COMPLETE);
}

namespace {

/// Where this fails, the events of the commands that are lost say so.
void submit(CommandQueue& queue) noexcept {
    entry([&] { queue.flush(); });
}

}  // namespace

void add_callback(Event& event, const Event::Registered& callback) { Progress().add(event, callback); }

cl_int wait_for(Event& event, Reached reached) {
    while (!event.has(reached)) {
        if (event.queue && event.has(Reached::Recorded)) {
            event.queue->wait_recorded(event);
            continue;
        }
        for (const Event::Part& part : event.parts) wait_for(*part.event);
        const Reached next = event.queue ? Reached::Recorded : Reached::Complete;
        std::unique_lock lock(event.context->graph);
        event.context->changed.wait(lock, [&] { return event.has(next); });
    }
    return event.status();
}

bool waits_for_program(const Event& event) {
    const std::lock_guard lock(event.context->graph);
    std::vector<const Event*> open = {&event};
    std::unordered_set<const Event*> seen;
    while (!open.empty()) {
        const Event* const one = open.back();
        open.pop_back();
        if (one->is_user_event() && !one->is_over()) return true;
        if (!seen.insert(one).second) continue;
        for (const Ref<Event>& before : one->behind_program) open.push_back(before.get());
    }
    return false;
}

void add_awaited(std::vector<Ref<Event>>& list, Event& event) {
    if (!event.is_whole() || event.is_over()) {
        list.emplace_back(&event);
        return;
    }
    for (const Event::Part& part : event.parts)
        if (part.is_last) list.push_back(part.event);
}

std::vector<Ref<Event>> checked_wait_list(const Context& context, cl_uint count, const cl_event* list) {
    require((count == 0) == (list == nullptr), CL_INVALID_EVENT_WAIT_LIST);
    std::vector<Ref<Event>> events;
    for (cl_uint i = 0; i < count; ++i) {
        require(list[i] && list[i]->is_alive(), CL_INVALID_EVENT_WAIT_LIST);
        require(list[i]->context.get() == &context, CL_INVALID_CONTEXT);
        add_awaited(events, *list[i]);
    }
    return events;
}

std::vector<Ref<Event>> checked_good_events(const Context& context, cl_uint count, const cl_event* list) {
    std::vector<Ref<Event>> events = checked_wait_list(context, count, list);
    for (const Ref<Event>& event : events)
        require(event->status() >= 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    return events;
}

cl_event CL_API_CALL CreateUserEvent(cl_context context, cl_int* code_ret) {
    return make(code_ret, [&] { return new Event(checked(context)); });
}

cl_int CL_API_CALL SetUserEventStatus(cl_event handle, cl_int status) {
    return entry([&] {
        Event& self = checked(handle);
        require(self.command.type == CL_COMMAND_USER, CL_INVALID_EVENT);
        require(status <= CL_COMPLETE, CL_INVALID_VALUE);
        {
            const std::lock_guard lock(self.context->graph);
            require(!self.is_status_set, CL_INVALID_OPERATION);
            self.is_status_set = true;
        }
        Progress().settle(self, status);
    });
}

cl_int CL_API_CALL WaitForEvents(cl_uint count, const cl_event* list) {
    return entry([&] {
        require(count != 0 && list, CL_INVALID_VALUE);
        std::vector<Ref<Event>> events;  // kept, as a callback may release them
        events.reserve(count);
        for (cl_uint i = 0; i < count; ++i) {
            events.emplace_back(&checked(list[i]));
            require(events[i]->context == events[0]->context, CL_INVALID_CONTEXT);
        }
        // All are submitted before waiting for the first, because one may depend on another one's queue.
        for (const Ref<Event>& event : events)
            if (!event->is_over()) for_queues(*event, [](const Ref<CommandQueue>& queue) { submit(*queue); });
        bool has_failed = false;
        for (const Ref<Event>& event : events) has_failed |= wait_for(*event) < 0;
        require(!has_failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    });
}

void look(const Event& event) {
    if (event.is_over()) return;
    for_queues(event, [](const Ref<CommandQueue>& queue) {
        submit(*queue);
        queue->progress();
    });
}

cl_int CL_API_CALL GetEventInfo(cl_event handle, cl_event_info name, size_t size, void* value,
                                size_t* size_ret) {
    return entry([&] {
        Event& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_EVENT_COMMAND_QUEUE: return answer.put<cl_command_queue>(self.queue.get());
            case CL_EVENT_CONTEXT: return answer.put<cl_context>(self.context.get());
            case CL_EVENT_COMMAND_TYPE: return answer.put(self.command.type);
            case CL_EVENT_COMMAND_EXECUTION_STATUS: {
                const Ref<Event> kept(&self);  // a callback may release it
                look(self);
                return answer.put(self.status());
            }
            case CL_EVENT_REFERENCE_COUNT: return answer.put(self.references());
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL SetEventCallback(cl_event handle, cl_int status, Event::Callback function,
                                    void* user_data) {
    return entry([&] {
        Event& self = checked(handle);
        require(function, CL_INVALID_VALUE);
        require(status == CL_SUBMITTED || status == CL_RUNNING || status == CL_COMPLETE, CL_INVALID_VALUE);
        add_callback(self, {function, status, user_data});
    });
}

cl_int CL_API_CALL RetainEvent(cl_event event) { return retain(event); }
cl_int CL_API_CALL ReleaseEvent(cl_event event) { return release(event); }

cl_int CL_API_CALL GetEventProfilingInfo(cl_event handle, cl_profiling_info name, size_t size, void* value,
                                         size_t* size_ret) {
    return entry([&] {
        Event& self = checked(handle);
        const Ref<Event> kept(&self);  // a callback may release it
        const Answer answer(size, value, size_ret);
        require(self.is_profiled(), CL_PROFILING_INFO_NOT_AVAILABLE);
        look(self);
        require(self.status() == CL_COMPLETE, CL_PROFILING_INFO_NOT_AVAILABLE);
        switch (name) {
            case CL_PROFILING_COMMAND_QUEUED: return answer.put<cl_ulong>(self.queued_ns);
            case CL_PROFILING_COMMAND_SUBMIT: return answer.put<cl_ulong>(self.submitted_ns);
            case CL_PROFILING_COMMAND_START: return answer.put<cl_ulong>(self.started_ns);
            case CL_PROFILING_COMMAND_END:
            case CL_PROFILING_COMMAND_COMPLETE: return answer.put<cl_ulong>(self.ended_ns);
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

}  // namespace caldera::icd
