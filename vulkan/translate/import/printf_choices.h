// SPDX-License-Identifier: Apache-2.0
// Calls of printf whose format is chosen at run time: `printf(last ? "%d\n" : "%d ", i)`.
#pragma once

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Functions that print by a format of their callers, and which operand of OpFunctionCall it is.
using FormatOperands = spirv::IdMap<size_t>;

/// A format must be known where printf is called, because the host puts the text together. Replaces a call
/// whose format OpSelect and OpPhi choose among known ones by a call for each, behind an OpSwitch on what was
/// chosen. So it does with calls of `callees`. Leaves other calls as they are.
void split_printf_choices(spirv::Module& module, const FormatOperands& callees = {});

}  // namespace caldera::vulkan
