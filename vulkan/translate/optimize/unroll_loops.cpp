// SPDX-License-Identifier: Apache-2.0
// unroll_loops: unrolls loops with a constant trip count if the source requests it, if they contain a
// barrier, or if a private array depends on it. For devices that count iterations (repeat_loops), this
// includes loops inside other loops. Drivers unroll as well, but what is in the data segment or an array by
// then stays in memory. After: as after promote_variables.
#include "vulkan/translate/flow/unroll.h"
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/simplify.h"

namespace caldera::vulkan {

Result<Done> unroll_loops(spirv::Module& module, PassContext& context) {
    if (context.options.optimization_level == 0) return Done{};
    const std::vector<uint32_t> changed =
        unroll_counted_loops(module, context.options.profile.quirks.ends_long_loops);
    if (changed.empty()) return Done{};
    spirv::Builder builder(module);
    const OpenclLayout layout(builder);
    for (uint32_t f : changed) {
        fold_function(builder, module.functions[f]);
        promote_function(builder, layout, module.functions[f]);
    }
    return Done{};
}

}  // namespace caldera::vulkan
