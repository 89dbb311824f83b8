// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/chosen_objects.h"

#include <algorithm>
#include <utility>

#include "spirv/op_class.h"
#include "vulkan/translate/checks/pointer_sources.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

bool chooses(Op op) { return op == Op::OpSelect || op == Op::OpPhi; }

}  // namespace

/// What the pointer is derived from by casts and chains alone.
Id ChosenObjects::base_of(Id pointer) const {
    while (const Instruction* const inst = instrument_.paths().def(pointer)) {
        const std::vector<Id> sources = chooses(inst->op) ? std::vector<Id>{} : pointer_sources(*inst);
        if (sources.empty() || !instrument_.is_global(sources[0])) break;
        pointer = sources[0];
    }
    return pointer;
}

ChosenObjects::Node ChosenObjects::made_node(Id base) {
    if (const CheckedObject* const object = instrument_.object_of(base)) return {.object = *object};
    if (instrument_.storage(base) == spv::StorageClass::Generic) return {.is_known = false};
    const Instruction* inst = instrument_.paths().def(base);
    if (inst && chooses(inst->op)) return {.sources = pointer_sources(*inst)};
    if (!inst) inst = builder_.find_global(base);
    const bool has_none = inst && (inst->op == Op::OpConstantNull || inst->op == Op::OpUndef);
    if (!has_none) return {.is_known = false};
    const Id zero = builder_.constant_u64(0);
    return {.object = {.begin = zero, .size = zero}};
}

/// Null if the pointer's object is not known.
const ChosenObjects::Node* ChosenObjects::node_of(Id pointer) {
    const Id base = base_of(pointer);
    if (!nodes_.contains(base)) {
        std::vector<Id> added, pending = {base};
        while (!pending.empty()) {
            const Id next = pending.back();
            pending.pop_back();
            if (nodes_.contains(next)) continue;
            Node node = made_node(next);
            for (Id& source : node.sources) pending.push_back(source = base_of(source));
            nodes_.emplace(next, std::move(node));
            added.push_back(next);
        }
        forget_unknown(added);
    }
    const Node& node = nodes_.at(base);
    return node.is_known ? &node : nullptr;
}

/// Nobody knows a pointer that is made from one that nobody knows. Others that are chosen get ids.
void ChosenObjects::forget_unknown(const std::vector<Id>& added) {
    spirv::IdMap<std::vector<Id>> users;
    std::vector<Id> unknown;
    for (const Id pointer : added) {
        Node& node = nodes_.at(pointer);
        for (const Id source : node.sources) {
            users[source].push_back(pointer);
            if (!nodes_.at(source).is_known) unknown.push_back(source);
        }
    }
    while (!unknown.empty()) {
        const auto found = users.find(unknown.back());
        unknown.pop_back();
        if (found == users.end()) continue;
        for (const Id user : found->second)
            if (std::exchange(nodes_.at(user).is_known, false)) unknown.push_back(user);
    }
    for (const Id pointer : added)
        if (Node& node = nodes_.at(pointer); node.is_known && !node.sources.empty())
            node.object = {.begin = builder_.fresh(), .size = builder_.fresh()};
}

void ChosenObjects::begin(const spirv::Function& function) {
    nodes_.clear();
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            for (const Access& access : instrument_.accesses().of(inst)) {
                const Id pointer = inst.id(access.operand);
                if (instrument_.is_global(pointer) &&
                    instrument_.storage(pointer) != spv::StorageClass::Generic)
                    want(pointer, access.bytes);
            }
}

/// Chooses a limit for such accesses, where the object is chosen.
void ChosenObjects::want(Id pointer, uint64_t bytes) {
    const Node* const node = node_of(pointer);
    if (!node || node->sources.empty()) return;
    std::vector<Id> pending = {base_of(pointer)};
    while (!pending.empty()) {
        const Id next = pending.back();
        pending.pop_back();
        Node& wanted = nodes_.at(next);
        if (wanted.limits.contains(bytes)) continue;
        wanted.limits[bytes] =
            wanted.sources.empty() ? instrument_.limit_of(wanted.object, bytes) : builder_.fresh();
        pending.insert(pending.end(), wanted.sources.begin(), wanted.sources.end());
    }
}

void ChosenObjects::add_behind(const Instruction& pointer) {
    const auto found = nodes_.find(pointer.result);
    if (found == nodes_.end() || !found->second.is_known || found->second.sources.empty()) return;
    const Node& node = found->second;
    const auto choose = [&](Id result, const auto& value_of) {
        spirv::Operands operands = pointer.operands;
        const size_t step = pointer.op == Op::OpPhi ? 2 : 1, first = pointer.op == Op::OpPhi ? 0 : 1;
        for (size_t i = 0; i < node.sources.size(); ++i)
            operands[first + i * step] = value_of(nodes_.at(node.sources[i]));
        builder_.append(Instruction{.op = pointer.op,
                                    .type = builder_.type_int(64),
                                    .result = result,
                                    .operands = std::move(operands)});
    };
    choose(node.object.begin, [](const Node& source) { return source.object.begin; });
    choose(node.object.size, [](const Node& source) { return source.object.size; });
    for (const auto& [bytes, limit] : node.limits)
        choose(limit, [bytes = bytes](const Node& source) { return source.limits.at(bytes); });
}

std::optional<ChosenObjects::Choice> ChosenObjects::of(Id pointer, const Access& access) const {
    const auto node = nodes_.find(base_of(pointer));
    if (node == nodes_.end() || node->second.sources.empty()) return std::nullopt;
    const auto limit = node->second.limits.find(access.bytes);
    if (limit == node->second.limits.end()) return std::nullopt;
    return Choice{node->second.object, limit->second};
}

}  // namespace caldera::vulkan
