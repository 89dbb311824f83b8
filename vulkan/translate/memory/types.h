// SPDX-License-Identifier: Apache-2.0
// The module's own types, constants, names and decorations, once pointers are integers.
#pragma once

#include "vulkan/translate/memory/points_to.h"

namespace caldera::vulkan::memory {

/// Integer types of 8 to 64 bits exist and stand before everything that may come to use them. Call before Source.
void declare_integers(spirv::Module& module);

/// Replaces pointer types by integers everywhere but in instructions' operands: in structs and arrays (u64, as in
/// memory), as the type of values (as their space wants it), in constants. Program-scope variables, constant expressions
/// over pointers and function types are gone; rewriting the functions puts the latter back. Names and decorations of
/// what is gone, and decorations of pointers, are gone too.
void replace_types(spirv::Module& module, const Source& source, const PointsTo& points_to);

}  // namespace caldera::vulkan::memory
