// SPDX-License-Identifier: Apache-2.0
// Debug information in a module. In memory it always has the form of OpenCL.DebugInfo.100, where numbers are
// literals, and every instruction keeps its scope in its line (module.h). The rest is in Module::debug_info,
// out of the way of passes, and in two instructions that stand in blocks.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "spirv/id_map.h"
#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::spirv {

/// The instruction set, as OpExtInstImport names it.
inline constexpr std::string_view kOpenclDebugInfo = "OpenCL.DebugInfo.100";
/// The set for shaders, whose numbers are ids of constants.
inline constexpr std::string_view kShaderDebugInfo = "NonSemantic.Shader.DebugInfo.100";

/// DebugDeclare in a block: the variable and an expression, both in Module::debug_info, and between them the
/// pointer to the variable's memory. The indices of the variable's part that lies there may follow. All
/// operands are weak but the indices, which are literals. The opcode is one that SPIR-V cannot have; write()
/// makes OpExtInst of it.
inline constexpr auto kDebugDeclare = static_cast<spv::Op>(0x10000);
/// DebugValue in a block: the same, with the value that the variable has from here on in the pointer's place;
/// none if the value is not known.
inline constexpr auto kDebugValue = static_cast<spv::Op>(0x10001);

/// Whether the instruction describes a variable, and does nothing.
inline bool is_debug(const Instruction& inst) { return inst.op == kDebugDeclare || inst.op == kDebugValue; }

/// How many instructions stand before the terminator, without those that describe variables. Decisions about
/// code are by this size: -g changes none of them.
size_t code_size(const Block& block);

/// The DebugLocalVariables of the type bool.
IdSet boolean_variables(const Module& module);

/// The way through `left_out`, which has no code, leads to `next` directly now. What it told of variables is
/// not known there, unless `next` begins with their values.
void forget_values(const Block& left_out, Block& next);

/// What an operand of OpenCL.DebugInfo.100 is.
enum class DebugOperand : uint8_t {
    Id,
    Weak,  ///< the function of a DebugFunction, the variable of a DebugGlobalVariable
    Literal,
};
/// `index` counts from 0 after the set and the instruction's number.
DebugOperand debug_operand(uint32_t instruction, size_t index);

/// Where operands stand in a Module::debug_info instruction: {set, number, operands of the specification...}.
inline constexpr size_t kDebugOperands = 2;

/// Appends to Module::debug_info. `operands` are those of the specification; the set is imported.
Id add_debug_info(Module& module, Id set, Id type_void, uint32_t instruction, Operands operands);

/// Lines stay, without scopes.
void drop_debug_info(Module& module);

/// A copy with neither debug information nor lines, for SPIRV-Tools' validator: they say nothing about the
/// code, and SPIRV-Tools 2023.1 reject much of them that is right.
Module without_debug_info(Module module);
/// validate() of the code: without debug information, if the module has any. `words` are the module's.
Result<Done> validate_code(const Module& module, std::span<const uint32_t> words);

/// Returns a Line's `file` for this scope: an old handle where the module has one already, looked up among
/// the last few.
Id add_scope(Module& module, const Scope& scope);

}  // namespace caldera::spirv
