// SPDX-License-Identifier: Apache-2.0
// Kernels that share no function which handles pointers to global memory.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Gives each kernel copies of its own of the functions that take, return or load pointers to global, constant or generic
/// memory, and of their callers. Then a function's pointers point into the descriptors of one kernel (Abi::Descriptors).
/// Before: no entry point is called.
void separate_kernels(spirv::Module& module);

}  // namespace caldera::vulkan
