// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/fold.h"

#include <algorithm>
#include <vector>

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

namespace {

/// Whether folding may take the operation apart into its components. A cast of bits must keep their number.
bool works_by_component(const Builder& builder, const Instruction& inst) {
    switch (inst.op) {
        case OpCopyObject:
        case OpPhi:
        case OpCompositeExtract:
        case OpCompositeConstruct:
        case OpVectorShuffle: return false;
        case OpBitcast: return builder.count(inst.type) == builder.count(builder.type_of(inst.id(0)));
        default: return true;
    }
}

}  // namespace

void Folder::note(const Instruction& inst) {
    if (inst.result) definitions_.set(inst.result) = &inst;
}

const Instruction* Folder::definition(Id id) const {
    const Instruction* inst = definitions_[id];
    return inst ? inst : builder_.find_global(id);
}

Id Folder::fold(Instruction& inst) {
    if (const Id constant = fold_components(inst)) return constant;
    switch (inst.op) {
        case OpCopyObject: return inst.id(0);
        case OpPhi: return fold_phi(inst);
        case OpCompositeExtract: return fold_extract(inst);
        case OpCompositeConstruct: return fold_construct(inst);
        case OpCompositeInsert: return fold_insert(inst);
        case OpVectorShuffle: return fold_shuffle(inst);
        case OpSelect: return fold_select(inst);
        case OpBitcast:
        case OpUConvert:
        case OpSConvert:
        case OpConvertPtrToU: return fold_conversion(inst);
        case OpConvertUToF:
        case OpConvertSToF: return fold_to_float(inst);
        case OpConvertFToU:
        case OpConvertFToS: return fold_to_int(inst);
        case OpFConvert: return fold_float_width(inst);
        case OpLogicalAnd:
        case OpLogicalOr:
        case OpLogicalNot:
        case OpLogicalEqual:
        case OpLogicalNotEqual: return fold_logic(inst);
        case OpNot:
        case OpSNegate: return fold_complement(inst);
        case OpIEqual:
        case OpINotEqual:
        case OpULessThan:
        case OpULessThanEqual:
        case OpUGreaterThan:
        case OpUGreaterThanEqual:
        case OpSLessThan:
        case OpSLessThanEqual:
        case OpSGreaterThan:
        case OpSGreaterThanEqual: return fold_compare(inst);
        case OpIAdd:
        case OpISub:
        case OpIMul:
        case OpBitwiseAnd:
        case OpBitwiseOr:
        case OpBitwiseXor:
        case OpShiftLeftLogical:
        case OpShiftRightLogical:
        case OpShiftRightArithmetic:
        case OpUDiv:
        case OpUMod:
        case OpSDiv:
        case OpSRem:
        case OpSMod: return fold_binary(inst);
        case OpBitCount: return fold_bit_count(inst);
        case OpFNegate: return fold_sign(inst, inst.id(0), true);
        case OpFAdd:
        case OpFSub:
        case OpFMul:
        case OpFDiv:
        case OpFRem:
        case OpFMod: return fold_float_binary(inst);
        case OpIsNan:
        case OpIsInf:
        case OpOrdered:
        case OpUnordered:
        case OpFOrdEqual:
        case OpFUnordEqual:
        case OpFOrdNotEqual:
        case OpFUnordNotEqual:
        case OpFOrdLessThan:
        case OpFUnordLessThan:
        case OpFOrdGreaterThan:
        case OpFUnordGreaterThan:
        case OpFOrdLessThanEqual:
        case OpFUnordLessThanEqual:
        case OpFOrdGreaterThanEqual:
        case OpFUnordGreaterThanEqual: return fold_float_compare(inst);
        case OpExtInst: return fold_extended(inst);
        default: return {};
    }
}

Id Folder::fold_phi(const Instruction& inst) {
    Id only = {};
    for (size_t i = 0; i < inst.operands.size(); i += 2) {
        const Id value = inst.id(i);
        if (value == inst.result || value == only) continue;
        if (only) return {};
        only = value;
    }
    return only;
}

bool Folder::is_glsl(const Instruction& inst) const {
    const Module& module = builder_.module();
    const auto set = std::ranges::find(module.ext_inst_imports, inst.id(0), &Instruction::result);
    return set != module.ext_inst_imports.end() && string_at(*set, 0) == "GLSL.std.450";
}

bool Folder::is_number(Id value) const {
    const Instruction* constant = builder_.find_global(value);
    return constant != nullptr && (constant->op == OpConstant || builder_.constant_value(value));
}

/// An operation on constant vectors, component by component.
Id Folder::fold_components(const Instruction& inst) {
    if (!inst.type || !builder_.is_vector(inst.type) || !works_by_component(builder_, inst)) return {};
    const size_t first = inst.op == OpExtInst ? 2 : 0;
    std::vector<Id> parts;
    for (uint32_t at = 0; at < builder_.count(inst.type); ++at) {
        Instruction part = inst;
        part.type = builder_.element(inst.type);
        for (size_t i = first; i < inst.operands.size(); ++i) {
            const Id component = inst.operands[i].is_id ? builder_.constant_component(inst.id(i), at) : Id{};
            if (!component) return {};
            part.operands[i] = component;
        }
        const Id value = fold(part);
        if (!value || !is_number(value)) return {};
        parts.push_back(value);
    }
    return builder_.constant_composite(inst.type, parts);
}

}  // namespace caldera::vulkan
