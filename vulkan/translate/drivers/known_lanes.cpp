// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/known_lanes.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <utility>

#include "spirv/uses.h"

namespace caldera::vulkan {

using spirv::Id;
using spirv::Instruction;
using spv::Op;

KnownLanes::KnownLanes(spirv::Builder& builder, const spirv::Function& function, const KnownValues& known)
    : builder_(builder), known_(known), folder_(builder) {
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            if (!inst.result || !is_number(inst.type) || known_.has(inst.result)) continue;
            Lanes lanes = computed(inst);
            if (std::ranges::any_of(lanes, &Lane::is_known)) lanes_[inst.result] = std::move(lanes);
        }
}

std::span<const KnownLanes::Lane> KnownLanes::of(Id value) const {
    const auto found = lanes_.find(value);
    return found == lanes_.end() ? std::span<const Lane>{} : found->second;
}

/// A number, a truth value, or a vector of those.
bool KnownLanes::is_number(Id type) const {
    if (!type) return false;
    const Id element = builder_.element(type);
    const bool is_scalar = element == type;
    return (is_scalar || builder_.is_vector(type)) &&
           (builder_.is_int(element) || builder_.is_float(element) || builder_.is_bool(element));
}

KnownLanes::Lane KnownLanes::lane(Id value, uint32_t at) {
    const bool is_vector = builder_.is_vector(builder_.type_of(value));
    if (builder_.find_global(value)) {
        const Id constant = is_vector ? builder_.constant_component(value, at) : value;
        return {.is_known = known_.has(value), .constant = constant};
    }
    if (known_.has(value)) return {.is_known = true};
    const auto found = lanes_.find(value);
    return found == lanes_.end() ? Lane{} : found->second[is_vector ? at : 0];
}

void KnownLanes::append(Id value, Lanes& lanes) {
    for (uint32_t i = 0; i < builder_.count(builder_.type_of(value)); ++i) lanes.push_back(lane(value, i));
}

KnownLanes::Lanes KnownLanes::computed(const Instruction& inst) {
    Lanes lanes;
    switch (inst.op) {
        case Op::OpCompositeConstruct:
            for (const spirv::Operand& part : inst.operands) append(part.id(), lanes);
            return lanes;
        case Op::OpCompositeInsert: return inserted(inst);
        case Op::OpCompositeExtract:
            if (inst.operands.size() == 2 && is_number(builder_.type_of(inst.id(0))))
                lanes.push_back(lane(inst.id(0), inst.word(1)));
            return lanes;
        case Op::OpVectorShuffle: return shuffled(inst);
        default:
            if (!works_by_component(inst)) return lanes;
            for (uint32_t i = 0; i < builder_.count(inst.type); ++i) lanes.push_back(operation(inst, i));
            return lanes;
    }
}

KnownLanes::Lanes KnownLanes::inserted(const Instruction& inst) {
    Lanes lanes;
    append(inst.id(1), lanes);
    lanes[inst.word(2)] = lane(inst.id(0), 0);
    return lanes;
}

KnownLanes::Lanes KnownLanes::shuffled(const Instruction& inst) {
    Lanes both, lanes;
    append(inst.id(0), both);
    append(inst.id(1), both);
    for (size_t i = 2; i < inst.operands.size(); ++i)
        lanes.push_back(inst.word(i) < both.size() ? both[inst.word(i)] : Lane{});
    return lanes;
}

/// Whether each component of the result comes from the same component of the operands.
bool KnownLanes::works_by_component(const Instruction& inst) const {
    if (inst.op == Op::OpPhi || inst.op == Op::OpUndef) return false;
    size_t first = 0;
    if (inst.op == Op::OpExtInst) {
        first = 2;
        switch (inst.word(1)) {
            case GLSLstd450Normalize:
            case GLSLstd450Cross:
            case GLSLstd450Reflect:
            case GLSLstd450FaceForward: return false;
            default: break;
        }
    } else if (!spirv::is_pure(inst)) {
        return false;
    }
    const uint32_t count = builder_.count(inst.type);
    for (size_t i = first; i < inst.operands.size(); ++i) {
        if (!inst.operands[i].is_id) return false;
        const Id type = builder_.type_of(inst.id(i));
        if (!is_number(type) || builder_.count(type) != count) return false;
    }
    return inst.operands.size() > first;
}

KnownLanes::Lane KnownLanes::operation(const Instruction& inst, uint32_t at) {
    if (known_.has_same_operands(inst, at)) return {.is_known = true};
    Instruction single = inst;
    single.type = builder_.element(inst.type);
    bool are_constants = true;
    for (size_t i = inst.op == Op::OpExtInst ? 2 : 0; i < inst.operands.size(); ++i) {
        const Lane operand = lane(inst.id(i), at);
        if (!operand.is_known) return {};
        are_constants &= static_cast<bool>(operand.constant);
        if (operand.constant) single.operands[i] = operand.constant;
    }
    if (!are_constants) return {.is_known = true};
    const Id value = folder_.fold(single);
    return {.is_known = true, .constant = value && builder_.find_global(value) ? value : Id{}};
}

}  // namespace caldera::vulkan
