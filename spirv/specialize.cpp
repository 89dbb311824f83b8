// SPDX-License-Identifier: Apache-2.0
#include "spirv/specialize.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "spirv/spirv.h"

namespace caldera::spirv {
namespace {

using spv::Op;

bool is_spec_id(const Instruction& inst) {
    return inst.op == Op::OpDecorate && inst.operands.size() == 3 &&
           inst.word(1) == static_cast<uint32_t>(spv::Decoration::SpecId);
}

/// By the constant's <id>.
std::unordered_map<uint32_t, uint32_t> spec_ids(const Module& module) {
    std::unordered_map<uint32_t, uint32_t> out;
    for (const Instruction& inst : module.annotations)
        if (is_spec_id(inst)) out[inst.id(0).value] = inst.word(2);
    return out;
}

/// Of a scalar type: a boolean has a byte, as clSetProgramSpecializationConstant takes it.
size_t scalar_bytes(const Module& module, Id type) {
    for (const Instruction& inst : module.globals) {
        if (inst.result != type) continue;
        if (inst.op == Op::OpTypeBool) return 1;
        if (inst.op == Op::OpTypeInt || inst.op == Op::OpTypeFloat) return inst.word(0) / 8;
    }
    return 0;
}

/// A literal as SPIR-V has it: narrow integers sign-extended where they are signed, which OpenCL's never are.
void set_literal(Instruction& constant, std::span<const std::byte> value) {
    if (constant.op == Op::OpSpecConstantTrue || constant.op == Op::OpSpecConstantFalse) {
        constant.op = value[0] != std::byte{0} ? Op::OpSpecConstantTrue : Op::OpSpecConstantFalse;
        return;
    }
    for (size_t word = 0; word < constant.operands.size(); ++word) {
        uint32_t literal = 0;
        const size_t at = word * 4;
        if (at < value.size())
            std::memcpy(&literal, value.data() + at, std::min<size_t>(4, value.size() - at));
        constant.operands[word] = Operand(literal);
    }
}

void freeze(Instruction& constant) {
    switch (constant.op) {
        case Op::OpSpecConstant: constant.op = Op::OpConstant; break;
        case Op::OpSpecConstantTrue: constant.op = Op::OpConstantTrue; break;
        case Op::OpSpecConstantFalse: constant.op = Op::OpConstantFalse; break;
        default: break;
    }
}

}  // namespace

Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words,
                                         const std::map<uint32_t, std::vector<std::byte>>& values) {
    Result<Module> read_module = read(words);
    if (!read_module) return read_module.error();
    Module& module = *read_module;
    const std::unordered_map<uint32_t, uint32_t> ids = spec_ids(module);
    if (ids.empty()) return std::vector<uint32_t>(words.begin(), words.end());
    for (Instruction& inst : module.globals) {
        const auto id = ids.find(inst.result.value);
        if (id == ids.end()) continue;
        if (const auto value = values.find(id->second); value != values.end()) {
            if (value->second.size() != scalar_bytes(module, inst.type))
                return Error{.message = "specialisation constant " + std::to_string(id->second) + " has " +
                                        std::to_string(scalar_bytes(module, inst.type)) + " bytes, not " +
                                        std::to_string(value->second.size())};
            set_literal(inst, value->second);
        }
        freeze(inst);
    }
    std::erase_if(module.annotations, is_spec_id);
    return write(module);
}

size_t spec_constant_bytes(std::span<const uint32_t> words, uint32_t spec_id) {
    const Result<Module> module = read(words);
    if (!module) return 0;
    for (const auto& [id, number] : spec_ids(*module)) {
        if (number != spec_id) continue;
        for (const Instruction& inst : module->globals)
            if (inst.result.value == id) return scalar_bytes(*module, inst.type);
    }
    return 0;
}

}  // namespace caldera::spirv
