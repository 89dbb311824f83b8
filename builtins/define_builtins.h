// SPDX-License-Identifier: Apache-2.0
// What the library has besides the functions of this folder: built-in functions that our front end turns into
// instructions. Modules of other compilers call them by name.
#pragma once

#include "vulkan/translate/library.h"

namespace caldera {

/// BuiltinLibrary::define of builtin_library().
vulkan::BuiltinDefinitions define_builtins(std::span<const vulkan::BuiltinRequest> requests);

}  // namespace caldera
