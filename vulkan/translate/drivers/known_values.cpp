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

namespace {

/// Comparisons and differences of a value with itself are found whatever the value is.
bool is_with_itself(const Instruction& inst) {
    const bool is_zero = inst.op == Op::OpISub || inst.op == Op::OpBitwiseXor;
    return (spirv::is_comparison(inst.op) || is_zero) && inst.id(0) == inst.id(1);
}

}  // namespace

KnownValues::KnownValues(const spirv::Builder& builder, const Function& function) : builder_(builder) {
    for (const Block& block : function.blocks)
        for (const Instruction& inst : block.body) enter(inst);
    find_loop_ends(function);
    update(function);
}

void KnownValues::update(const Function& function) {
    // At first all values count as known. Values that are not known make others unknown, round by round.
    do {
        changed_ = false;
        sweep(function);
    } while (changed_);
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
        const bool stays = block.merge.op == Op::OpLoopMerge && !may_unroll(function, b);
        for (const Instruction& inst : block.body) {
            if (stays && inst.op == Op::OpPhi) forget(inst.result);
            visit(inst);
        }
    }
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
                if (!is_made_of_known(inst, 0) && !is_with_itself(inst)) forget(inst.result);
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

void KnownValues::forget(Id value) { changed_ |= unknown_.insert(value); }

void KnownValues::forget_variable(Id pointer) {
    if (const Id variable = roots_.of(pointer)) forget(variable);
}

}  // namespace caldera::vulkan
