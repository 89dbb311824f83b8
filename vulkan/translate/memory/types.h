// SPDX-License-Identifier: Apache-2.0
// Rewrites the module's types, constants, names and decorations after pointers have become integers.
#pragma once

#include "vulkan/translate/memory/points_to.h"

namespace caldera::vulkan::memory {

/// Declares integer types of 8 to 64 bits before everything that may use them. Call this before constructing
/// Source.
void declare_integers(spirv::Module& module);

/// Replaces pointer types by integers everywhere except in operands of instructions: in structs and arrays
/// (u64, as in memory), as types of values (as their space requires), and in constants. Removes program-scope
/// variables, constant expressions over pointers, and function types; rewriting the functions restores the
/// latter. Also removes names and decorations of removed ids, and decorations of pointers.
void replace_types(spirv::Module& module, const Source& source, const PointsTo& points_to);

}  // namespace caldera::vulkan::memory
