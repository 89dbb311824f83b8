// SPDX-License-Identifier: Apache-2.0
#include "spirv/debug_info.h"

#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>
#include <array>
#include <functional>

#include "spirv/spirv.h"
#include "spirv/uses.h"

namespace caldera::spirv {
namespace {

// By the instruction's number, a letter for each operand: i an id, w a weak one, l a literal. The last letter
// stands for all that follow. OpenCL.DebugInfo.100, "Instructions".
constexpr auto kOperandLetters = std::to_array<std::string_view>({
    "",            // DebugInfoNone
    "llil",        // DebugCompilationUnit: version, DWARF version, source, language
    "iil",         // DebugTypeBasic: name, size, encoding
    "ill",         // DebugTypePointer: base, storage class, flags
    "il",          // DebugTypeQualifier: base, qualifier
    "ii",          // DebugTypeArray: base, counts
    "il",          // DebugTypeVector: base, count
    "iiilli",      // DebugTypedef: name, base, source, line, column, parent
    "li",          // DebugTypeFunction: flags, result, parameters
    "iiilliili",   // DebugTypeEnum: name, underlying, source, line, column, parent, size, flags, values and
                   // names
    "ililliiili",  // DebugTypeComposite: name, tag, source, line, column, parent, linkage, size, flags,
                   // members
    "iiilliiili",  // DebugTypeMember: name, type, source, line, column, parent, offset, size, flags, value
    "iiiil",       // DebugTypeInheritance
    "ii",          // DebugTypePtrToMember
    "ii",          // DebugTypeTemplate
    "iiiill",      // DebugTypeTemplateParameter
    "iiill",       // DebugTypeTemplateTemplateParameter
    "iilli",       // DebugTypeTemplateParameterPack
    "iiilliiwli",  // DebugGlobalVariable: name, type, source, line, column, parent, linkage, variable, flags,
                   // member
    "iiilliil",    // DebugFunctionDeclaration: name, type, source, line, column, parent, linkage, flags
    "iiilliillwi",  // DebugFunction: name, type, source, line, column, parent, linkage, flags, scope line,
                    // function
    "illii",        // DebugLexicalBlock: source, line, column, parent, name
    "ili",          // DebugLexicalBlockDiscriminator
    "ii",           // DebugScope
    "",             // DebugNoScope
    "lii",          // DebugInlinedAt: line, scope, inlined
    "iiillill",     // DebugLocalVariable: name, type, source, line, column, parent, flags, number
    "ii",           // DebugInlinedVariable
    "wwwi",         // DebugDeclare: variable, pointer, expression
    "wwwi",         // DebugValue: variable, value, expression, indices
    "l",            // DebugOperation
    "i",            // DebugExpression
    "ilii",         // DebugMacroDef
    "ili",          // DebugMacroUndef
    "iliilli",      // DebugImportedEntity
    "i",            // DebugSource: file, text
    "iiiliiil",     // DebugModuleINTEL
});

}  // namespace

size_t code_size(const Block& block) {
    return static_cast<size_t>(std::ranges::count_if(block.body, std::not_fn(is_debug)));
}

IdSet boolean_variables(const Module& module) {
    constexpr size_t kEncoding = kDebugOperands + 2, kTypeOfVariable = kDebugOperands + 1;
    IdSet types, variables;  // what an instruction names stands before it
    const auto is_of = [&](const Instruction& inst, size_t base) {
        return inst.operands.size() > base && types.contains(inst.id(base));
    };
    for (const Instruction& inst : module.debug_info) {
        bool is_bool = false;
        switch (inst.word(1)) {
            case OpenCLDebugInfo100DebugTypeBasic:
                is_bool =
                    inst.operands.size() > kEncoding && inst.word(kEncoding) == OpenCLDebugInfo100Boolean;
                break;
            case OpenCLDebugInfo100DebugTypeQualifier: is_bool = is_of(inst, kDebugOperands); break;
            case OpenCLDebugInfo100DebugTypedef: is_bool = is_of(inst, kDebugOperands + 1); break;
            case OpenCLDebugInfo100DebugLocalVariable:
                if (is_of(inst, kTypeOfVariable)) variables.insert(inst.result);
                break;
            default: break;
        }
        if (is_bool) types.insert(inst.result);
    }
    return variables;
}

void forget_values(const Block& left_out, Block& next) {
    const auto begin = std::ranges::find_if_not(
        next.body, [](const Instruction& inst) { return inst.op == spv::Op::OpPhi; });
    const auto end = std::find_if_not(begin, next.body.end(), is_debug);
    std::vector<Instruction> unknown;
    for (const Instruction& inst : left_out.body) {
        const auto is_same = [&](const Instruction& other) {
            return other.operands[0] == inst.operands[0] && other.line.file == inst.line.file &&
                   std::equal(inst.operands.begin() + 3, inst.operands.end(), other.operands.begin() + 3,
                              other.operands.end());
        };
        if (inst.op != kDebugValue || std::any_of(begin, end, is_same) ||
            std::ranges::any_of(unknown, is_same))
            continue;
        unknown.push_back(inst);
        unknown.back().operands[1] = Operand::weak({});
        unknown.back().line = {inst.line.file, 0, 0};
    }
    next.body.insert(begin, unknown.begin(), unknown.end());
}

DebugOperand debug_operand(uint32_t instruction, size_t index) {
    if (instruction >= kOperandLetters.size() || kOperandLetters[instruction].empty())
        return DebugOperand::Id;
    const std::string_view letters = kOperandLetters[instruction];
    switch (letters[std::min(index, letters.size() - 1)]) {
        case 'l': return DebugOperand::Literal;
        case 'w': return DebugOperand::Weak;
        default: return DebugOperand::Id;
    }
}

Id add_debug_info(Module& module, Id set, Id type_void, uint32_t instruction, Operands operands) {
    operands.insert(operands.begin(), {set, instruction});
    module.debug_info.push_back({.op = spv::Op::OpExtInst,
                                 .type = type_void,
                                 .result = module.fresh(),
                                 .operands = std::move(operands)});
    return module.debug_info.back().result;
}

void drop_debug_info(Module& module) {
    const auto is_set = [](const Instruction& inst) { return string_at(inst, 0) == kOpenclDebugInfo; };
    if (std::ranges::none_of(module.ext_inst_imports, is_set)) return;
    const auto plain = [&](const Line& line) {
        const Id file = module.file_of(line);
        return file ? Line{file, line.line, line.column} : Line{};
    };
    for (Function& function : module.functions) {
        for (Block& block : function.blocks) std::erase_if(block.body, is_debug);
        for_each_instruction(function, [&](Instruction& inst) { inst.line = plain(inst.line); });
    }
    module.debug_info.clear();
    module.scopes.clear();
}

Module without_debug_info(Module module) {
    drop_debug_info(module);
    for (Function& function : module.functions)
        for_each_instruction(function, [](Instruction& inst) { inst.line = {}; });
    for (Instruction& inst : module.globals) inst.line = {};
    return module;
}

Result<Done> validate_code(const Module& module, std::span<const uint32_t> words) {
    const bool has_debug_info = !module.debug_info.empty() || !module.scopes.empty();
    return has_debug_info ? validate(write(without_debug_info(module))) : validate(words);
}

Id add_scope(Module& module, const Scope& scope) {
    constexpr size_t kLookBack = 8;
    const size_t count = module.scopes.size();
    for (size_t i = count; i > 0 && i + kLookBack > count; --i)
        if (module.scopes[i - 1] == scope) return Line::scope_handle(static_cast<uint32_t>(i - 1));
    module.scopes.push_back(scope);
    return Line::scope_handle(static_cast<uint32_t>(count));
}

}  // namespace caldera::spirv
