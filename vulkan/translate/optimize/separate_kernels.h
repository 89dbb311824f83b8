// SPDX-License-Identifier: Apache-2.0
// Separates kernels, so that no two share a function that handles pointers to global memory.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Gives each kernel its own copies of the functions that take, return or load pointers to global, constant
/// or generic memory, and of their callers. Then a function's pointers point into the descriptors of one
/// kernel (Abi::Descriptors). Before: no entry point is called.
void separate_kernels(spirv::Module& module);

}  // namespace caldera::vulkan
