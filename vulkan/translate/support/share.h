// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: equal pure instructions within the dominator tree.
#pragma once

#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// What sharing has to know of the module.
struct ShareFacts {
    explicit ShareFacts(const spirv::Module& module);

    std::vector<bool> decorated;  ///< by id
    spirv::Id glsl = {};          ///< the set GLSL.std.450
};

/// Replaces each pure instruction of `function`, and each of GLSL.std.450 that is a function of numbers, by an equal one that dominates it.
/// Results that are decorated are left alone.
void share_equal(spirv::Function& function, const ShareFacts& facts);

}  // namespace caldera::vulkan
