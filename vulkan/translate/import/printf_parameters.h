// SPDX-License-Identifier: Apache-2.0
// Calls of printf whose format is a parameter: `void log(constant char *format, int x) { printf(format, x);
// }`.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// A format must be known where printf is called, because the host puts the text together. A function that
/// prints by formats of its callers becomes one for each format that a call passes and that is known there.
/// Calls that pass other pointers stay.
void bind_printf_formats(spirv::Module& module);

}  // namespace caldera::vulkan
