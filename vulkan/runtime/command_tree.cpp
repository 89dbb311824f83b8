// SPDX-License-Identifier: Apache-2.0
#include "vulkan/runtime/command_tree.h"

#include <algorithm>

#include "vulkan/interface.h"

namespace caldera::runtime {
namespace {

Error malformed(const char* what) {
    return {.message = std::string("a record of a device queue is malformed: ") + what};
}

}  // namespace

void CommandTree::take_event(uint32_t event) { events_[event] = {.is_taken = true, .is_user = true}; }

uint32_t CommandTree::new_command() {
    ++command_count_;
    if (free_commands_.empty()) {
        commands_.emplace_back();
        return static_cast<uint32_t>(commands_.size() - 1);
    }
    const uint32_t command = free_commands_.back();
    free_commands_.pop_back();
    commands_[command] = {};
    return command;
}

Result<Done> CommandTree::add(std::span<const uint32_t> record) {
    if (record.size() < vulkan::kRecordTail) return malformed("its size");
    const uint32_t wait_count = record[vulkan::kRecordWaitCount], event = record[vulkan::kRecordEvent];
    if (record.size() - vulkan::kRecordTail < wait_count) return malformed("its size");
    if (event > events_.size()) return malformed("its event");
    if (record[vulkan::kRecordParent] >= commands_.size()) return malformed("its parent");
    if (record[vulkan::kRecordCommand] == vulkan::kProfileCommand) return add_profile(record);

    const std::span<const uint32_t> wait_list = record.last(wait_count);
    if (std::ranges::any_of(wait_list, [&](uint32_t each) { return each >= events_.size(); }))
        return malformed("its wait list");
    const uint32_t index = new_command();
    Command& command = commands_[index];
    command.parent = record[vulkan::kRecordParent];
    command.event = event;
    command.record.assign(record.begin(), record.end());
    ++commands_[command.parent].open;
    if (event != 0) events_[event - 1].is_user = false;
    for (const uint32_t each : wait_list) {
        Event& state = events_[each];
        if (state.is_complete) {
            if (state.status < 0) command.status = kWaitFailed;
            continue;
        }
        state.waiters.push_back(index);
        ++command.waits;
    }
    if (command.waits != 0)
        ++waiting_;
    else
        startable_.push_back(index);
    return Done{};
}

Result<Done> CommandTree::add_profile(std::span<const uint32_t> record) {
    const uint32_t event = record[vulkan::kRecordEvent];
    if (event == 0) return malformed("its event");
    Event& state = events_[event - 1];
    state.profile_address = uint64_t{record[vulkan::kRecordOffset + 1]} << 32 | record[vulkan::kRecordOffset];
    if (!state.is_complete) return Done{};
    state.profile.address = state.profile_address;
    profiles_.push_back(state.profile);
    return Done{};
}

std::vector<uint32_t> CommandTree::take_ready() {
    settle();
    return std::exchange(ready_, {});
}

void CommandTree::settle() {
    while (!startable_.empty()) {
        std::vector<uint32_t> commands = std::exchange(startable_, {});
        for (const uint32_t command : commands) start(command);
    }
}

void CommandTree::start(uint32_t index) {
    const Command& command = commands_[index];
    const bool is_marker = command.record[vulkan::kRecordCommand] == vulkan::kMarkerCommand;
    if (is_marker || command.status < 0)
        finish(index);
    else
        ready_.push_back(index);
}

void CommandTree::ended(uint32_t command, uint64_t start_ns, uint64_t end_ns) {
    Command& state = commands_[command];
    state.start_ns = start_ns;
    state.end_ns = end_ns;
    state.complete_ns = std::max(state.complete_ns, end_ns);
    finish(command);
}

void CommandTree::failed(uint32_t command, int32_t status) {
    commands_[command].status = status;
    finish(command);
}

/// Called when the command itself or one of its children has ended.
void CommandTree::finish(uint32_t index) {
    while (--commands_[index].open == 0) {
        complete(index);
        if (index == kRoot) return;
        const uint32_t parent = commands_[index].parent;
        Command& above = commands_[parent];
        above.complete_ns = std::max(above.complete_ns, commands_[index].complete_ns);
        if (above.status == 0) above.status = commands_[index].status;
        free_commands_.push_back(index);
        index = parent;
    }
}

void CommandTree::complete(uint32_t index) {
    Command& command = commands_[index];
    if (index == kRoot) {
        is_complete_ = true;
        root_status_ = command.status;
    }
    if (command.event == 0) return;
    Event& event = events_[command.event - 1];
    event.profile = {.address = event.profile_address,
                     .end_ns = command.end_ns - command.start_ns,
                     .complete_ns = command.complete_ns - std::min(command.start_ns, command.complete_ns)};
    completed_.push_back({command.event - 1, event.profile});
    if (event.profile_address != 0) profiles_.push_back(event.profile);
    complete_event(event, command.status);
}

void CommandTree::complete_user_event(uint32_t event, int32_t status) {
    complete_event(events_[event], status);
}

void CommandTree::complete_event(Event& event, int32_t status) {
    event.is_complete = true;
    event.status = status;
    for (const uint32_t waiter : std::exchange(event.waiters, {})) {
        Command& command = commands_[waiter];
        if (status < 0) command.status = kWaitFailed;
        if (--command.waits != 0) continue;
        --waiting_;
        startable_.push_back(waiter);
    }
}

}  // namespace caldera::runtime
