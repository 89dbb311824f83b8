// SPDX-License-Identifier: Apache-2.0
// Whom a message about code names.
#pragma once

#include <string>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// "kernel 'k'": a kernel that calls the function, or "function 'f'" in a module without one.
std::string who_uses(const spirv::Module& module, spirv::Id function);

/// "kernel 'k' (k.cl:4:9): " for a message about an instruction of the function.
std::string place_of(const spirv::Module& module, spirv::Id function, const spirv::Line& line);

/// The same for what first uses a type, constant or variable of the module, directly or not: "variable 'v': "
/// or a kernel. "" if nothing does.
std::string place_of_user(const spirv::Module& module, spirv::Id global);

/// " 'v'", or "" if the variable has no name.
std::string quoted_name(const spirv::Module& module, spirv::Id variable);

/// Whether the instruction's type or an operand is one of these.
bool uses_any(const spirv::Instruction& inst, const spirv::IdSet& ids);

}  // namespace caldera::vulkan
