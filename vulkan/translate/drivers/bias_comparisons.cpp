// SPDX-License-Identifier: Apache-2.0
// bias_comparisons: turns a < b of signed 64-bit integers into the unsigned (a ^ 2^63) < (b ^ 2^63) if one
// operand is constant.
//
// Mesa's compiler compares `(long)i < 5` in 32 bits if the constant fits, but mistakes the smallest int for
// 2^31 (22.3.6: the C literal -0x80000000 in opt_algebraic). It also recognises `(long)i` where clean_up does
// not. Comparisons of loop counters stay as they are: a counter is not an extended int, and drivers need to
// see the trip count.
#include <optional>

#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

/// The phis of the function's loops, and sums.
spirv::IdSet find_counters(const spirv::Function& function) {
    spirv::IdSet counters;
    for (const spirv::Block& block : function.blocks)
        for (const Instruction& inst : block.body)
            if (inst.op == Op::OpIAdd || inst.op == Op::OpISub ||
                (inst.op == Op::OpPhi && block.merge.op == Op::OpLoopMerge))
                counters.insert(inst.result);
    return counters;
}

class ComparisonBias {
 public:
    ComparisonBias(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target) {}

    void run(spirv::Function& function) {
        counters_ = find_counters(function);
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
        const bool is_first = builder_.find_global(inst.id(0)) != nullptr;
        const Id constant = inst.id(is_first ? 0 : 1), value = inst.id(is_first ? 1 : 0);
        const Id biased = builder_.changed_constant(code_.type(constant), constant,
                                                    [](uint64_t number) { return number ^ sign_bit(64); });
        if (!biased || counters_.contains(value)) return;
        inst.op = op;
        inst.operands[is_first ? 0 : 1] = biased;
        inst.operands[is_first ? 1 : 0] = code_.bit_xor(value, code_.number(code_.type(value), sign_bit(64)));
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
