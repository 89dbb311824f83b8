// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Whether an instruction may pass on a function's address, as LLVM's back end writes blocks.
bool is_address_cast(spv::Op op);

/// Takes out the pointers to functions with which LLVM's back end writes blocks
/// (SPV_INTEL_function_pointers): an instruction of device-side enqueue gets the function itself, and the
/// pointer in a block's memory, through which nobody calls, becomes null. Modules that call through pointers,
/// or look at one, stay as they are, for check_foreign_code() to decline. Before: verify() has passed.
/// Returns whether anything changed.
bool mend_function_pointers(spirv::Module& module);

/// Declines pointers to functions and inline assembly, by the function that uses them: the validator takes
/// them for wrong types. Those that no function uses are removed, such as tables that the kernels do not look
/// at. If any are left in a program as a whole (`is_whole`), not in a part to be linked, so are the functions
/// that no kernel reaches. Call it after the repairs. Returns whether anything changed.
Result<bool> check_foreign_code(spirv::Module& module, bool is_whole);

}  // namespace caldera::vulkan
