// SPDX-License-Identifier: Apache-2.0
// The arguments of calls that are the same whenever a function makes the call.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Lets calls in `function` pass values that do not change while it runs by one name. Where an argument is
/// loaded from a variable that only holds a parameter, a constant or a variable's address, the call passes
/// that. A pointer that is computed of such values is computed once, in the entry block, unless it points to
/// private memory.
void name_steady_arguments(spirv::Builder& builder, spirv::Function& function);

}  // namespace caldera::vulkan
