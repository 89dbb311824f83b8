// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/known_values.h"

#include <algorithm>

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

/// An exit without a condition of its own depends on the condition of another exit.
bool KnownValues::may_unroll(const Function& function, size_t header) const {
    const Id merge = function.blocks[header].merge.id(0);
    for (size_t b = header; b < function.blocks.size() && function.blocks[b].label != merge; ++b) {
        const Instruction& end = function.blocks[b].terminator;
        const bool leaves = std::ranges::any_of(end.operands, [&](const spirv::Operand& operand) {
            return operand.is_id && operand.id() == merge;
        });
        if (leaves && (end.op == Op::OpBranch || has(end.id(0)))) return true;
    }
    return false;
}

void KnownValues::forget(Id value) { changed_ |= unknown_.insert(value); }

void KnownValues::forget_variable(Id pointer) {
    if (const Id variable = roots_.of(pointer)) forget(variable);
}

}  // namespace caldera::vulkan
