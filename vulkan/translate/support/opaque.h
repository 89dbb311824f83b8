// SPDX-License-Identifier: Apache-2.0
// Values that Caldera knows and that no compiler can compute.
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// Appends to `code` a bool that is false: whether the dispatch has no work-groups. Each `variant` says so in
/// words of its own: that one is false where control came from does not tell compilers that another is.
spirv::Id no_groups(spirv::Builder& builder, std::vector<spirv::Instruction>& code, uint32_t variant = 0);

}  // namespace caldera::vulkan
