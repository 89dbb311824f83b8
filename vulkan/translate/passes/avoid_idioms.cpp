// SPDX-License-Identifier: Apache-2.0
// avoid_idioms: what a driver's compiler is known to get wrong is said in other words.
//
// Each was found with tests/differential on an NVIDIA H200 (driver 580.159); the first three show only in kernels that
// divide 64-bit integers or convert floats to them, for which that compiler has another optimiser.
//   popcount of an extended 8- or 16-bit value         is counted in the narrow type, extended by the sign
//   (uint)(ulong)x, (long)x & 1 of a float             converts to uint at once, saturating; loses the mask
//   sum < a ? ~0 : sum   and   a > b ? a - b : 0       but of uint, are saturated arithmetic to it, which it gets wrong
//   (int)(char)-x                                      negates after the extension: 128 for -128
//   (uint)max(x, 3) == 3 of a short, min, clamp        compares as if x had no sign
//   (ushort)(x << 8 | x >> 8)                          exchanges bytes of something else
//   -(a < b ? 1.0f : 0.0f)                             is 0 where it is -0
//   ((long)x << 31) + y of an int, min, mad_sat        takes something else for the product, by << 31 alone
// The last six are recognised by their constants, in whose place comes what only the device knows to be the same.
#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/id_map.h"
#include "vulkan/translate/opaque.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/passes/code.h"
#include "vulkan/translate/passes/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// What passes the bits of its operands on, each to its own place.
bool keeps_places(Op op) {
    switch (op) {
        case Op::OpBitwiseOr:
        case Op::OpBitwiseXor:
        case Op::OpBitwiseAnd:
        case Op::OpIAdd:
        case Op::OpUConvert:
        case Op::OpSConvert:
        case Op::OpSelect:
        case Op::OpPhi: return true;
        default: return false;
    }
}

/// What 16-bit integers are made of by such operations, the wider ones among them.
spirv::IdSet find_parts_of_halves(const Builder& builder, const spirv::Function& function) {
    spirv::IdMap<const Instruction*> between;
    spirv::IdSet parts;
    std::vector<const Instruction*> halves;
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            if (!keeps_places(inst.op)) continue;
            between[inst.result] = &inst;
            if (builder.is_int(builder.element(inst.type)) && builder.width(inst.type) == 16)
                halves.push_back(&inst);
        }
    while (!halves.empty()) {
        const Instruction& inst = *halves.back();
        halves.pop_back();
        for (const spirv::Operand& operand : inst.operands) {
            if (!operand.is_id || !parts.insert(operand.id())) continue;
            if (const auto it = between.find(operand.id()); it != between.end()) halves.push_back(it->second);
        }
    }
    return parts;
}

class IdiomAvoidance {
 public:
    IdiomAvoidance(Builder& builder, const TranslateOptions& options, spirv::Function& function)
        : builder_(builder),
          code_(builder_, spirv::spirv_version(options.target) >= 0x00010400),
          function_(function),
          parts_of_halves_(find_parts_of_halves(builder, function)) {}

    void run() {
        for (spirv::Block& block : function_.blocks) rewrite(block);
        if (compares_)
            for (spirv::Block& block : function_.blocks)
                if (block.merge.op != Op::OpLoopMerge) hide_limits_in_phis(block);
        for (spirv::Block& block : function_.blocks) hide_truths_in_phis(block);
        if (!at_entry_.empty()) function_.insert_at_entry(std::move(at_entry_));
    }

 private:
    void rewrite(spirv::Block& block) {
        rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
            remember(inst);
            if (other_words(inst))
                out.back().result = inst.result;  // keeps the name and the uses
            else
                out.push_back(std::move(inst));
        });
    }

    void remember(const Instruction& inst) {
        switch (inst.op) {
            case Op::OpUConvert:
                if (code_.width(inst.id(0)) < 32) zero_extended_[inst.result] = code_.width(inst.id(0));
                break;
            case Op::OpSConvert:
                if (code_.width(inst.id(0)) < 32) sign_extended_.insert(inst.result);
                break;
            case Op::OpNot: complement_of_[inst.result] = inst.id(0); break;
            case Op::OpULessThan:
            case Op::OpULessThanEqual:
            case Op::OpUGreaterThan:
            case Op::OpUGreaterThanEqual: compares_ |= is_not_word(code_.type(inst.id(0))); break;
            default: break;
        }
    }

    /// Changes the instruction in place, or appends the same value in other words and returns true.
    bool other_words(Instruction& inst) {
        switch (inst.op) {
            case Op::OpBitCount: return count_at_top(inst);
            case Op::OpExtInst: hide_bounds(inst); return false;
            case Op::OpConvertFToU:
            case Op::OpConvertFToS: return convert_in_halves(inst);
            case Op::OpShiftLeftLogical:
                hide_shift(inst, 1, 8);
                if (number_of(inst.id(1)) == 31) hide_31(inst, inst.id(0));
                return false;
            case Op::OpIMul:
                for (size_t factor : {0, 1}) {
                    hide_shift(inst, factor, 1 << 8);
                    if (number_of(inst.id(factor)) == 1u << 31) hide_31(inst, inst.id(1 - factor));
                }
                [[fallthrough]];
            case Op::OpSNegate:
            case Op::OpISub:
            case Op::OpIAdd:
                if (const Id value = negated(inst)) subtract_from_zero(inst, value);
                return false;
            case Op::OpSelect:
                if (compares_ && is_not_word(inst.type))
                    for (size_t arm : {1, 2}) inst.operands[arm] = hidden_limit(inst.id(arm));
                hide_truth(inst, 1, 1);
                return false;
            default: return false;
        }
    }

    /// Of the bits at the top of the word, which are no extended value.
    bool count_at_top(const Instruction& inst) {
        const auto width = zero_extended_.find(inst.id(0));
        if (width == zero_extended_.end() || builder_.width(inst.type) != 32) return false;
        code_.unary(Op::OpBitCount, code_.shift_left(inst.id(0), 32 - width->second));
        return true;
    }

    bool convert_in_halves(const Instruction& inst) {
        if (builder_.width(inst.type) != 64) return false;
        const Id value = code_.convert_float(inst.id(0), std::max(32u, code_.width(inst.id(0))));
        const bool is_signed = inst.op == Op::OpConvertFToS;
        const auto [low, high] = code_.float_halves(is_signed ? code_.glsl(GLSLstd450FAbs, {value}) : value);
        const Id upper = code_.shift_left(code_.convert_unsigned(high, 64), 32);
        const Id whole = code_.bit_or(upper, code_.convert_unsigned(low, 64));
        if (!is_signed) return true;
        const Id is_negative = code_.compare(Op::OpFOrdLessThan, value, code_.real(code_.type(value), 0));
        code_.select(is_negative, code_.sub(code_.number(inst.type, 0), whole), whole);
        return true;
    }

    /// The x of -x, 0 - x, x * -1 and ~x + 1; else {}.
    Id negated(const Instruction& inst) const {
        const auto is = [&](size_t operand, uint64_t number) {
            const auto known = number_of(inst.id(operand));
            return known && *known == (number & all_ones(builder_.width(inst.type)));
        };
        switch (inst.op) {
            case Op::OpSNegate: return inst.id(0);
            case Op::OpISub: return is(0, 0) ? inst.id(1) : Id{};
            case Op::OpIMul:
                return is(1, ~uint64_t{0}) ? inst.id(0) : is(0, ~uint64_t{0}) ? inst.id(1) : Id{};
            default: {
                const auto complement = complement_of_.find(inst.id(0));
                return complement != complement_of_.end() && is(1, 1) ? complement->second : Id{};
            }
        }
    }
    /// Where the value is, or was, an 8- or 16-bit integer.
    void subtract_from_zero(Instruction& inst, Id value) {
        if (builder_.width(inst.type) >= 32 && !sign_extended_.contains(value)) return;
        inst.op = Op::OpISub;
        inst.operands = {hidden(inst.type, 0), value};
    }

    /// The constant that moves the lower byte of what becomes a half to the upper one.
    void hide_shift(Instruction& inst, size_t at, uint64_t number) {
        if (parts_of_halves_.contains(inst.result) && number_of(inst.id(at)) == number)
            inst.operands[at] = hidden(code_.type(inst.id(at)), number);
    }

    /// What goes up may have been an int, by ways that the compiler sees.
    void hide_31(Instruction& inst, Id value) {
        if (builder_.width(inst.type) != 64) return;
        inst.op = Op::OpShiftLeftLogical;
        inst.operands = {value, hidden(inst.type, 31)};
    }

    /// The constants of a narrow signed integer's maximum, minimum or clamp.
    void hide_bounds(Instruction& inst) {
        const uint32_t instruction = inst.word(1);
        const bool limits =
            instruction == GLSLstd450SMax || instruction == GLSLstd450SMin || instruction == GLSLstd450SClamp;
        if (!limits || builder_.width(inst.type) >= 32) return;
        for (size_t arg = 2; arg < inst.operands.size(); ++arg)
            if (const auto number = number_of(inst.id(arg))) inst.operands[arg] = hidden(inst.type, *number);
    }

    void hide_limits_in_phis(spirv::Block& block) {
        for (Instruction& phi : block.body) {
            if (phi.op != Op::OpPhi) break;
            if (!is_not_word(phi.type)) continue;
            for (size_t i = 0; i < phi.operands.size(); i += 2) phi.operands[i] = hidden_limit(phi.id(i));
        }
    }

    /// The 1 or -1 of an operand that is chosen between one and a zero, both floats.
    void hide_truth(Instruction& inst, size_t first, size_t step) {
        if (!builder_.is_float(builder_.element(inst.type))) return;
        const uint32_t width = builder_.width(inst.type);
        const uint64_t one = uint64_t{exponent_bias(width)} << mantissa_bits(width);
        const auto magnitude = [&](const spirv::Operand& choice) {
            const auto number = number_of(choice.id());
            return number ? *number & ~sign_bit(width) : ~uint64_t{0};
        };
        bool is_truth = true, has_zero = false;
        for (size_t i = first; i < inst.operands.size(); i += step) {
            const uint64_t size = magnitude(inst.operands[i]);
            is_truth &= size == 0 || size == one;
            has_zero |= size == 0;
        }
        if (!is_truth || !has_zero) return;
        for (size_t i = first; i < inst.operands.size(); i += step)
            if (magnitude(inst.operands[i]) == one)
                inst.operands[i] = hidden(inst.type, *number_of(inst.id(i)));
    }
    void hide_truths_in_phis(spirv::Block& block) {
        for (Instruction& phi : block.body) {
            if (phi.op != Op::OpPhi) break;
            hide_truth(phi, 0, 2);
        }
    }

    /// An integer of 8, 16 or 64 bits, or a vector of such.
    bool is_not_word(Id type) const {
        return builder_.is_int(builder_.element(type)) && builder_.width(type) != 32;
    }
    /// The number of which a constant is made; the bits of a float.
    std::optional<uint64_t> number_of(Id value) const {
        const Instruction* constant = builder_.find_global(value);
        if (!constant) return std::nullopt;
        if (constant->op == Op::OpConstantNull) return 0;
        if (constant->op == Op::OpConstant && builder_.is_float(constant->type))
            return builder_.width(constant->type) == 64 ? number_at(*constant) : constant->word(0);
        if (constant->op != Op::OpConstantComposite) return builder_.constant_value(value);
        const bool is_splat = std::ranges::all_of(
            constant->operands, [&](const spirv::Operand& part) { return part.id() == constant->id(0); });
        return is_splat ? number_of(constant->id(0)) : std::nullopt;
    }
    /// 0 and all ones hidden, other values themselves.
    Id hidden_limit(Id value) {
        const auto number = number_of(value);
        if (!number || (*number != 0 && *number != all_ones(code_.width(value)))) return value;
        return hidden(code_.type(value), *number);
    }

    /// The number, as a value that the compiler cannot know.
    Id hidden(Id type, uint64_t number) {
        for (const Hidden& known : hidden_)
            if (known.type == type && known.number == number) return known.value;
        std::vector<Instruction>* const sink = builder_.sink();
        builder_.set_sink(&at_entry_);
        if (!no_groups_) no_groups_ = no_groups(builder_, at_entry_);
        const Id scalar = builder_.element(type);
        const bool is_float = builder_.is_float(scalar);
        const uint64_t another = is_float ? sign_bit(builder_.width(type)) >> 1 : number == 1 ? 0 : 1;  // 2.0
        const auto constant = [&](uint64_t bits) {
            return is_float ? builder_.constant_float_bits(scalar, bits)
                            : builder_.constant_int(scalar, bits);
        };
        const Id other = constant(another), wanted = constant(number);
        const Id value = code_.splat(code_.select(no_groups_, other, wanted), builder_.count(type));
        builder_.set_sink(sink);
        hidden_.push_back({type, number, value});
        return value;
    }

    struct Hidden {
        Id type;
        uint64_t number;
        Id value;
    };

    Builder& builder_;
    Code code_;
    spirv::Function& function_;
    const spirv::IdSet parts_of_halves_;
    spirv::IdMap<uint32_t> zero_extended_ = {};  ///< the widths, below 32, that extended values had
    spirv::IdSet sign_extended_ = {};            ///< what was narrower than 32 bits
    spirv::IdMap<Id> complement_of_ = {};
    bool compares_ = false;  ///< so far, for less or greater, unsigned numbers of other widths than 32 bits
    std::vector<Instruction> at_entry_ = {};
    Id no_groups_ = {};
    std::vector<Hidden> hidden_ = {};
};

}  // namespace

Result<Done> avoid_idioms(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.wrong_idioms) return Done{};
    Builder builder(module);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) IdiomAvoidance(builder, context.options, function).run();
    return Done{};
}

}  // namespace caldera::vulkan
