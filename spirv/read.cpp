// SPDX-License-Identifier: Apache-2.0
// Words -> Module. One walk; every instruction is split into operands by the grammar, so that each word is
// known to be an <id> or not. Time and memory are linear in the input.
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/OpenCLDebugInfo100.h>

#include <algorithm>

#include "spirv/debug_info.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/newer_ops.h"
#include "spirv/raw_words.h"
#include "spirv/spirv.h"
#include "spirv/untyped_pointers.h"

namespace caldera::spirv {
namespace {

constexpr uint32_t kMaxBound = 0x3fffff;  // SPIR-V 2.17 "Universal Limits": at least this many ids

class Reader {
 public:
    explicit Reader(std::span<const uint32_t> words) : words_(words) {}

    Result<Module> read() {
        if (!header()) return error_;
        size_t at = 5;
        while (at < words_.size()) {
            const uint32_t length = words_[at] >> 16;
            if (length == 0 || length > words_.size() - at) {
                fail(at, length == 0 ? "has length 0" : "runs past the end of the module");
                return error_;
            }
            if (!instruction(at, words_.subspan(at, length))) return error_;
            at += length;
        }
        if (function_) {
            fail(words_.size(), "is missing: the last function has no OpFunctionEnd", "OpFunctionEnd");
            return error_;
        }
        return std::move(module_);
    }

 private:
    bool header() {
        if (words_.size() < 5) return fail_plain("not a SPIR-V module: shorter than its 5-word header");
        if (words_[0] != spv::MagicNumber) {
            if (!is_swapped(words_)) return fail_plain("not a SPIR-V module: wrong magic number");
            swapped_ = swapped(words_);
            words_ = swapped_;
        }
        module_.version = words_[1];
        module_.generator = words_[2];
        module_.bound = words_[3];
        if ((module_.version & 0xff0000ff) != 0 || module_.version >> 16 != 1)
            return fail_plain("unsupported SPIR-V version");
        if (module_.bound == 0 || module_.bound > kMaxBound)
            return fail_plain("the id bound is 0 or above 4194303");
        types_.resize(module_.bound);
        widths_.resize(module_.bound);
        return true;
    }

    bool fail_plain(const char* text) {
        error_.message = text;
        return false;
    }
    bool fail(size_t at, std::string_view what, std::string_view name = {}) {
        error_.message = "word " + std::to_string(at) + ": " +
                         std::string(name.empty() ? "the instruction" : name) + " " + std::string(what);
        return false;
    }

    bool id(size_t at, uint32_t word, std::string_view name) {
        if (word != 0 && word < module_.bound) return true;
        return fail(at,
                    "uses id " + std::to_string(word) +
                        (word == 0 ? ", which names nothing" : ", which is not below the bound"),
                    name);
    }

    bool instruction(size_t at, std::span<const uint32_t> words) {
        const auto op = static_cast<spv::Op>(words[0] & 0xffff);
        if (op == spv::Op::OpLine) return line(at, words);
        if (op == spv::Op::OpNoLine) {
            set_line({});
            return true;
        }
        const InstructionGrammar* rule = grammar(op);
        if (!rule) return fail(at, "has unknown opcode " + std::to_string(words[0] & 0xffff));

        Instruction inst{.op = op, .line = line_};
        size_t next = 1;
        if (rule->has_type) {
            if (next == words.size()) return fail(at, "is too short", rule->name);
            if (!id(at, words[next], rule->name)) return false;
            inst.type = Id{words[next++]};
        }
        if (rule->has_result) {
            if (next == words.size()) return fail(at, "is too short", rule->name);
            if (!id(at, words[next], rule->name)) return false;
            inst.result = Id{words[next++]};
            if (types_[inst.result.value].value || defined(inst.result))
                return fail(at, "defines id " + std::to_string(inst.result.value) + " a second time",
                            rule->name);
            widths_[inst.result.value] |= kDefined;
        }
        inst.operands.reserve(words.size() - next);
        Cursor cursor{.at = at, .words = words, .next = next, .inst = inst, .name = rule->name};
        if (!operands(cursor, rule->operands)) return false;
        if (cursor.next != words.size()) return surplus(at, inst, rule->name);
        remember(inst);
        return place(at, std::move(inst), *rule);
    }

    bool surplus(size_t at, const Instruction& inst, std::string_view name) {
        using enum spv::Op;
        const bool of_member = inst.op == OpMemberDecorate || inst.op == OpMemberDecorateString;
        const bool decorates =
            of_member || inst.op == OpDecorate || inst.op == OpDecorateId || inst.op == OpDecorateString;
        const size_t kind = of_member ? 2 : 1;
        if (decorates && inst.operands.size() == kind + 1)
            return fail(at,
                        "has decoration " + std::to_string(inst.word(kind)) +
                            ", which is unknown or has no such operands",
                        name);
        return fail(at, "has more operands than the grammar allows", name);
    }

    bool line(size_t at, std::span<const uint32_t> words) {
        if (words.size() != 4) return fail(at, "must have 3 operands", "OpLine");
        if (!id(at, words[1], "OpLine")) return false;
        if (!strings_.contains(Id{words[1]}))
            return fail(at, "names a file by no OpString before it", "OpLine");
        set_line({Id{words[1]}, words[2], words[3]});
        return true;
    }
    void set_line(Line line) {
        scope_.file = line.file;
        line_ = line;
        if (scope_.scope) line_.file = add_scope(module_, scope_);
    }
    void set_scope(Id scope, Id inlined_at) {
        scope_ = {.scope = scope, .inlined_at = inlined_at, .file = scope_.file};
        line_.file = scope ? add_scope(module_, scope_) : scope_.file;
    }
    void end_lines() {
        scope_ = {};
        line_ = {};
    }

    struct Cursor {
        size_t at;
        std::span<const uint32_t> words;
        size_t next;
        Instruction& inst;
        std::string_view name;
        bool done() const { return next == words.size(); }
    };

    bool operands(Cursor& cursor, std::span<const OperandGrammar> rules) {
        for (size_t i = 0; i < rules.size(); ++i) {
            const OperandGrammar& rule = rules[i];
            if (rule.quantifier == Quantifier::One) {
                if (!operand(cursor, rule)) return false;
            } else if (rule.quantifier == Quantifier::Optional) {
                if (!cursor.done() && !operand(cursor, rule)) return false;
            } else {
                const size_t group = std::max<size_t>(rule.group, 1);
                while (!cursor.done())
                    for (size_t k = 0; k < group; ++k)
                        if (!operand(cursor, rules[i + k])) return false;
                i += group - 1;
            }
        }
        return true;
    }

    bool operand(Cursor& cursor, const OperandGrammar& rule) {
        if (cursor.done()) return fail(cursor.at, "is too short", cursor.name);
        const uint32_t word = cursor.words[cursor.next];
        Operands& out = cursor.inst.operands;
        switch (rule.kind) {
            case OperandKind::Id:
                if (is_debug_info(cursor.inst)) return debug_operand(cursor, word);
                if (is_extended_literal(cursor.inst)) {
                    out.push_back(word);
                    ++cursor.next;
                    return true;
                }
                if (word == 0 && is_shader_debug_info(cursor.inst)) {
                    out.push_back(nothing_in(cursor.inst));
                    ++cursor.next;
                    return true;
                }
                if (!id(cursor.at, word, cursor.name)) return false;
                out.push_back(Id{word});
                ++cursor.next;
                return true;
            case OperandKind::String: return string(cursor);
            case OperandKind::TypedLiteral: return typed_literal(cursor);
            case OperandKind::Enum:
                out.push_back(word);
                ++cursor.next;
                return operands(cursor, enumerant_params(rule.enum_kind, word));
            case OperandKind::Mask:
                out.push_back(word);
                ++cursor.next;
                for (uint32_t bit = 0; bit < 32; ++bit)
                    if (word >> bit & 1)
                        if (!operands(cursor, enumerant_params(rule.enum_kind, 1u << bit))) return false;
                return true;
            case OperandKind::SpecOp: {
                const InstructionGrammar* inner = grammar(static_cast<spv::Op>(word));
                if (!inner || inner->op == spv::Op::OpSpecConstantOp)
                    return fail(cursor.at, "names an opcode that it cannot hold", cursor.name);
                out.push_back(word);
                ++cursor.next;
                return operands(cursor, inner->operands);
            }
            case OperandKind::Literal:
            case OperandKind::ExtInst:
                out.push_back(word);
                ++cursor.next;
                return true;
        }
        return false;
    }

    // The grammar of OpExtInst says ids, but in OpenCL.std the vector size of vloads and the rounding mode of
    // vstore_half*_r are literals. No other set has as many instructions before these numbers.
    static bool is_extended_literal(const Instruction& inst) {
        if (inst.op != spv::Op::OpExtInst || inst.operands.size() < 4) return false;
        switch (inst.word(1)) {
            case OpenCLLIB::Vloadn:
            case OpenCLLIB::Vload_halfn:
            case OpenCLLIB::Vloada_halfn: return inst.operands.size() == 4;
            case OpenCLLIB::Vstore_half_r:
            case OpenCLLIB::Vstore_halfn_r:
            case OpenCLLIB::Vstorea_halfn_r: return inst.operands.size() == 5;
            default: return false;
        }
    }

    bool is_debug_info(const Instruction& inst) const {
        return inst.op == spv::Op::OpExtInst && debug_set_ && inst.operands.size() >= kDebugOperands &&
               inst.id(0) == debug_set_;
    }

    bool is_shader_debug_info(const Instruction& inst) const {
        return inst.op == spv::Op::OpExtInst && shader_set_ && inst.operands.size() >= kDebugOperands &&
               inst.id(0) == shader_set_;
    }
    /// llvm-spirv writes id 0 in debug information for what it has left out, as the target of a using
    /// declaration. The void type stands for that.
    static Id nothing_in(const Instruction& debug_info) { return debug_info.type; }

    bool debug_operand(Cursor& cursor, uint32_t word) {
        Operands& out = cursor.inst.operands;
        const DebugOperand kind = spirv::debug_operand(out[1].word, out.size() - kDebugOperands);
        ++cursor.next;
        if (kind == DebugOperand::Literal) {
            out.push_back(word);
            return true;
        }
        if (word == 0) word = nothing_in(cursor.inst).value;
        if (!id(cursor.at, word, cursor.name)) return false;
        out.push_back(kind == DebugOperand::Weak ? Operand::weak(Id{word}) : Operand(Id{word}));
        return true;
    }

    bool string(Cursor& cursor) {
        while (!cursor.done()) {
            const uint32_t word = cursor.words[cursor.next++];
            cursor.inst.operands.push_back(word);
            const bool has_nul =
                (word & 0xff) == 0 || (word & 0xff00) == 0 || (word & 0xff0000) == 0 || word >> 24 == 0;
            if (has_nul) return true;
        }
        return fail(cursor.at, "has a string without its terminating nul", cursor.name);
    }

    // OpConstant's value is as wide as its type; OpSwitch's literals are as wide as the selector's type.
    bool typed_literal(Cursor& cursor) {
        Id type = cursor.inst.type;
        if (cursor.inst.op == spv::Op::OpSwitch) type = selector_type(cursor.inst.id(0));
        const uint32_t bits = widths_[type.value] & ~kDefined;
        if (bits == 0)
            return fail(cursor.at, "needs a type of integers or floats that stands before it", cursor.name);
        for (uint32_t word = 0; word < (bits + 31) / 32; ++word) {
            if (cursor.done()) return fail(cursor.at, "is too short", cursor.name);
            cursor.inst.operands.push_back(cursor.words[cursor.next++]);
        }
        return true;
    }

    /// llvm-spirv may write the block that defines a selector after the block that uses it.
    Id selector_type(Id selector) {
        if (types_[selector.value]) return types_[selector.value];
        if (types_ahead_.empty()) look_ahead();
        return types_ahead_[selector.value];
    }

    void look_ahead() {
        types_ahead_.resize(module_.bound);
        for (size_t at = 5; at < words_.size();) {
            const uint32_t length = words_[at] >> 16;
            if (length == 0 || length > words_.size() - at) return;
            const InstructionGrammar* rule = grammar(static_cast<spv::Op>(words_[at] & 0xffff));
            if (rule && rule->has_type && rule->has_result && length > 2 && words_[at + 1] < module_.bound &&
                words_[at + 2] < module_.bound)
                types_ahead_[words_[at + 2]] = Id{words_[at + 1]};
            at += length;
        }
    }

    bool defined(Id id) const { return widths_[id.value] & kDefined; }

    void remember(const Instruction& inst) {
        if (!inst.result) return;
        if (inst.type) types_[inst.result.value] = inst.type;
        if (inst.op == spv::Op::OpTypeInt || inst.op == spv::Op::OpTypeFloat)
            widths_[inst.result.value] |= std::min(inst.word(0), 64u);
    }

    bool place(size_t at, Instruction inst, const InstructionGrammar& rule) {
        using enum spv::Op;
        if (inst.op == OpFunction) {
            if (function_) return fail(at, "stands inside a function", rule.name);
            module_.functions.push_back({.def = std::move(inst)});
            function_ = true;
            return true;
        }
        if (function_) return place_in_function(at, std::move(inst), rule);
        switch (inst.op) {
            case OpCapability: module_.capabilities.push_back(std::move(inst)); return true;
            case OpExtension: module_.extensions.push_back(std::move(inst)); return true;
            case OpExtInstImport:
                if (string_at(inst, 0) == kOpenclDebugInfo) debug_set_ = inst.result;
                if (string_at(inst, 0) == kShaderDebugInfo) shader_set_ = inst.result;
                module_.ext_inst_imports.push_back(std::move(inst));
                return true;
            case OpMemoryModel:
                if (module_.memory_model.op == OpMemoryModel) return fail(at, "stands twice", rule.name);
                module_.memory_model = std::move(inst);
                return true;
            case OpEntryPoint: module_.entry_points.push_back(std::move(inst)); return true;
            case OpExecutionMode:
            case OpExecutionModeId: module_.execution_modes.push_back(std::move(inst)); return true;
            case OpString: strings_.insert(inst.result); [[fallthrough]];
            case OpSource:
            case OpSourceExtension:
            case OpSourceContinued: module_.debug_sources.push_back(std::move(inst)); return true;
            case OpName:
            case OpMemberName: module_.names.push_back(std::move(inst)); return true;
            case OpModuleProcessed: module_.module_processed.push_back(std::move(inst)); return true;
            case OpDecorate:
            case OpMemberDecorate:
            case OpDecorationGroup:
            case OpGroupDecorate:
            case OpGroupMemberDecorate:
            case OpDecorateId:
            case OpDecorateString:
            case OpMemberDecorateString: module_.annotations.push_back(std::move(inst)); return true;
            case OpNop: return true;
            default: break;
        }
        if (is_debug_info(inst)) {
            module_.debug_info.push_back(std::move(inst));
            return true;
        }
        const bool is_global =
            inst.result &&
            (rule.name.starts_with("OpType") || rule.name.starts_with("OpConstant") ||
             rule.name.starts_with("OpSpecConstant") || inst.op == OpVariable ||
             inst.op == kUntypedVariable || inst.op == kPoison || inst.op == OpUndef ||
             inst.op == OpExtInst || inst.op == OpAliasDomainDeclINTEL || inst.op == OpAliasScopeDeclINTEL ||
             inst.op == OpAliasScopeListDeclINTEL || inst.op == OpAsmTargetINTEL || inst.op == OpAsmINTEL);
        if (inst.op == OpConstantCompositeContinuedINTEL ||
            inst.op == OpSpecConstantCompositeContinuedINTEL || inst.op == OpTypeStructContinuedINTEL)
            return fail(at,
                        "continues a type or constant of more than 65,532 parts (SPV_INTEL_long_composites), "
                        "which is not supported",
                        rule.name);
        if (!is_global && inst.op != OpTypeForwardPointer)
            return fail(at, "stands outside a function", rule.name);
        module_.globals.push_back(std::move(inst));
        return true;
    }

    bool place_in_function(size_t at, Instruction inst, const InstructionGrammar& rule) {
        using enum spv::Op;
        Function& function = module_.functions.back();
        switch (inst.op) {
            case OpFunctionParameter:
                if (!function.blocks.empty() || block_) return fail(at, "stands after a block", rule.name);
                function.params.push_back(std::move(inst));
                return true;
            case OpFunctionEnd:
                if (block_) return fail(at, "stands in a block without a terminator", rule.name);
                function_ = false;
                end_lines();
                return true;
            case OpLabel:
                if (block_) return fail(at, "stands in a block without a terminator", rule.name);
                function.blocks.push_back({.label = inst.result});
                block_ = true;
                return true;
            default: break;
        }
        if (!block_ && !function.blocks.empty() && ends_scope(inst)) return true;
        if (!block_) return fail(at, "stands outside a block", rule.name);
        Block& block = function.blocks.back();
        const bool after_merge = block.merge.op != OpNop;
        switch (inst.op) {
            case OpSelectionMerge:
            case OpLoopMerge:
                if (after_merge) return fail(at, "stands after another merge instruction", rule.name);
                block.merge = std::move(inst);
                return true;
            case OpBranch:
            case OpBranchConditional:
            case OpSwitch:
            case OpReturn:
            case OpReturnValue:
            case OpKill:
            case OpTerminateInvocation:
            case OpUnreachable:
            case OpIgnoreIntersectionKHR:
            case OpTerminateRayKHR:
                block.terminator = std::move(inst);
                block_ = false;
                end_lines();
                return true;
            case OpNop: return true;
            default: break;
        }
        if (after_merge) return fail(at, "stands between a merge instruction and its branch", rule.name);
        if (is_debug_info(inst)) return place_debug_info(at, block, std::move(inst));
        block.body.push_back(std::move(inst));
        return true;
    }

    /// SPIRV-Tools writes DebugNoScope behind the last block too, where no scope is left.
    bool ends_scope(const Instruction& inst) const {
        return inst.op == spv::Op::OpExtInst && inst.operands.size() >= kDebugOperands &&
               ((debug_set_ && inst.id(0) == debug_set_) || (shader_set_ && inst.id(0) == shader_set_)) &&
               (inst.word(1) == OpenCLDebugInfo100DebugScope ||
                inst.word(1) == OpenCLDebugInfo100DebugNoScope);
    }

    bool place_debug_info(size_t at, Block& block, Instruction inst) {
        const size_t given = inst.operands.size() - kDebugOperands;
        switch (inst.word(1)) {
            case OpenCLDebugInfo100DebugScope:
                if (given == 0) return fail(at, "is too short", "DebugScope");
                set_scope(inst.id(2), given > 1 ? inst.id(3) : Id{});
                return true;
            case OpenCLDebugInfo100DebugNoScope: set_scope({}, {}); return true;
            case OpenCLDebugInfo100DebugDeclare:
            case OpenCLDebugInfo100DebugValue:
                if (given < 3) return fail(at, "is too short", "the location of a variable");
                inst.op = inst.word(1) == OpenCLDebugInfo100DebugDeclare ? kDebugDeclare : kDebugValue;
                inst.type = inst.result = {};
                inst.operands.erase(inst.operands.begin(), inst.operands.begin() + kDebugOperands);
                for (size_t i = 3; i < inst.operands.size(); ++i)
                    inst.operands[i] = static_cast<uint32_t>(constant(inst.id(i)));
                block.body.push_back(std::move(inst));
                return true;
            default: module_.debug_info.push_back(std::move(inst)); return true;
        }
    }
    /// Code stands behind all constants.
    uint64_t constant(Id id) {
        if (constants_.empty())
            for (const Instruction& inst : module_.globals)
                if (inst.op == spv::Op::OpConstant) constants_.emplace(inst.result, number_at(inst));
        const auto found = constants_.find(id);
        return found == constants_.end() ? 0 : found->second;
    }

    static constexpr uint32_t kDefined = 0x80000000;

    std::span<const uint32_t> words_;
    std::vector<uint32_t> swapped_ = {};
    std::vector<Id> types_ = {};         // id -> result type
    std::vector<Id> types_ahead_ = {};   // the same of the whole module; empty until needed
    std::vector<uint32_t> widths_ = {};  // id -> bits of a numeric type, and kDefined
    Module module_ = {};
    Error error_ = {};
    Line line_ = {};
    Scope scope_ = {};  // the parts of line_.file
    IdSet strings_ = {};
    Id debug_set_ = {};               // OpenCL.DebugInfo.100
    Id shader_set_ = {};              // NonSemantic.Shader.DebugInfo.100, with the same numbers for scopes
    IdMap<uint64_t> constants_ = {};  // of all OpConstants, once one is looked up
    bool function_ = false;           // between OpFunction and OpFunctionEnd
    bool block_ = false;              // between OpLabel and the terminator
};

}  // namespace

Result<Module> read(std::span<const uint32_t> words) { return Reader(words).read(); }

}  // namespace caldera::spirv
