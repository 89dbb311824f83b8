// SPDX-License-Identifier: Apache-2.0
// CommandTree: tracks which of the commands that kernels enqueued may run, and which are complete. It does
// not use a device.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "spirv/support/result.h"

namespace caldera::runtime {

/// The tree has a root, a kernel that the host enqueued, the commands that it enqueues, those that they
/// enqueue, and so on. A command is complete when it has ended and all commands that it enqueued are complete
/// (OpenCL C 6.13.17, "Determining when a parent kernel has finished execution"). Then its event is complete,
/// and commands that wait for the event may run. A command does not run if its wait list has an event with an
/// error; it then gets an error itself. An error propagates to all ancestors.
class CommandTree {
 public:
    static constexpr uint32_t kRoot = 0;
    /// CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
    static constexpr int32_t kWaitFailed = -14;

    explicit CommandTree(uint32_t event_count) : commands_(1), events_(event_count) {}

    // ---- What kernels have left ----

    /// A kernel took an event of the pool. It is a user event until a record names it.
    void take_event(uint32_t event);
    /// Adds the command of a record (vulkan/interface.h). Records must come in the order of the buffer. The
    /// command is ready to run when take_ready() returns it.
    Result<Done> add(std::span<const uint32_t> record);
    /// A user event has completed, or has an error.
    void complete_user_event(uint32_t event, int32_t status);
    /// Whether the event is a user event that a kernel may still complete.
    bool is_open_user_event(uint32_t event) const {
        return events_[event].is_taken && events_[event].is_user && !events_[event].is_complete;
    }
    /// Whether no command waits for the event and none will complete it. Without references, such an event
    /// can be freed.
    bool is_idle(uint32_t event) const {
        const Event& state = events_[event];
        return state.is_taken && state.waiters.empty() && (state.is_user || state.is_complete);
    }
    void free_event(uint32_t event) { events_[event] = {}; }

    // ---- What may run ----

    /// Returns the commands that wait for nothing and have not been returned yet. The caller reports each to
    /// ended() or failed().
    std::vector<uint32_t> take_ready();
    /// Completes markers and commands that need not run. take_ready() does this as well.
    void settle();
    std::span<const uint32_t> record(uint32_t command) const { return commands_[command].record; }
    void ended(uint32_t command, uint64_t start_ns, uint64_t end_ns);
    void failed(uint32_t command, int32_t status);

    /// The number of commands that wait for events.
    uint64_t waiting() const { return waiting_; }
    bool is_complete() const { return is_complete_; }
    int32_t status() const { return root_status_; }  ///< status of the root, when it is complete
    uint64_t command_count() const { return command_count_; }

    /// The result of a capture_event_profiling_info, now that it is known.
    struct Profile {
        uint64_t address = 0;
        uint64_t end_ns = 0, complete_ns = 0;  ///< both relative to the start
    };
    std::vector<Profile> take_profiles() { return std::exchange(profiles_, {}); }
    /// Events whose commands have completed since the last call, and their times. From now on, any kernel may
    /// ask for them.
    struct Completed {
        uint32_t event = 0;
        Profile profile = {};
    };
    std::vector<Completed> take_completed() { return std::exchange(completed_, {}); }

 private:
    struct Command {
        uint32_t parent = kRoot;
        uint32_t open = 1;   // itself and its children that are not complete
        uint32_t waits = 0;  // number of events that it waits for
        int32_t status = 0;
        uint32_t event = 0;  // index of its event, plus 1
        uint64_t start_ns = 0, end_ns = 0, complete_ns = 0;
        std::vector<uint32_t> record = {};
    };
    struct Event {
        bool is_taken = false, is_user = false, is_complete = false;
        int32_t status = 0;
        uint64_t profile_address = 0;
        Profile profile = {};
        std::vector<uint32_t> waiters = {};
    };
    Result<Done> add_profile(std::span<const uint32_t> record);
    uint32_t new_command();
    void start(uint32_t command);
    void finish(uint32_t command);
    void complete(uint32_t command);
    void complete_event(Event& event, int32_t status);

    std::vector<Command> commands_;
    std::vector<uint32_t> free_commands_ = {};
    std::vector<Event> events_;
    std::vector<uint32_t> ready_ = {}, startable_ = {};
    std::vector<Profile> profiles_ = {};
    std::vector<Completed> completed_ = {};
    uint64_t waiting_ = 0, command_count_ = 0;
    bool is_complete_ = false;
    int32_t root_status_ = 0;
};

}  // namespace caldera::runtime
