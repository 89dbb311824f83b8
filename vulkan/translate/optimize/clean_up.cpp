// SPDX-License-Identifier: Apache-2.0
// clean_up: folds, shares equal pure instructions (mostly address arithmetic) along the dominator tree, and
// removes what nothing uses.
#include "spirv/builder.h"
#include "vulkan/translate/optimize/dead_code.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/share.h"
#include "vulkan/translate/support/simplify.h"

namespace caldera::vulkan {

Result<Done> clean_up(spirv::Module& module, PassContext&) {
    const ShareFacts facts(module);
    spirv::Builder builder(module);
    for (spirv::Function& function : module.functions) {
        if (function.blocks.empty()) continue;
        fold_function(builder, function);
        share_equal(function, facts);
    }
    drop_dead_code(module, builder);
    return Done{};
}

}  // namespace caldera::vulkan
