// SPDX-License-Identifier: Apache-2.0
// sign_zero_sums: x + 0 and 0 - x are +0 where they are zero, as IEEE 754 has it.
//
// llvmpipe (gallivm) takes x for x + 0, which may be -0, and -x for 0 - x. Where it gets a constant zero from, it does not
// matter there; here it is what fold.cpp knows to be constant.
#include <algorithm>
#include <vector>

#include "vulkan/translate/pass.h"
#include "vulkan/translate/passes/code.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class ZeroSigner {
 public:
    ZeroSigner(Builder& builder, const TranslateOptions& options)
        : builder_(builder),
          code_(builder_, spirv::spirv_version(options.target) >= 0x00010400),
          has_int64_(options.profile.int64) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks) {
            std::vector<Instruction> out;
            out.reserve(block.body.size());
            builder_.set_sink(&out);
            for (Instruction& inst : block.body) {
                builder_.set_line(inst.line);
                if (is_wrong(inst)) {
                    sign(inst);
                    out.back().result = inst.result;  // keeps the name and the uses
                } else {
                    out.push_back(std::move(inst));
                }
            }
            builder_.set_sink(nullptr);
            builder_.set_line({});
            block.body = std::move(out);
        }
    }

 private:
    bool is_wrong(const Instruction& inst) const {
        if (inst.op != Op::OpFAdd && inst.op != Op::OpFSub) return false;
        return adds_zero(inst.id(0)) || (inst.op == Op::OpFAdd && adds_zero(inst.id(1)));
    }

    /// Whether some component is +0.
    bool adds_zero(Id value) const {
        const Instruction* constant = builder_.find_global(value);
        if (constant == nullptr) return false;
        if (constant->op == Op::OpConstantNull) return true;
        if (constant->op == Op::OpConstant) return bits_of(*constant) == 0;
        return constant->op == Op::OpConstantComposite &&
               std::ranges::any_of(constant->operands,
                                   [&](const spirv::Operand& part) { return adds_zero(part.id()); });
    }
    static uint64_t bits_of(const Instruction& constant) {
        return constant.operands.size() > 1 ? uint64_t{constant.word(1)} << 32 | constant.word(0)
                                            : constant.word(0);
    }

    /// No other sum with a constant is -0 either: only that with -0 is.
    void sign(const Instruction& inst) {
        const Id sum = builder_.append(inst.op, inst.type, inst.operands);
        const Id constant = adds_zero(inst.id(0)) ? inst.id(0) : inst.id(1);
        code_.select(is_negative_zero(sum), zeros(inst.type, *builder_.find_global(constant)), sum);
    }

    /// Without 64-bit integers any zero of double is taken for one: x + -0 beside a +0 in a vector may then be wrong.
    Id is_negative_zero(Id sum) {
        if (code_.width(sum) == 64 && !has_int64_)
            return code_.compare(Op::OpFOrdEqual, sum, code_.real(code_.type(sum), 0));
        const Id bits = code_.bits(sum);
        return code_.compare(Op::OpIEqual, bits, code_.number(code_.type(bits), sign_bit(code_.width(bits))));
    }

    /// -0 where the constant is -0, +0 elsewhere.
    Id zeros(Id type, const Instruction& constant) {
        const Id plus = code_.real(type, 0);
        if (constant.op != Op::OpConstantComposite) return plus;
        const Id element = builder_.element(type);
        const uint64_t minus = sign_bit(builder_.width(element));
        std::vector<Id> parts;
        for (const spirv::Operand& operand : constant.operands) {
            const Instruction* part = builder_.find_global(operand.id());
            const bool is_minus = part->op == Op::OpConstant && bits_of(*part) == minus;
            parts.push_back(builder_.constant_float_bits(element, is_minus ? minus : 0));
        }
        return builder_.constant_composite(type, parts);
    }

    Builder& builder_;
    Code code_;
    bool has_int64_;
};

}  // namespace

Result<Done> sign_zero_sums(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.drops_zero_summands) return Done{};
    Builder builder(module);
    ZeroSigner signer(builder, context.options);
    for (spirv::Function& function : module.functions) signer.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
