// SPDX-License-Identifier: Apache-2.0
// Queries about the kernels of enqueued blocks, which LLVM 23's SPIR-V back end leaves as calls of clang's
// functions:
// __get_kernel_work_group_size_impl() and the like.
#pragma once

#include "spirv/module.h"

namespace caldera::vulkan {

/// Such a call becomes an instruction (OpGetKernelWorkGroupSize ...), if its arguments are the address of a
/// function and what is known to point to a block. The functions that nobody calls any more are removed.
/// Returns whether anything changed.
bool take_kernel_queries(spirv::Module& module);

}  // namespace caldera::vulkan
