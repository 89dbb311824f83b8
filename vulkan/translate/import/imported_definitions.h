// SPDX-License-Identifier: Apache-2.0
// Definitions that say that they are imported: LLVM's "available externally".
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// A variable with an initializer, or a function with a body, is no import in SPIR-V. It is what other
/// modules may define too, all alike (LinkOnceODR). Returns whether anything changed.
bool mend_imported_definitions(spirv::Module& module);

}  // namespace caldera::vulkan
