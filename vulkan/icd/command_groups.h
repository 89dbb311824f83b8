// SPDX-License-Identifier: Apache-2.0
// CommandGroups: which commands of a command-buffer several queues can take together.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vulkan/icd/opencl_headers.h"

namespace caldera::icd {

/// A command of a command-buffer and what it waits for. Commands have numbers from 1, in the order in which
/// they were recorded.
struct OrderedCommand {
    cl_uint number = 0;
    size_t queue = 0;  ///< which queue of the command-buffer it is for
    /// By queue: it waits for the commands of the queue up to this number.
    std::span<const cl_uint> after = {};
    std::span<const cl_uint> after_each = {};  ///< it also waits for the commands with these numbers
};

/// Commands that a queue gets as one.
struct CommandGroup {
    size_t queue = 0;
    std::vector<size_t> after = {};     ///< groups that must be over, which come earlier
    bool is_last = true;                ///< no other group waits for it
    std::vector<size_t> commands = {};  ///< in the order of add()
};

/// Divides the commands into groups. A queue goes on with a group until a command of another queue waits for
/// it. A command that waits for more or for less than those before it begins another group too.
class CommandGroups {
 public:
    explicit CommandGroups(size_t queue_count) : open_(queue_count), of_queue_(queue_count) {}

    /// Commands come in the order of their numbers. Returns whether the command waits for the commands before
    /// it in its group.
    bool add(const OrderedCommand& command);
    std::vector<CommandGroup> take() { return std::move(groups_); }

 private:
    /// The state of a group.
    struct Known {
        size_t place = 0;                  // among the groups of its queue
        std::vector<size_t> follows = {};  // by queue: so many groups, from the first, are over before it
        cl_uint first = 0, last = 0;       // numbers of its commands
        cl_uint ordered = 0;               // the commands up to this number end before its latest one begins
    };

    std::vector<size_t> awaited(const OrderedCommand& command, std::optional<size_t> own) const;
    cl_uint awaited_in(const OrderedCommand& command, size_t group) const;
    bool joins(const OrderedCommand& command, size_t group) const;
    size_t open(const OrderedCommand& command);

    std::vector<std::optional<size_t>> open_;    // by queue: the group that may get more commands
    std::vector<std::vector<size_t>> of_queue_;  // by queue: its groups
    std::vector<size_t> group_of_ = {};          // by number; kNoGroup for what is no command
    std::vector<CommandGroup> groups_ = {};
    std::vector<Known> known_ = {};
    size_t count_ = 0;  // of commands
};

}  // namespace caldera::icd
