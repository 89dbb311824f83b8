// SPDX-License-Identifier: Apache-2.0
// match_params(): a function's type when its parameters have changed.
#pragma once

#include <vector>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Gives the function the type that its parameters have.
inline void match_params(spirv::Builder& builder, spirv::Function& function) {
    std::vector<spirv::Id> types;
    for (const spirv::Instruction& param : function.params) types.push_back(param.type);
    function.def.operands[1] = builder.type_function(function.return_type(), types);
}

}  // namespace caldera::vulkan
