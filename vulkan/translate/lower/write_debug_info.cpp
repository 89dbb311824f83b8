// SPDX-License-Identifier: Apache-2.0
// write_debug_info: writes what debug information there is as NonSemantic.Shader.DebugInfo.100.
// Before: OpenCL.DebugInfo.100 in Module::debug_info, scopes and lines in Instruction::line, kDebugDeclare
// and kDebugValue in blocks.   After: all of it is in instructions of the other set, and no instruction has a
// line.
//
// That set has ids of constants where the other has literals. A type stands behind all that it names. What
// only code named that is gone goes too, but a variable whose scope is left stays, so that a debugger can say
// that its value is lost.
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>
#include <map>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;

// Places of operands in the instructions of OpenCL.DebugInfo.100.
constexpr size_t kMemberParent = kDebugOperands + 5, kFunctionOfDebug = kDebugOperands + 9,
                 kFlagsOfComposite = kDebugOperands + 8, kParentOfLocal = kDebugOperands + 5;
constexpr int kMaxDebugDepth = 1000;  // instructions that name one another
// The place of a function's declaration among the operands that are written.
constexpr size_t kDeclaration = 9;

class DebugInfoWriter {
 public:
    explicit DebugInfoWriter(Module& module) : module_(module), builder_(module) {}

    void run() {
        if (!module_.debug_info.empty()) {
            type_void_ = builder_.type_void();
            set_ = builder_.ext_inst_import(kShaderDebugInfo);
            read();
            for (const Function& function : module_.functions) find_needed(function);
            for (const Instruction& inst : old_) convert_if_needed(inst);
            for (Function& function : module_.functions) rewrite(function);
            module_.scopes.clear();
        }
        for (Function& function : module_.functions)
            for_each_instruction(function, [](Instruction& inst) {
                if (inst.line.has_scope()) inst.line = {};
            });
    }

 private:
    // ---- What is needed ----

    void read() {
        old_ = std::move(module_.debug_info);
        module_.debug_info.clear();
        for (size_t i = 0; i < old_.size(); ++i) index_[old_[i].result] = i;
        for (const Instruction& inst : old_)
            if (inst.word(1) == OpenCLDebugInfo100DebugSource && inst.operands.size() > kDebugOperands)
                source_of_.emplace(inst.id(kDebugOperands), inst.result);
        for (const Function& function : module_.functions) functions_.insert(function.id());
    }

    void find_needed(const Function& function) {
        for_each_instruction(function, [&](const Instruction& inst) {
            if (inst.line.has_scope()) need(module_.scopes[inst.line.scope_index()]);
            if (is_debug(inst))
                for (const size_t i : {0, 2}) needed_.insert(inst.id(i));
        });
    }
    void need(const spirv::Scope& scope) {
        if (scope.inlined_at) needed_.insert(scope.inlined_at);
        for (Id at = scope.scope; at && needed_.insert(at);) at = parent(at);
        IdSet walked;  // nobody validated the module: it may lead to itself
        for (Id at = scope.inlined_at; at && walked.insert(at);) {
            needed_.insert(at);
            const Instruction* inst = find(at);
            if (!inst || inst->operands.size() <= kDebugOperands + 1) return;
            for (Id call = inst->id(kDebugOperands + 1); call && needed_.insert(call);) call = parent(call);
            at = inst->operands.size() > kDebugOperands + 2 ? inst->id(kDebugOperands + 2) : Id{};
        }
    }
    Id parent(Id scope) const {
        const Instruction* inst = find(scope);
        if (!inst) return {};
        size_t at = 0;
        switch (inst->word(1)) {
            case OpenCLDebugInfo100DebugFunction: at = kDebugOperands + 5; break;
            case OpenCLDebugInfo100DebugLexicalBlock: at = kDebugOperands + 3; break;
            case OpenCLDebugInfo100DebugLexicalBlockDiscriminator: at = kDebugOperands + 2; break;
            default: return {};
        }
        return at < inst->operands.size() ? inst->id(at) : Id{};
    }
    const Instruction* find(Id id) const {
        const auto found = index_.find(id);
        return found == index_.end() ? nullptr : &old_[found->second];
    }

    void convert_if_needed(const Instruction& inst) {
        switch (inst.word(1)) {
            case OpenCLDebugInfo100DebugCompilationUnit:
            case OpenCLDebugInfo100DebugGlobalVariable: convert(inst.result); return;
            case OpenCLDebugInfo100DebugLocalVariable:
                if (inst.operands.size() > kParentOfLocal && needed_.contains(inst.id(kParentOfLocal)))
                    convert(inst.result);
                return;
            default:
                if (needed_.contains(inst.result)) convert(inst.result);
        }
    }

    // ---- The instructions outside functions ----

    Id add(uint32_t instruction, Operands operands) {
        return add_debug_info(module_, set_, type_void_, instruction, std::move(operands));
    }
    Id none() {
        if (!none_) none_ = add(NonSemanticShaderDebugInfo100DebugInfoNone, {});
        return none_;
    }

    /// The id of the instruction in the other set, behind all that it names. It keeps its id. Beyond
    /// kMaxDebugDepth nothing stands for it.
    Id convert(Id id) {
        if (depth_ == kMaxDebugDepth) return none();
        ++depth_;
        const Id converted = convert_with_operands(id);
        --depth_;
        return converted;
    }
    Id convert_with_operands(Id id) {
        const Instruction* inst = find(id);
        if (!inst) return id;
        if (done_.contains(id)) return id;
        if (const auto known = stand_ins_.find(id); known != stand_ins_.end()) return known->second;
        if (!open_.insert(id)) return declaration(*inst);
        uint32_t number = inst->word(1);
        const bool derived =
            number >= OpenCLDebugInfo100DebugTypePointer && number <= OpenCLDebugInfo100DebugTypedef;
        if (derived && inst->operands.size() < kDebugOperands + 2)
            number = OpenCLDebugInfo100DebugModuleINTEL;
        // SPIRV-Tools 2023.1 takes other names and qualifiers of basic types alone. No version of them takes
        // vectors of more than 4 components.
        if (number == OpenCLDebugInfo100DebugTypeQualifier && !is_basic(inst->id(kDebugOperands)))
            return stand_ins_[id] = convert(inst->id(kDebugOperands));
        if (number == OpenCLDebugInfo100DebugTypedef && !is_basic(inst->id(kDebugOperands + 1)))
            return stand_ins_[id] = convert(inst->id(kDebugOperands + 1));
        // Nor of anything but basic types, by whatever name llvm-spirv has them.
        const Id component =
            number == OpenCLDebugInfo100DebugTypeVector ? basic_type_of(inst->id(kDebugOperands)) : Id{};
        if (number == OpenCLDebugInfo100DebugTypeVector && (!component || inst->word(kDebugOperands + 1) > 4))
            number = OpenCLDebugInfo100DebugTypeArray;
        if (number == OpenCLDebugInfo100DebugModuleINTEL || number > OpenCLDebugInfo100DebugSource) {
            done_.insert(id);
            module_.debug_info.push_back(made(OpenCLDebugInfo100DebugInfoNone, id, {}));
            return id;
        }
        Operands operands;
        if (number == OpenCLDebugInfo100DebugTypePointer)
            operands.push_back(pointee(inst->id(kDebugOperands)));
        if (component) operands.push_back(convert(component));
        for (size_t i = kDebugOperands + operands.size(); i < inst->operands.size(); ++i)
            if (!is_left_out(number, i)) operands.push_back(operand(inst->operands[i]));
        if (number == OpenCLDebugInfo100DebugTypeBasic) operands.push_back(builder_.constant_u32(0));
        if (number == OpenCLDebugInfo100DebugTypeArray && inst->word(1) == number)
            for (size_t i = 1; i < operands.size(); ++i)  // llvm-spirv's arrays without a length
                if (is_none(operands[i].id())) operands[i] = builder_.constant_u32(0);
        // Its texts are checksums.
        if (number == OpenCLDebugInfo100DebugSource && operands.size() > 1 && is_checksum(operands[1].id()))
            operands.resize(1);
        if (number == OpenCLDebugInfo100DebugTypeComposite) name_linkage(operands);
        // llvm-spirv's functions without a declaration
        if (number == OpenCLDebugInfo100DebugFunction && operands.size() > kDeclaration &&
            is_none(operands[kDeclaration].id()))
            operands.resize(kDeclaration);
        if (number == OpenCLDebugInfo100DebugTypeFunction && operands.size() > 1 && is_none(operands[1].id()))
            operands[1] = type_void_;  // llvm-spirv's functions without a result
        done_.insert(id);
        module_.debug_info.push_back(made(number, id, std::move(operands)));
        return id;
    }
    Instruction made(uint32_t number, Id id, Operands operands) const {
        operands.insert(operands.begin(), {set_, number});
        return {.op = spv::Op::OpExtInst, .type = type_void_, .result = id, .operands = std::move(operands)};
    }

    /// llvm-spirv's composites without a linkage name get their own.
    void name_linkage(Operands& composite) const {
        constexpr size_t kLinkageName = 6;
        if (composite.size() > kLinkageName && is_none(composite[kLinkageName].id()))
            composite[kLinkageName] = composite[0];
    }

    static bool is_left_out(uint32_t number, size_t at) {
        return (number == OpenCLDebugInfo100DebugTypeMember && at == kMemberParent) ||
               (number == OpenCLDebugInfo100DebugFunction && at == kFunctionOfDebug) ||
               (number == OpenCLDebugInfo100DebugTypeInheritance && at == kDebugOperands);
    }

    /// SPIRV-Tools 2023.1 takes pointers to basic types alone. So any other pointee is a basic type with its
    /// name.
    Id pointee(Id base) {
        if (is_basic(base)) return convert(base);
        const Instruction* inst = nullptr;
        Id name = {};
        IdSet walked;
        for (Id at = base;
             (inst = find(at)) != nullptr && inst->operands.size() > kDebugOperands && walked.insert(at);) {
            const uint32_t number = inst->word(1);
            const bool is_named =
                number == OpenCLDebugInfo100DebugTypeBasic || number == OpenCLDebugInfo100DebugTypedef ||
                number == OpenCLDebugInfo100DebugTypeEnum || number == OpenCLDebugInfo100DebugTypeComposite;
            if (is_named) {
                name = inst->id(kDebugOperands);
                break;
            }
            if (number != OpenCLDebugInfo100DebugTypeQualifier) break;
            at = inst->id(kDebugOperands);
        }
        if (!name) name = builder_.string("void");
        const Id zero = builder_.constant_u32(0);  // the size, the encoding and the flags
        return add(NonSemanticShaderDebugInfo100DebugTypeBasic, {name, zero, zero, zero});
    }

    bool is_checksum(Id text) const {
        return std::ranges::any_of(module_.debug_sources, [&](const Instruction& inst) {
            return inst.result == text && inst.op == spv::Op::OpString &&
                   string_at(inst, 0).starts_with("//__");
        });
    }
    bool is_none(Id type) const {
        const Instruction* inst = find(type);
        return inst && inst->word(1) == OpenCLDebugInfo100DebugInfoNone;
    }
    bool is_basic(Id type) const {
        const Instruction* inst = find(type);
        return inst && inst->word(1) == OpenCLDebugInfo100DebugTypeBasic;
    }

    /// The basic type that typedefs and qualifiers lead to, if one does.
    Id basic_type_of(Id type) const {
        IdSet walked;
        for (const Instruction* inst = nullptr; (inst = find(type)) != nullptr && walked.insert(type);) {
            const uint32_t number = inst->word(1);
            const bool is_typedef = number == OpenCLDebugInfo100DebugTypedef;
            if (number == OpenCLDebugInfo100DebugTypeBasic) return type;
            const size_t base = kDebugOperands + (is_typedef ? 1 : 0);
            if ((!is_typedef && number != OpenCLDebugInfo100DebugTypeQualifier) ||
                inst->operands.size() <= base)
                break;
            type = inst->id(base);
        }
        return {};
    }

    /// Sizes are 32-bit constants, whatever they were: a device may have no other integers.
    Id operand(const Operand& operand) {
        if (operand.is_weak) return exists(operand.id()) ? operand.id() : none();
        if (!operand.is_id) return builder_.constant_u32(operand.word);
        if (const Instruction* global = builder_.find_global(operand.id())) {
            const std::optional<uint64_t> value = builder_.constant_value(operand.id());
            if (value && builder_.op_of_type(global->type) == spv::Op::OpTypeInt)
                return builder_.constant_u32(static_cast<uint32_t>(std::min<uint64_t>(*value, 0xffffffff)));
        }
        return convert(operand.id());
    }
    bool exists(Id id) const { return builder_.find_global(id) != nullptr || functions_.contains(id); }

    /// What a type names that is not complete yet, since it leads to that type: a declaration of the
    /// composite.
    Id declaration(const Instruction& inst) {
        if (inst.word(1) != OpenCLDebugInfo100DebugTypeComposite || inst.operands.size() <= kFlagsOfComposite)
            return none();
        if (const auto known = declarations_.find(inst.result); known != declarations_.end())
            return known->second;
        declarations_.emplace(inst.result, none());  // if its operands lead to it
        Operands operands;
        for (size_t i = kDebugOperands; i < kFlagsOfComposite; ++i)
            operands.push_back(operand(inst.operands[i]));
        name_linkage(operands);
        operands.push_back(
            builder_.constant_u32(inst.word(kFlagsOfComposite) | OpenCLDebugInfo100FlagFwdDecl));
        const Id id = add(NonSemanticShaderDebugInfo100DebugTypeComposite, std::move(operands));
        declarations_[inst.result] = id;
        return id;
    }

    // ---- Functions ----

    void rewrite(Function& function) {
        if (function.blocks.empty()) return;
        find_definitions(function);
        find_known_values(function);
        const Id described = function_scope(function);
        for (uint32_t b = 0; b < function.blocks.size(); ++b) {
            Block& block = function.blocks[b];
            std::vector<Instruction> out, body = std::move(block.body);
            out.reserve(2 * body.size());
            scope_ = {};
            line_ = {};
            bool leads = true;  // phis and variables stand before all else
            for (Instruction& inst : body) {
                const bool lead = inst.op == spv::Op::OpPhi || inst.op == spv::Op::OpVariable;
                if (leads && !lead && b == 0 && described) define(function, described, out);
                leads &= lead;
                if (!lead) place(inst.line, out);
                if (is_debug(inst)) {
                    locate(inst, b, out);
                    continue;
                }
                if (inst.result) seen_.insert(inst.result);
                out.push_back(std::move(inst));
            }
            if (leads && b == 0 && described) define(function, described, out);
            place(block.merge.op != spv::Op::OpNop ? block.merge.line : block.terminator.line, out);
            block.body = std::move(out);
        }
    }

    void find_definitions(const Function& function) {
        cfg_ = build_cfg(function);
        tree_ = dominators(cfg_);
        block_of_.clear();
        forget_seen(function);
        for (const Instruction& param : function.params) block_of_.emplace(param.result, 0u);
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            for (const Instruction& inst : function.blocks[b].body)
                if (inst.result) block_of_.emplace(inst.result, b);
    }

    void forget_seen(const Function& function) {
        seen_.clear();
        for (const Instruction& param : function.params) seen_.insert(param.result);
    }

    /// The types of variables that have a value somewhere.
    void find_known_values(const Function& function) {
        known_types_.clear();
        for (uint32_t b = 0; b < function.blocks.size(); ++b)
            for (const Instruction& inst : function.blocks[b].body) {
                if (inst.result) seen_.insert(inst.result);
                if (inst.op != kDebugValue || !inst.id(1) || !is_known(inst.id(1), b)) continue;
                const Id type = builder_.type_of(inst.id(1));
                if (type && !builder_.is_pointer(type)) known_types_.emplace(part_of_variable(inst), type);
            }
        forget_seen(function);
    }
    /// The variable, the call that it is inlined at, and the indices.
    std::vector<uint32_t> part_of_variable(const Instruction& value) const {
        const Id call = value.line.has_scope() ? module_.scopes[value.line.scope_index()].inlined_at : Id{};
        std::vector<uint32_t> part = {value.word(0), call.value};
        for (size_t i = 3; i < value.operands.size(); ++i) part.push_back(value.word(i));
        return part;
    }

    Id function_scope(const Function& function) const {
        for (const Instruction& inst : old_)
            if (inst.word(1) == OpenCLDebugInfo100DebugFunction && inst.operands.size() > kFunctionOfDebug &&
                inst.id(kFunctionOfDebug) == function.id() && done_.contains(inst.result))
                return inst.result;
        if (!function.def.line.has_scope()) return {};
        Id scope = module_.scopes[function.def.line.scope_index()].scope;
        while (scope && find(scope) && find(scope)->word(1) != OpenCLDebugInfo100DebugFunction)
            scope = parent(scope);
        return scope && find(scope) && done_.contains(scope) ? scope : Id{};
    }
    void define(const Function& function, Id described, std::vector<Instruction>& out) {
        out.push_back(made(NonSemanticShaderDebugInfo100DebugFunctionDefinition, module_.fresh(),
                           {described, function.id()}));
    }

    void put(uint32_t number, Operands operands, std::vector<Instruction>& out) {
        out.push_back(made(number, module_.fresh(), std::move(operands)));
    }

    void place(const Line& line, std::vector<Instruction>& out) {
        const spirv::Scope scope = line.has_scope() ? module_.scopes[line.scope_index()] : spirv::Scope{};
        if (scope.scope != scope_.scope || scope.inlined_at != scope_.inlined_at) {
            Operands operands;
            if (scope.scope) operands.push_back(scope.scope);
            if (scope.inlined_at) operands.push_back(scope.inlined_at);
            put(scope.scope ? NonSemanticShaderDebugInfo100DebugScope
                            : NonSemanticShaderDebugInfo100DebugNoScope,
                std::move(operands), out);
            scope_ = scope;
        }
        const auto source = source_of_.find(scope.file);
        const bool known = source != source_of_.end() && line.line != 0;
        const Line wanted = known ? Line{source->second, line.line, line.column} : Line{};
        if (wanted == line_) return;
        line_ = wanted;
        if (!known) return put(NonSemanticShaderDebugInfo100DebugNoLine, {}, out);
        const Id row = builder_.constant_u32(line.line), column = builder_.constant_u32(line.column);
        put(NonSemanticShaderDebugInfo100DebugLine, {convert(wanted.file), row, row, column, column}, out);
    }

    /// The place or the value of a variable. If no instruction computes the value any more, it is undefined:
    /// else debuggers would show an earlier one.
    void locate(const Instruction& inst, uint32_t block, std::vector<Instruction>& out) {
        if (!find(inst.id(0)) || !find(inst.id(2))) return;
        Id at = inst.id(1);
        if (!at || !is_known(at, block)) {
            const auto type =
                inst.op == kDebugValue ? known_types_.find(part_of_variable(inst)) : known_types_.end();
            if (type == known_types_.end()) return;
            at = builder_.undef(type->second);
        }
        Operands operands = {convert(inst.id(0)), at, convert(inst.id(2))};
        for (size_t i = 3; i < inst.operands.size(); ++i)
            operands.push_back(builder_.constant_u32(inst.word(i)));
        put(inst.op == kDebugDeclare ? NonSemanticShaderDebugInfo100DebugDeclare
                                     : NonSemanticShaderDebugInfo100DebugValue,
            std::move(operands), out);
    }
    bool is_known(Id id, uint32_t block) const {
        const auto found = block_of_.find(id);
        if (found == block_of_.end()) return builder_.find_global(id) != nullptr;
        if (found->second == block) return seen_.contains(id);
        return tree_.dominates(found->second, block);
    }

    Module& module_;
    Builder builder_;
    Id set_ = {}, type_void_ = {}, none_ = {};
    int depth_ = 0;
    std::vector<Instruction> old_ = {};
    IdMap<size_t> index_ = {};     // in old_
    IdMap<Id> source_of_ = {};     // file -> DebugSource
    IdMap<Id> stand_ins_ = {};     // what is not converted as it is -> what stands for it
    IdMap<Id> declarations_ = {};  // composite -> its declaration
    IdSet needed_ = {}, open_ = {}, done_ = {}, functions_ = {};
    // For the function at hand:
    Cfg cfg_ = {};
    Dominators tree_ = {};
    IdMap<uint32_t> block_of_ = {};                         // value -> block
    IdSet seen_ = {};                                       // values up to the instruction at hand
    std::map<std::vector<uint32_t>, Id> known_types_ = {};  // part of a variable -> type of a value
    spirv::Scope scope_ = {};
    Line line_ = {};
};

}  // namespace

Result<Done> write_debug_info(spirv::Module& module, PassContext&) {
    DebugInfoWriter(module).run();
    return Done{};
}

}  // namespace caldera::vulkan
