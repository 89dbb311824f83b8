// SPDX-License-Identifier: Apache-2.0
// Common subexpression elimination: finds equal pure instructions along the dominator tree.
#pragma once

#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// What sharing needs to know about the module.
struct ShareFacts {
    explicit ShareFacts(const spirv::Module& module);

    std::vector<bool> decorated;  ///< by id
    spirv::Id glsl = {};          ///< the id of GLSL.std.450
};

/// Replaces each pure instruction of `function`, including GLSL.std.450 functions of numbers, by an equal one
/// that dominates it. Decorated results are unchanged.
void share_equal(spirv::Function& function, const ShareFacts& facts);

}  // namespace caldera::vulkan
