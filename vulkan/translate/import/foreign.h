// SPDX-License-Identifier: Apache-2.0
// Faults that other tool chains are known to write, mended before the module is judged.
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Mends what verify() cannot get past, in a module that was only read:
/// - a phi names a predecessor once, also one whose switch comes here by several cases;
/// - the scopes of SPV_INTEL_memory_access_aliasing, which stand where the validator wants none, are gone.
/// - CLK_NULL_EVENT, a pointer of all ones to clang, is the null of its type.
/// Returns whether anything changed.
bool mend_unverified_module(spirv::Module& module);

/// Mends what llvm-spirv writes and SPIR-V does not allow, so that the validator can judge the rest:
/// - module-scope variables in Function storage, made of the constant initialisers of private arrays, and pointers computed
///   from them, get UniformConstant storage; built-in variables in UniformConstant storage, as it wrote them for LLVM 7, Input;
/// - constants of type bool in memory, which no module may have, are bytes;
/// - addresses of variables that are parts of constants are constants;
/// - entry points list the variables that they use (SPIR-V 1.4);
/// - a component beyond the end of a built-in vector, which is what it makes of get_global_id(3), is what OpenCL C 6.12.1
///   says: 1 for sizes, 0 for the rest.
/// - one condition for a whole vector is written for each component (SPIR-V 1.4 allows one);
/// - the extension that brings FPFastMathModeINTEL is named;
/// - names and decorations of ids that nothing defines are gone;
/// - variables stand first in the entry block, and blocks stand after their dominators.
/// Returns whether anything changed.
bool mend_foreign_module(spirv::Module& module);

/// Declines what SPIRV-Tools' validator takes exponential or quadratic time over: types that double with each level, calls
/// thousands of levels deep. The module has passed verify().
Result<Done> check_foreign_limits(const spirv::Module& module);

}  // namespace caldera::vulkan
