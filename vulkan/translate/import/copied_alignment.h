// SPDX-License-Identifier: Apache-2.0
// Repairs the alignment of copies in modules of LLVM's SPIR-V back end.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// LLVM's back end names one alignment for a copy, that of the target. The source gets its own where less is
/// known of it: from decorations, offsets and the types that lead to it. Returns whether anything changed.
/// The module must have passed verify().
bool mend_copied_alignment(spirv::Module& module);

}  // namespace caldera::vulkan
