// SPDX-License-Identifier: Apache-2.0
// Semaphores (OpenCL API, cl_khr_semaphore, cl_khr_external_semaphore).
#include "vulkan/icd/semaphore.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "vulkan/icd/entry_points.h"
#include "vulkan/icd/external.h"
#include "vulkan/icd/info.h"
#include "vulkan/icd/queue.h"
#include "vulkan/icd/transfer.h"
#include "vulkan/runtime/file_descriptor.h"

using namespace caldera;
using namespace caldera::icd;

/// Nobody can signal it any more.
_cl_semaphore_khr::~_cl_semaphore_khr() {
    for (const Turn& turn : turns_)
        if (turn.is_due) Progress().settle(*turn.signal, CL_INVALID_SEMAPHORE_KHR);
}

template <class Needless>
std::vector<_cl_semaphore_khr::Turn> _cl_semaphore_khr::take_out(Needless&& is_needless) {
    std::vector<Turn> out;
    out.reserve(turns_.size());
    for (Turn& turn : turns_)
        if (is_needless(turn)) out.push_back(std::exchange(turn, {}));
    std::erase_if(turns_, [](const Turn& turn) { return !turn.signal; });
    return out;
}

/// A signal that failed has signalled nothing, so the next wait is not for it.
std::vector<_cl_semaphore_khr::Turn> _cl_semaphore_khr::take_out_past() {
    return take_out([](const Turn& turn) {
        if (turn.is_taken) return false;
        return turn.wait ? !turn.is_free() && turn.signal->is_over() && turn.wait->is_over()
                         : turn.signal->status() < 0;
    });
}

std::vector<_cl_semaphore_khr::Turn>::iterator _cl_semaphore_khr::first_due() {
    return std::ranges::find_if(
        turns_, [](const Turn& turn) { return turn.is_due && !(turn.wait && turn.wait->status() < 0); });
}

/// `due` ends as the signal does.
static void settle_with(_cl_semaphore_khr::EventRef due, Event& signal) {
    auto waited_for = std::make_unique<_cl_semaphore_khr::EventRef>(std::move(due));
    add_callback(signal, {[](cl_event, cl_int status, void* user_data) {
                              const std::unique_ptr<_cl_semaphore_khr::EventRef> event(
                                  static_cast<_cl_semaphore_khr::EventRef*>(user_data));
                              Progress().settle(**event, status);
                          },
                          CL_COMPLETE, waited_for.get()});
    waited_for.release();
}

void _cl_semaphore_khr::pass_on() {
    for (;;) {
        std::vector<Turn> given;
        EventRef due;
        {
            const std::lock_guard lock(mutex_);
            const auto to = first_due();
            const auto from = std::ranges::find_if(turns_, [](const Turn& turn) {
                return !turn.is_due && turn.is_free() && turn.signal->status() >= 0;
            });
            if (to == turns_.end() || from == turns_.end()) return;
            given.reserve(1);
            to->is_due = false;
            to->is_unknown = from->is_unknown;
            *to->external = *from->external;
            due = to->signal;
            given.push_back(std::move(*from));
            turns_.erase(from);
        }
        settle_with(std::move(due), *given.front().signal);
    }
}

void _cl_semaphore_khr::watch_waits() noexcept {
    const auto pass_on_signals = [](cl_event, cl_int, void* user_data) {
        const std::unique_ptr<Ref<Semaphore>> semaphore(static_cast<Ref<Semaphore>*>(user_data));
        entry([&] { (*semaphore)->pass_on(); });
    };
    entry([&] {
        std::vector<EventRef> waits;
        {
            const std::lock_guard lock(mutex_);
            if (first_due() == turns_.end()) return;
            for (Turn& turn : turns_) {
                if (turn.is_due || !turn.wait || turn.is_watched) continue;
                waits.push_back(turn.wait);
                turn.is_watched = true;
            }
        }
        for (const EventRef& wait : waits) {
            auto self = std::make_unique<Ref<Semaphore>>(this);
            add_callback(*wait, {pass_on_signals, CL_COMPLETE, self.get()});
            self.release();
        }
    });
}

_cl_semaphore_khr::External _cl_semaphore_khr::external() {
    const std::lock_guard lock(mutex_);
    return external_;
}

void _cl_semaphore_khr::set_exportable(External external) {
    const std::lock_guard lock(mutex_);
    external_.swap(external);
}

void _cl_semaphore_khr::note_shared() {
    std::vector<Turn> due;
    {
        const std::lock_guard lock(mutex_);
        is_shared_ = true;
        due = take_out([](const Turn& turn) { return turn.is_due; });
    }
    for (const Turn& turn : due) Progress().settle(*turn.signal, CL_COMPLETE);
}

void _cl_semaphore_khr::set_shared(External external) {
    const std::lock_guard lock(mutex_);
    external_.swap(external);
    is_shared_ = true;
}

void _cl_semaphore_khr::set_payload(const External& external, bool is_signalled) {
    Turn turn{.signal = EventRef::adopt(new Event(*context)), .is_unknown = !is_signalled};
    *turn.external = external;
    EventRef signal = turn.signal;
    External before = external;
    std::vector<Turn> replaced;
    {
        const std::lock_guard lock(mutex_);
        turns_.reserve(turns_.size() + 1);
        external_.swap(before);
        const auto due = first_due();
        if (due != turns_.end()) {
            due->is_due = false;
            due->is_unknown = turn.is_unknown;
            *due->external = external;
            signal = due->signal;
        } else {
            replaced = take_out([](const Turn& each) { return each.is_free(); });
            turns_.push_back(std::move(turn));
        }
    }
    watch_waits();
    Progress().settle(*signal, CL_COMPLETE);
}

void _cl_semaphore_khr::note_signal(const EventRef& signal) {
    EventRef due;
    std::vector<Turn> past, unseen;
    {
        const std::lock_guard lock(mutex_);
        past = take_out_past();
        // Others may have waited for the signals before this one.
        if (is_shared_) unseen = take_out([](const Turn& turn) { return turn.is_free(); });
        const auto turn = first_due();
        if (turn == turns_.end()) {
            *turns_.emplace_back(Turn{.signal = signal}).external = external_;
            return;
        }
        turn->is_due = false;
        *turn->external = external_;
        due = turn->signal;
    }
    watch_waits();
    settle_with(std::move(due), *signal);
}

_cl_semaphore_khr::EventRef _cl_semaphore_khr::take_known_signal() {
    std::vector<Turn> past;
    const std::lock_guard lock(mutex_);
    past = take_out_past();
    const auto turn =
        std::ranges::find_if(turns_, [](const Turn& each) { return each.is_free() && !each.is_due; });
    if (turn == turns_.end()) return {};
    turn->is_taken = true;
    return turn->signal;
}

/// A wait that is due a signal gets Vulkan's semaphore with it. If others get that meanwhile, it waits for
/// the one of now.
_cl_semaphore_khr::Awaited _cl_semaphore_khr::take_signal() {
    std::vector<Turn> past;
    const std::lock_guard lock(mutex_);
    past = take_out_past();
    auto turn = std::ranges::find_if(turns_, &Turn::is_free);
    if (turn == turns_.end() && is_shared_) return {{}, std::make_shared<External>(external_)};
    if (turn == turns_.end()) {
        turn = turns_.insert(turn, {.signal = EventRef::adopt(new Event(*context)), .is_due = true});
        *turn->external = external_;
    }
    turn->is_taken = true;
    return {turn->signal, external_ ? turn->external : nullptr};
}

void _cl_semaphore_khr::note_wait(const EventRef& signal, const EventRef& wait) noexcept {
    EventRef failed;
    {
        const std::lock_guard lock(mutex_);
        const auto turn = std::ranges::find(turns_, signal, &Turn::signal);
        if (turn == turns_.end()) return;  // it got another payload meanwhile
        turn->is_taken = false;
        if (wait) {
            failed = std::exchange(turn->wait, wait);
            turn->is_watched = false;
        } else if (turn->is_due) {
            turns_.erase(turn);
        }
    }
    watch_waits();
}

void _cl_semaphore_khr::note_export(const EventRef& signal) {
    std::vector<Turn> past;
    const std::lock_guard lock(mutex_);
    past = take_out([&](const Turn& turn) { return turn.signal == signal; });
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
        return !turn.is_unknown && turn.signal->status() == CL_COMPLETE &&
               !(turn.wait && turn.wait->status() == CL_COMPLETE);
    });
}

namespace caldera::icd {
namespace {

using Handles = runtime::ExternalHandles;

/// What the properties of a new semaphore say.
struct Wishes {
    bool has_type = false;
    std::optional<size_t> place = {};
    const HandleType *imported = nullptr, *exported = nullptr;
    int descriptor = -1;
};

Wishes wishes_of(const Context& context, const PropertyList& given) {
    Wishes wishes;
    for (const Property& property : given.properties()) switch (property.name) {
            case CL_SEMAPHORE_TYPE_KHR:
                require(property.value() == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY);
                wishes.has_type = true;
                break;
            case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: {
                const std::vector<size_t> places = listed_places(context, property.values);
                require(places.size() == 1, CL_INVALID_DEVICE);
                wishes.place = places[0];
                break;
            }
            case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
                require(property.values.size() <= 1, CL_INVALID_VALUE);
                if (property.values.empty()) break;
                wishes.exported =
                    find_handle_type(kSemaphoreHandles, property.value(), &Handles::semaphore_exports);
                require(wishes.exported, CL_INVALID_PROPERTY);
                break;
            default:
                require(!wishes.imported, CL_INVALID_PROPERTY);  // one handle
                wishes.imported =
                    find_handle_type(kSemaphoreHandles, property.name, &Handles::semaphore_imports);
                require(wishes.imported, CL_INVALID_PROPERTY);
                wishes.descriptor = descriptor_of(property);
        }
    require(wishes.has_type, CL_INVALID_VALUE);
    require(wishes.place || context.places.size() == 1, CL_INVALID_PROPERTY);
    require(!wishes.imported || !wishes.exported, CL_INVALID_OPERATION);
    return wishes;
}

/// Gives the semaphore the payload of a descriptor, which is the driver's then.
void import(Semaphore& semaphore, runtime::SemaphoreHandleType type, int descriptor, cl_int if_invalid) {
    Result<std::shared_ptr<runtime::ExternalSemaphore>> imported = runtime::ExternalSemaphore::import(
        *semaphore.context->places[semaphore.place].opened, type, descriptor);
    require(imported || imported.error().code != VK_ERROR_INVALID_EXTERNAL_HANDLE, if_invalid);
    const Semaphore::External external = take(std::move(imported));
    if (external->is_by_reference())
        semaphore.set_shared(external);
    else
        semaphore.set_payload(external, runtime::was_signalled(descriptor));
    runtime::close_descriptor(descriptor);
}

cl_semaphore_khr create_semaphore(cl_context handle, const cl_semaphore_properties_khr* list) {
    Context& context = checked(handle);
    require(list, CL_INVALID_VALUE);
    const PropertyList given(list,
                             {CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR});
    const Wishes wishes = wishes_of(context, given);
    auto semaphore = std::make_unique<Semaphore>(context, wishes.place.value_or(0));
    semaphore->properties = given.all();
    if (const HandleType* type = wishes.exported) {
        require(has_handle(context, semaphore->place, *type, &Handles::semaphore_exports),
                CL_INVALID_PROPERTY);
        semaphore->export_type = type->type;
        semaphore->set_exportable(take(runtime::ExternalSemaphore::create(
            *context.places[semaphore->place].opened, static_cast<runtime::SemaphoreHandleType>(type->bit))));
    }
    if (const HandleType* type = wishes.imported) {
        require(has_handle(context, semaphore->place, *type, &Handles::semaphore_imports), CL_INVALID_DEVICE);
        semaphore->imports_sync_files = type->type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
        import(*semaphore, static_cast<runtime::SemaphoreHandleType>(type->bit), wishes.descriptor,
               CL_INVALID_PROPERTY);
    }
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

/// Vulkan's semaphores of a command, which are known when it is recorded.
using Externals = std::vector<std::shared_ptr<Semaphore::External>>;

Command semaphore_command(cl_command_type type, const Externals& externals) {
    if (externals.empty()) return nothing(type);
    const bool waits = type == CL_COMMAND_SEMAPHORE_WAIT_KHR;
    return {.type = type, .record = [=](runtime::Queue& queue) {
                if (!waits && queue.times_commands()) take(queue.marker());
                for (const std::shared_ptr<Semaphore::External>& external : externals) {
                    const Semaphore::External& semaphore = *external;
                    take(waits ? queue.wait_for(*semaphore) : queue.signal(*semaphore));
                    queue.keep(semaphore);
                }
                if (!waits) return queue.last();
                const runtime::Event event = take(queue.marker());
                take(queue.flush());
                return event;
            }};
}

/// Enqueues a wait or a signal after these events. Returns its event. Where others may use the semaphores as
/// soon as the call returns, the device has the command then, unless the program holds it up.
Ref<Event> enqueue(CommandQueue& queue, cl_command_type type, const std::vector<Ref<Semaphore>>& semaphores,
                   const Externals& externals, const std::vector<Ref<Event>>& after) {
    const bool is_seen = std::ranges::any_of(semaphores, [](const Ref<Semaphore>& semaphore) {
        const Semaphore::External external = semaphore->external();
        return external && external->is_by_reference();
    });
    std::vector<cl_event> list;
    for (const Ref<Event>& event : after) list.push_back(event.get());
    cl_event made = nullptr;
    queue.enqueue(
        semaphore_command(type, externals), static_cast<cl_uint>(list.size()),
        list.empty() ? nullptr : list.data(), &made,
        {.until = is_seen ? std::optional(Reached::Recorded) : std::nullopt, .returns_early = true});
    return Ref<Event>::adopt(made);
}

/// The signals that a wait takes, as long as it is not enqueued.
class TakenSignals {
 public:
    TakenSignals() = default;
    TakenSignals(const TakenSignals&) = delete;
    TakenSignals& operator=(const TakenSignals&) = delete;
    ~TakenSignals() { note({}); }

    Semaphore::Awaited take(const Ref<Semaphore>& semaphore) {
        taken_.reserve(taken_.size() + 1);
        Semaphore::Awaited awaited = semaphore->take_signal();
        if (awaited.signal) taken_.push_back({semaphore, awaited.signal});
        return awaited;
    }
    Ref<Event> take_known(const Ref<Semaphore>& semaphore) {
        taken_.reserve(taken_.size() + 1);
        Ref<Event> signal = semaphore->take_known_signal();
        if (signal) taken_.push_back({semaphore, signal});
        return signal;
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

void enqueue_semaphores(cl_command_queue handle, cl_command_type type, cl_uint count,
                        const cl_semaphore_khr* list, cl_uint wait_count, const cl_event* wait_list,
                        cl_event* event_ret) {
    CommandQueue& queue = checked(handle);
    const std::vector<Ref<Semaphore>> semaphores = checked_semaphores(queue, count, list);
    std::vector<Ref<Event>> after = checked_good_events(*queue.context, wait_count, wait_list);
    TakenSignals signals;
    Externals externals;
    for (const Ref<Semaphore>& semaphore : semaphores)
        if (type == CL_COMMAND_SEMAPHORE_WAIT_KHR) {
            const Semaphore::Awaited awaited = signals.take(semaphore);
            if (awaited.signal) after.push_back(awaited.signal);
            if (awaited.external) externals.push_back(awaited.external);
        } else if (const Semaphore::External external = semaphore->external()) {
            externals.push_back(std::make_shared<Semaphore::External>(external));
        }
    const Ref<Event> made = enqueue(queue, type, semaphores, externals, after);
    signals.note(made);
    if (type == CL_COMMAND_SEMAPHORE_SIGNAL_KHR)
        for (const Ref<Semaphore>& semaphore : semaphores) semaphore->note_signal(made);
    if (event_ret) *event_ret = give(made);
}

}  // namespace

cl_semaphore_khr CL_API_CALL CreateSemaphoreWithPropertiesKHR(cl_context context,
                                                              const cl_semaphore_properties_khr* properties,
                                                              cl_int* code_ret) {
    return make(code_ret, [&] { return create_semaphore(context, properties); });
}

cl_int CL_API_CALL EnqueueWaitSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                            const cl_semaphore_khr* list, const cl_semaphore_payload_khr*,
                                            cl_uint wait_count, const cl_event* wait_list,
                                            cl_event* event_ret) {
    return entry([&] {
        enqueue_semaphores(queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, count, list, wait_count, wait_list,
                           event_ret);
    });
}

cl_int CL_API_CALL EnqueueSignalSemaphoresKHR(cl_command_queue queue, cl_uint count,
                                              const cl_semaphore_khr* list, const cl_semaphore_payload_khr*,
                                              cl_uint wait_count, const cl_event* wait_list,
                                              cl_event* event_ret) {
    return entry([&] {
        enqueue_semaphores(queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, count, list, wait_count, wait_list,
                           event_ret);
    });
}

/// Passes the semaphore's latest signal on to a sync file, as a wait does. A sync file is of a signal that
/// the device has, so it ends some time. That which waits for a user event may never end, and the calling
/// thread may be the one that sets the event.
static int export_signal(const Ref<Semaphore>& semaphore, const runtime::ExternalSemaphore& external) {
    TakenSignals signals;
    const Ref<Event> signal = signals.take_known(semaphore);
    require(signal && !waits_for_program(*signal), CL_INVALID_OPERATION);
    require(wait_for(*signal, Reached::Recorded) >= 0, CL_OUT_OF_RESOURCES);
    const int descriptor = take(external.export_descriptor());
    semaphore->note_export(signal);
    return descriptor;
}

cl_int CL_API_CALL GetSemaphoreHandleForTypeKHR(cl_semaphore_khr handle, cl_device_id device,
                                                cl_external_semaphore_handle_type_khr type, size_t size,
                                                void* value, size_t* size_ret) {
    return entry([&] {
        Semaphore& self = checked(handle);
        require(self.export_type.has_value(), CL_INVALID_SEMAPHORE_KHR);
        require(self.context->places[self.place].device == &checked(device), CL_INVALID_DEVICE);
        require(self.export_type == type, CL_INVALID_VALUE);
        const Answer answer(size, value, size_ret);
        require(!value || size >= sizeof(int), CL_INVALID_VALUE);
        if (!value) return answer.put(int{});
        const Semaphore::External external = self.external();
        if (!external->is_by_reference()) return answer.put(export_signal(Ref<Semaphore>(&self), *external));
        const int descriptor = take(external->export_descriptor());
        self.note_shared();
        answer.put(descriptor);
    });
}

cl_int CL_API_CALL ReImportSemaphoreSyncFdKHR(cl_semaphore_khr handle,
                                              cl_semaphore_reimport_properties_khr* properties,
                                              int descriptor) {
    return entry([&] {
        Semaphore& self = checked(handle);
        require(self.imports_sync_files, CL_INVALID_SEMAPHORE_KHR);
        require(!properties || *properties == 0, CL_INVALID_VALUE);
        import(self, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT, descriptor, CL_INVALID_VALUE);
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
            case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
                if (self.export_type) return answer.put(*self.export_type);
                return answer.put_all(std::vector<cl_external_semaphore_handle_type_khr>{});
            case CL_SEMAPHORE_EXPORTABLE_KHR: return answer.put<cl_bool>(self.export_type.has_value());
            default: throw ApiError(CL_INVALID_VALUE);
        }
    });
}

cl_int CL_API_CALL RetainSemaphoreKHR(cl_semaphore_khr semaphore) { return retain(semaphore); }
cl_int CL_API_CALL ReleaseSemaphoreKHR(cl_semaphore_khr semaphore) { return release(semaphore); }

}  // namespace caldera::icd
