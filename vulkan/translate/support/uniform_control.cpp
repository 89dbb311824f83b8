// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/uniform_control.h"

#include <spirv/unified1/OpenCL.std.h>

#include <algorithm>

#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/built_in.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::BuiltIn;
using spv::Op;
using spv::StorageClass;

namespace {

/// Whether all work-items of a work-group read the same.
bool is_same_in_group(BuiltIn input) {
    switch (input) {
        case BuiltIn::WorkDim:
        case BuiltIn::GlobalSize:
        case BuiltIn::GlobalOffset:
        case BuiltIn::WorkgroupId:
        case BuiltIn::WorkgroupSize:
        case BuiltIn::EnqueuedWorkgroupSize:
        case BuiltIn::NumWorkgroups:
        case BuiltIn::SubgroupMaxSize:
        case BuiltIn::NumSubgroups:
        case BuiltIn::NumEnqueuedSubgroups: return true;
        default: return false;
    }
}

/// Work-group functions that give all work-items the same.
bool is_same_for_group(const spirv::Builder& builder, const Instruction& inst) {
    const auto group = static_cast<uint64_t>(spv::Scope::Workgroup);
    switch (inst.op) {
        case Op::OpGroupAll:
        case Op::OpGroupAny:
        case Op::OpGroupBroadcast: return builder.constant_value(inst.id(0)) == group;
        case Op::OpGroupIAdd:
        case Op::OpGroupFAdd:
        case Op::OpGroupFMin:
        case Op::OpGroupUMin:
        case Op::OpGroupSMin:
        case Op::OpGroupFMax:
        case Op::OpGroupUMax:
        case Op::OpGroupSMax:
            return builder.constant_value(inst.id(0)) == group &&
                   inst.word(1) == static_cast<uint32_t>(spv::GroupOperation::Reduce);
        default: return false;
    }
}

/// Reads of constant memory among the extended instructions would be the same for all, but are few.
bool takes_pointer(const spirv::Builder& builder, const Instruction& inst) {
    return std::ranges::any_of(spirv::Operands(inst.operands), [&](const spirv::Operand& operand) {
        const Id type = operand.is_id ? builder.type_of(operand.id()) : Id{};
        return type && builder.is_pointer(type);
    });
}

}  // namespace

UniformControl::UniformControl(const spirv::Builder& builder, std::span<const uint32_t> functions)
    : builder_(builder),
      body_by_index_(builder.module().functions.size(), 0),
      built_ins_(built_ins_of(builder.module())) {
    bodies_.reserve(functions.size());
    for (const uint32_t function : functions) add_body(function);
    do {
        changed_ = false;
        for (Body& body : bodies_) visit(body);
    } while (changed_);
}

bool UniformControl::all_reach(uint32_t function, uint32_t block) const {
    const uint32_t place = body_by_index_[function];
    return place != 0 && !bodies_[place - 1].divergent[block];
}

void UniformControl::add_body(uint32_t function) {
    const spirv::Function& from = builder_.module().functions[function];
    Body body{.function = &from, .cfg = spirv::build_cfg(from)};
    if (!from.blocks.empty()) body.post = spirv::post_dominators(body.cfg);
    body.divergent.assign(from.blocks.size(), 0);
    body_of_.emplace(from.id(), static_cast<uint32_t>(bodies_.size()));
    bodies_.push_back(std::move(body));
    body_by_index_[function] = static_cast<uint32_t>(bodies_.size());
    // A kernel's argument by value is its own copy.
    if (bodies_.size() == 1)
        for (const Instruction& param : from.params)
            if (builder_.is_pointer(param.type) && builder_.storage(param.type) == StorageClass::Function)
                private_.insert(param.result);
    for (const spirv::Block& block : from.blocks)
        for (const Instruction& inst : block.body) {
            if (inst.op == Op::OpVariable) private_.insert(inst.result);
            if (spirv::computes_pointer(inst.op) && builder_.is_pointer(inst.type))
                bases_.emplace(inst.result, inst.id(0));
        }
}

void UniformControl::visit(Body& body) {
    for (const uint32_t block : body.cfg.order) {
        visit_block(body, block);
        visit_terminator(body, block);
    }
}

void UniformControl::visit_block(Body& body, uint32_t block) {
    for (const Instruction& inst : body.function->blocks[block].body) {
        switch (inst.op) {
            case Op::OpPhi: visit_phi(body, inst); break;
            case Op::OpStore: visit_store(body, block, inst); break;
            case Op::OpFunctionCall: visit_call(body, block, inst); break;
            case Op::OpVariable:
                if (inst.operands.size() > 1 && differs(inst.id(1))) mark(inst.result);
                break;
            default:
                if (inst.result && result_differs(inst)) mark(inst.result);
                break;
        }
        // A variable whose address goes elsewhere, or becomes a number, may be written there.
        if (inst.op == Op::OpLoad || inst.op == Op::OpVariable ||
            (spirv::computes_pointer(inst.op) && builder_.is_pointer(inst.type)) ||
            inst.op == Op::OpLifetimeStart || inst.op == Op::OpLifetimeStop || spirv::is_debug(inst))
            continue;
        for (size_t i = inst.op == Op::OpStore ? 1 : 0; i < inst.operands.size(); ++i)
            if (const spirv::Operand& operand = inst.operands[i]; operand.is_id)
                if (const Id variable = variable_of(operand.id())) mark(variable);
    }
}

/// A phi's value depends on its predecessor, which may be another for each work-item where they part.
void UniformControl::visit_phi(const Body& body, const Instruction& phi) {
    bool differs_now = false, same_value = true, part = false;
    for (size_t i = 0; i + 1 < phi.operands.size(); i += 2) {
        differs_now |= differs(phi.id(i));
        same_value &= phi.id(i) == phi.id(0);
        const uint32_t from = body.cfg.block(phi.id(i + 1));
        part |= from != spirv::kNoBlock && body.cfg.reachable(from) &&
                (body.divergent[from] || parts_ways(body, from));
    }
    if (differs_now || (part && !same_value)) mark(phi.result);
}

void UniformControl::visit_store(const Body& body, uint32_t block, const Instruction& store) {
    const Id variable = variable_of(store.id(0));
    if (variable && (body.divergent[block] || differs(store.id(1)) || differs(store.id(0)))) mark(variable);
}

void UniformControl::visit_call(const Body& body, uint32_t block, const Instruction& call) {
    const auto callee = body_of_.find(call.id(0));
    if (callee == body_of_.end() || bodies_[callee->second].function->blocks.empty()) {
        if (call.result) mark(call.result);
        return;
    }
    Body& called = bodies_[callee->second];
    for (size_t i = 1; i < call.operands.size() && i <= called.function->params.size(); ++i)
        if (differs(call.id(i))) mark(called.function->params[i - 1].result);
    if (body.divergent[block])
        for (uint32_t b = 0; b < called.divergent.size(); ++b) mark_block(called, b);
    if (differs(called.function->id())) mark(call.result);
}

bool UniformControl::parts_ways(const Body& body, uint32_t block) const {
    const Instruction& end = body.function->blocks[block].terminator;
    return (end.op == Op::OpBranchConditional || end.op == Op::OpSwitch) && differs(end.id(0));
}

void UniformControl::visit_terminator(Body& body, uint32_t block) {
    const Instruction& end = body.function->blocks[block].terminator;
    if (end.op == Op::OpReturnValue && (body.divergent[block] || differs(end.id(0))))
        mark(body.function->id());
    if (parts_ways(body, block)) diverge_from(body, block);
}

/// Marks all blocks that lead from the branch to where every way from it meets again.
void UniformControl::diverge_from(Body& body, uint32_t branch) {
    const uint32_t meet = body.post.parent[branch];
    std::vector<uint32_t> open(body.cfg.successors[branch].begin(), body.cfg.successors[branch].end());
    std::vector<uint8_t> seen(body.divergent.size(), 0);
    while (!open.empty()) {
        const uint32_t block = open.back();
        open.pop_back();
        if (block == meet || seen[block]) continue;
        seen[block] = 1;
        mark_block(body, block);
        open.insert(open.end(), body.cfg.successors[block].begin(), body.cfg.successors[block].end());
    }
}

bool UniformControl::result_differs(const Instruction& inst) const {
    if (inst.op == Op::OpLoad) return load_differs(inst);
    if (is_same_for_group(builder_, inst)) return false;
    if (inst.op == Op::OpExtInst) return takes_pointer(builder_, inst) || any_operand_differs(inst);
    return !spirv::is_pure(inst) || any_operand_differs(inst);
}

bool UniformControl::load_differs(const Instruction& load) const {
    const Id pointer = load.id(0);
    if (const auto input = built_ins_.find(pointer); input != built_ins_.end())
        return !is_same_in_group(input->second);
    if (differs(pointer)) return true;
    if (const Id variable = variable_of(pointer)) return differs(variable);
    return builder_.storage(builder_.type_of(pointer)) != StorageClass::UniformConstant;
}

bool UniformControl::any_operand_differs(const Instruction& inst) const {
    return std::ranges::any_of(spirv::Operands(inst.operands), [&](const spirv::Operand& operand) {
        return operand.is_id && differs(operand.id());
    });
}

/// The variable of a function that the pointer leads into, or none.
Id UniformControl::variable_of(Id pointer) const {
    while (true) {
        if (private_.contains(pointer)) return pointer;
        const auto base = bases_.find(pointer);
        if (base == bases_.end()) return {};
        pointer = base->second;
    }
}

}  // namespace caldera::vulkan
