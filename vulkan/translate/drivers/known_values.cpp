// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/known_values.h"

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

KnownValues::KnownValues(const spirv::Builder& builder, const Function& function)
    : builder_(builder), same_(builder, function) {
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body) enter(inst);
    find_loop_ends(function);
    update(function);
}

void KnownValues::update(const Function& function) {
    constexpr int kRounds = 4;  // enough for most functions
    // At first all values count as known. Values that are not known make others unknown, round by round.
    for (int round = 0; round < kRounds; ++round) {
        forgotten_.clear();
        sweep(function);
        if (forgotten_.empty()) return;
    }
    follow(function);
}

/// Makes what uses the values unknown that the last sweep made unknown, one by one.
void KnownValues::follow(const Function& function) {
    spirv::IdMap<std::vector<const Instruction*>> users;
    spirv::IdMap<std::vector<size_t>> left_if;  // condition -> the headers of the loops that it leaves
    for (size_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        for (const Instruction& inst : block.body)
            for (const spirv::Operand& operand : inst.operands)
                if (operand.is_id) users[operand.id()].push_back(&inst);
        if (block.merge.op != Op::OpLoopMerge) continue;
        for (const uint32_t from : loop_ends_.at(block.merge.id(0)).from)
            left_if[function.blocks[from].terminator.id(0)].push_back(b);
    }
    while (!forgotten_.empty()) {
        const Id value = forgotten_.back();
        forgotten_.pop_back();
        if (const auto found = users.find(value); found != users.end())
            for (const Instruction* inst : found->second) visit(*inst);
        if (const auto found = left_if.find(value); found != left_if.end())
            for (const size_t header : found->second) forget_turns(function, header);
    }
}

bool KnownValues::has(Id value) const {
    if (const Instruction* global = builder_.find_global(value)) return global->op != Op::OpVariable;
    return candidates_.contains(value) && !unknown_.contains(value);
}

void KnownValues::enter(const Instruction& inst) {
    roots_.add(inst);
    const bool may_be_known = inst.op == Op::OpVariable || inst.op == Op::OpPhi || inst.op == Op::OpLoad ||
                              inst.op == Op::OpExtInst || spirv::is_pure(inst);
    if (may_be_known) candidates_.insert(inst.result);
}

void KnownValues::sweep(const Function& function) {
    for (size_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (block.merge.op == Op::OpLoopMerge) forget_turns(function, b);
        for (const Instruction& inst : block.body) visit(inst);
    }
}

/// What changes from turn to turn is not known in a loop that stays a loop.
void KnownValues::forget_turns(const Function& function, size_t header) {
    if (may_unroll(function, header)) return;
    for (const Instruction& inst : function.blocks[header].body)
        if (inst.op == Op::OpPhi) forget(inst.result);
}

void KnownValues::visit(const Instruction& inst) {
    switch (inst.op) {
        case Op::OpVariable: return;
        case Op::OpStore:
            if (!is_made_of_known(inst, 0)) forget_variable(inst.id(0));
            return;
        case Op::OpPhi:
            if (!is_made_of_known(inst, 0, 2)) forget(inst.result);
            return;
        case Op::OpLoad:
            if (!roots_.of(inst.id(0)) || !has(inst.id(0))) forget(inst.result);
            return;
        case Op::OpExtInst:
            if (!is_made_of_known(inst, 2)) forget(inst.result);
            break;
        default:
            if (spirv::is_pure(inst)) {
                if (!is_made_of_known(inst, 0) && !same_.decides(inst)) forget(inst.result);
                return;
            }
    }
    // If a variable's address is used elsewhere, other code may write to it.
    for (const spirv::Operand& operand : inst.operands)
        if (operand.is_id) forget_variable(operand.id());
}

bool KnownValues::is_made_of_known(const Instruction& inst, size_t first, size_t step) const {
    for (size_t i = first; i < inst.operands.size(); i += step)
        if (inst.operands[i].is_id && !has(inst.id(i))) return false;
    return true;
}

void KnownValues::find_loop_ends(const Function& function) {
    for (const Block& block : function.blocks)
        if (block.merge.op == Op::OpLoopMerge) loop_ends_[block.merge.id(0)];
    if (loop_ends_.empty()) return;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (const auto end = loop_ends_.find(block.label); end != loop_ends_.end()) end->second.block = b;
        spirv::for_each_target(block.terminator, [&](const spirv::Operand& target) {
            if (const auto end = loop_ends_.find(target.id()); end != loop_ends_.end())
                end->second.from.push_back(b);
        });
    }
}

/// An exit without a condition of its own depends on the condition of another exit.
bool KnownValues::may_unroll(const Function& function, size_t header) const {
    const LoopEnd& end = loop_ends_.at(function.blocks[header].merge.id(0));
    return std::ranges::any_of(end.from, [&](uint32_t b) {
        if (b < header || b >= end.block) return false;
        const Instruction& branch = function.blocks[b].terminator;
        return branch.op == Op::OpBranch || has(branch.id(0));
    });
}

void KnownValues::forget(Id value) {
    if (unknown_.insert(value)) forgotten_.push_back(value);
}

void KnownValues::forget_variable(Id pointer) {
    if (const Id variable = roots_.of(pointer)) forget(variable);
}

}  // namespace caldera::vulkan
