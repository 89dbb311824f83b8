// SPDX-License-Identifier: Apache-2.0
// Common subexpressions: equal pure instructions within the dominator tree.
#pragma once

#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// Replaces each pure instruction of `function` by an equal one that dominates it. Results that are decorated are left
/// alone; `decorated` says by id which are.
void share_equal(spirv::Function& function, const std::vector<bool>& decorated);

/// By id: whether the module decorates it.
std::vector<bool> decorated_ids(const spirv::Module& module);

}  // namespace caldera::vulkan
