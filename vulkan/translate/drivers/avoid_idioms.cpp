// SPDX-License-Identifier: Apache-2.0
// avoid_idioms: rewrites idioms that a driver's compiler miscompiles.
//
// Each was found with tests/evaluation/differential on an NVIDIA H200 (driver 580.159); the first three show
// only in kernels that divide 64-bit integers or convert floats to them, for which that compiler has another
// optimiser.
//   popcount of an extended 8- or 16-bit value         is counted in the narrow type, extended by the sign
//   (uint)(ulong)x, (long)x & 1 of a float             converts to uint at once, saturating; loses the mask
//   sum < a ? ~0 : sum   and   a > b ? a - b : 0       but of uint, are saturated to it, which it gets wrong
//   (long)(char)-x, -x in whatever width               negates after the extension: 128 for -128
//   (uint)max(x, 3) == 3 of a short, min, clamp        compares as if x had no sign
//   (ushort)(x << 8 | x >> 8)                          exchanges bytes of something else
//   -(a < b ? 1.0f : 0.0f)                             is 0 where it is -0
//   ((long)x << 31) + y of an int, min, mad_sat        takes something else for the product, by << 31 alone
//   |x| >= 0, -|x| <= 0                                is true of NaN as well
//   (float)(half)x                                     is x, not rounded, despite NoContraction or bit casts
// The half goes through bits that only the device knows; the seven before it are recognised by their
// constants, in whose place comes what only the device knows to be the same.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "spirv/cooperative_matrix.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// Whether the operation leaves each bit of its operands in its place.
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

/// The operands from which such operations make 16-bit integers, including wider ones.
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

/// Whether the lower bits of the result depend on no higher bits of the operands.
bool keeps_low_bits(Op op) {
    return keeps_places(op) || op == Op::OpISub || op == Op::OpIMul || op == Op::OpSNegate ||
           op == Op::OpNot || op == Op::OpShiftLeftLogical;
}

/// The integers of 32 bits and more whose lower 8 or 16 bits become narrow integers: how many bits at least.
spirv::IdMap<uint32_t> find_narrowed(const Builder& builder, const spirv::Function& function) {
    spirv::IdMap<const Instruction*> between;
    std::vector<std::pair<Id, uint32_t>> work;
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body) {
            if (!inst.type || !keeps_low_bits(inst.op) || !builder.is_int(builder.element(inst.type)))
                continue;
            between[inst.result] = &inst;
            if (const uint32_t width = builder.width(inst.type); inst.op == Op::OpUConvert && width < 32)
                work.emplace_back(inst.id(0), width);
        }
    spirv::IdMap<uint32_t> narrowed;
    while (!work.empty()) {
        const auto [value, width] = work.back();
        work.pop_back();
        const auto found = between.find(value);
        if (found == between.end() || builder.width(found->second->type) < 32) continue;
        const auto before = narrowed.find(value);
        if (before != narrowed.end() && before->second <= width) continue;
        narrowed[value] = width;
        for (const spirv::Operand& operand : found->second->operands)
            if (operand.is_id) work.emplace_back(operand.id(), width);
    }
    return narrowed;
}

/// For hide_operand().
auto is(uint64_t wanted) {
    return [wanted](uint32_t, uint64_t number) { return number == wanted; };
}

class IdiomAvoidance {
 public:
    IdiomAvoidance(Builder& builder, const TranslateOptions& options, spirv::Function& function)
        : builder_(builder),
          code_(builder_, options.target),
          has_int16_(options.profile.int16),
          function_(function),
          parts_of_halves_(find_parts_of_halves(builder, function)),
          narrowed_(find_narrowed(builder, function)),
          hidden_(builder_, code_, function) {}

    void run() {
        for (spirv::Block& block : function_.blocks) rewrite(block);
        if (compares_)
            for (spirv::Block& block : function_.blocks)
                if (block.merge.op != Op::OpLoopMerge) hide_limits_in_phis(block);
        for (spirv::Block& block : function_.blocks) hide_truths_in_phis(block);
        hidden_.insert();
    }

 private:
    void rewrite(spirv::Block& block) {
        replace_instructions(builder_, block, [&](Instruction& inst) {
            if (builder_.op_of_type(inst.type) == spirv::kTypeMatrix) return false;
            remember(inst);
            return other_words(inst);
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
            case Op::OpCompositeConstruct:
            case Op::OpCompositeInsert:
            case Op::OpVectorShuffle:
            case Op::OpBitwiseAnd:  // of how far OpenCL shifts
                if (builder_.is_vector(inst.type)) made_of_parts_.emplace(inst.result, inst);
                break;
            case Op::OpExtInst:
                if (inst.word(1) == GLSLstd450FAbs) magnitudes_.insert(inst.result);
                break;
            case Op::OpFNegate:
                if (magnitudes_.contains(inst.id(0))) magnitudes_.insert(inst.result);
                break;
            case Op::OpULessThan:
            case Op::OpULessThanEqual:
            case Op::OpUGreaterThan:
            case Op::OpUGreaterThanEqual: compares_ |= is_not_word(code_.type(inst.id(0))); break;
            default: break;
        }
    }

    /// Changes the instruction in place, or appends another computation of the same value and returns true.
    bool other_words(Instruction& inst) {
        switch (inst.op) {
            case Op::OpBitCount: return count_at_top(inst);
            case Op::OpExtInst: hide_bounds(inst); return false;
            case Op::OpConvertFToU:
            case Op::OpConvertFToS: return convert_in_halves(inst);
            case Op::OpFConvert: return keep_half(inst);
            case Op::OpFOrdGreaterThanEqual:
            case Op::OpFOrdLessThanEqual:
            case Op::OpFUnordLessThan:
            case Op::OpFUnordGreaterThan: hide_zero(inst); return false;
            case Op::OpShiftLeftLogical:
                hide_shift(inst, 1, 8);
                if (builder_.width(inst.type) == 64) hide_operand(inst, 1, is(31));
                return false;
            case Op::OpIMul:
                for (size_t factor : {0, 1}) {
                    hide_shift(inst, factor, 1 << 8);
                    if (builder_.width(inst.type) == 64) hide_factor(inst, factor);
                }
                [[fallthrough]];
            case Op::OpSNegate:
            case Op::OpISub:
            case Op::OpIAdd: hide_negation(inst); return false;
            case Op::OpSelect:
                if (compares_ && is_not_word(inst.type))
                    for (size_t arm : {1, 2}) hide_limit(inst, arm);
                hide_truth(inst, 1, 1);
                return false;
            default: return false;
        }
    }

    /// Counts the bits after shifting them to the top of the word, so that the value is no longer an extended
    /// one.
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

    /// A float that is converted to half must be rounded, whatever happens to the half. So the result does
    /// not come directly from a conversion.
    bool keep_half(const Instruction& inst) {
        if (!has_int16_ || builder_.width(inst.type) != 16 || code_.width(inst.id(0)) != 32) return false;
        const Id bits = code_.bits(builder_.append(inst.op, inst.type, inst.operands));
        code_.floats(code_.bit_or(bits, hidden_.number(code_.type(bits), 0)));
        return true;
    }

    /// Hides the constant to which |x| or -|x| is compared. The constant determines the result for NaN.
    void hide_zero(Instruction& inst) {
        const uint64_t minus = sign_bit(code_.width(inst.id(0)));
        for (const size_t at : {0, 1})
            if (magnitudes_.contains(inst.id(1 - at)))
                hide_operand(inst, at, [&](uint32_t, uint64_t number) { return (number & ~minus) == 0; });
    }

    /// Hides the constants of -x, 0 - x, x * -1 and ~x + 1.
    void hide_negation(Instruction& inst) {
        const uint64_t minus_one = all_ones(builder_.width(inst.type));
        switch (inst.op) {
            case Op::OpSNegate: return negate(inst, inst.id(0));
            case Op::OpISub: return hide_negation(inst, inst.id(1), 0, 0);
            case Op::OpIMul:
                hide_negation(inst, inst.id(0), 1, minus_one);
                return hide_negation(inst, inst.id(1), 0, minus_one);
            case Op::OpIAdd: {
                const auto complement = complement_of_.find(inst.id(0));
                if (complement != complement_of_.end()) hide_negation(inst, complement->second, 1, 1);
                return;
            }
            default: return;
        }
    }
    /// The instruction negates the value in the components where this operand is this constant.
    void hide_negation(Instruction& inst, Id value, size_t constant, uint64_t number) {
        const uint64_t mask = low_bits(inst);
        const auto is_negation = [&](uint32_t, uint64_t other) { return (other & mask) == (number & mask); };
        if (number_of(inst.id(constant)) == number)
            negate(inst, value);
        else if (is_or_will_be_narrow(inst, value))
            hide_operand(inst, constant, is_negation);
    }
    /// 256 - x negates x in the lower 8 bits.
    uint64_t low_bits(const Instruction& inst) const {
        const auto narrowed = narrowed_.find(inst.result);
        return all_ones(narrowed == narrowed_.end() ? builder_.width(inst.type) : narrowed->second);
    }
    void negate(Instruction& inst, Id value) {
        if (!is_or_will_be_narrow(inst, value)) return;
        inst.op = Op::OpISub;
        inst.operands = {hidden_.number(inst.type, 0), value};
    }
    /// Whether the value is an 8- or 16-bit integer, or a wider one that was extended from one, or whose
    /// negation becomes one.
    bool is_or_will_be_narrow(const Instruction& inst, Id value) const {
        return builder_.width(inst.type) < 32 || sign_extended_.contains(value) ||
               narrowed_.contains(inst.result);
    }

    /// Hides the constant of a shift that moves the lower byte of a future 16-bit integer to the upper one.
    void hide_shift(Instruction& inst, size_t at, uint64_t number) {
        if (parts_of_halves_.contains(inst.result)) hide_operand(inst, at, is(number));
    }

    /// Hides a factor of a product that is shifted left by 31. The shifted value may have been an int, in a
    /// form that the compiler recognises.
    void hide_factor(Instruction& inst, size_t factor) {
        constexpr uint64_t kFactor = uint64_t{1} << 31;
        if (number_of(inst.id(factor)) != kFactor) return hide_operand(inst, factor, is(kFactor));
        inst.op = Op::OpShiftLeftLogical;
        inst.operands = {inst.id(1 - factor), hidden_.number(inst.type, 31)};
    }

    /// Hides the constants in the maximum, minimum or clamp of a narrow signed integer.
    void hide_bounds(Instruction& inst) {
        const uint32_t instruction = inst.word(1);
        const bool limits =
            instruction == GLSLstd450SMax || instruction == GLSLstd450SMin || instruction == GLSLstd450SClamp;
        if (!limits || builder_.width(inst.type) >= 32) return;
        for (size_t arg = 2; arg < inst.operands.size(); ++arg)
            hide_operand(inst, arg, [](uint32_t, uint64_t) { return true; });
    }

    void hide_limits_in_phis(spirv::Block& block) {
        for (Instruction& phi : spirv::phis_of(block.body)) {
            if (!is_not_word(phi.type)) continue;
            for (size_t i = 0; i < phi.operands.size(); i += 2) hide_limit(phi, i);
        }
    }

    /// Hides the 1 or -1 of a selection between it and a zero, both floats.
    void hide_truth(Instruction& inst, size_t first, size_t step) {
        if (!builder_.is_float(builder_.element(inst.type))) return;
        const uint32_t width = builder_.width(inst.type);
        const uint64_t one = uint64_t{exponent_bias(width)} << mantissa_bits(width);
        const auto is_one = [&](uint64_t number) { return (number & ~sign_bit(width)) == one; };
        uint32_t truths = 0;  // a bit for each component that is one
        for (uint32_t part = 0; part < builder_.count(inst.type); ++part) {
            bool is_truth = true, has_zero = false;
            for (size_t i = first; i < inst.operands.size(); i += step) {
                const auto number = number_of(inst.id(i), part);
                const bool is_zero = number && (*number & ~sign_bit(width)) == 0;
                is_truth &= is_zero || (number && is_one(*number));
                has_zero |= is_zero;
            }
            if (is_truth && has_zero) truths |= 1u << part;
        }
        for (size_t i = first; truths != 0 && i < inst.operands.size(); i += step)
            hide_operand(inst, i, [&](uint32_t part, uint64_t number) {
                return (truths >> part & 1) != 0 && is_one(number);
            });
    }
    void hide_truths_in_phis(spirv::Block& block) {
        for (Instruction& phi : spirv::phis_of(block.body)) hide_truth(phi, 0, 2);
    }

    /// Whether the type is an integer of 8, 16 or 64 bits, or a vector of those.
    bool is_not_word(Id type) const {
        return builder_.is_int(builder_.element(type)) && builder_.width(type) != 32;
    }
    /// The number in a component of a vector that the function constructs from constants.
    std::optional<uint64_t> number_of_made(Id vector, uint32_t part) const {
        const auto found = made_of_parts_.find(vector);
        if (found == made_of_parts_.end()) return std::nullopt;
        const Instruction& inst = found->second;
        if (inst.op != Op::OpBitwiseAnd) {
            const auto [source, at] = source_of(inst, part);
            return source ? number_of(source, at) : std::nullopt;
        }
        const auto a = number_of(inst.id(0), part), b = number_of(inst.id(1), part);
        return a && b ? std::optional(*a & *b) : std::nullopt;
    }

    /// The source of a component of the vector that the instruction makes: a scalar, or a vector and the
    /// number of its component.
    std::pair<Id, uint32_t> source_of(const Instruction& inst, uint32_t part) const {
        switch (inst.op) {
            case Op::OpCompositeConstruct:
                for (const spirv::Operand& operand : inst.operands) {
                    if (part < code_.count(operand.id())) return {operand.id(), part};
                    part -= code_.count(operand.id());
                }
                return {};
            case Op::OpCompositeInsert:
                return inst.word(2) == part ? std::pair{inst.id(0), 0u} : std::pair{inst.id(1), part};
            default: {  // OpVectorShuffle
                const uint32_t at = inst.word(2 + part), count = code_.count(inst.id(0));
                if (at == ~0u) return {};  // undefined
                return at < count ? std::pair{inst.id(0), at} : std::pair{inst.id(1), at - count};
            }
        }
    }

    /// The number in a component of a constant, or of a value that is made from constants. For a float, its
    /// bits.
    std::optional<uint64_t> number_of(Id value, uint32_t part) const {
        const Instruction* constant = builder_.find_global(value);
        if (!constant) return number_of_made(value, part);
        if (constant->op == Op::OpConstantNull) return 0;
        if (constant->op == Op::OpConstantComposite) return number_of(constant->id(part), 0);
        if (constant->op == Op::OpConstant && builder_.is_float(constant->type))
            return builder_.width(constant->type) == 64 ? number_at(*constant) : constant->word(0);
        return builder_.constant_value(value);
    }
    /// The number, if all components of a constant are the same.
    std::optional<uint64_t> number_of(Id value) const {
        const auto number = number_of(value, 0);
        for (uint32_t part = 1; number && part < code_.count(value); ++part)
            if (number_of(value, part) != number) return std::nullopt;
        return number;
    }

    void hide_limit(Instruction& inst, size_t at) {
        const uint64_t ones = all_ones(builder_.width(inst.type));
        hide_operand(inst, at, [&](uint32_t, uint64_t number) { return number == 0 || number == ones; });
    }

    /// Hides the components of an operand that are constant and `wanted`. In a phi, it hides only constant
    /// operands, because others belong to the preceding block.
    template <class Wanted>  // bool(uint32_t component, uint64_t number)
    void hide_operand(Instruction& inst, size_t at, Wanted&& wanted) {
        const Id value = inst.id(at), type = code_.type(value);
        const bool is_constant = builder_.find_global(value) != nullptr;
        if (!is_constant && inst.op == Op::OpPhi) return;
        std::vector<uint32_t> parts;
        for (uint32_t part = 0; part < builder_.count(type); ++part)
            if (const auto number = number_of(value, part); number && wanted(part, *number))
                parts.push_back(part);
        if (parts.empty()) return;
        if (const auto number = number_of(value); number && parts.size() == builder_.count(type)) {
            inst.operands[at] = hidden_.number(type, *number);
            return;
        }
        inst.operands[at] = is_constant ? hidden_.components(value, parts) : hide_components(value, parts);
    }
    /// The vector with these components hidden.
    Id hide_components(Id vector, std::span<const uint32_t> parts) {
        const Id type = code_.type(vector);
        for (const uint32_t part : parts) {
            const Id hidden = hidden_.number(builder_.element(type), *number_of(vector, part));
            vector = code_.op(Op::OpCompositeInsert, type, {hidden, vector, part});
        }
        return vector;
    }

    Builder& builder_;
    Code code_;
    const bool has_int16_;
    spirv::Function& function_;
    const spirv::IdSet parts_of_halves_;
    const spirv::IdMap<uint32_t> narrowed_;
    spirv::IdMap<uint32_t> zero_extended_ = {};  ///< the widths, below 32, that extended values had
    spirv::IdSet magnitudes_ = {};               ///< |x| and -|x|
    spirv::IdSet sign_extended_ = {};            ///< what was narrower than 32 bits
    spirv::IdMap<Id> complement_of_ = {};
    spirv::IdMap<Instruction> made_of_parts_ = {};  ///< vectors
    bool compares_ = false;  ///< so far, for less or greater, unsigned numbers of other widths than 32 bits
    HiddenNumbers hidden_;
};

}  // namespace

Result<Done> avoid_idioms(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.wrong_idioms) return Done{};
    Builder builder(module);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) IdiomAvoidance(builder, context.options, function).run();
    return Done{};
}

}  // namespace caldera::vulkan
