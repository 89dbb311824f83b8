// SPDX-License-Identifier: Apache-2.0
// The door of builtins/: the library of built-in functions, compiled from the OpenCL C sources in this
// folder.
#pragma once

#include "vulkan/translate/library.h"

namespace caldera {

/// Lives as long as the program. Its functions are named as clang mangles them: `_Z3expf`.
const vulkan::BuiltinLibrary& builtin_library();

}  // namespace caldera
