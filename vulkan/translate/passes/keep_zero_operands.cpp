// SPDX-License-Identifier: Apache-2.0
// keep_zero_operands: what is computed with a constant zero has the sign and the NaN that IEEE 754 gives it.
//
// llvmpipe (gallivm) takes x for x + 0, which may be -0, -x for 0 - x, and 0 for 0 * x and for 0 / x, which may be -0 or NaN. It
// does not know -0 for a zero. Where Mesa finds a zero that is no constant here (fold.cpp), nothing is done about it. Mesa also
// takes x for |x| where it finds that x is not below zero, which -0 * y is not.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/passes/code.h"
#include "vulkan/translate/passes/rewrite_block.h"

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
          code_(builder_, spirv::spirv_version(options.target) >= 0x00010400),
          has_int64_(options.profile.int64),
          has_int16_(options.profile.int16) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks) {
            rewrite_block(builder_, block, [&](Instruction& inst, std::vector<Instruction>& out) {
                if (is_wrong(inst)) {
                    keep(inst);
                    out.back().result = inst.result;  // keeps the name and the uses
                } else {
                    out.push_back(std::move(inst));
                }
            });
        }
    }

 private:
    bool is_wrong(const Instruction& inst) const {
        switch (inst.op) {
            case Op::OpFAdd:
            case Op::OpFMul: return has_zero(inst.id(0)) || has_zero(inst.id(1));
            case Op::OpFSub:
            case Op::OpFDiv: return has_zero(inst.id(0));
            case Op::OpExtInst: return inst.word(1) == GLSLstd450FAbs && has_bits(inst.id(2));
            default: return false;
        }
    }

    /// Whether there are integers of the floats' width.
    bool has_bits(Id value) const {
        const uint32_t width = code_.width(value);
        return width == 32 || (width == 64 ? has_int64_ : has_int16_);
    }

    /// Whether it is a constant of numbers, and some component is +0.
    bool has_zero(Id value) const {
        bool has_zero = false;
        const Id same = builder_.changed_constant(code_.type(value), value, [&](uint64_t bits) {
            has_zero |= bits == 0;
            return bits;
        });
        return same && has_zero;
    }
    void keep(Instruction& inst) {
        if (inst.op == Op::OpExtInst) {
            code_.floats(code_.magnitude_bits(inst.id(2)));
            return;
        }
        const size_t at = has_zero(inst.id(0)) ? 0 : 1;
        const Id constant = inst.id(at);
        const uint64_t minus = sign_bit(code_.width(constant));
        if (inst.op == Op::OpFMul || inst.op == Op::OpFDiv) {
            // -(-0 * x); the sign of a constant would go where the product's sign goes.
            inst.operands[at] =
                builder_.changed_constant(inst.type, constant, [&](uint64_t bits) { return bits ^ minus; });
            const Id product = builder_.append(inst.op, inst.type, inst.operands);
            negate(product);
            return;
        }
        // No other sum with a constant is -0: only that with -0 is.
        const Id sum = builder_.append(inst.op, inst.type, inst.operands);
        const Id zeros = builder_.changed_constant(inst.type, constant,
                                                   [&](uint64_t bits) { return bits == minus ? minus : 0; });
        code_.select(is_negative_zero(sum), zeros, sum);
    }

    /// By bits, which compilers do not give to the factors.
    Id negate(Id value) {
        if (!has_bits(value)) return code_.unary(Op::OpFNegate, value);
        const Id bits = code_.bits(value);
        const Id sign = code_.number(code_.type(bits), sign_bit(code_.width(bits)));
        return code_.floats(code_.bit_xor(bits, sign));
    }

    /// Without such integers any zero is taken for one: x + -0 beside a +0 in a vector may then be wrong.
    Id is_negative_zero(Id sum) {
        if (!has_bits(sum)) return code_.compare(Op::OpFOrdEqual, sum, code_.real(code_.type(sum), 0));
        const Id bits = code_.bits(sum);
        return code_.compare(Op::OpIEqual, bits, code_.number(code_.type(bits), sign_bit(code_.width(bits))));
    }

    Builder& builder_;
    Code code_;
    bool has_int64_, has_int16_;
};

}  // namespace

Result<Done> keep_zero_operands(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.drops_zero_operands) return Done{};
    Builder builder(module);
    ZeroKeeper keeper(builder, context.options);
    for (spirv::Function& function : module.functions) keeper.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
