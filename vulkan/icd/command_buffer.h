// SPDX-License-Identifier: Apache-2.0
// CommandBuffer: commands that are recorded once and replayed in queues (cl_khr_command_buffer), also in
// several queues of several devices (cl_khr_command_buffer_multi_device).
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/icd/command_buffer_api.h"
#include "vulkan/icd/command_groups.h"
#include "vulkan/icd/kernel.h"
#include "vulkan/icd/queue.h"
#include "vulkan/runtime/launch_sequence.h"

namespace caldera::icd {

using CommandBuffer = ::_cl_command_buffer_khr;
using MutableCommand = ::_cl_mutable_command_khr;

/// What clUpdateMutableCommandsKHR can change in a launch.
constexpr cl_mutable_dispatch_fields_khr kMutableFields =
    CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |
    CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
    CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// What a command of a command-buffer does.
struct Work {
    /// Its record() may be called any number of times, and it has neither afterwards() nor instead(). Null
    /// while a kernel lacks arguments.
    std::shared_ptr<const Command> command = {};
    /// What the command launches, if a runtime::LaunchSequence can do so; else null.
    std::shared_ptr<const Arguments> arguments = {};
    runtime::NDRange range = {};
};

/// Makes a command's work for a queue. Throws the errors of the call that recorded the command.
using MakeWork = std::function<Work(const CommandQueue&)>;

/// What an enqueued command-buffer runs. It does not change, so that commands share it.
struct Replay {
    struct Part {
        std::shared_ptr<const Command> command = {};                  ///< recorded each time it runs
        bool after_all = false;                                       ///< it waits for the parts before it
        std::vector<VkCommandBuffer> sequences = {};                  ///< these run instead of a command
        std::vector<std::shared_ptr<const Transfer>> transfers = {};  ///< in them
        std::vector<std::shared_ptr<const Arguments>> launches = {};  ///< in them: those with images
    };
    /// What a queue gets as one command.
    struct Group {
        size_t queue = 0;
        std::vector<size_t> after = {};  ///< earlier groups, which must be over
        bool is_last = true;             ///< no other group waits for it
        std::vector<Part> parts = {};
        bool uses_host_memory = false, waits = false, reads_shared = false, writes_shared = false,
             prints = false;  ///< as of Command
    };
    std::vector<Group> groups = {};                                              ///< at least one
    std::vector<std::shared_ptr<const runtime::LaunchSequence>> sequences = {};  ///< keeps them alive
    std::shared_ptr<const void> use = {};  ///< all replays of a command-buffer share it
};

/// The queues that a command-buffer is made for. Throws the errors of clCreateCommandBufferKHR.
std::vector<Ref<CommandQueue>> checked_queues(cl_uint count, const cl_command_queue* list);
/// Throws CL_INCOMPATIBLE_COMMAND_QUEUE_KHR unless commands in all of these queues synchronise as the flags
/// say.
void check_sync(cl_command_buffer_flags_khr flags, std::span<const Ref<CommandQueue>> queues);

/// The sync points of a recording call.
struct SyncPoints {
    cl_uint count = 0;
    const cl_sync_point_khr* list = nullptr;
    cl_sync_point_khr* point_ret = nullptr;
};

/// What a launch runs, as the program describes it.
struct LaunchSettings {
    Ref<Kernel> kernel = {};      ///< with its arguments
    runtime::NDRange range = {};  ///< without a local size
    std::optional<std::array<size_t, 3>> local_size = {};
};
/// Without a command if an argument is not set. Throws the errors of clEnqueueNDRangeKernel.
Work make_work(const CommandQueue& queue, const LaunchSettings& settings);
/// The same with arguments that the kernel had.
Work make_work(const CommandQueue& queue, const LaunchSettings& settings,
               const std::shared_ptr<Arguments>& arguments);

}  // namespace caldera::icd

/// The handle of a launch in a command-buffer, which owns it. The program does not count references.
struct _cl_mutable_command_khr final : caldera::icd::Object<_cl_mutable_command_khr> {
    static constexpr cl_int kInvalid = CL_INVALID_MUTABLE_COMMAND_KHR;
    _cl_mutable_command_khr(caldera::icd::CommandBuffer& its_buffer, caldera::icd::Kernel& its_kernel)
        : buffer(its_buffer), kernel(&its_kernel) {}

    caldera::icd::CommandBuffer& buffer;
    const caldera::icd::Ref<caldera::icd::Kernel> kernel;  ///< that the program passed
    std::vector<cl_command_properties_khr> given_properties = {};
    cl_mutable_dispatch_fields_khr fields = 0;  ///< that can be changed
    size_t step = 0;                            ///< its place in the command-buffer
    size_t queue = 0;                           ///< which queue of the command-buffer it runs in
    /// Guarded by the command-buffer. The kernel is a clone of the program's.
    caldera::icd::LaunchSettings settings = {};
};

struct _cl_command_buffer_khr final : caldera::icd::Object<_cl_command_buffer_khr> {
    static constexpr cl_int kInvalid = CL_INVALID_COMMAND_BUFFER_KHR;
    explicit _cl_command_buffer_khr(std::vector<caldera::icd::Ref<caldera::icd::CommandQueue>> its_queues)
        : queues(std::move(its_queues)), blocked_(queues.size()), latest_(queues.size()) {}

    /// Commands are recorded for them. There is at least one, and all are of one context.
    const std::vector<caldera::icd::Ref<caldera::icd::CommandQueue>> queues;
    caldera::icd::Context& context() const { return *queues[0]->context; }
    std::vector<cl_command_buffer_properties_khr> given_properties = {};
    cl_command_buffer_flags_khr flags = 0;
    cl_mutable_dispatch_asserts_khr asserts = 0;

    /// The latest replay, which orders the next one. Replays are enqueued one after another: threads and
    /// callbacks may do so at the same time.
    struct LatestReplay {
        std::mutex mutex = {};  ///< held while a replay is enqueued
        /// Its queue, where DriverQuirks::mixes_up_secondaries.
        caldera::icd::Ref<caldera::icd::CommandQueue> queue = {};
        /// Its event, if it is in several queues.
        caldera::icd::Ref<caldera::icd::Event> whole = {};
    };
    LatestReplay latest_replay = {};

    /// Throws CL_INVALID_OPERATION if it has been finalized.
    void check_recording() const;
    /// Adds a command for the queue with this number, whose work make() makes for other queues. Objects in
    /// `kept` live as long as the command-buffer.
    void add(size_t queue, caldera::icd::Work work, caldera::icd::MakeWork make,
             const caldera::icd::SyncPoints& sync, std::vector<std::shared_ptr<const void>> kept);
    /// Adds a launch that the program can change.
    void add(const caldera::icd::Ref<caldera::icd::MutableCommand>& launch,
             const caldera::icd::SyncPoints& sync);
    void add_barrier(size_t queue, const caldera::icd::SyncPoints& sync);
    void finalize();
    cl_command_buffer_state_khr state() const;
    /// Records what has changed since the last replay. Throws CL_INVALID_OPERATION unless the command-buffer
    /// is executable.
    std::shared_ptr<const caldera::icd::Replay> replay();

    /// Which queues a copy's commands are for.
    enum class Remapping : uint8_t {
        ByPlace,    ///< the queue at the same place
        Automatic,  ///< one that can run the command, of the same device if there is one
    };
    /// A copy for other queues of the context, in the same state. It has the same commands, sync points and
    /// dependencies. `launches` become those of the copy. Throws the errors of recording if a queue cannot
    /// run a command.
    caldera::icd::Ref<_cl_command_buffer_khr> remapped(
        std::vector<caldera::icd::Ref<caldera::icd::CommandQueue>> to, Remapping how,
        std::span<caldera::icd::MutableCommand*> launches) const;

    /// A launch of the command-buffer as it shall be.
    struct Change {
        caldera::icd::MutableCommand* launch = nullptr;
        caldera::icd::LaunchSettings settings = {};
        caldera::icd::Work work = {};
    };
    /// Calls functions while no other thread changes the command-buffer. store() comes first. It makes the
    /// changes itself, or returns false without any. Then make_changes() says what to change. Throws
    /// CL_INVALID_OPERATION if the command-buffer cannot be changed.
    template <class Store, class Make>
    void change(const Store& store, const Make& make_changes) {
        const std::lock_guard lock(mutex_);
        check_changeable();
        if (store()) return;
        apply(make_changes());
    }
    /// Where arguments of a launch are stored.
    struct Recorded {
        caldera::runtime::LaunchSequence* sequence = nullptr;  ///< null: nowhere
        size_t item = 0;
    };
    /// The functions up to note_stored() are for store().
    Recorded recorded(const caldera::icd::MutableCommand& launch) const;
    /// Makes recorded() of the launch what no replay has that waits or runs. Returns false if it cannot.
    bool make_writable(const caldera::icd::MutableCommand& launch);
    /// Before an argument of the launch changes: keeps alive what it points to, as long as replays need it.
    void hold_argument(const caldera::icd::MutableCommand& launch, cl_uint index);
    /// An argument of the launch has another value, which is stored in what is recorded().
    void note_stored(const caldera::icd::MutableCommand& launch, cl_uint index);
    /// What the launch runs now.
    caldera::icd::LaunchSettings settings(const caldera::icd::MutableCommand& launch) const;

 private:
    using Numbers = std::vector<cl_uint>;
    struct Step {
        caldera::icd::Work work = {};
        caldera::icd::MakeWork make = {};  ///< null for a launch that the program has a handle of
        caldera::icd::Ref<caldera::icd::MutableCommand> launch = {};  ///< or that can change
        cl_uint number = 0;       ///< among all commands, from 1, which is its sync point
        size_t queue = 0;         ///< which queue of the command-buffer it is for
        Numbers after = {};       ///< by queue: it waits for the commands up to this number
        Numbers after_each = {};  ///< and for the commands with these numbers
        bool after_all = false;   ///< it waits for everything before it in its group
        bool can_change = false;
        bool stores_arguments = false;    ///< its arguments change where the device reads them
        bool was_recorded_again = false;  ///< it changed in another way
        size_t segment = 0, item = 0;     ///< its place in a segment
        /// By argument: the number of the latest change that was stored, 0 for none; empty while there are
        /// none.
        std::vector<uint64_t> changes = {};
        uint64_t latest_change = 0;  ///< the maximum of these
    };
    /// A sequence with the same launches, which replays may still have.
    struct Spare {
        std::shared_ptr<caldera::runtime::LaunchSequence> sequence = {};
        uint64_t latest_change = 0;  ///< it has all changes up to this one
    };
    /// Consecutive steps of a group that are recorded together, or one that is not recorded.
    struct Segment {
        size_t group = 0;
        std::vector<size_t> steps = {};
        std::shared_ptr<caldera::runtime::LaunchSequence> sequence = {};  ///< null until it is recorded
        /// Where arguments are stored next, if replays have `sequence`. The first one was `sequence` longest
        /// ago. Each keeps what arguments pointed to when the next one took its place, and what that keeps:
        /// its replays may be the last that are left, also of the command-buffer.
        std::deque<Spare> spares = {};
        bool spares_keep_some = false;  ///< or did so
        /// There were replays without a sequence. Where they wait, they have the launches' own arguments.
        bool replays_share_arguments = false;
        bool is_recordable = false;
    };

    Numbers checked_wait_list(const caldera::icd::SyncPoints& sync) const;
    void add_step(Step step, const caldera::icd::SyncPoints& sync);
    void end_command(const caldera::icd::SyncPoints& sync);
    void check_changeable() const;
    bool is_idle() const;
    bool is_idle(const Segment& segment) const;
    std::shared_ptr<caldera::runtime::LaunchSequence> take_spare(Segment& segment);
    void drop_sequences(Segment& segment);
    static void let_go(Segment& segment);
    void apply(std::vector<Change> changes);
    bool is_recordable(const Step& step) const;
    bool copy_to(_cl_command_buffer_khr& made, Remapping how) const;
    size_t place(Step& step, const caldera::icd::CommandQueue& from, Remapping how,
                 std::optional<size_t>& latest);
    void divide();
    void divide(size_t group, std::span<const size_t> places);
    void divide_again(std::vector<size_t> which);
    void number_segments();
    std::shared_ptr<caldera::runtime::LaunchSequence> record(const Segment& segment);
    std::shared_ptr<const caldera::icd::Replay> make_replay();

    mutable std::mutex mutex_ = {};  // guards the members below
    bool is_final_ = false;
    cl_uint count_ = 0;     // of commands, barriers included: the n-th has sync point n
    Numbers blocked_ = {};  // by queue: all further commands wait for the commands up to this number
    Numbers latest_ = {};   // by queue: the number of its latest command, or 0
    std::vector<size_t> queue_of_ = {};  // by number, less 1; no queue for a barrier
    std::vector<Step> steps_ = {};
    size_t lacking_ = 0;         // the number of steps without a command
    uint64_t change_count_ = 0;  // of arguments that were stored
    std::vector<std::shared_ptr<const void>> kept_ = {};
    /// Made for the first sequence. Only contexts with one device have sequences.
    std::shared_ptr<caldera::runtime::SequencePool> pool_ = {};
    std::vector<caldera::icd::CommandGroup> groups_ = {};                     // made when it is finalized
    std::vector<Segment> segments_ = {};                                      // likewise
    std::shared_ptr<const caldera::icd::Replay> replay_ = {};                 // null after a change
    const std::shared_ptr<const void> use_ = std::make_shared<const char>();  // Replay::use
};
