// SPDX-License-Identifier: Apache-2.0
#include "spirv/grammar.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace caldera::spirv {
namespace {

struct EnumerantParams {
    uint8_t enum_kind;
    uint32_t value;
    uint32_t begin, count;
};
struct NumberedName {
    uint32_t value;
    std::string_view name;
};

#include "spirv_grammar.inc"

constexpr auto kRows = [] {  // by opcode: 1 + index into kInstructions
    std::array<uint16_t, static_cast<size_t>(std::end(kInstructions)[-1].op) + 1> rows = {};
    uint16_t next = 0;
    for (const InstructionGrammar& row : kInstructions) rows[static_cast<size_t>(row.op)] = ++next;
    return rows;
}();

std::string_view find_name(std::span<const NumberedName> names, uint32_t value) {
    const auto it = std::ranges::lower_bound(names, value, {}, &NumberedName::value);
    return it != names.end() && it->value == value ? it->name : "unknown";
}

}  // namespace

const InstructionGrammar* grammar(spv::Op op) {
    const auto number = static_cast<size_t>(op);
    return number < kRows.size() && kRows[number] != 0 ? &kInstructions[kRows[number] - 1] : nullptr;
}

std::span<const OperandGrammar> enumerant_params(uint8_t enum_kind, uint32_t value) {
    const auto key = std::pair(enum_kind, value);
    const auto it = std::ranges::lower_bound(
        kParams, key, {}, [](const EnumerantParams& p) { return std::pair(p.enum_kind, p.value); });
    if (it == std::end(kParams) || it->enum_kind != enum_kind || it->value != value) return {};
    return {kOperands + it->begin, it->count};
}

std::string_view op_name(spv::Op op) {
    const InstructionGrammar* found = grammar(op);
    return found ? found->name : "unknown opcode";
}
std::string_view capability_name(spv::Capability capability) {
    return find_name(kCapabilityNames, static_cast<uint32_t>(capability));
}
std::string_view execution_mode_name(spv::ExecutionMode mode) {
    return find_name(kExecutionModeNames, static_cast<uint32_t>(mode));
}
std::string_view opencl_std_name(uint32_t instruction) { return find_name(kOpenClStdNames, instruction); }
std::string_view glsl_std_450_name(uint32_t instruction) { return find_name(kGlslStd450Names, instruction); }

}  // namespace caldera::spirv
