// SPDX-License-Identifier: Apache-2.0
// keep_zero_operands: gives the result of an operation with a constant zero the sign and the NaN of IEEE 754.
//
// llvmpipe (gallivm) simplifies x + 0 and x - -0 to x, although x may be -0, and 0 - x to -x. It simplifies 0
// * x and 0 / x to 0, although they may be -0 or NaN, fma(x, y, 0) to x * y, and x / 0 to an arbitrary value.
// In products, it does not treat -0 as a zero. This pass hides values that are not constant here but that
// Mesa may find to be constant by unrolling loops (known_values.h), and zeros in vectors of which other
// components are no constants: Mesa computes with each component alone (known_lanes.h). It inlines functions,
// so it knows there what a call passes (PassedValues). It also finds zeros by branches and by ranges of
// integers (trial_values.h). It simplifies |x| to x if it finds that x is not below zero, although -0 * y is
// not below zero either.
#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/drivers/known_lanes.h"
#include "vulkan/translate/drivers/known_values.h"
#include "vulkan/translate/drivers/trial_values.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/built_in.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/reach.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class ZeroKeeper {
 public:
    ZeroKeeper(Builder& builder, const TranslateOptions& options)
        : builder_(builder),
          code_(builder_, options.target),
          has_int64_(options.profile.int64),
          has_int16_(options.profile.int16),
          drops_signs_(options.profile.quirks.drops_signs_of_zeros) {
        for (const spirv::Function& function : builder.module().functions)
            functions_[function.id()] = &function;
        // In work-groups of one work-item or one sub-group, a compiler that knows their size takes these for
        // 0.
        for (const auto& [id, input] : built_ins_of(builder.module()))
            if (input == spv::BuiltIn::LocalInvocationId || input == spv::BuiltIn::LocalInvocationIndex ||
                input == spv::BuiltIn::SubgroupId)
                zeros_.insert(id);
    }

    /// Functions after those that call them.
    void run(spirv::Function& function) {
        HiddenNumbers hidden(builder_, code_, function);
        parameters_ = &function.params;
        const PassedValues& passed = passed_[function.id()];
        // The values that are known whoever calls, and those that are for one call or another.
        KnownValues always(builder_, function);
        std::optional<KnownValues> for_some;
        if (!passed.empty()) for_some.emplace(builder_, function, passed);
        KnownValues& known = for_some ? *for_some : always;
        if (hide_first_values(function, known, hidden)) {
            always.update(function);
            known.update(function);
        }
        find_parts(function, known);
        const KnownLanes lanes(builder_, function, known);
        const TrialValues trials(
            builder_, function, zeros_, [&](const Instruction& inst) { return first_of(inst); },
            [&](const Instruction& inst, uint32_t component) {
                const auto found = lanes.of(inst.result);
                return !found.empty() && is_float(inst.type) && may_be_zero(found[component]);
            });
        for (spirv::Block& block : function.blocks) {
            replace_instructions(builder_, block, [&](Instruction& inst) {
                if (inst.op == Op::OpFunctionCall) return hide_arguments(inst, known, trials, hidden);
                if (parts_.contains(inst.result)) hide_parts(inst, known, hidden);
                if (const auto first = first_operand(inst)) {
                    hide_found(inst, *first, trials, hidden);
                    hide_known(inst, *first, always, known, hidden);
                    if (inst.op == Op::OpDot || inst.op == Op::OpVectorTimesScalar)
                        hide_constants(inst, known, hidden);
                }
                const bool wrong = is_wrong(inst);
                const auto found = lanes.of(inst.result);
                const bool hides = !assembles(inst) && may_have_zero(inst, found);
                if (!wrong && !hides) return false;
                const Id value = wrong ? keep(inst) : builder_.append(inst.op, inst.type, inst.operands);
                if (hides) hide_lanes(value, found, hidden);
                return true;
            });
            if (trials.may_return_zero(block.label)) hide_returned(block, hidden);
        }
        hidden.insert();
    }

 private:
    bool is_wrong(const Instruction& inst) const {
        switch (inst.op) {
            case Op::OpFAdd:
            case Op::OpFMul:
            case Op::OpFDiv: return has_zero(inst.id(0)) || has_zero(inst.id(1));
            case Op::OpFSub: return has_zero(inst.id(0)) || has_zero(inst.id(1), /*is_negative=*/true);
            case Op::OpExtInst:
                if (inst.word(1) == GLSLstd450Fma)
                    return has_zero(inst.id(2)) || has_zero(inst.id(3)) || has_zero(inst.id(4));
                return drops_signs_ && inst.word(1) == GLSLstd450FAbs && has_bits(inst.id(2));
            default: return false;
        }
    }

    /// The zeros with which floats begin in loops that Mesa may unroll: gallivm takes a sum's first term for
    /// 0 and that term. Hidden here they cost a loop nothing. Whether there were any.
    bool hide_first_values(spirv::Function& function, const KnownValues& known, HiddenNumbers& hidden) {
        bool hides = false;
        for (size_t b = 0; b < function.blocks.size(); ++b) {
            spirv::Block& header = function.blocks[b];
            if (header.merge.op != Op::OpLoopMerge || !known.may_unroll(function, b)) continue;
            for (Instruction& phi : spirv::phis_of(header.body)) {
                if (!is_float(phi.type)) continue;
                for (size_t at = 0; at < phi.operands.size(); at += 2) {
                    if (!has_zero(phi.id(at))) continue;
                    phi.operands[at] = hidden.value(phi.id(at));
                    hides = true;
                }
            }
        }
        return hides;
    }
    /// The index of the first operand of an operation that is miscompiled with zeros; none for other
    /// instructions.
    std::optional<size_t> first_operand(const Instruction& inst) const {
        if (!inst.type || !is_float(inst.type))
            return std::nullopt;  // of cooperative matrices, or no arithmetic
        switch (inst.op) {
            case Op::OpFAdd:
            case Op::OpFSub:
            case Op::OpFMul:
            case Op::OpFDiv:
            case Op::OpVectorTimesScalar: return 0;
            case Op::OpDot: return inst.id(0) == inst.id(1) ? std::nullopt : std::optional<size_t>(0);
            case Op::OpExtInst:
                if (inst.word(1) == GLSLstd450Fma) return 2;
                return std::nullopt;
            default: return std::nullopt;
        }
    }

    /// Beside an operand that is not known, those that Mesa may know, but which are no constants here.
    void hide_known(Instruction& inst, size_t first, const KnownValues& always, const KnownValues& known,
                    HiddenNumbers& hidden) {
        bool all_known = true;
        for (size_t at = first; at < inst.operands.size(); ++at) all_known &= always.has(inst.id(at));
        if (all_known) return;
        for (size_t at = first; at < inst.operands.size(); ++at)
            if (is_found(inst.id(at), known)) inst.operands[at] = hidden.hide(inst.id(at));
    }
    /// Constants with zeros, beside an operand that is none.
    void hide_constants(Instruction& inst, const KnownValues& known, HiddenNumbers& hidden) {
        const auto is_constant = [&](const spirv::Operand& operand) {
            return builder_.find_global(operand.id());
        };
        if (!std::ranges::all_of(inst.operands, is_constant)) hide_parts(inst, known, hidden);
    }
    /// Those that Mesa may know by ranges and branches.
    void hide_found(Instruction& inst, size_t first, const TrialValues& trials, HiddenNumbers& hidden) {
        for (size_t at = first; at < inst.operands.size(); ++at)
            if (trials.may_be_zero(inst.result, at)) inst.operands[at] = hidden.hide(inst.id(at));
    }
    /// Floats and single integers that a function returns.
    void hide_returned(spirv::Block& block, HiddenNumbers& hidden) {
        spirv::Operand& value = block.terminator.operands[0];
        const Id type = code_.type(value.id());
        if (!builder_.is_int(type) && !is_float(type)) return;
        const spirv::SinkScope sink(builder_, &block.body);
        value = hidden.hide(value.id());
    }
    /// The operands that are asked for whether Mesa may know them.
    std::optional<size_t> first_of(const Instruction& inst) const {
        return inst.op == Op::OpFunctionCall ? 1 : first_operand(inst);
    }
    bool is_found(Id value, const KnownValues& known) const {
        return !builder_.find_global(value) && known.has(value) && !is_parameter(value);
    }
    /// Calls hide the zeros that they pass.
    bool is_parameter(Id value) const {
        return std::ranges::find(*parameters_, value, &Instruction::result) != parameters_->end();
    }

    // ---- Vectors of which Mesa knows some components: it computes with each one alone ----

    /// Finds the instructions that assemble such vectors of floats for an operation, a call or memory.
    void find_parts(const spirv::Function& function, const KnownValues& known) {
        parts_.clear();
        spirv::IdMap<const Instruction*> assembled;
        for (const spirv::Block& block : function.blocks)
            for (const Instruction& inst : block.body)
                if (assembles(inst)) assembled[inst.result] = &inst;
        std::vector<Id> wanted;
        const auto want = [&](const Instruction& inst, size_t first) {
            for (size_t at = first; at < inst.operands.size(); ++at)
                if (inst.operands[at].is_id) wanted.push_back(inst.id(at));
        };
        for (const spirv::Block& block : function.blocks) {
            for (const Instruction& inst : block.body) {
                if (const auto first = first_operand(inst)) want(inst, *first);
                if (inst.op == Op::OpFunctionCall || inst.op == Op::OpStore) want(inst, 1);
            }
            if (block.terminator.op == Op::OpReturnValue) want(block.terminator, 0);
        }
        while (!wanted.empty()) {
            const Id value = wanted.back();
            wanted.pop_back();
            const auto found = assembled.find(value);
            if (found == assembled.end() || known.has(value) || !parts_.insert(value)) continue;
            want(*found->second, 0);
        }
    }
    bool assembles(const Instruction& inst) const {
        switch (inst.op) {
            case Op::OpCompositeConstruct:
            case Op::OpCompositeInsert:
            case Op::OpCompositeExtract:
            case Op::OpVectorShuffle: return is_float(inst.type);
            default: return false;
        }
    }

    void hide_parts(Instruction& inst, const KnownValues& known, HiddenNumbers& hidden) {
        for (spirv::Operand& operand : inst.operands) {
            if (!operand.is_id) continue;
            if (const Id part = hidden_if_zero(operand.id(), known, hidden)) operand = part;
        }
    }

    /// The same floats, hidden, if Mesa finds them or there is a zero among them. Null otherwise, and for
    /// other values.
    Id hidden_if_zero(Id value, const KnownValues& known, HiddenNumbers& hidden) {
        if (!is_float(code_.type(value))) return {};
        if (is_found(value, known)) return hidden.hide(value);
        const bool is_zero = has_zero(value) || has_zero(value, /*is_negative=*/true);
        return is_zero ? hidden.value(value) : Id{};
    }

    /// Whether Mesa may find a zero in the component.
    bool may_be_zero(const KnownLanes::Lane& lane) const {
        if (!lane.is_known) return false;
        return !lane.constant || has_zero(lane.constant) || has_zero(lane.constant, /*is_negative=*/true);
    }
    bool may_have_zero(const Instruction& inst, std::span<const KnownLanes::Lane> lanes) const {
        const auto may_be = [&](const KnownLanes::Lane& lane) { return may_be_zero(lane); };
        return !lanes.empty() && is_float(inst.type) && std::ranges::any_of(lanes, may_be);
    }

    /// Hides the components of a result that may be zeros. Operands that are hidden are not enough: Mesa
    /// makes a selection of 2 - 3 and 3 - 3 of a difference with a hidden 3.
    void hide_lanes(Id value, std::span<const KnownLanes::Lane> lanes, HiddenNumbers& hidden) {
        const Id type = code_.type(value), element = builder_.element(type);
        for (uint32_t i = 0; i < lanes.size(); ++i) {
            if (!may_be_zero(lanes[i])) continue;
            const auto component = [&] {
                return type == element ? value : code_.op(Op::OpCompositeExtract, element, {value, i});
            };
            const Id part = lanes[i].constant ? hidden.value(lanes[i].constant) : hidden.hide(component());
            value = type == element ? builder_.append(Op::OpCopyObject, type, {part})
                                    : code_.op(Op::OpCompositeInsert, type, {part, value, i});
        }
    }

    /// A function does not know which of its arguments are zeros, nor its caller whether the result of
    /// constants is one. Mesa, which inlines it, does.
    bool hide_arguments(Instruction& call, const KnownValues& known, const TrialValues& trials,
                        HiddenNumbers& hidden) {
        bool are_known = is_float(call.type);
        PassedValues& passed = passed_[call.id(0)];
        known.same().add_same(call, passed);
        for (size_t at = 1; at < call.operands.size(); ++at) {
            const Id argument = call.id(at);
            are_known &= known.has(argument);
            const bool is_found = trials.may_be_zero(call.result, at);
            const Id value = is_found && is_float(code_.type(argument))
                                 ? hidden.hide(argument)
                                 : hidden_if_zero(argument, known, hidden);
            if (!value) {
                if (is_found || known.has(argument)) passed.known.insert(parameter_of(call, at));
                continue;
            }
            call.operands[at] = value;
            are_known = false;
        }
        if (are_known) hidden.hide(builder_.append(call.op, call.type, call.operands));
        return are_known;
    }
    Id parameter_of(const Instruction& call, size_t at) {
        return functions_.at(call.id(0))->params[at - 1].result;
    }
    /// Whether it is a float, a vector of floats, or an array of either, however deep.
    bool is_float(Id type) const {
        while (is_array(builder_, type)) type = builder_.element(type);
        return builder_.is_float(builder_.element(type));
    }

    /// Whether there are integers of the floats' width.
    bool has_bits(Id value) const {
        const uint32_t width = code_.width(value);
        return width == 32 || (width == 64 ? has_int64_ : has_int16_);
    }

    uint64_t minus(Id value) const { return sign_bit(code_.width(value)); }

    /// Whether it is a constant of numbers, and some component is +0, or -0.
    bool has_zero(Id value, bool is_negative = false) const {
        if (is_array(builder_, code_.type(value))) {
            const Instruction* constant = builder_.find_global(value);
            if (constant == nullptr || constant->op != Op::OpConstantComposite)
                return constant != nullptr && constant->op == Op::OpConstantNull && !is_negative;
            const auto is_zero = [&](const spirv::Operand& element) {
                return has_zero(element.id(), is_negative);
            };
            return std::ranges::any_of(constant->operands, is_zero);
        }
        const uint64_t zero = is_negative ? minus(value) : 0;
        bool has_zero = false;
        const Id same = builder_.changed_constant(code_.type(value), value, [&](uint64_t bits) {
            has_zero |= bits == zero;
            return bits;
        });
        return same && has_zero;
    }

    /// The result of code that the last appended instruction ends.
    Id keep(Instruction& inst) {
        if (inst.op == Op::OpExtInst && inst.word(1) == GLSLstd450Fma) return keep_fma(inst);
        if (inst.op == Op::OpExtInst) return code_.floats(code_.magnitude_bits(inst.id(2)));
        if (inst.op == Op::OpFMul || inst.op == Op::OpFDiv) return keep_product(inst);
        return keep_sum(inst);
    }

    /// Replaces 0 by -0 in a constant, and toggles `changed` for these components.
    void change_zeros(spirv::Operand& operand, std::vector<bool>& changed) {
        const Id constant = operand.id();
        if (!has_zero(constant)) return;
        size_t at = 0;
        operand = builder_.changed_constant(code_.type(constant), constant, [&](uint64_t bits) {
            if (bits == 0) changed[at] = !changed[at];
            ++at;
            return bits == 0 ? minus(constant) : bits;
        });
    }

    /// -(-0 * x) for 0 * x, component by component.
    Id keep_product(Instruction& inst) {
        std::vector<bool> negated(builder_.count(inst.type));
        for (spirv::Operand& operand : inst.operands) change_zeros(operand, negated);
        return negate(builder_.append(inst.op, inst.type, inst.operands), negated);
    }

    /// fma(-0, -x, y) for fma(0, x, y).
    Id keep_fma(Instruction& inst) {
        if (has_zero(inst.id(2)) || has_zero(inst.id(3))) {
            const size_t zero = has_zero(inst.id(2)) ? 2 : 3, other = 5 - zero;
            std::vector<bool> negated(builder_.count(inst.type));
            change_zeros(inst.operands[zero], negated);
            inst.operands[other] = negate(inst.id(other), negated);
        }
        const Id sum = builder_.append(inst.op, inst.type, inst.operands);
        return has_zero(inst.id(4)) ? keep_sum_of_zeros(inst, sum) : sum;
    }

    /// The sum of a product that is a zero and a constant, -0 in one case: -0 + -0. A product that is too
    /// small is no zero.
    Id keep_sum_of_zeros(const Instruction& fma, Id sum) {
        const auto is_zero = [&](Id factor) {
            return code_.compare(Op::OpFOrdEqual, factor, code_.real(code_.type(factor), 0));
        };
        const Id product = code_.binary(Op::OpLogicalOr, is_zero(fma.id(2)), is_zero(fma.id(3)));
        const Id zeros = builder_.changed_constant(
            fma.type, fma.id(4), [&](uint64_t bits) { return bits == minus(sum) ? bits : 0; });
        return code_.select(code_.binary(Op::OpLogicalAnd, product, is_negative_zero(sum)), zeros, sum);
    }

    /// A sum with a constant is -0 in two cases: -0 + -0 and -0 - 0.
    Id keep_sum(Instruction& inst) {
        const bool is_subtracted = inst.op == Op::OpFSub && has_zero(inst.id(1), true);
        const Id constant = is_subtracted || !has_zero(inst.id(0)) ? inst.id(1) : inst.id(0);
        const uint64_t neutral = is_subtracted ? 0 : minus(constant);
        const Id sum = builder_.append(inst.op, inst.type, inst.operands);
        const Id zeros = builder_.changed_constant(
            inst.type, constant, [&](uint64_t bits) { return bits == neutral ? minus(constant) : 0; });
        return code_.select(is_negative_zero(sum), zeros, sum);
    }

    /// The components that are named, by bits where that is possible: compilers give a negation to the
    /// factors.
    Id negate(Id value, const std::vector<bool>& components) {
        const Id type = code_.type(value);
        if (has_bits(value)) {
            const Id bits = code_.bits(value), scalar = builder_.element(code_.type(bits));
            std::vector<Id> signs;
            for (const bool is_negated : components)
                signs.push_back(builder_.constant_int(scalar, is_negated ? minus(value) : 0));
            const Id mask =
                signs.size() == 1 ? signs[0] : builder_.constant_composite(code_.type(bits), signs);
            return code_.floats(code_.bit_xor(bits, mask));
        }
        const Id negative = code_.unary(Op::OpFNegate, value);
        const auto count = static_cast<uint32_t>(components.size());
        if (count == 1) return negative;
        spirv::Operands chosen = {value, negative};
        for (uint32_t i = 0; i < count; ++i) chosen.push_back(components[i] ? count + i : i);
        return builder_.append(Op::OpVectorShuffle, type, std::move(chosen));
    }

    /// Without such integers any zero is taken for one: x + -0 beside a +0 in a vector may then be wrong.
    Id is_negative_zero(Id sum) {
        if (!has_bits(sum)) return code_.compare(Op::OpFOrdEqual, sum, code_.real(code_.type(sum), 0));
        const Id bits = code_.bits(sum);
        return code_.compare(Op::OpIEqual, bits, code_.number(code_.type(bits), sign_bit(code_.width(bits))));
    }

    Builder& builder_;
    Code code_;
    bool has_int64_, has_int16_, drops_signs_;
    spirv::IdSet parts_ = {}, zeros_ = {};
    spirv::IdMap<const spirv::Function*> functions_ = {};
    spirv::IdMap<PassedValues> passed_ = {};  // by function
    const std::vector<Instruction>* parameters_ = nullptr;
};

}  // namespace

Result<Done> keep_zero_operands(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.drops_zero_operands) return Done{};
    Builder builder(module);
    ZeroKeeper keeper(builder, context.options);
    const std::vector<uint32_t> callees_first = CallGraph(module).order().callees_first;
    for (auto at = callees_first.rbegin(); at != callees_first.rend(); ++at)
        if (!module.functions[*at].blocks.empty()) keeper.run(module.functions[*at]);
    return Done{};
}

}  // namespace caldera::vulkan
