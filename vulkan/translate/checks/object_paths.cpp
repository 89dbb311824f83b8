// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/checks/object_paths.h"

#include <algorithm>
#include <utility>

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

namespace {

constexpr int kMaxStepsToObject = 1000;  // from a pointer to its object

}  // namespace

ObjectPaths::ObjectPaths(const spirv::Builder& builder, const OpenclLayout& layout,
                         const spirv::Function& function)
    : builder_(builder), layout_(layout) {
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) defs_[inst.result] = &inst;
}

const Instruction* ObjectPaths::def(Id value) const {
    const auto found = defs_.find(value);
    return found == defs_.end() ? nullptr : found->second;
}

std::optional<Id> ObjectPaths::root_of(Id pointer) const {
    spirv::IdSet seen;
    return root_of(pointer, seen, 0);
}

uint64_t ObjectPaths::size_bytes(const ObjectPath& path) const {
    return layout_.of(pointee(path.variable)).size_bytes;
}

/// {} if all ways lead back to
/// `seen` ones.
std::optional<Id> ObjectPaths::root_of(Id pointer, spirv::IdSet& seen, int steps) const {
    if (++steps > kMaxStepsToObject) return std::nullopt;
    const Instruction* inst = def(pointer);
    if (!inst) return pointer;
    switch (inst->op) {
        case Op::OpBitcast:
            if (!builder_.is_pointer(builder_.type_of(inst->id(0)))) return pointer;
            [[fallthrough]];
        case Op::OpAccessChain:
        case Op::OpInBoundsAccessChain:
        case Op::OpPtrAccessChain:
        case Op::OpInBoundsPtrAccessChain:
        case Op::OpPtrCastToGeneric:
        case Op::OpCopyObject: return root_of(inst->id(0), seen, steps);
        case Op::OpGenericCastToPtr: {
            const std::optional<Id> root = root_of(inst->id(0), seen, steps);
            return !root || (*root && !is_of_space(*root, inst->type)) ? pointer : root;
        }
        case Op::OpPhi:
        case Op::OpSelect: break;
        default: return pointer;
    }
    if (!seen.insert(pointer)) return Id{};
    const bool is_phi = inst->op == Op::OpPhi;
    std::optional<Id> common = Id{};
    for (size_t i = is_phi ? 0 : 1; i < inst->operands.size(); i += is_phi ? 2 : 1) {
        const std::optional<Id> root = root_of(inst->id(i), seen, steps);
        if (!root || (*root && *common && *root != *common)) return std::nullopt;
        if (*root) common = root;
    }
    return common;
}

/// A cast to another space makes another address. Its pointer is in no object that is known.
bool ObjectPaths::is_of_space(Id root, Id pointer_type) const {
    return builder_.storage(builder_.type_of(root)) == builder_.storage(pointer_type);
}

ObjectPath ObjectPaths::place_of(Id pointer) const {
    ObjectPath path{.variable = pointer};
    for (int steps = 0; steps < kMaxStepsToObject; ++steps) {
        const Instruction* inst = def(path.variable);
        if (!inst) inst = builder_.find_global(path.variable);
        if (!inst) return path;
        switch (inst->op) {
            case Op::OpBitcast:
                if (!builder_.is_pointer(builder_.type_of(inst->id(0)))) return path;
                break;
            case Op::OpPtrCastToGeneric:
            case Op::OpCopyObject: break;
            case Op::OpGenericCastToPtr: {
                const Id root = root_of(inst->id(0)).value_or(Id{});
                if (!root || !is_of_space(root, inst->type)) return path;
                break;
            }
            case Op::OpAccessChain:
            case Op::OpInBoundsAccessChain:
            case Op::OpPtrAccessChain:
            case Op::OpInBoundsPtrAccessChain: {
                const ObjectPath behind = path;
                if (!add_chain(*inst, path)) return behind;
                break;
            }
            default: return path;
        }
        path.variable = inst->id(0);
    }
    return path;
}

std::optional<ObjectPath> ObjectPaths::path_of(Id pointer) const {
    ObjectPath path = place_of(pointer);
    const Instruction* inst = def(path.variable);
    if (!inst) inst = builder_.find_global(path.variable);
    const bool is_variable = inst && inst->op == Op::OpVariable && layout_.find(pointee(path.variable));
    return is_variable ? std::optional(std::move(path)) : std::nullopt;
}

std::optional<ObjectPath> ObjectPaths::step_of(const Instruction& chain) const {
    ObjectPath step;
    return add_chain(chain, step) ? std::optional(step) : std::nullopt;
}

bool ObjectPaths::add_chain(const Instruction& chain, ObjectPath& path) const {
    Id type = pointee(chain.id(0));
    size_t next = 1;
    const auto add = [&](Id index, uint64_t stride) {
        const std::optional<uint64_t> value = builder_.constant_value(index);
        if (!value) return path.terms.emplace_back(index, stride), void();
        const uint32_t unused = 64 - builder_.width(builder_.type_of(index));
        const int64_t number = static_cast<int64_t>(*value << unused) >> unused;
        path.constant += static_cast<int64_t>(static_cast<uint64_t>(number) * stride);
    };
    if (chain.op == Op::OpPtrAccessChain || chain.op == Op::OpInBoundsPtrAccessChain) {
        if (!layout_.find(type)) return false;
        add(chain.id(next++), layout_.of(type).size_bytes);
    }
    for (; next < chain.operands.size(); ++next) {
        if (builder_.op_of_type(type) == Op::OpTypeStruct) {
            const std::optional<uint64_t> member = builder_.constant_value(chain.id(next));
            if (!member) return false;
            path.constant +=
                static_cast<int64_t>(layout_.member_offset(type, static_cast<uint32_t>(*member)));
            type = builder_.member(type, static_cast<uint32_t>(*member));
        } else {
            type = builder_.element(type);
            if (!layout_.find(type)) return false;
            add(chain.id(next), layout_.of(type).size_bytes);
        }
    }
    return true;
}

bool ObjectPaths::is_inside(const ObjectPath& path, uint64_t bytes, const IndexLimits& limits,
                            uint32_t block) const {
    const uint64_t size = size_bytes(path);
    auto at = static_cast<uint64_t>(path.constant);
    for (const auto& [index, stride] : path.terms) {
        const uint64_t most = limits.largest(index, block);
        const bool may_be_negative = most >> (builder_.width(builder_.type_of(index)) - 1) != 0;
        if (at >= size || may_be_negative || (stride != 0 && most > size / stride)) return false;
        at += most * stride;
    }
    return at < size && size - at >= bytes;
}

}  // namespace caldera::vulkan
