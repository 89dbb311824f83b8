// SPDX-License-Identifier: Apache-2.0
// The SPIR-V grammar of each instruction: tables generated at build time from SPIRV-Headers' JSON.
#pragma once

#include <cstdint>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <string_view>

namespace caldera::spirv {

/// How to read operand words.
enum class OperandKind : uint8_t {
    Id,            ///< one word, an <id>
    Literal,       ///< one word, a number or an enumerant without parameters
    String,        ///< a literal string
    TypedLiteral,  ///< as wide as its type (OpConstant, OpSwitch's values)
    Enum,          ///< one word, an enumerant that may have parameters: see enumerant_params()
    Mask,          ///< one word of bits; each set bit may have parameters, lowest bit first
    ExtInst,       ///< one word, the number of an extended instruction
    SpecOp,        ///< an opcode whose operands follow (OpSpecConstantOp)
};
enum class Quantifier : uint8_t { One, Optional, Many };

struct OperandGrammar {
    OperandKind kind = {};
    Quantifier quantifier = {};
    uint8_t enum_kind = 0;  ///< index of the enum or mask
    /// for `Many`: number of operands that repeat together (2 for PairIdRefIdRef and similar kinds)
    uint8_t group = 1;
};

struct InstructionGrammar {
    std::string_view name = {};
    spv::Op op = {};
    bool has_type = false;
    bool has_result = false;
    std::span<const OperandGrammar> operands = {};
    /// any one of them enables the instruction; empty: always available
    std::span<const spv::Capability> capabilities = {};
};

/// Null if the SPIRV-Headers of the build do not know the opcode.
const InstructionGrammar* grammar(spv::Op op);
/// The parameters of an enumerant, or of one bit of a mask, of enum `enum_kind`.
std::span<const OperandGrammar> enumerant_params(uint8_t enum_kind, uint32_t value);
/// "OpIAdd"; "Kernel"; "sin" — for messages.
std::string_view op_name(spv::Op op);
std::string_view capability_name(spv::Capability capability);
std::string_view execution_mode_name(spv::ExecutionMode mode);
std::string_view opencl_std_name(uint32_t instruction);
std::string_view glsl_std_450_name(uint32_t instruction);

}  // namespace caldera::spirv
