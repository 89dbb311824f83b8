// SPDX-License-Identifier: Apache-2.0
// keep_float_order: every floating-point instruction that is not relaxed is NoContraction, so that no compiler reassociates it.
// Before: relaxed instructions have FPFastMathMode (float_freedom.h).   After: no FPFastMathMode.
//
// Without it NVIDIA's compiler, and Mesa's where the module does not promise signed zeros, make y of (x + y) - x, and x of
// (x * 2) / 2. Conversions, comparisons and functions of GLSL.std.450 are arithmetic to them too: an Fma that is not decorated
// is taken apart, and (float)(int)x becomes Trunc.
#include "spirv/builder.h"
#include "vulkan/translate/float_freedom.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
Result<Done> keep_float_order(spirv::Module& module, PassContext&) {
    FloatFreedom freedom(module);
    std::erase_if(module.annotations, [](const spirv::Instruction& inst) {
        return inst.op == spv::Op::OpDecorate &&
               inst.word(1) == static_cast<uint32_t>(spv::Decoration::FPFastMathMode);
    });
    const spirv::Builder builder(module);
    for (const spirv::Function& function : module.functions)
        for (const spirv::Block& block : function.blocks)
            for (const spirv::Instruction& inst : block.body)
                if (!freedom.is_relaxed(inst.result) && is_float_arithmetic(builder, inst))
                    freedom.keep_exact(module, inst.result);
    return Done{};
}

}  // namespace caldera::vulkan
