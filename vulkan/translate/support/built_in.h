// SPDX-License-Identifier: Apache-2.0
// Input variables that Vulkan fills in.
#pragma once

#include <string_view>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// The variable decorated as `built_in` (SPIR-V 3.21), of a pointer to `type`: the module's, or a new one. Entry points' interfaces get
/// it at the end (derive_capabilities). `name`: a new one's, in listings.
spirv::Id built_in_variable(spirv::Builder& builder, spv::BuiltIn built_in, spirv::Id type,
                            std::string_view name = {});

}  // namespace caldera::vulkan
