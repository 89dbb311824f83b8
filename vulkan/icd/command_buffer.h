// SPDX-License-Identifier: Apache-2.0
// CommandBuffer: commands that are recorded once and replayed in queues (cl_khr_command_buffer).
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "vulkan/icd/command_buffer_api.h"
#include "vulkan/icd/queue.h"

namespace caldera::icd {

using CommandBuffer = ::_cl_command_buffer_khr;

/// A command of a command-buffer that has work to do.
struct Step {
    /// Its record() is called for each replay, and it has neither afterwards() nor instead().
    std::shared_ptr<const Command> command = {};
    bool after_all = false;  ///< it waits for everything before it in the command-buffer
};
/// What a replay runs. It does not change, so that enqueued commands share it.
using Steps = std::vector<Step>;

/// The sync points of a recording call.
struct SyncPoints {
    cl_uint count = 0;
    const cl_sync_point_khr* list = nullptr;
    cl_sync_point_khr* point_ret = nullptr;
};

}  // namespace caldera::icd

struct _cl_command_buffer_khr final : caldera::icd::Object<_cl_command_buffer_khr> {
    static constexpr cl_int kInvalid = CL_INVALID_COMMAND_BUFFER_KHR;
    _cl_command_buffer_khr(caldera::icd::CommandQueue& its_queue,
                           std::vector<cl_command_buffer_properties_khr> its_properties)
        : queue(&its_queue), given_properties(std::move(its_properties)) {}

    const caldera::icd::Ref<caldera::icd::CommandQueue> queue;  ///< commands are recorded for it
    const std::vector<cl_command_buffer_properties_khr> given_properties;

    /// Adds a command. Objects in `kept` live as long as the command-buffer.
    void add(caldera::icd::Command command, const caldera::icd::SyncPoints& sync,
             std::vector<std::shared_ptr<const void>> kept);
    void add_barrier(const caldera::icd::SyncPoints& sync);
    void finalize();
    cl_command_buffer_state_khr state() const;
    /// Throws CL_INVALID_OPERATION unless the command-buffer is executable.
    std::shared_ptr<const caldera::icd::Steps> steps() const;
    /// Throws CL_INVALID_OPERATION if it has been finalized.
    void check_recording() const;

 private:
    cl_uint checked_wait_list(const caldera::icd::SyncPoints& sync) const;
    void end_command(const caldera::icd::SyncPoints& sync);

    mutable std::mutex mutex_ = {};  // guards the members below
    cl_command_buffer_state_khr state_ = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
    cl_uint count_ = 0;    // of commands, barriers included: the n-th has sync point n
    cl_uint blocked_ = 0;  // all further commands wait for so many commands
    cl_uint ordered_ = 0;  // so many end before the latest step begins
    std::shared_ptr<caldera::icd::Steps> steps_ = std::make_shared<caldera::icd::Steps>();
    std::vector<std::shared_ptr<const void>> kept_ = {};
};
