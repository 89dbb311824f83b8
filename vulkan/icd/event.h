// SPDX-License-Identifier: Apache-2.0
// Event: a command and its way from the program to the device and back, or a status that the program sets itself.
#pragma once

#include <array>
#include <atomic>
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

/// What a queue is to do.
struct Command {
    cl_command_type type = 0;
    /// Gives it to the device, after everything that it waits for. Throws ApiError.
    std::function<runtime::Event(runtime::Queue&)> record = {};
    /// What the host does when the device is done.
    std::function<void()> afterwards = {};
    /// record() or afterwards() use the program's memory, so that what other commands do there must be over.
    bool uses_host_memory = false;
    /// record() waits for the device, while other threads go on to enqueue.
    bool waits = false;
    /// The device itself uses memory that is the host's too.
    bool shares_memory = false;
    /// afterwards() is all that it does.
    bool is_host_work = false;
    /// Text is printed as soon as it is complete, whether the program looks or not (OpenCL C 6.15.14).
    bool prints = false;
    /// What the host does when what the command waits for fails, so that it is never recorded.
    std::function<void()> instead = {};
};

/// How far what a command waits for must have come.
enum class Reached : uint8_t {
    Recorded,  ///< the device does one after the other
    Complete,
};

}  // namespace caldera::icd

struct _cl_event final : caldera::icd::Object<_cl_event> {
    static constexpr cl_int kInvalid = CL_INVALID_EVENT;
    using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);

    /// A command of the queue that has not been given to the device.
    _cl_event(caldera::icd::CommandQueue& queue, caldera::icd::Command command);
    /// A user event.
    explicit _cl_event(caldera::icd::Context& context);
    ~_cl_event();

    const caldera::icd::Ref<caldera::icd::Context> context;
    const caldera::icd::Ref<caldera::icd::CommandQueue> queue;  ///< null: a user event
    caldera::icd::Command command;

    /// CL_QUEUED, CL_SUBMITTED (recorded), CL_COMPLETE, or what went wrong.
    cl_int status() const { return status_; }
    bool has(caldera::icd::Reached reached) const {
        return status_ <= (reached == caldera::icd::Reached::Recorded ? CL_SUBMITTED : CL_COMPLETE);
    }
    bool is_over() const { return status_ <= CL_COMPLETE; }

    /// Guarded by the queue while the command is pending; constant then.
    caldera::runtime::Event recorded = {};
    bool follows_all = false;   ///< that is before it in its queue
    bool precedes_all = false;  ///< that is after it
    /// The events that this one waits for. They end first, and this one starts no earlier; it drops them once it is over.
    std::vector<caldera::icd::Ref<_cl_event>> wait_list = {};
    /// By runtime::steady_ns(). `returned_ns`: when record() had waited for the device, else 0.
    uint64_t queued_ns = 0, submitted_ns = 0, returned_ns = 0, started_ns = 0, ended_ns = 0;

    // The rest is guarded by context->graph.
    // Lists, so that what follows an event is moved on without memory, which may be short.
    struct Dependent {
        caldera::icd::Ref<_cl_event> event = {};
        caldera::icd::Reached at = {};
        bool fails_with_it = false;  ///< it is in the wait list, not only before it in the queue
    };
    struct Registered {
        Callback function = nullptr;
        cl_int status = CL_COMPLETE;  ///< when to call it, then what to tell it
        void* user_data = nullptr;
        caldera::icd::Ref<_cl_event> event = {};  ///< once it is to be called
    };
    std::list<Dependent> dependents = {};
    std::list<Registered> callbacks = {};
    uint32_t unresolved = 0;  ///< how many it still waits for
    bool has_failed_dependency = false;
    bool is_status_set = false;  ///< of a user event

 private:
    friend class caldera::icd::Progress;
    std::atomic<cl_int> status_ = CL_QUEUED;
};

namespace caldera::icd {

/// What follows when events change: callbacks to call, commands that wait for nothing any more, queues to watch.
class Progress {
 public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// Does what is left. Nothing may be locked then.
    ~Progress();

    /// The event gets the status, and what waits for it hears of it.
    void settle(Event& event, cl_int status) noexcept;
    /// Those hear of the status that it has.
    void look_at(Event& event) noexcept;
    void add_ready(std::list<Event::Dependent>& events) noexcept { ready_.splice(ready_.end(), events); }
    void add_watched(const Ref<CommandQueue>& queue) noexcept;

 private:
    void go_on() noexcept;
    void tell(Event& event) noexcept;
    std::list<Event::Dependent> ready_ = {};
    std::list<Event::Registered> calls_ = {};
    std::array<Ref<CommandQueue>, 8> watched_ = {};  // null: free
    std::vector<Ref<CommandQueue>> more_watched_ = {};
};

/// Has the function called, once nothing is locked, when the event has the status or has failed.
void add_callback(Event& event, const Event::Registered& callback);

/// Waits until the event has come so far. Returns its status.
cl_int wait_for(Event& event, Reached reached = Reached::Complete);

/// The events of a wait list. Throws CL_INVALID_EVENT_WAIT_LIST, or CL_INVALID_CONTEXT for another context's.
std::vector<Ref<Event>> checked_wait_list(const Context& context, cl_uint count, const cl_event* list);

}  // namespace caldera::icd
