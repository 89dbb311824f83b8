// SPDX-License-Identifier: Apache-2.0
// SPIR-V as data: a module is vectors of instructions in the order of SPIR-V 2.4. Ids are the handles; there
// are no pointers between instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/operands.h"

namespace caldera::spirv {

/// The source position that OpLine gives (SPIR-V 2.16.1): the file is an OpString. {0} is "no line". With
/// debug information, `file` is the handle of a Scope, which has the file. So whatever keeps an instruction's
/// line keeps its scope.
struct Line {
    Id file = {};
    uint32_t line = 0;
    uint32_t column = 0;

    bool has_scope() const { return (file.value & kScopeHandle) != 0; }
    uint32_t scope_index() const { return file.value & ~kScopeHandle; }
    static Id scope_handle(uint32_t index) { return Id{index | kScopeHandle}; }
    bool operator==(const Line&) const = default;

 private:
    static constexpr uint32_t kScopeHandle = 0x80000000;
};

/// Where code belongs: DebugScope of OpenCL.DebugInfo.100, with the file of the code's lines.
struct Scope {
    Id scope = {};       ///< a DebugFunction, DebugLexicalBlock or DebugCompilationUnit
    Id inlined_at = {};  ///< a DebugInlinedAt, or none
    Id file = {};        ///< OpString, or none
    bool operator==(const Scope&) const = default;
};

/// `type` and `result` are 0 if the instruction has none; `operands` are the words after them. OpLine is not
/// an instruction here: read() stores it in `line`, and write() restores it.
struct Instruction {
    spv::Op op = spv::Op::OpNop;
    Id type = {};
    Id result = {};
    Operands operands = {};
    Line line = {};

    Id id(size_t index) const { return operands[index].id(); }
    uint32_t word(size_t index) const { return operands[index].word; }
};

/// A basic block. `merge` is the OpSelectionMerge or OpLoopMerge before the terminator, or OpNop.
struct Block {
    Id label = {};
    std::vector<Instruction> body = {};  ///< OpPhi first, then OpVariable in the entry block, then the rest
    Instruction merge = {};
    Instruction terminator = {};

    std::vector<Instruction>::iterator after_variables();  ///< where other code begins in the entry block
};

/// A function. Without blocks it is a declaration, which an Import linkage decoration names.
struct Function {
    Instruction def = {};                  ///< OpFunction: control mask, function type
    std::vector<Instruction> params = {};  ///< OpFunctionParameter
    std::vector<Block> blocks = {};  ///< blocks[0] is the entry; order as in SPIR-V 2.16.1 (dominators first)

    Id id() const { return def.result; }
    Id return_type() const { return def.type; }
    /// Inserts code into the entry block, after the variables, so that its results can be used everywhere.
    void insert_at_entry(std::vector<Instruction> code);
};

/// The sections, in the order of SPIR-V 2.4 "Logical Layout of a Module"; write() outputs them in this order.
struct Module {
    uint32_t version = 0x00010000;  ///< as in the header: 0x00MMmm00
    uint32_t generator = 0;
    uint32_t bound = 1;

    std::vector<Instruction> capabilities = {};
    std::vector<Instruction> extensions = {};
    std::vector<Instruction> ext_inst_imports = {};
    Instruction memory_model = {};
    std::vector<Instruction> entry_points = {};
    std::vector<Instruction> execution_modes = {};
    std::vector<Instruction> debug_sources = {};  ///< OpString, OpSource, OpSourceExtension, ...
    std::vector<Instruction> names = {};          ///< OpName, OpMemberName
    std::vector<Instruction> module_processed = {};
    std::vector<Instruction> annotations = {};
    std::vector<Instruction> globals = {};  ///< types, constants, module-scope variables, OpUndef
    /// Instructions of OpenCL.DebugInfo.100 outside functions, which no pass needs to look at. See
    /// debug_info.h.
    std::vector<Instruction> debug_info = {};
    std::vector<Scope> scopes = {};        ///< what the handles of lines stand for; write() makes DebugScope
    std::vector<Function> functions = {};  ///< declarations first

    Id fresh() { return Id{bound++}; }
    /// Whether LLVM's own SPIR-V back end made it (spir-v.xml).
    bool is_from_llvm() const { return generator >> 16 == kLlvmGenerator; }
    static constexpr uint32_t kLlvmGenerator = 43;  ///< the upper half of `generator`
    /// The OpString of a line's file, or none.
    Id file_of(const Line& line) const {
        return line.has_scope() ? scopes[line.scope_index()].file : line.file;
    }
};

/// "kernel.cl:3:7", or "" where the line has no file.
std::string place_text(const Module& module, const Line& line);

/// Appends a literal string as SPIR-V packs it: UTF-8, little-endian, nul-terminated (SPIR-V 2.2.1).
void append_string(Operands& operands, std::string_view text);
/// The literal string that starts at operand `index`. If given, `next` receives the index after it.
std::string string_at(const Instruction& inst, size_t index, size_t* next = nullptr);

/// The number in the operands from `index` on, such as an OpConstant's value: one or two words, the lower one
/// first.
uint64_t number_at(const Instruction& inst, size_t index = 0);

/// The contents of a LinkageAttributes decoration (SPIR-V 3.20).
struct Linkage {
    Id target = {};
    std::string name = {};
    spv::LinkageType type = {};
};
/// nullopt for any other instruction, and if the linkage type is missing.
std::optional<Linkage> linkage_of(const Instruction& decoration);

}  // namespace caldera::spirv
