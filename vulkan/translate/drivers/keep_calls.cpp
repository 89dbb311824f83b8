// SPDX-License-Identifier: Apache-2.0
// keep_calls: keeps a compiler from inlining functions that have loops, in modules with checks.
//
// NVIDIA's compiler inlines each call, and then takes values of one function's loop for those of another one
// that is much like it. work_group_reduce_max began and ended with the neutral value of
// work_group_reduce_min: both have a loop over the totals of sub-groups. This was seen where checks call
// functions between them: in 3 of 50 kernels that call work-group functions at random. None of 150 such
// kernels without checks had it, so their calls are left alone: a call costs up to a tenth of a reduction.
//
// After: as before.
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {

Result<Done> keep_calls(spirv::Module& module, PassContext& context) {
    const TranslateOptions& options = context.options;
    if (!options.profile.quirks.mixes_up_inlined_loops || options.checks == MemoryChecks::None) return Done{};
    for (spirv::Function& function : module.functions) {
        if (!has_loop(function)) continue;
        uint32_t& control = function.def.operands[0].word;
        control &= ~static_cast<uint32_t>(spv::FunctionControlMask::Inline);
        control |= static_cast<uint32_t>(spv::FunctionControlMask::DontInline);
    }
    return Done{};
}

}  // namespace caldera::vulkan
