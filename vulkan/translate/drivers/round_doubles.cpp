// SPDX-License-Identifier: Apache-2.0
// round_doubles: expresses RoundEven and Trunc of doubles as sums and Floor.
//
// If llvmpipe (gallivm) has no instruction that rounds a vector, it rounds as if the numbers were floats: 1.5
// becomes 1, and numbers beyond 2^24 are not rounded (lp_build_round and lp_build_trunc; Floor and Ceil are
// LLVM's, and correct). It processes eight doubles, 512 bits, at a time, which a processor can round only
// with AVX-512.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class DoubleRounding {
 public:
    DoubleRounding(Builder& builder, const TranslateOptions& options)
        : builder_(builder), code_(builder_, options.target), has_int64_(options.profile.int64) {}

    void run(spirv::Function& function) {
        for (spirv::Block& block : function.blocks)
            replace_instructions(builder_, block, [&](const Instruction& inst) { return bool(round(inst)); });
    }

 private:
    /// The value, appended last; none where the instruction does something else.
    Id round(const Instruction& inst) {
        if (inst.op != Op::OpExtInst || !builder_.is_float(builder_.element(inst.type)) ||
            builder_.width(inst.type) != 64)
            return {};
        switch (inst.word(1)) {
            case GLSLstd450RoundEven: return round_even(inst.id(2));
            case GLSLstd450Trunc:
                return with_sign(code_.glsl(GLSLstd450Floor, {code_.glsl(GLSLstd450FAbs, {inst.id(2)})}),
                                 inst.id(2));
            default: return {};
        }
    }

    /// Next to 2^52 doubles are whole numbers: adding it rounds as every sum does, to nearest even.
    Id round_even(Id x) {
        const Id magnitude = code_.glsl(GLSLstd450FAbs, {x}), large = code_.real(code_.type(x), 0x1p52);
        const Id whole = with_sign(code_.sub(code_.add(magnitude, large), large), x);
        return code_.select(code_.compare(Op::OpFOrdLessThan, magnitude, large), whole, x);
    }

    /// Without 64-bit integers, the sign is found by a comparison, which does not distinguish the two zeros.
    /// If `sign` is a zero, the magnitude is zero too, so `sign` itself is the result.
    Id with_sign(Id magnitude, Id sign) {
        if (has_int64_) return code_.copysign(magnitude, sign);
        const Id zero = code_.real(code_.type(sign), 0.0);
        const Id opposite = code_.unary(Op::OpFNegate, magnitude);
        const Id value = code_.select(code_.compare(Op::OpFOrdLessThan, sign, zero), opposite, magnitude);
        return code_.select(code_.compare(Op::OpFOrdEqual, sign, zero), sign, value);
    }

    Builder& builder_;
    Code code_;
    bool has_int64_;
};

}  // namespace

Result<Done> round_doubles(spirv::Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    if (!profile.quirks.rounds_doubles_as_floats || !profile.float64) return Done{};
    Builder builder(module);
    DoubleRounding rounding(builder, context.options);
    for (spirv::Function& function : module.functions) rounding.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
