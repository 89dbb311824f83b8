// SPDX-License-Identifier: Apache-2.0
// The names of functions.
#pragma once

#include <string>
#include <string_view>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// The function's name without its types: "foo" of "_Z3fooi". Names of other kinds stay as they are. The
/// result is a part of `name`.
std::string_view source_name(std::string_view name);

/// The names under which other modules define what this one declares (SPIR-V 3.20, LinkageAttributes).
spirv::IdMap<std::string> imported_names(const spirv::Module& module);

}  // namespace caldera::vulkan
