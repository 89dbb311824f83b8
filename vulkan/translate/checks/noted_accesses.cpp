// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/noted_accesses.h"

#include <algorithm>

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;

/// A forward analysis of what holds on all ways: blocks begin with everything, and lose what a way to them
/// does not have.
void NotedAccesses::begin(const spirv::Function& function) {
    numbers_.clear();
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            for (const Access& access : find_(inst)) {
                const auto number = static_cast<uint32_t>(numbers_.size());
                numbers_.try_emplace(key_of(inst, access, access.writes), number);
            }
    constexpr size_t kBits = 64;
    const State none((numbers_.size() + kBits - 1) / kBits), all(none.size(), ~uint64_t{0});
    before_.assign(function.blocks.size(), none);
    if (numbers_.empty()) return;
    const spirv::Cfg cfg = spirv::build_cfg(function);
    std::vector<State> made(function.blocks.size(), none), kept(function.blocks.size(), all);
    for (const uint32_t b : cfg.order)
        for (const Instruction& inst : function.blocks[b].body) {
            pass(inst, made[b]);
            pass(inst, kept[b]);
        }
    std::vector<State> behind(function.blocks.size(), all);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (const uint32_t b : cfg.order) {
            State& before = before_[b];
            before = b == cfg.order.front() ? none : all;
            for (size_t i = 0; i < before.size(); ++i) {
                for (const uint32_t from : cfg.predecessors[b]) before[i] &= behind[from][i];
                const uint64_t now = made[b][i] | (before[i] & kept[b][i]);
                has_changed |= now != behind[b][i];
                behind[b][i] = now;
            }
        }
    }
}

bool NotedAccesses::has(const Key& key) const {
    const auto found = numbers_.find(key);
    return found != numbers_.end() && (state_[found->second / 64] >> found->second % 64 & 1) != 0;
}

bool NotedAccesses::is_noted(const Instruction& inst, const Access& access) const {
    return has(key_of(inst, access, access.writes)) ||
           (writes_serve_ && !access.writes && has(key_of(inst, access, true)));
}

/// A pointer that a loop makes anew needs no care: the way from the function's entry to the place that makes
/// it has not accessed memory by it.
void NotedAccesses::pass(const Instruction& inst, State& state) const {
    if (ends_(inst)) std::ranges::fill(state, 0);
    for (const Access& access : find_(inst)) {
        const uint32_t number = numbers_.at(key_of(inst, access, access.writes));
        state[number / 64] |= uint64_t{1} << number % 64;
    }
}

}  // namespace caldera::vulkan
