// SPDX-License-Identifier: Apache-2.0
// Event: a command from its enqueueing to its completion, or a status that the program sets itself.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <functional>
#include <list>
#include <vector>

#include "vulkan/icd/context.h"

struct _cl_event;
struct _cl_command_queue;

namespace caldera::icd {

using Event = ::_cl_event;
using CommandQueue = ::_cl_command_queue;
class Progress;

struct Transfer;

/// The device orders commands among each other, but not with the host. These are what a command may do to the
/// program's memory that only its end makes visible. A command that needs to see it waits for that end.
enum class Hazard : uint8_t {
    HostWork,     ///< the host works with the memory after the device has finished
    SharedWrite,  ///< the device writes to memory that is also the host's
};
constexpr size_t kHazards = 2;
using Hazards = std::bitset<kHazards>;  ///< by Hazard

/// What a queue has to do.
struct Command {
    cl_command_type type = 0;
    /// Passes the command to the device, after everything that it waits for. Throws ApiError.
    std::function<runtime::Event(runtime::Queue&)> record = {};
    /// The host's work after the device has finished. It calls no function of the program.
    std::function<void()> afterwards = {};
    /// Calls a function of the program after that, while no lock is held.
    std::function<void()> program_function = {};
    /// record() accesses the program's memory, so other commands that use it must be complete. Those that
    /// only afterwards() does need not be: what the host does after the device is in the order of the
    /// commands.
    bool uses_host_memory = false;
    /// record() waits for the device; others can enqueue meanwhile. A thread of the queue's own calls it, or
    /// the call that enqueues the command, if that waits for it and nothing has to come before.
    bool waits = false;
    /// The device itself reads memory that is also the host's, or writes to it.
    bool reads_shared = false, writes_shared = false;
    /// The command has only afterwards(), and no work for the device.
    bool is_host_work = false;
    /// The command ends as soon as the device has completed it, even if the program does not wait: it calls a
    /// function of the program, or prints.
    bool ends_unwatched = false;
    /// Its kernels may print (OpenCL C 6.15.14). The queue makes it end unwatched. If the context has a
    /// function for text, the queue also sets program_function. Nothing need wait for that but the end.
    bool prints = false;
    /// The host's work if something that the command waits for fails, so that it is never recorded.
    std::function<void()> instead = {};
    /// What record() does, if that is a copy or a fill on the device.
    std::shared_ptr<const Transfer> transfer = {};

    /// What the command does before its end.
    Hazards hazards() const {
        Hazards own;
        own.set(static_cast<size_t>(Hazard::HostWork), afterwards || (program_function && !prints));
        own.set(static_cast<size_t>(Hazard::SharedWrite), writes_shared);
        return own;
    }
    /// What must be over before the command is recorded. What the host does after the device, or reads while
    /// it records, is in no order with the device's other work. The device's reads and writes are.
    Hazards heeds() const {
        Hazards heeded;
        heeded.set(static_cast<size_t>(Hazard::HostWork), uses_host_memory || reads_shared || writes_shared);
        heeded.set(static_cast<size_t>(Hazard::SharedWrite), uses_host_memory);
        return heeded;
    }
};

/// The state that a dependency of a command must have reached.
enum class Reached : uint8_t {
    Recorded,  ///< it has been recorded: the device runs the two in order
    Complete,
};

}  // namespace caldera::icd

struct _cl_event final : caldera::icd::Object<_cl_event> {
    static constexpr cl_int kInvalid = CL_INVALID_EVENT;
    using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

    /// A command of the queue that has not been recorded yet.
    _cl_event(caldera::icd::CommandQueue& queue, caldera::icd::Command command);
    /// A user event.
    explicit _cl_event(caldera::icd::Context& context);
    /// A command of several queues, which ends with the last of so many parts.
    _cl_event(caldera::icd::Context& context, cl_command_type type, uint32_t part_count);
    ~_cl_event();

    const caldera::icd::Ref<caldera::icd::Context> context;
    /// Null for a user event, and for a command of several queues.
    const caldera::icd::Ref<caldera::icd::CommandQueue> queue;
    caldera::icd::Command command;
    /// Its own hazards, and those of commands that it waits for, unless it heeds them. Its end is the end of
    /// all of these. Constant since the command was enqueued.
    caldera::icd::Hazards ends = {};
    /// The same, and the hazards of commands before it that have an end of their own in its queue.
    caldera::icd::Hazards hazards = {};

    /// CL_QUEUED, CL_SUBMITTED (recorded), CL_COMPLETE, or an error code.
    cl_int status() const { return status_; }
    bool has(caldera::icd::Reached reached) const {
        return status_ <= (reached == caldera::icd::Reached::Recorded ? CL_SUBMITTED : CL_COMPLETE);
    }
    bool is_over() const { return status_ <= CL_COMPLETE; }
    /// Whether the program ends it.
    bool is_user_event() const { return !queue && !is_whole(); }

    /// Guarded by the queue while the command is pending; constant afterwards.
    caldera::runtime::Event recorded = {};
    /// Where it is in the queue's list while it is pending, guarded by the queue.
    std::list<caldera::icd::Ref<_cl_event>>::iterator place = {};
    /// By hazard that it ends: what ended it before in the queue. Guarded by the queue. Needed if it is never
    /// recorded, so it is cleared when it is.
    std::array<caldera::icd::Ref<_cl_event>, caldera::icd::kHazards> before = {};
    /// The program flushed the queue while it was pending: it is submitted once it is recorded. Guarded by
    /// the queue.
    bool is_flushed = false;
    /// The call that enqueues it records it, and nobody else does. Constant since then.
    bool is_recorded_by_call = false;
    /// User events that it became pending behind, and pending events behind such: only the program ends
    /// these. Guarded by context->graph. None once it is recorded or has failed.
    std::vector<caldera::icd::Ref<_cl_event>> behind_program = {};
    bool follows_all = false;   ///< it waits for everything before it in its queue
    bool precedes_all = false;  ///< everything after it in its queue waits for it
    /// The events that this one waits for. They end before this one starts. The list is cleared when this
    /// event is over.
    std::vector<caldera::icd::Ref<_cl_event>> wait_list = {};

    /// A part of a command of several queues.
    struct Part {
        caldera::icd::Ref<_cl_event> event = {};
        bool is_last = false;  ///< no other part waits for it
    };
    /// All parts of a command of several queues, which are known before others know its event.
    std::vector<Part> parts = {};
    /// The command of which this is a part. The reference is dropped when this event is over.
    caldera::icd::Ref<_cl_event> whole = {};
    /// Drops the references to events that the end of this one makes needless. No lock may be held.
    void forget_others() noexcept;
    bool is_whole() const { return !parts.empty(); }
    /// Whether the program may ask for its times.
    bool is_profiled() const;

    /// Times in runtime::steady_ns(). `returned_ns` is when record() had finished waiting for the device, or
    /// 0.
    uint64_t queued_ns = 0, submitted_ns = 0, returned_ns = 0, started_ns = 0, ended_ns = 0;

    // The members below are guarded by context->graph. They are lists, so that following an event needs no
    // memory, which may be short.
    struct Dependent {
        caldera::icd::Ref<_cl_event> event = {};
        caldera::icd::Reached at = {};
        bool fails_with_it = false;  ///< this event is in its wait list, and not just before it in the queue
        caldera::icd::Hazards hazards = {};  ///< it waits for the end of these, which this event ends
    };
    struct Registered {
        Callback function = nullptr;
        cl_int status = CL_COMPLETE;  ///< the status at which it is called, then the status that it is passed
        void* user_data = nullptr;
        caldera::icd::Ref<_cl_event> event = {};  ///< set when it is to be called
    };
    std::list<Dependent> dependents = {};
    std::list<Registered> callbacks = {};
    uint32_t unresolved = 0;      ///< number of events that it still waits for, or of parts that are not over
    cl_int failure = CL_SUCCESS;  ///< of the first part that failed
    bool is_counted = false;      ///< its whole has noted its end
    bool has_failed_dependency = false;
    bool is_status_set = false;  ///< for a user event

 private:
    friend class caldera::icd::Progress;
    std::atomic<cl_int> status_ = CL_QUEUED;
};

namespace caldera::icd {

/// Collects the consequences of changed events: callbacks to call, commands that are now ready, queues to
/// watch.
class Progress {
 public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Does the rest. No lock may be held then.
    ~Progress();

    /// Sets the event's status and tells everything that waits for it.
    void settle(Event& event, cl_int status) noexcept;
    /// Tells everything that waits for the event its current status.
    void look_at(Event& event) noexcept;
    /// Has the function called when the event has reached its status or has failed.
    void add(Event& event, const Event::Registered& callback);
    void add_ready(std::list<Event::Dependent>& events) noexcept { ready_.splice(ready_.end(), events); }
    void add_watched(const Ref<CommandQueue>& queue) noexcept;

 private:
    void go_on() noexcept;
    void call_one() noexcept;
    /// Has one of the event's functions called. The context's graph is locked.
    void call(Event& event, std::list<Event::Registered>::iterator callback) noexcept;
    void tell(Event& event) noexcept;
    void tell_whole(Event& part) noexcept;
    std::list<Event::Dependent> ready_ = {};
    std::list<Event::Registered> calls_ = {};
    std::array<Ref<CommandQueue>, 8> watched_ = {};  // null if the slot is free
    std::vector<Ref<CommandQueue>> more_watched_ = {};
};

/// Calls the function when the event has reached the status or has failed, and no lock is held.
void add_callback(Event& event, const Event::Registered& callback);

/// Finds out whether it is complete: programs poll for this, often without having flushed the queue.
void look(const Event& event);

/// Waits until the event has reached this state. Returns its status.
cl_int wait_for(Event& event, Reached reached = Reached::Complete);

/// Whether the event is pending behind a user event that the program has not set yet.
bool waits_for_program(const Event& event);

/// Calls function(queue) for each queue that the event's command is in.
template <class Function>
void for_queues(const Event& event, const Function& function) {
    if (event.queue) function(event.queue);
    for (const Event::Part& part : event.parts) function(part.event->queue);
}

/// Adds what a command waits for that waits for the event: of several queues' command, the last parts.
void add_awaited(std::vector<Ref<Event>>& list, Event& event);
/// The events of a wait list, as add_awaited() adds them. Throws CL_INVALID_EVENT_WAIT_LIST, or
/// CL_INVALID_CONTEXT for an event of another context.
std::vector<Ref<Event>> checked_wait_list(const Context& context, cl_uint count, const cl_event* list);
/// The same. Throws CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST for an event that has failed.
std::vector<Ref<Event>> checked_good_events(const Context& context, cl_uint count, const cl_event* list);

}  // namespace caldera::icd
