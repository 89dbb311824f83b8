// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Whether an instruction may pass on a function's address, as LLVM's back end writes blocks.
bool is_address_cast(spv::Op op);

/// Takes out the pointers to functions with which LLVM's back end writes blocks
/// (SPV_INTEL_function_pointers): an instruction of device-side enqueue gets the function itself, and the
/// pointer in a block's memory, through which nobody calls, becomes null. Modules that call through pointers,
/// or look at one, stay as they are, for check_function_pointers() to decline. Before: verify() has passed.
/// Returns whether anything changed.
bool mend_function_pointers(spirv::Module& module);

}  // namespace caldera::vulkan
