// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/pointer_extents.h"

#include <algorithm>
#include <utility>

#include "spirv/op_class.h"
#include "spirv/sink_scope.h"
#include "vulkan/translate/checks/calls.h"
#include "vulkan/translate/checks/pointer_sources.h"
#include "vulkan/translate/support/function_type.h"
#include "vulkan/translate/support/pointer_extent.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {

using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spirv::Operands;
using spv::Op;
using spv::StorageClass;

bool PointerExtents::may_be_of_variable(Id value) const {
    const Id type = builder_.type_of(value);
    if (!type || !builder_.is_pointer(type)) return false;
    const StorageClass storage = builder_.storage(type);
    return storage == StorageClass::Function || storage == StorageClass::Workgroup ||
           storage == StorageClass::Generic;
}

bool PointerExtents::is_generic(Id pointer) const {
    return builder_.storage(builder_.type_of(pointer)) == StorageClass::Generic;
}

void PointerExtents::add_parameters(spirv::Module& module) {
    for (const Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                has_generic_variables_ |= inst.op == Op::OpPtrCastToGeneric && may_be_of_variable(inst.id(0));
    const spirv::IdSet named = named_elsewhere(module);
    const Id u64 = builder_.type_int(64);
    for (Function& function : module.functions) {
        if (function.blocks.empty() || named.contains(function.id())) continue;
        std::vector<size_t> pointers;
        for (size_t i = 0; i < function.params.size(); ++i)
            if (may_be_of_variable(function.params[i].result)) pointers.push_back(i);
        if (pointers.empty()) continue;
        const spirv::SinkScope sink(builder_, &function.params);
        for (const size_t i : pointers) {
            const Id pointer = function.params[i].result;
            PointerExtent& extent = parameters_[pointer];
            extent.offset = builder_.append(Op::OpFunctionParameter, u64, {});
            extent.size = builder_.append(Op::OpFunctionParameter, u64, {});
        }
        match_params(builder_, function);
        pointers_[function.id()] = std::move(pointers);
    }
}

void PointerExtents::add_to(Function& function) {
    nodes_.clear();
    own_parameters_ = {};
    for (const Instruction& param : function.params) own_parameters_.insert(param.result);
    const ObjectPaths paths(builder_, layout_, function);
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            for (const Access& access : accesses_.of(inst)) {
                const Id pointer = inst.id(access.operand);
                if (may_be_of_variable(pointer) && !paths.path_of(pointer)) want(pointer, paths);
            }
            if (!tells_variables_)
                for (const size_t operand : counted_operands(inst))
                    if (const Id pointer = inst.id(operand);
                        may_be_of_variable(pointer) && !paths.path_of(pointer))
                        want(pointer, paths);
            if (inst.op != Op::OpFunctionCall) continue;
            if (const auto found = pointers_.find(inst.id(0)); found != pointers_.end())
                for (const size_t i : found->second) want(inst.id(i + 1), paths);
        }
    if (nodes_.empty()) return;
    if (!tells_variables_) specify_nulls(paths);
    spread_known();
    name_results(paths);
    std::vector<Instruction> entry;
    {
        const spirv::SinkScope sink(builder_, &entry);
        for (const Instruction& param : function.params) add_question(param);
    }
    for (spirv::Block& block : function.blocks)
        rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
            if (inst.op == Op::OpFunctionCall) add_arguments(inst);
            const Instruction pointer = inst;
            out.push_back(std::move(inst));
            add_question(pointer);
            add_for(pointer, paths);
        });
    if (!entry.empty()) function.insert_at_entry(std::move(entry));
}

/// Makes nodes for the pointer and all that it is made from.
void PointerExtents::want(Id pointer, const ObjectPaths& paths) {
    const bool is_for_generic = is_generic(pointer);
    std::vector<Id> pending = {pointer};
    while (!pending.empty()) {
        const Id next = pending.back();
        pending.pop_back();
        if (const auto found = nodes_.find(next); found != nodes_.end()) {
            Node& node = found->second;
            if (!is_for_generic || std::exchange(node.is_for_generic, true)) continue;
            pending.insert(pending.end(), node.sources.begin(), node.sources.end());
            continue;
        }
        Node node{.is_for_generic = is_for_generic};
        if (const std::optional<PointerExtent> leaf = of_leaf(next, paths)) {
            node.is_known = true;
            node.extent = *leaf;
        } else if (const Instruction* inst = paths.def(next); inst && may_be_of_variable(next)) {
            node.sources = sources_of(*inst, paths);
            pending.insert(pending.end(), node.sources.begin(), node.sources.end());
        }
        if (node.sources.empty() && !node.is_known && may_be_asked(next, paths)) {
            node.is_known = node.is_asked = true;
            node.extent = {.offset = builder_.fresh(), .size = builder_.fresh()};
        }
        nodes_.emplace(next, std::move(node));
    }
}

/// Whether lower_memory can say where a pointer points of which nothing is known here: one that is loaded,
/// returned, made of an integer, or passed to a kernel or to a function that something else names, too.
bool PointerExtents::may_be_asked(Id pointer, const ObjectPaths& paths) const {
    if (tells_variables_ || !may_be_of_variable(pointer)) return false;
    if (is_generic(pointer) && !has_generic_variables_) return false;
    const Instruction* const inst = paths.def(pointer);
    return inst ? inst->op != Op::OpUndef : own_parameters_.contains(pointer);
}

/// The extent of a variable, a parameter or NULL. Nobody knows that of a generic NULL, which is looked up as
/// an address.
std::optional<PointerExtent> PointerExtents::of_leaf(Id pointer, const ObjectPaths& paths) {
    if (const auto found = parameters_.find(pointer); found != parameters_.end()) return found->second;
    const Instruction* inst = paths.def(pointer);
    if (!inst) inst = builder_.find_global(pointer);
    if (!inst || !may_be_of_variable(pointer)) return std::nullopt;
    if (inst->op == Op::OpConstantNull && !is_generic(pointer) && !tells_variables_)
        return PointerExtent{builder_.constant_u64(0), builder_.constant_u64(0)};
    if (inst->op != Op::OpVariable) return std::nullopt;
    const std::optional<TypeLayout> layout = layout_.find(builder_.pointee(inst->type));
    if (!layout) return std::nullopt;
    return PointerExtent{builder_.constant_u64(0), builder_.constant_u64(layout->size_bytes),
                         tells_variables_ ? builder_.constant_u32(pointer.value) : Id{}};
}

std::vector<Id> PointerExtents::sources_of(const Instruction& inst, const ObjectPaths& paths) {
    if (spirv::is_access_chain(inst.op) && !paths.step_of(inst)) return {};
    return pointer_sources(inst);
}

/// A generic NULL is one of private or local memory for accesses there. infer_spaces casts what memory has,
/// so it may be chosen as a generic pointer for a private access.
void PointerExtents::specify_nulls(const ObjectPaths& paths) {
    const Id zero = builder_.constant_u64(0);
    spirv::IdMap<Node> nulls;
    for (auto& [pointer, node] : nodes_) {
        if (node.is_for_generic) continue;
        for (Id& source : node.sources) {
            const Instruction* const inst = paths.def(source) ? nullptr : builder_.find_global(source);
            if (!inst || inst->op != Op::OpConstantNull || !is_generic(source)) continue;
            source = builder_.constant_null(
                builder_.type_pointer(StorageClass::Function, builder_.pointee(inst->type)));
            nulls.try_emplace(source, Node{.is_known = true, .extent = {.offset = zero, .size = zero}});
        }
    }
    for (auto& [null, node] : nulls) nodes_.try_emplace(null, std::move(node));
}

/// A pointer is known if one of those is that it is made from.
void PointerExtents::spread_known() {
    spirv::IdMap<std::vector<Id>> users;
    std::vector<Id> known;
    for (const auto& [pointer, node] : nodes_) {
        for (const Id source : node.sources) users[source].push_back(pointer);
        if (node.is_known) known.push_back(pointer);
    }
    while (!known.empty()) {
        const auto found = users.find(known.back());
        known.pop_back();
        if (found == users.end()) continue;
        for (const Id user : found->second) {
            Node& node = nodes_.at(user);
            if (!node.is_known) known.push_back(user);
            node.is_known = true;
        }
    }
}

/// Gives ids to what add_for() will compute.
void PointerExtents::name_results(const ObjectPaths& paths) {
    for (auto& [pointer, node] : nodes_) {
        if (!node.is_known || node.sources.empty()) continue;
        const Instruction& inst = *paths.def(pointer);
        if (is_pointer_cast(inst.op)) continue;
        node.extent.offset = builder_.fresh();
        if (spirv::is_access_chain(inst.op)) continue;
        // However often a loop moves a pointer on, it stays in its variable.
        const Id root = paths.root_of(pointer).value_or(Id{});
        std::optional<PointerExtent> leaf;
        if (const auto found = nodes_.find(root); found != nodes_.end() && found->second.sources.empty())
            if (found->second.is_known) leaf = found->second.extent;
        node.is_of_several = !leaf;
        node.extent.size = leaf ? leaf->size : builder_.fresh();
        if (tells_variables_) node.extent.variable = leaf ? leaf->variable : builder_.fresh();
    }
}

/// The extent of a pointer that has a node, or of one that nobody knows.
PointerExtent PointerExtents::extent_of(Id pointer) {
    const auto part = [&](Id PointerExtent::*member, uint64_t if_unknown) {
        Id at = pointer;
        Node* node = &nodes_.at(at);
        while (node->is_known && !(node->extent.*member)) node = &nodes_.at(at = node->sources[0]);
        const Id found = node->is_known ? node->extent.*member
                         : member == &PointerExtent::variable
                             ? builder_.constant_u32(static_cast<uint32_t>(if_unknown))
                             : builder_.constant_u64(if_unknown);
        return nodes_.at(pointer).extent.*member = found;  // the next search begins here
    };
    PointerExtent extent{part(&PointerExtent::offset, kMiddleOfUnknown),
                         part(&PointerExtent::size, kSizeOfUnknown)};
    if (tells_variables_) extent.variable = part(&PointerExtent::variable, 0);
    return extent;
}

std::optional<PointerExtent> PointerExtents::of(Id pointer) {
    const auto node = nodes_.find(pointer);
    return node != nodes_.end() && node->second.is_known ? std::optional(extent_of(pointer)) : std::nullopt;
}

/// Asks lower_memory where the pointer points.
void PointerExtents::add_question(const Instruction& pointer) {
    const auto node = nodes_.find(pointer.result);
    if (node == nodes_.end() || !node->second.is_asked) return;
    const Id u64 = builder_.type_int(64);
    const Id both = builder_.append(kPointerExtent, builder_.type_vector(u64, 2), {pointer.result});
    const auto part = [&](Id result, uint32_t number) {
        builder_.append(Instruction{
            .op = Op::OpCompositeExtract, .type = u64, .result = result, .operands = {both, number}});
    };
    part(node->second.extent.offset, 0);
    part(node->second.extent.size, 1);
}

/// Computes the extent of a pointer behind the instruction that makes it.
void PointerExtents::add_for(const Instruction& pointer, const ObjectPaths& paths) {
    const auto node = nodes_.find(pointer.result);
    if (node == nodes_.end() || !node->second.is_known || node->second.sources.empty()) return;
    if (is_pointer_cast(pointer.op)) return;
    const Id u64 = builder_.type_int(64);
    const PointerExtent own = node->second.extent;
    const bool is_of_several = node->second.is_of_several;
    const std::vector<Id>& sources = node->second.sources;
    if (spirv::is_access_chain(pointer.op)) {
        const ObjectPath step = *paths.step_of(pointer);
        Id at = extent_of(sources[0]).offset;
        for (const auto& [index, stride] : step.terms) {
            const Id wide =
                builder_.type_of(index) == u64 ? index : builder_.append(Op::OpSConvert, u64, {index});
            const Id bytes = builder_.append(Op::OpIMul, u64, {wide, builder_.constant_u64(stride)});
            at = builder_.append(Op::OpIAdd, u64, {at, bytes});
        }
        const Id constant = builder_.constant_u64(static_cast<uint64_t>(step.constant));
        return builder_.append(
            Instruction{.op = Op::OpIAdd, .type = u64, .result = own.offset, .operands = {at, constant}});
    }
    const auto choose = [&](Id PointerExtent::*member, Id type) {
        Operands operands = pointer.operands;
        const bool is_phi = pointer.op == Op::OpPhi;
        const size_t step = is_phi ? 2 : 1, first = is_phi ? 0 : 1;
        for (size_t i = 0; i < sources.size(); ++i)
            operands[first + i * step] = extent_of(sources[i]).*member;
        builder_.append(Instruction{
            .op = pointer.op, .type = type, .result = own.*member, .operands = std::move(operands)});
    };
    choose(&PointerExtent::offset, u64);
    if (!is_of_several) return;
    choose(&PointerExtent::size, u64);
    if (tells_variables_) choose(&PointerExtent::variable, builder_.type_int(32));
}

void PointerExtents::add_arguments(Instruction& call) {
    const auto found = pointers_.find(call.id(0));
    if (found == pointers_.end()) return;
    for (const size_t i : found->second) {
        const PointerExtent extent = extent_of(call.id(i + 1));
        call.operands.push_back(extent.offset);
        call.operands.push_back(extent.size);
    }
}

}  // namespace caldera::vulkan
