// SPDX-License-Identifier: Apache-2.0
// Repairs faults that other tool chains are known to produce, before the module is validated.
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Repairs what verify() would reject, in a module that has only been read:
/// - a phi names a predecessor once, even if several cases of its switch lead here;
/// - a cast before a phi, which alone uses it, moves to the end of the predecessor that the phi names;
/// - the scopes of SPV_INTEL_memory_access_aliasing, which are where the validator allows none, are removed;
/// - CLK_NULL_EVENT and CLK_NULL_RESERVE_ID, which clang writes as pointers of all ones, become the nulls of
///   their types;
/// - constants come after what they are made of;
/// - a source language that SPIRV-Tools may not know becomes an unknown one.
/// Returns whether anything changed.
bool mend_unverified_module(spirv::Module& module);

/// Repairs what llvm-spirv writes and SPIR-V does not allow, so that the validator can check the rest:
/// - module-scope variables in Function storage, which llvm-spirv makes from constant initialisers of private
///   arrays, and pointers computed from them, move to UniformConstant storage;
/// - variables in the generic address space are in global memory, and their addresses are cast;
/// - built-in variables in other storage move to Input, and casts of pointers to them become copies.
///   llvm-spirv wrote them in UniformConstant for LLVM 7, and leaves those of SYCL compilers in
///   CrossWorkgroup. Functions that access their bytes copy them first (built_in_copies.h);
/// - constants of type bool in memory, which no module may have, become bytes;
/// - addresses of variables that are parts of constants become constants;
/// - casts of null pointers in constants become null pointers;
/// - a component beyond the end of a built-in vector, which is how llvm-spirv writes get_global_id(3),
/// becomes
///   what OpenCL C 6.12.1 says: 1 for sizes, 0 for the rest;
/// - one condition for a whole vector is repeated for each component (SPIR-V 1.4 allows one);
/// - the extension for FPFastMathModeINTEL is declared;
/// - names and decorations of undefined ids are removed;
/// - lists of constructors of global objects, which nobody reads, are removed;
/// - a literal sampler without a filter takes the nearest texel;
/// - an image that is taken out of a sampled image is the image that this was made of;
/// - variables of functions are in Function storage by their types too;
/// - variables come first in the entry block, and blocks come after their dominators.
/// Returns whether anything changed.
bool mend_foreign_module(spirv::Module& module);

/// Lets entry points list the variables that they use, as they must: all of them since SPIR-V 1.4, before
/// that the built-in ones, which old versions of llvm-spirv left out. Call it when no repair will add or
/// remove variables. Returns whether anything changed.
bool mend_interfaces(spirv::Module& module);

/// Declines modules for which SPIRV-Tools' validator would take exponential or quadratic time: types that
/// double in size with each level, calls thousands of levels deep. The module must have passed verify().
Result<Done> check_foreign_limits(const spirv::Module& module);

}  // namespace caldera::vulkan
