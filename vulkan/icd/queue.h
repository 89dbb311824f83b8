// SPDX-License-Identifier: Apache-2.0
// CommandQueue: commands on their way to a device.
//
// A command is recorded in the call that enqueues it if everything in its wait list is over, or is already
// recorded on the same device, which keeps the order. Any other command is pending until its dependencies
// have progressed far enough. Then the thread that notices this records it. In an in-order queue it also
// waits for the pending commands before it; in an out-of-order queue, for barriers. A command that meets the
// host's work waits until that is over (Hazard), however many commands lie between. Recorded commands that
// have an event, or host work to do, stay in a list until some thread looks: a call that waits or queries, or
// the queue's own thread, which runs when callbacks or other queues wait for them.
//
// A command whose recording waits for the device, such as a large copy, is recorded by another thread of the
// queue's own, unless the call that enqueues it waits for it anyway. Until then it is pending.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "vulkan/icd/event.h"
#include "vulkan/icd/printed_text.h"
#include "vulkan/runtime/device_queue.h"

struct _cl_command_queue final : caldera::icd::Object<_cl_command_queue> {
    static constexpr cl_int kInvalid = CL_INVALID_COMMAND_QUEUE;

    _cl_command_queue(caldera::icd::Context& context, size_t place, cl_command_queue_properties properties);
    /// A queue on the device, which takes no commands from the host.
    _cl_command_queue(caldera::icd::Context& context, size_t place, cl_command_queue_properties properties,
                      cl_uint size_bytes);
    ~_cl_command_queue();
    void on_last_release();

    const caldera::icd::Ref<caldera::icd::Context> context;
    const size_t place;  ///< of the queue's device in the context
    const cl_command_queue_properties properties;
    const std::shared_ptr<caldera::runtime::DeviceQueue> device_queue = {};  ///< null for a host queue
    const cl_uint size_bytes = 0;  ///< of a device queue, as the program requested
    /// as passed to clCreateCommandQueueWithProperties
    std::vector<cl_queue_properties> given_properties = {};

    bool is_in_order() const { return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
    bool is_profiled() const { return properties & CL_QUEUE_PROFILING_ENABLE; }
    /// What a blocking write waits for. When it is recorded, the program may change the bytes again. Programs
    /// take more for granted where a command does not follow by itself: with other queues, or out of order.
    std::optional<caldera::icd::Reached> until_written(cl_bool blocking) const;
    caldera::icd::Device& device() const { return *context->places[place].device; }
    caldera::runtime::Device& opened() const { return *context->places[place].opened; }

    /// How to enqueue a command.
    struct How {
        /// The call returns when the command has reached this state, and throws if it failed.
        std::optional<caldera::icd::Reached> until = {};
        /// The call does not wait for `until` if the command is behind what only the program ends, because it
        /// may be this thread that does so.
        bool returns_early = false;
        bool after_all = false;   ///< wait for all commands before it, even in an out-of-order queue
        bool before_all = false;  ///< also make all commands after it wait for it
        /// The command waits for these too, and runs even if they fail.
        std::span<const caldera::icd::Ref<_cl_event>> after = {};
        _cl_event* whole = nullptr;  ///< the command of several queues of which it is a part
        /// For a caller that holds a lock, and has called make_room_for(): takes what the program's functions
        /// are called for. Null: this call calls them.
        caldera::icd::Progress* follows = nullptr;
    };
    void enqueue(caldera::icd::Command command, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event_ret, How how);
    void enqueue(caldera::icd::Command command, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event_ret) {
        enqueue(std::move(command), wait_count, wait_list, event_ret, How{});
    }
    /// What comes before a command is enqueued, while no lock is held: looks at what the device has completed
    /// if the command or the length of the lists wants that, and waits for room.
    void make_room_for(const caldera::icd::Command& command) noexcept;

    void flush();
    void finish();
    /// Looks at what the device has completed, without waiting. A command ends after the commands that it
    /// waited for, also in other queues: their output has been printed, and their end times are known.
    /// Returns the command that the device has not completed, or that it does not have yet, and that others
    /// wait for.
    caldera::icd::Ref<_cl_event> progress() noexcept;
    /// Makes the queue's own thread follow what has been recorded so far.
    void watch() noexcept;
    /// Calls the function when all commands so far have completed or failed.
    void call_when_over(caldera::icd::Event::Callback function, void* user_data);
    /// Waits until the device has completed a recorded command of the queue, and looks at what that ends.
    /// Another command may have to end first: two threads may record in one order and add to the list in the
    /// other, and the device may not have that command yet. Then this waits for it too.
    void wait_recorded(const _cl_event& event) noexcept;

 private:
    friend class caldera::icd::Progress;
    using EventRef = caldera::icd::Ref<_cl_event>;
    /// A thread of the queue's own. It outlives the queue if it drops the last reference itself.
    struct OwnThread {
        std::mutex mutex = {};
        std::condition_variable wanted_changed = {};
        bool wanted = false, stop = false;
        std::list<_cl_event::Dependent> to_record = {};  ///< in this order
    };

    /// The queue's events that end one hazard and are not over.
    struct Hazardous {
        using Before = std::array<EventRef, caldera::icd::kHazards>;
        /// What commands wait for: in order, the last one; out of order, the last barrier. If it succeeds,
        /// its end is the end of all before it. Null when all are over.
        EventRef last = {};
        size_t count = 0;  // of events
    };

    caldera::icd::Reached needed(const _cl_event& dependency, const caldera::icd::Command& command) const;
    caldera::icd::Hazards hazards_before() const;
    caldera::icd::Hazards ends_of(const caldera::icd::Command& command, std::span<const EventRef> wait_list,
                                  const How& how) const;
    void note_hazards(const EventRef& event, const How& how);
    void forget_hazards(const _cl_event& event);
    void skip_hazards(_cl_event& failed, Hazardous::Before& dropped,
                      caldera::icd::Progress& progress) noexcept;
    bool must_wait(const caldera::icd::Command& command, std::span<const EventRef> wait_list, const How& how);
    bool suspend(std::list<EventRef>& node, std::span<const EventRef> wait_list, const How& how);
    void make_room() noexcept;
    void follow(std::span<const EventRef> wait_list);
    caldera::runtime::Event record_now(caldera::icd::Command& command);
    void record(_cl_event& event, std::vector<EventRef> wait_list);
    void record_pending(const EventRef& event, caldera::icd::Progress& progress) noexcept;
    enum class Next : uint8_t { None, Complete, Calls, Follows };
    Next next_complete(std::list<EventRef>& over, cl_int& status, EventRef& awaited);
    void settle(_cl_event& event, cl_int status, caldera::icd::Progress& follows);
    EventRef end_complete(Next& next) noexcept;
    void call(_cl_event& event) noexcept;
    bool wait_for_call(const _cl_event& event) noexcept;
    void wait_on_device(const caldera::runtime::Event& recorded) noexcept;
    void set_times(_cl_event& event);
    /// Has a thread of the queue's own record the first of these events, which it takes out. Returns false
    /// if no thread can be had.
    bool hand_over(std::list<_cl_event::Dependent>& ready) noexcept;
    using Run = void(const std::shared_ptr<OwnThread>&, _cl_command_queue*);
    struct Owned {
        std::shared_ptr<OwnThread> own = {};  // null until it is started
        std::thread thread = {};
    };
    bool start(Owned& owned, Run* run) noexcept;
    static void stop(Owned& owned);
    static Run run_watcher, run_recorder;

    caldera::icd::PrintedText printed_ = {};
    std::unique_ptr<caldera::runtime::Queue> runtime_;
    std::mutex mutex_ = {};              // guards the lists, and the order of recording
    std::list<EventRef> pending_ = {};   // not recorded, in the order of the calls
    std::list<EventRef> recorded_ = {};  // not known to be complete
    EventRef barrier_ = {};              // out of order: commands wait for this while it is pending
    std::array<Hazardous, caldera::icd::kHazards> hazardous_ = {};
    std::mutex finishing_ = {};  // held while the host does a command's work after the device
    // The members below are guarded by it.
    EventRef called_ = {};         // the first recorded command, while its function of the program runs
    std::thread::id caller_ = {};  // the thread that calls it
    std::condition_variable call_is_over_ = {};
    uint64_t latest_end_ns_ = 0;   // the latest end time of a completed command
    uint64_t barrier_end_ns_ = 0;  // the latest end time of a completed command that precedes all after it
    // The last members are guarded by the other mutex.
    Owned watcher_ = {}, recorder_ = {};
    bool is_released_ = false;
};

namespace caldera::icd {

/// Keeps something alive until all current commands of the context's queues are over. Programs are told of an
/// object's destruction only when no command needs it any more.
void keep_while_busy(Context& context, const std::shared_ptr<const void>& kept) noexcept;

}  // namespace caldera::icd
