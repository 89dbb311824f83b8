// SPDX-License-Identifier: Apache-2.0
// keep_half_rounding: hides what became of a float that was rounded to a half.
//
// NVIDIA's compiler takes a float that was packed to a half and unpacked again for the float itself, also if
// the half was in memory between (580.159). So the packed bits are masked by a number about which it knows
// nothing.
#include "vulkan/translate/drivers/hidden_numbers.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/rewrite_block.h"

namespace caldera::vulkan {
namespace {

using spirv::Instruction;
using spv::Op;

void keep(spirv::Builder& builder, Code& code, spirv::Function& function) {
    HiddenNumbers hidden(builder, code, function);
    for (spirv::Block& block : function.blocks)
        replace_instructions(builder, block, [&](const Instruction& inst) {
            if (inst.op != Op::OpExtInst || inst.word(1) != GLSLstd450PackHalf2x16) return false;
            const spirv::Id packed = builder.append(inst.op, inst.type, inst.operands);
            code.bit_and(packed, hidden.number(inst.type, ~uint32_t{0}));
            return true;
        });
    hidden.insert();
}

}  // namespace

Result<Done> keep_half_rounding(spirv::Module& module, PassContext& context) {
    if (!context.options.profile.quirks.drops_half_rounding) return Done{};
    spirv::Builder builder(module);
    Code code(builder, context.options.target);
    for (spirv::Function& function : module.functions)
        if (!function.blocks.empty()) keep(builder, code, function);
    return Done{};
}

}  // namespace caldera::vulkan
