// SPDX-License-Identifier: Apache-2.0
#include "spirv/specialize.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>

#include "spirv/spirv.h"
#include "spirv/support/float_environment.h"
#include "spirv/support/float_from_chars.h"

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

/// The size of a scalar type. A boolean has a byte, as clSetProgramSpecializationConstant expects.
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

/// The constant with the SpecId; null when there is none.
const Instruction* find_spec_constant(const Module& module, uint32_t spec_id) {
    for (const auto& [id, number] : spec_ids(module)) {
        if (number != spec_id) continue;
        for (const Instruction& inst : module.globals)
            if (inst.result.value == id) return &inst;
    }
    return nullptr;
}

/// Two's complement, of the least to the greatest of either sign.
std::optional<uint64_t> parse_integer(std::string_view text, size_t bytes) {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    if (is_hex) text.remove_prefix(2);
    uint64_t magnitude = 0;
    const char* end = text.data() + text.size();
    const auto [at, fault] = std::from_chars(text.data(), end, magnitude, is_hex ? 16 : 10);
    if (fault != std::errc{} || at != end) return std::nullopt;
    const uint64_t most = ~uint64_t{0} >> (64 - 8 * bytes);
    if (magnitude > (is_negative ? most / 2 + 1 : most)) return std::nullopt;
    return is_negative ? ~magnitude + 1 : magnitude;
}

/// The bits of a float or double.
std::optional<uint64_t> parse_float(std::string_view text, size_t bytes) {
    const DefaultFloatEnvironment floats;
    const char* end = text.data() + text.size();
    float single = 0;
    double number = 0;
    const auto [at, fault] =
        bytes == 4 ? float_from_chars(text.data(), end, single) : float_from_chars(text.data(), end, number);
    if (fault != std::errc{} || at != end) return std::nullopt;
    return bytes == 4 ? std::bit_cast<uint32_t>(single) : std::bit_cast<uint64_t>(number);
}

std::optional<uint64_t> parse_scalar(const Module& module, Id type, std::string_view text) {
    const size_t bytes = scalar_bytes(module, type);
    if (bytes == 0 || bytes > 8) return std::nullopt;
    for (const Instruction& inst : module.globals) {
        if (inst.result != type) continue;
        if (inst.op == Op::OpTypeFloat) return bytes == 2 ? std::nullopt : parse_float(text, bytes);
        if (inst.op == Op::OpTypeBool && (text == "true" || text == "false")) return text == "true";
        return parse_integer(text, bytes);
    }
    return std::nullopt;
}

}  // namespace

Result<Done> specialize(Module& module, const SpecValues& values) {
    const std::unordered_map<uint32_t, uint32_t> ids = spec_ids(module);
    for (Instruction& inst : module.globals) {
        if (const auto id = ids.find(inst.result.value); id != ids.end())
            if (const auto value = values.find(id->second); value != values.end()) {
                if (value->second.size() != scalar_bytes(module, inst.type))
                    return Error{.message = "specialisation constant " + std::to_string(id->second) +
                                            " has " + std::to_string(scalar_bytes(module, inst.type)) +
                                            " bytes, not " + std::to_string(value->second.size())};
                set_literal(inst, value->second);
            }
        freeze(inst);
    }
    std::erase_if(module.annotations, is_spec_id);
    return Done{};
}

Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, const SpecValues& values) {
    Result<Module> module = read(words);
    if (!module) return module.error();
    if (spec_ids(*module).empty()) return std::vector<uint32_t>(words.begin(), words.end());
    if (Result<Done> done = specialize(*module, values); !done) return done.error();
    return write(*module);
}

Result<std::vector<std::byte>> parse_spec_value(const Module& module, uint32_t spec_id,
                                                std::string_view text) {
    const Instruction* constant = find_spec_constant(module, spec_id);
    if (!constant)
        return Error{.message = "the module has no specialisation constant " + std::to_string(spec_id)};
    const std::optional<uint64_t> value = parse_scalar(module, constant->type, text);
    if (!value)
        return Error{.message = "specialisation constant " + std::to_string(spec_id) + " cannot be '" +
                                std::string(text) + "'"};
    std::vector<std::byte> out(scalar_bytes(module, constant->type));
    std::memcpy(out.data(), &*value, out.size());
    return out;
}

size_t spec_constant_bytes(std::span<const uint32_t> words, uint32_t spec_id) {
    const Result<Module> module = read(words);
    const Instruction* constant = module ? find_spec_constant(*module, spec_id) : nullptr;
    return constant ? scalar_bytes(*module, constant->type) : 0;
}

}  // namespace caldera::spirv
