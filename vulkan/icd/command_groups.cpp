// SPDX-License-Identifier: Apache-2.0
#include "vulkan/icd/command_groups.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace caldera::icd {
namespace {

constexpr size_t kNoGroup = std::numeric_limits<size_t>::max();

}  // namespace

/// The groups that the command waits for, latest first, without those that others of them wait for, as far as
/// that is known. `own` is the group that the command may join: it and what it follows do not count.
std::vector<size_t> CommandGroups::awaited(const OrderedCommand& command, std::optional<size_t> own) const {
    std::vector<size_t> candidates;
    for (const cl_uint number : command.after_each)
        if (group_of_[number] != kNoGroup) candidates.push_back(group_of_[number]);
    for (size_t queue = 0; queue < of_queue_.size(); ++queue) {
        const std::vector<size_t>& groups = of_queue_[queue];
        auto end = std::ranges::upper_bound(groups, command.after[queue], {},
                                            [&](size_t group) { return known_[group].first; });
        while (end != groups.begin()) {
            const size_t group = *--end;
            candidates.push_back(group);
            if (known_[group].follows[queue] == known_[group].place) break;  // it follows all before it
        }
    }
    std::ranges::sort(candidates, std::greater());
    std::vector<size_t> follows(of_queue_.size());
    std::vector<size_t> out;
    if (own) follows = known_[*own].follows;
    for (const size_t group : candidates) {
        const Known& known = known_[group];
        size_t& begin = follows[groups_[group].queue];
        const bool is_known = own && (group == *own || std::ranges::count(groups_[*own].after, group) != 0);
        if (is_known || known.place < begin || (!out.empty() && out.back() == group)) continue;
        for (size_t queue = 0; queue < follows.size(); ++queue)
            follows[queue] = std::max(follows[queue], known.follows[queue]);
        if (known.place == begin) ++begin;
        out.push_back(group);
    }
    return out;
}

/// The latest number in the group for which the command waits, or 0.
cl_uint CommandGroups::awaited_in(const OrderedCommand& command, size_t group) const {
    const Known& known = known_[group];
    const cl_uint after = command.after[groups_[group].queue];
    cl_uint latest = known.first <= after ? std::min(known.last, after) : 0;
    for (const cl_uint number : command.after_each)
        if (group_of_[number] == group) latest = std::max(latest, number);
    return latest;
}

/// Whether the group waits for what the command does, and for nothing else.
bool CommandGroups::joins(const OrderedCommand& command, size_t group) const {
    if (!awaited(command, group).empty()) return false;
    if (groups_[group].after.empty() || awaited_in(command, group) != 0) return true;
    const std::vector<size_t> alone = awaited(command, {});
    return std::ranges::all_of(groups_[group].after,
                               [&](size_t each) { return std::ranges::count(alone, each) != 0; });
}

size_t CommandGroups::open(const OrderedCommand& command) {
    std::vector<size_t> after = awaited(command, {});
    std::ranges::sort(after);
    Known known{.place = of_queue_[command.queue].size(),
                .follows = std::vector<size_t>(of_queue_.size()),
                .first = command.number,
                .ordered = command.number - 1};
    for (const size_t group : after) {
        groups_[group].is_last = false;
        std::optional<size_t>& open_one = open_[groups_[group].queue];
        if (open_one == group) open_one.reset();
        for (size_t queue = 0; queue < known.follows.size(); ++queue)
            known.follows[queue] = std::max(known.follows[queue], known_[group].follows[queue]);
    }
    for (const size_t group : after)
        if (size_t& follows = known.follows[groups_[group].queue]; follows == known_[group].place) ++follows;
    const size_t made = groups_.size();
    groups_.push_back({.queue = command.queue, .after = std::move(after)});
    known_.push_back(std::move(known));
    of_queue_[command.queue].push_back(made);
    open_[command.queue] = made;
    return made;
}

bool CommandGroups::add(const OrderedCommand& command) {
    group_of_.resize(command.number + size_t{1}, kNoGroup);
    const std::optional<size_t> own = open_[command.queue];
    const size_t group = own && joins(command, *own) ? *own : open(command);
    Known& known = known_[group];
    const bool waits = awaited_in(command, group) > known.ordered;
    if (waits) known.ordered = command.number - 1;
    known.last = command.number;
    group_of_[command.number] = group;
    groups_[group].commands.push_back(count_++);
    return waits;
}

}  // namespace caldera::icd
