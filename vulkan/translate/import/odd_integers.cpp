// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/odd_integers.h"

#include <algorithm>

#include "spirv/builder.h"
#include "spirv/grammar.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/uses.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

bool is_odd(const Instruction& inst) {
    const uint32_t width = inst.op == Op::OpTypeInt ? inst.word(0) : 32;
    return width != 8 && width != 16 && width != 32 && width != 64;
}

/// What an instruction on such integers requires, given that the upper bits of its operands are zero.
enum class Need : uint8_t { Nothing, Mask, Decline };
Need need_of(Op op) {
    switch (op) {
        case Op::OpPhi:
        case Op::OpSelect:
        case Op::OpCopyObject:
        case Op::OpBitwiseAnd:
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor:
        case Op::OpShiftRightLogical:
        case Op::OpUDiv:
        case Op::OpUMod:
        case Op::OpBitCount:
        case Op::OpIEqual:
        case Op::OpINotEqual:
        case Op::OpULessThan:
        case Op::OpULessThanEqual:
        case Op::OpUGreaterThan:
        case Op::OpUGreaterThanEqual: return Need::Nothing;
        case Op::OpNot:
        case Op::OpIAdd:
        case Op::OpISub:
        case Op::OpIMul:
        case Op::OpShiftLeftLogical:
        case Op::OpUConvert: return Need::Mask;
        default: return Need::Decline;
    }
}

class Widener {
 public:
    explicit Widener(Module& module) : module_(module) {}

    Result<bool> run() {
        for (const Instruction& inst : module_.globals)
            if (is_odd(inst)) {
                if (inst.word(0) > 64) return declined(inst.word(0));
                odd_[inst.result] = inst.word(0);
            }
        if (odd_.empty() && !has_bool_vectors()) return false;
        if (!odd_.empty()) ensure_wide_types();
        Builder builder(module_);
        builder_ = &builder;
        if (const Error* bad = bad_type()) return *bad;
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                if (!rewrite(block)) return error_;
        if (odd_.empty()) return changed_;
        for (Instruction& inst : module_.globals) widen_constant(inst);
        replace_types();
        return true;
    }

 private:
    const Error& declined(uint32_t width, const Instruction& where) {
        const spirv::InstructionGrammar* rule = spirv::grammar(where.op);
        return declined(width, rule ? rule->name : "");
    }
    const Error& declined(uint32_t width, std::string_view what = {}) {
        error_.message = "integers of " + std::to_string(width) + " bits are not supported";
        if (!what.empty()) error_.message += " in " + std::string(what);
        return error_;
    }
    bool has_bool_vectors() const {
        const auto boolean = std::ranges::find(module_.globals, Op::OpTypeBool, &Instruction::op);
        return boolean != module_.globals.end() &&
               std::ranges::any_of(module_.globals, [&](const Instruction& inst) {
                   return inst.op == Op::OpTypeVector && inst.id(0) == boolean->result;
               });
    }
    uint32_t wide(uint32_t width) const { return width < 32 ? 32 : 64; }
    uint32_t odd_width(Id value) const {
        const auto found = odd_.find(builder_->type_of(value));
        return found == odd_.end() ? 0 : found->second;
    }

    /// The types must come before the constants that will use them.
    void ensure_wide_types() {
        for (const uint32_t width : {64, 32}) {
            const auto at = std::ranges::find_if(module_.globals, [&](const Instruction& inst) {
                return inst.op == Op::OpTypeInt && inst.word(0) == width;
            });
            Instruction type{.op = Op::OpTypeInt, .operands = {width, 0u}};
            if (at != module_.globals.end()) {
                type = std::move(*at);
                module_.globals.erase(at);
            } else {
                type.result = module_.fresh();
            }
            module_.globals.insert(module_.globals.begin(), std::move(type));
        }
    }

    /// A type made of such integers, for instance a vector.
    const Error* bad_type() {
        for (const Instruction& inst : module_.globals)
            if (!inst.type && inst.op != Op::OpTypeInt && inst.op != Op::OpTypeFloat)
                for (const Operand& operand : inst.operands)
                    if (operand.is_id && odd_.contains(operand.id()))
                        return &declined(odd_[operand.id()], inst);
        return nullptr;
    }

    bool rewrite(Block& block) {
        std::vector<Instruction> body;
        const SinkScope sink(*builder_, &body);
        for (Instruction& inst : block.body) {
            builder_->set_line(inst.line);
            if (inst.op == Op::OpBitcast && bits_of_bools(inst, body)) continue;
            if (!rewrite(inst, body)) return false;
        }
        block.body = std::move(body);
        if (block.terminator.op == Op::OpSwitch)
            if (const uint32_t width = odd_width(block.terminator.id(0))) trim_cases(block.terminator, width);
        return true;
    }

    /// A literal may be sign-extended, low word first.
    static void trim(Operand& literal, size_t word, uint32_t width) {
        literal.word &= static_cast<uint32_t>(((uint64_t{1} << width) - 1) >> (32 * word));
    }
    static void trim_cases(Instruction& inst, uint32_t width) {
        size_t word = 0;
        for (size_t i = 2; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) trim(inst.operands[i], word, width);
            word = inst.operands[i].is_id ? 0 : word + 1;
        }
    }

    bool rewrite(Instruction& inst, std::vector<Instruction>& body) {
        const auto result = odd_.find(inst.type);
        uint32_t width = result == odd_.end() ? 0 : result->second;
        for (const Operand& operand : inst.operands)
            if (operand.is_id && !width) width = odd_width(operand.id());
        const Need need = width ? need_of(inst.op) : Need::Nothing;
        if (need == Need::Decline) {
            declined(width, inst);
            return false;
        }
        if (width && inst.op == Op::OpUConvert) convert(inst);
        if (need == Need::Mask && result != odd_.end()) {
            const Id value = builder_->fresh();
            masked_.insert(inst.result);
            body.push_back(inst);
            body.back().result = value;
            inst.op = Op::OpBitwiseAnd;
            inst.operands = {value, mask(result->second)};
        }
        body.push_back(std::move(inst));
        return true;
    }

    /// Between the widths that source and result have afterwards.
    void convert(Instruction& inst) {
        auto now = [&](Id type) {
            const auto found = odd_.find(type);
            return found == odd_.end() ? builder_->width(type) : wide(found->second);
        };
        if (now(inst.type) == now(builder_->type_of(inst.id(0)))) inst.op = Op::OpCopyObject;
    }

    Id mask(uint32_t width) {
        return builder_->constant_int(builder_->type_int(wide(width)), (uint64_t{1} << width) - 1);
    }

    /// The first component is the lowest bit.
    bool bits_of_bools(const Instruction& inst, std::vector<Instruction>& body) {
        const Id from = builder_->type_of(inst.id(0));
        if (!builder_->is_vector(from) || !builder_->is_bool(builder_->element(from))) return false;
        if (builder_->op_of_type(inst.type) != Op::OpTypeInt) return false;
        const auto found = odd_.find(inst.type);
        const Id type = found == odd_.end() ? inst.type : builder_->type_int(wide(found->second));
        Id sum = builder_->constant_int(type, 0);
        for (uint32_t i = 0; i < builder_->count(from); ++i) {
            const Id lane =
                builder_->append(Op::OpCompositeExtract, builder_->element(from), {inst.id(0), i});
            const Id bit = builder_->append(
                Op::OpSelect, type,
                {lane, builder_->constant_int(type, uint64_t{1} << i), builder_->constant_int(type, 0)});
            sum = builder_->append(Op::OpBitwiseOr, type, {sum, bit});
        }
        body.back().result = inst.result;
        changed_ = true;
        return true;
    }

    /// The upper bits of an undefined value are unknown.
    void widen_constant(Instruction& inst) {
        const auto found = odd_.find(inst.type);
        if (found == odd_.end()) return;
        if (inst.op == Op::OpUndef) inst.op = Op::OpConstantNull;
        if (inst.op != Op::OpConstant) return;
        for (size_t word = 0; word < inst.operands.size(); ++word)
            trim(inst.operands[word], word, found->second);
    }

    void replace_types() {
        auto replace = [&](Instruction& inst) {
            if (const auto found = odd_.find(inst.type); found != odd_.end())
                inst.type = builder_->type_int(wide(found->second));
        };
        for (Instruction& inst : module_.globals) replace(inst);
        for (Function& function : module_.functions)
            for (Block& block : function.blocks)
                for (Instruction& inst : block.body) replace(inst);
        std::erase_if(module_.globals, is_odd);
        // More bits wrap at other values, and a mask does not wrap.
        std::erase_if(module_.annotations, [&](const Instruction& inst) {
            return inst.op == Op::OpDecorate && masked_.contains(inst.id(0)) &&
                   (inst.word(1) == static_cast<uint32_t>(spv::Decoration::NoSignedWrap) ||
                    inst.word(1) == static_cast<uint32_t>(spv::Decoration::NoUnsignedWrap));
        });
        drop_stale_names(module_);
    }

    Module& module_;
    Builder* builder_ = nullptr;
    IdMap<uint32_t> odd_ = {};  // types -> their width
    IdSet masked_ = {};         // results that lose upper bits
    bool changed_ = false;
    Error error_ = {};
};

}  // namespace

Result<bool> widen_odd_integers(Module& module) { return Widener(module).run(); }

}  // namespace caldera::vulkan
