// SPDX-License-Identifier: Apache-2.0
// halve_comparisons: compares 64-bit integers for equality by their halves, in modules with checks.
//
// NVIDIA's compiler (580.159) calls functions that are too large to inline, as those of checks are, and has
// another optimiser for kernels that call. In such a kernel, it took x == (y | 1) || x == (y | 1ul << 52) of
// 64-bit integers for false, where the first was true. By halves it is right.
//
// After: as before.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

class ComparisonHalver {
 public:
    ComparisonHalver(spirv::Module& module, const TranslateOptions& options)
        : module_(module), builder_(module), code_(builder_, options.target) {}

    void run() {
        for (spirv::Function& function : module_.functions)
            for (spirv::Block& block : function.blocks)
                replace_instructions(builder_, block, [&](const Instruction& inst) { return replace(inst); });
    }

 private:
    bool replace(const Instruction& inst) {
        if (inst.op != Op::OpIEqual && inst.op != Op::OpINotEqual) return false;
        const Id a = inst.id(0), b = inst.id(1);
        if (code_.width(a) != 64) return false;
        const uint32_t count = code_.count(a);
        if (count == 1) return compare(inst.op, a, b), true;
        std::vector<Id> parts;
        for (uint32_t i = 0; i < count; ++i)
            parts.push_back(compare(inst.op, code_.extract(a, i), code_.extract(b, i)));
        code_.construct(inst.type, parts);
        return true;
    }

    /// The comparison of two scalars.
    Id compare(Op op, Id a, Id b) {
        const Id word = builder_.type_int(32), halves = builder_.type_vector(word, 2);
        const Id difference = code_.binary(Op::OpBitwiseXor, code_.op(Op::OpBitcast, halves, {a}),
                                           code_.op(Op::OpBitcast, halves, {b}));
        const Id either =
            code_.binary(Op::OpBitwiseOr, code_.extract(difference, 0), code_.extract(difference, 1));
        return code_.compare(op, either, builder_.constant_u32(0));
    }

    spirv::Module& module_;
    Builder builder_;
    Code code_;
};

}  // namespace

Result<Done> halve_comparisons(spirv::Module& module, PassContext& context) {
    const TranslateOptions& options = context.options;
    if (options.profile.quirks.wrong_long_equality && options.checks != MemoryChecks::None)
        ComparisonHalver(module, options).run();
    return Done{};
}

}  // namespace caldera::vulkan
