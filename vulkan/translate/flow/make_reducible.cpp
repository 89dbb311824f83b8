// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/make_reducible.h"

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/flow/demote.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

class Reducer {
 public:
    Reducer(Builder& builder, Function& function) : builder_(builder), function_(function) {}

    void run() {
        cfg_ = build_cfg(function_);
        if (!find_loops(cfg_, dominators(cfg_)).reducible) visit_components();
    }

 private:
    /// Handles outer cycles first. An entry of a repaired cycle has only the dispatch block as predecessor,
    /// so no edge inside the cycle leads to it. If a cycle has one entry, that entry is the loop header, and
    /// is left out when inner cycles are searched.
    void visit_components() {
        std::vector<std::vector<uint32_t>> work = {cfg_.order};
        std::vector<uint8_t> inside(cfg_.size(), 0), dispatched(cfg_.size(), 0);
        in_component_.assign(cfg_.size(), 0);
        while (!work.empty()) {
            const std::vector<uint32_t> nodes = std::move(work.back());
            work.pop_back();
            for (uint32_t node : nodes) inside[node] = dispatched[node] ? 2 : 1;
            auto components = strong_components(cfg_.successors, inside, nodes);
            for (uint32_t node : nodes) inside[node] = 0;
            for (auto& component : components) {
                if (component.size() < 2) continue;
                const std::vector<uint32_t> entries = entries_of(component);
                if (entries.size() > 1) {
                    add_dispatch(entries);
                    for (uint32_t entry : entries) dispatched[entry] = 1;
                } else {
                    std::erase(component, entries[0]);
                }
                work.push_back(std::move(component));
            }
        }
    }

    std::vector<uint32_t> entries_of(const std::vector<uint32_t>& component) {
        for (uint32_t node : component) in_component_[node] = 1;
        std::vector<uint32_t> entries;
        for (uint32_t node : component) {
            const bool entered = std::ranges::any_of(
                cfg_.predecessors[node], [&](uint32_t p) { return cfg_.reachable(p) && !in_component_[p]; });
            if (entered) entries.push_back(node);
        }
        for (uint32_t node : component) in_component_[node] = 0;
        std::ranges::sort(entries, {}, [&](uint32_t node) { return cfg_.position[node]; });
        return entries;
    }

    void add_dispatch(const std::vector<uint32_t>& entries) {
        const Id u32 = builder_.type_int(32);
        const Id selector = add_variable(builder_, function_, u32);
        Block dispatch = {.label = builder_.fresh()};
        std::vector<Id> labels;
        for (uint32_t entry : entries) labels.push_back(function_.blocks[entry].label);
        for (uint32_t i = 0; i < entries.size(); ++i)
            for (uint32_t predecessor : cfg_.predecessors[entries[i]])
                if (cfg_.reachable(predecessor))
                    redirect(predecessor, labels[i], dispatch.label, selector, builder_.constant_u32(i));

        const SinkScope sink(builder_, &dispatch.body);
        const Id value = builder_.append(spv::Op::OpLoad, u32, {selector});
        dispatch.terminator = {.op = spv::Op::OpSwitch, .operands = {value, labels.back()}};
        for (uint32_t i = 0; i + 1 < labels.size(); ++i) {
            dispatch.terminator.operands.push_back(i);
            dispatch.terminator.operands.push_back(labels[i]);
        }
        function_.blocks.push_back(std::move(dispatch));
    }

    void redirect(uint32_t from, Id target, Id dispatch, Id selector, Id value) {
        const Instruction store = {.op = spv::Op::OpStore, .operands = {selector, value}};
        Block& block = function_.blocks[from];
        if (block.terminator.op == spv::Op::OpBranch) {
            block.body.push_back(store);
            block.terminator.operands[0] = dispatch;
            return;
        }
        const Id label = builder_.fresh();
        replace_target(block.terminator, target, label);
        function_.blocks.push_back({.label = label,
                                    .body = {store},
                                    .terminator = {.op = spv::Op::OpBranch, .operands = {dispatch}}});
    }

    Builder& builder_;
    Function& function_;
    Cfg cfg_ = {};
    std::vector<uint8_t> in_component_ = {};
};

}  // namespace

void make_reducible(Builder& builder, Function& function) { Reducer(builder, function).run(); }

}  // namespace caldera::vulkan
