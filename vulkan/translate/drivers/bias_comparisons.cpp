// SPDX-License-Identifier: Apache-2.0
// bias_comparisons: turns a < b of signed 64-bit integers into the unsigned (a ^ 2^63) < (b ^ 2^63).
//
// Mesa's compiler compares `(long)i < 5` in 32 bits if the constant fits, but mistakes the smallest int for
// 2^31 (22.3.6: the C literal -0x80000000 in opt_algebraic). Either operand may become one of these in Mesa
// alone, which unrolls loops, forwards stores and folds. LLVM takes the bias away again. Comparisons of
// constants with loop counters stay as they are: Mesa needs to see the trip count, and finds two constants.
#include <vector>

#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/phis.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// The loops' phis that start from a constant and step by constants, and those a step later.
spirv::IdSet find_counters(const Builder& builder, const spirv::Function& function) {
    spirv::IdMap<const Instruction*> sums;
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            if (inst.op == Op::OpIAdd || inst.op == Op::OpISub) sums[inst.result] = &inst;
    const auto is_constant = [&](Id id) { return builder.find_global(id) != nullptr; };
    const auto is_step = [&](Id id, Id phi) {
        const auto found = sums.find(id);
        if (found == sums.end()) return false;
        const Instruction& sum = *found->second;
        return (sum.id(0) == phi && is_constant(sum.id(1))) ||
               (sum.op == Op::OpIAdd && sum.id(1) == phi && is_constant(sum.id(0)));
    };
    spirv::IdSet counters;
    for (const spirv::Block& block : function.blocks) {
        if (block.merge.op != Op::OpLoopMerge) continue;
        for (const Instruction& phi : spirv::phis_of(block.body)) {
            std::vector<Id> steps;
            bool counts = true;
            for (size_t i = 0; i < phi.operands.size() && counts; i += 2) {
                if (is_constant(phi.id(i))) continue;
                counts = is_step(phi.id(i), phi.result);
                steps.push_back(phi.id(i));
            }
            if (!counts) continue;
            counters.insert(phi.result);
            for (const Id step : steps) counters.insert(step);
        }
    }
    return counters;
}

class ComparisonBias {
 public:
    ComparisonBias(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target) {}

    void run(spirv::Function& function) {
        counters_ = find_counters(builder_, function);
        for (spirv::Block& block : function.blocks) {
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                rewrite(inst);
                out.push_back(std::move(inst));
            });
        }
    }

 private:
    void rewrite(Instruction& inst) {
        const Op op = spirv::as_unsigned(inst.op);
        if (op == inst.op || code_.width(inst.id(0)) != 64) return;
        for (size_t i = 0; i < 2; ++i)
            if (counters_.contains(inst.id(i)) && builder_.find_global(inst.id(1 - i))) return;
        inst.op = op;
        for (size_t i = 0; i < 2; ++i) inst.operands[i] = biased(inst.id(i));
    }

    Id biased(Id value) {
        const Id type = code_.type(value);
        const Id constant =
            builder_.changed_constant(type, value, [](uint64_t number) { return number ^ sign_bit(64); });
        return constant ? constant : code_.bit_xor(value, code_.number(type, sign_bit(64)));
    }

    Builder& builder_;
    Code code_;
    spirv::IdSet counters_ = {};
};

}  // namespace

Result<Done> bias_comparisons(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.wrong_long_comparisons) return Done{};
    Builder builder(module);
    ComparisonBias bias(builder, context.options);
    for (spirv::Function& function : module.functions) bias.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
