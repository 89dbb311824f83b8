// SPDX-License-Identifier: Apache-2.0
// CommandQueue: commands on their way to a device.
//
// A command whose wait list is over or on the same device already is recorded in the call that enqueues it: the device keeps the
// order of what it is given. Any other command is pending until what it waits for has come far enough, and is recorded by the thread
// that sees it come. In an in-order queue it also waits for what is pending before it; in an out-of-order queue for barriers.
// Recorded commands that have an event, or something for the host to do, stay in a list until somebody looks: a call that waits
// or asks, or the queue's own thread, which runs once callbacks or other queues wait for it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "vulkan/icd/event.h"
#include "vulkan/runtime/device_queue.h"

struct _cl_command_queue final : caldera::icd::Object<_cl_command_queue> {
    static constexpr cl_int kInvalid = CL_INVALID_COMMAND_QUEUE;

    _cl_command_queue(caldera::icd::Context& context, size_t place, cl_command_queue_properties properties);
    /// A queue on the device, which takes no commands of the host's.
    _cl_command_queue(caldera::icd::Context& context, size_t place, cl_command_queue_properties properties,
                      cl_uint size_bytes);
    ~_cl_command_queue();
    void on_last_release();

    const caldera::icd::Ref<caldera::icd::Context> context;
    const size_t place;  ///< of its device in the context
    const cl_command_queue_properties properties;
    const std::shared_ptr<caldera::runtime::DeviceQueue> device_queue = {};  ///< null: a queue of the host's
    const cl_uint size_bytes = 0;  ///< of a device queue, as the program wants it
    std::vector<cl_queue_properties> given_properties =
        {};  ///< as clCreateCommandQueueWithProperties had them

    bool is_in_order() const { return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE); }
    bool is_profiled() const { return properties & CL_QUEUE_PROFILING_ENABLE; }
    caldera::icd::Device& device() const { return *context->places[place].device; }
    caldera::runtime::Device& opened() const { return *context->places[place].opened; }

    /// What else a command is.
    struct How {
        /// Returns when it has come so far; throws what went wrong.
        std::optional<caldera::icd::Reached> until = {};
        bool after_all = false;   ///< after all commands before it, whatever the queue's order
        bool before_all = false;  ///< and all commands after it come after it
    };
    void enqueue(caldera::icd::Command command, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event_ret, How how);
    void enqueue(caldera::icd::Command command, cl_uint wait_count, const cl_event* wait_list,
                 cl_event* event_ret) {
        enqueue(std::move(command), wait_count, wait_list, event_ret, How{});
    }

    void flush();
    void finish();
    /// Sees what the device has done, without waiting. A command ends after those that it waited for, also in other queues: what they
    /// printed is seen, and when they ended is known.
    void progress() noexcept;
    /// Has the queue's own thread see to it that what is recorded so far makes progress.
    void watch() noexcept;
    /// Calls the function when all commands so far are over, or have failed.
    void call_when_over(caldera::icd::Event::Callback function, void* user_data);
    /// Waits for a recorded command.
    void wait_recorded(const caldera::runtime::Event& recorded) noexcept;

 private:
    friend class caldera::icd::Progress;
    using EventRef = caldera::icd::Ref<_cl_event>;
    /// The queue's own thread outlives the queue where it drops the last reference itself.
    struct Watcher {
        std::mutex mutex = {};
        std::condition_variable wanted_changed = {};
        bool wanted = false, stop = false;
    };

    caldera::icd::Reached needed(const _cl_event& dependency, const caldera::icd::Command& command) const;
    bool must_wait(const caldera::icd::Command& command, std::span<const EventRef> wait_list, const How& how);
    bool suspend(std::list<EventRef>& node, std::span<const EventRef> wait_list, const How& how);
    void follow(std::span<const EventRef> wait_list);
    caldera::runtime::Event record_now(caldera::icd::Command& command);
    void record(_cl_event& event, std::vector<EventRef> wait_list);
    void record_pending(const EventRef& event, caldera::icd::Progress& progress) noexcept;
    enum class Next : uint8_t { None, Complete, Follows };
    Next next_complete(std::list<EventRef>& over, cl_int& status, EventRef& followed);
    EventRef end_complete() noexcept;
    void set_times(_cl_event& event);
    static void run_watcher(const std::shared_ptr<Watcher>& watcher, _cl_command_queue* queue);

    std::unique_ptr<caldera::runtime::Queue> runtime_;
    std::mutex mutex_ = {};                       // guards the lists, and the order of what is recorded
    std::list<EventRef> pending_ = {};            // not recorded, in the order of their calls
    std::list<EventRef> recorded_ = {};           // not known to be complete
    EventRef barrier_ = {};                       // out of order: what commands wait for while it is pending
    std::mutex finishing_ = {};                   // held while the host does what comes after the device
    std::atomic<std::thread::id> finisher_ = {};  // who holds it
    uint64_t latest_end_ns_ = 0;                  // of those that are over
    uint64_t barrier_end_ns_ = 0;                 // of the latest of them that precedes all after it
    std::shared_ptr<Watcher> watcher_ = {};
    std::thread thread_ = {};
    bool is_released_ = false;
};

namespace caldera::icd {

/// Keeps something until all commands are over that the queues of the context have so far: programs hear of an object's end when
/// no command needs it any more.
void keep_while_busy(Context& context, const std::shared_ptr<const void>& kept) noexcept;

}  // namespace caldera::icd
