// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Removes what nothing uses: instructions, stores to private variables that are never read, functions,
/// globals, names, decorations.
void drop_dead_code(spirv::Module& module, const spirv::Builder& builder);

/// Removes a function's instructions that nothing uses.
void drop_unused_values(spirv::Module& module, spirv::Function& function, const spirv::Builder& builder);

}  // namespace caldera::vulkan
