// SPDX-License-Identifier: Apache-2.0
// Calls of printf whose format is chosen at run time: `printf(last ? "%d\n" : "%d ", i)`.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// A format must be known where printf is called, because the host puts the text together. Replaces a call
/// whose format OpSelect and OpPhi choose among known ones by a call for each, behind an OpSwitch on what was
/// chosen. Leaves other calls as they are.
void split_printf_choices(spirv::Module& module);

}  // namespace caldera::vulkan
