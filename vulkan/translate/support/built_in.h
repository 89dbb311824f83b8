// SPDX-License-Identifier: Apache-2.0
// Input variables that Vulkan provides.
#pragma once

#include <string_view>

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan {

/// Returns the variable with decoration BuiltIn `built_in` (SPIR-V 3.21), a pointer to `type`. If the module
/// has none, makes one, which is called `name` in listings. derive_capabilities adds it to the interfaces of
/// entry points.
spirv::Id built_in_variable(spirv::Builder& builder, spv::BuiltIn built_in, spirv::Id type,
                            std::string_view name = {});

/// Makes such a variable, whatever others the module has. Its type may not be theirs.
spirv::Id new_built_in_variable(spirv::Builder& builder, spv::BuiltIn built_in, spirv::Id type,
                                std::string_view name = {});

/// The decoration BuiltIn of each variable or constant that has one. Decoration groups are not looked at.
spirv::IdMap<spv::BuiltIn> built_ins_of(const spirv::Module& module);

/// Whether the variable tells about sub-groups.
bool is_sub_group_input(spv::BuiltIn input);
/// Whether the variable is a mask of work-items of the sub-group.
bool is_sub_group_mask(spv::BuiltIn input);
/// Whether OpenCL's kernels have the variable.
bool is_kernel_input(spv::BuiltIn input);

}  // namespace caldera::vulkan
