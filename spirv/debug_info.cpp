// SPDX-License-Identifier: Apache-2.0
#include "spirv/debug_info.h"

#include <algorithm>
#include <array>

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

Id add_scope(Module& module, const Scope& scope) {
    constexpr size_t kLookBack = 8;
    const size_t count = module.scopes.size();
    for (size_t i = count; i > 0 && i + kLookBack > count; --i)
        if (module.scopes[i - 1] == scope) return Line::scope_handle(static_cast<uint32_t>(i - 1));
    module.scopes.push_back(scope);
    return Line::scope_handle(static_cast<uint32_t>(count));
}

}  // namespace caldera::spirv
