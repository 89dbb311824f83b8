// SPDX-License-Identifier: Apache-2.0
// promote_variables: private variables become SSA values, aggregates part by part. Pointers to global memory in variables are
// the common case: a pointer that a loop advances becomes a phi. Each round can free the address of another variable.
// After: what is left in Function storage is indexed at run time, volatile, or has its address taken for good.
#include "vulkan/translate/pass.h"
#include "vulkan/translate/promote.h"
#include "vulkan/translate/simplify.h"
#include "vulkan/translate/split_aggregates.h"

namespace caldera::vulkan {

Result<Done> promote_variables(spirv::Module& module, PassContext&) {
    constexpr int kMaxRounds = 8;  // of pointers to pointers to variables
    spirv::Builder builder(module);
    const OpenclLayout layout(builder);
    for (spirv::Function& function : module.functions)
        for (int round = 0; round < kMaxRounds; ++round) {
            const bool split = split_aggregates(builder, layout, function);
            const bool promoted = promote_to_values(builder, function);
            if (round > 0 && !split && !promoted) break;
            fold_function(builder, function);
        }
    return Done{};
}

}  // namespace caldera::vulkan
