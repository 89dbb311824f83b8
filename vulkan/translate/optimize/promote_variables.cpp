// SPDX-License-Identifier: Apache-2.0
// promote_variables: turns private variables into SSA values, and aggregates part by part. Pointers to global
// memory in variables are the common case: a pointer that a loop advances becomes a phi. Each round may make
// further variables promotable. After: what is left in Function storage is indexed at run time, is volatile,
// or has an address that escapes.
#include "vulkan/translate/optimize/promote.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/reach.h"

namespace caldera::vulkan {

Result<Done> promote_variables(spirv::Module& module, PassContext&) {
    spirv::Builder builder(module);
    const OpenclLayout layout(builder);
    LeavingFunctions leaving(builder, layout);
    const CallGraph graph(module);
    for (const uint32_t f : graph.order().callees_first) {
        promote_function(builder, layout, module.functions[f], leaving.found());
        leaving.add(module.functions[f]);
    }
    return Done{};
}

}  // namespace caldera::vulkan
