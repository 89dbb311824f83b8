// SPDX-License-Identifier: Apache-2.0
// Loads of single components of built-in variables.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// A load through an access chain into a built-in vector becomes a load of the variable and an extraction, so
/// that passes have to look for loads of variables alone. Indices beyond the vector stay, as do those of ids
/// and sizes that are not constant: lower_interface gives them the values of OpenCL C 3.0 6.15.1.
void load_whole_inputs(spirv::Module& module);

}  // namespace caldera::vulkan
