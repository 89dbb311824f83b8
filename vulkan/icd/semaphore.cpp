// SPDX-License-Identifier: Apache-2.0
// Semaphores (OpenCL API, cl_khr_semaphore).
#include "vulkan/icd/semaphore.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/property_list.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/transfer.h"

using namespace caldera;
using namespace caldera::icd;

/// Nobody can signal it any more.
_cl_semaphore_khr::~_cl_semaphore_khr() {
    for (const Turn& turn : turns_)
        if (turn.is_due) Progress().settle(*turn.signal, CL_INVALID_SEMAPHORE_KHR);
}

void _cl_semaphore_khr::forget_past_turns() {
    std::erase_if(turns_, [](const Turn& turn) {
        return !turn.is_taken && !turn.is_free() && turn.signal->is_over() && turn.wait->is_over();
    });
}

void _cl_semaphore_khr::note_signal(const EventRef& signal) {
    auto due = std::make_unique<EventRef>();
    {
        const std::lock_guard lock(mutex_);
        forget_past_turns();
        const auto turn = std::ranges::find_if(turns_, &Turn::is_due);
        if (turn == turns_.end()) return turns_.push_back({.signal = signal}), void();
        turn->is_due = false;
        *due = turn->signal;
    }
    add_callback(*signal, {[](cl_event, cl_int status, void* user_data) {
                               const std::unique_ptr<EventRef> waited_for(static_cast<EventRef*>(user_data));
                               Progress().settle(**waited_for, status);
                           },
                           CL_COMPLETE, due.get()});
    due.release();
}

_cl_semaphore_khr::EventRef _cl_semaphore_khr::take_signal() {
    const std::lock_guard lock(mutex_);
    forget_past_turns();
    auto turn = std::ranges::find_if(turns_, &Turn::is_free);
    if (turn == turns_.end())
        turn = turns_.insert(turn, {.signal = EventRef::adopt(new Event(*context)), .is_due = true});
    turn->is_taken = true;
    return turn->signal;
}

void _cl_semaphore_khr::note_wait(const EventRef& signal, const EventRef& wait) noexcept {
    const std::lock_guard lock(mutex_);
    const auto turn = std::ranges::find(turns_, signal, &Turn::signal);
    turn->is_taken = false;
    if (wait)
        turn->wait = wait;
    else if (turn->is_due)
        turns_.erase(turn);
}

bool _cl_semaphore_khr::is_signalled() {
    std::vector<Turn> turns;
    {
        const std::lock_guard lock(mutex_);
        turns = turns_;
    }
    // Looking calls callbacks, which may use the semaphore.
    return std::ranges::any_of(turns, [](const Turn& turn) {
        look(*turn.signal);
        if (turn.wait) look(*turn.wait);
        return turn.signal->status() == CL_COMPLETE && !(turn.wait && turn.wait->status() == CL_COMPLETE);
    });
}

namespace caldera::icd {
namespace {

cl_semaphore_khr create(cl_context handle, const cl_semaphore_properties_khr* list) {
    Context& context = checked(handle);
    require(list, CL_INVALID_VALUE);
    const PropertyList given(list, {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR});
    bool has_type = false;
    std::optional<size_t> place;
    for (const Property& property : given.properties()) switch (property.name) {
            case CL_SEMAPHORE_TYPE_KHR:
                require(property.value() == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY);
                has_type = true;
                break;
            case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: {
                const std::vector<size_t> places = listed_places(context, property.values);
                require(places.size() == 1, CL_INVALID_DEVICE);
                place = places[0];
                break;
            }
            default: throw ApiError{CL_INVALID_PROPERTY};
        }
    require(has_type, CL_INVALID_VALUE);
    require(place || context.places.size() == 1, CL_INVALID_PROPERTY);
    auto semaphore = std::make_unique<Semaphore>(context, place.value_or(0));
    semaphore->properties = given.all();
    return semaphore.release();
}

/// The semaphores of a command.
std::vector<Ref<Semaphore>> checked_semaphores(const CommandQueue& queue, cl_uint count,
                                               const cl_semaphore_khr* list) {
    require(count != 0 && list, CL_INVALID_VALUE);
    std::vector<Ref<Semaphore>> semaphores;
    for (cl_uint i = 0; i < count; ++i) {
        Semaphore& semaphore = checked(list[i]);
        const auto has_device = [&](const Context::Place& place) { return place.device == &queue.device(); };
        require(std::ranges::any_of(semaphore.context->places, has_device), CL_INVALID_COMMAND_QUEUE);
        require(semaphore.context == queue.context, CL_INVALID_CONTEXT);
        require(semaphore.place == queue.place, CL_INVALID_COMMAND_QUEUE);
        semaphores.emplace_back(&semaphore);
    }
    return semaphores;
}

/// The events of the wait list, none of which has failed.
std::vector<cl_event> checked_events(const Context& context, cl_uint count, const cl_event* list) {
    std::vector<cl_event> events;
    for (const Ref<Event>& event : checked_wait_list(context, count, list)) {
        require(event->status() >= 0, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        events.push_back(event.get());
    }
    return events;
}

/// Enqueues a command after these events. Returns its event.
Ref<Event> enqueue_after(CommandQueue& queue, Command command, const std::vector<cl_event>& events) {
    cl_event made = nullptr;
    queue.enqueue(std::move(command), static_cast<cl_uint>(events.size()),
                  events.empty() ? nullptr : events.data(), &made);
    Ref<Event> event(made);
    made->release();
    return event;
}

/// The signals that a wait takes, as long as it is not enqueued.
class TakenSignals {
 public:
    TakenSignals() = default;
    TakenSignals(const TakenSignals&) = delete;
    TakenSignals& operator=(const TakenSignals&) = delete;
    ~TakenSignals() { note({}); }

    Ref<Event> take(const Ref<Semaphore>& semaphore) {
        taken_.reserve(taken_.size() + 1);
        taken_.push_back({semaphore, semaphore->take_signal()});
        return taken_.back().signal;
    }
    void note(const Ref<Event>& wait) noexcept {
        for (const Taken& each : taken_) each.semaphore->note_wait(each.signal, wait);
        taken_.clear();
    }

 private:
    struct Taken {
        Ref<Semaphore> semaphore = {};
        Ref<Event> signal = {};
    };
    std::vector<Taken> taken_ = {};
};

}  // namespace

cl_semaphore_khr CL_API_CALL CreateSemaphoreWithPropertiesKHR(cl_context context,
                                                              const cl_semaphore_properties_khr* properties,
                                                              cl_int* code_ret) {
    return make(code_ret, [&] { return create(context, properties); });
}

cl_int CL_API_CALL EnqueueWaitSemaphoresKHR(cl_command_queue handle, cl_uint count,
                                            const cl_semaphore_khr* list, const cl_semaphore_payload_khr*,
                                            cl_uint wait_count, const cl_event* wait_list,
                                            cl_event* event_ret) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const std::vector<Ref<Semaphore>> semaphores = checked_semaphores(queue, count, list);
        std::vector<cl_event> events = checked_events(*queue.context, wait_count, wait_list);
        TakenSignals signals;
        for (const Ref<Semaphore>& semaphore : semaphores) events.push_back(signals.take(semaphore).get());
        const Ref<Event> wait = enqueue_after(queue, nothing(CL_COMMAND_SEMAPHORE_WAIT_KHR), events);
        signals.note(wait);
        if (event_ret) *event_ret = give(wait);
    });
}

cl_int CL_API_CALL EnqueueSignalSemaphoresKHR(cl_command_queue handle, cl_uint count,
                                              const cl_semaphore_khr* list, const cl_semaphore_payload_khr*,
                                              cl_uint wait_count, const cl_event* wait_list,
                                              cl_event* event_ret) {
    return entry([&] {
        CommandQueue& queue = checked(handle);
        const std::vector<Ref<Semaphore>> semaphores = checked_semaphores(queue, count, list);
        const std::vector<cl_event> events = checked_events(*queue.context, wait_count, wait_list);
        const Ref<Event> signal = enqueue_after(queue, nothing(CL_COMMAND_SEMAPHORE_SIGNAL_KHR), events);
        for (const Ref<Semaphore>& semaphore : semaphores) semaphore->note_signal(signal);
        if (event_ret) *event_ret = give(signal);
    });
}

cl_int CL_API_CALL GetSemaphoreInfoKHR(cl_semaphore_khr handle, cl_semaphore_info_khr name, size_t size,
                                       void* value, size_t* size_ret) {
    return entry([&] {
        Semaphore& self = checked(handle);
        const Answer answer(size, value, size_ret);
        switch (name) {
            case CL_SEMAPHORE_CONTEXT_KHR: return answer.put<cl_context>(self.context.get());
            case CL_SEMAPHORE_REFERENCE_COUNT_KHR: return answer.put(self.references());
            case CL_SEMAPHORE_PROPERTIES_KHR: return answer.put_all(self.properties);
            case CL_SEMAPHORE_TYPE_KHR:
                return answer.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR);
            case CL_SEMAPHORE_PAYLOAD_KHR: return answer.put<cl_semaphore_payload_khr>(self.is_signalled());
            case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
                return answer.put<cl_device_id>(self.context->places[self.place].device);
            default: throw ApiError{CL_INVALID_VALUE};
        }
    });
}

cl_int CL_API_CALL RetainSemaphoreKHR(cl_semaphore_khr semaphore) { return retain(semaphore); }
cl_int CL_API_CALL ReleaseSemaphoreKHR(cl_semaphore_khr semaphore) { return release(semaphore); }

}  // namespace caldera::icd
