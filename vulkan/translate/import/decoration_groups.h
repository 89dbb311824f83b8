// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Replaces OpGroupDecorate and OpGroupMemberDecorate (SPIR-V 3.52.3) by plain decorations.
void expand_decoration_groups(spirv::Module& module);

}  // namespace caldera::vulkan
