// SPDX-License-Identifier: Apache-2.0
// Gives untyped pointers (SPV_KHR_untyped_pointers) types, for all that comes later.
#pragma once

#include "spirv/module.h"
#include "spirv/support/result.h"

namespace caldera::vulkan {

/// Rewrites untyped pointers as pointers to bytes, which each access and each chain casts to what it wants:
/// - a variable gets a pointer to its data type, a chain goes through its base type;
/// - loads, stores and atomics go through a pointer to what they load or store, and a copy through
///   one to what its typed pointer has;
/// - a constant chain of llvm-spirv counts bytes, whatever its base type says;
/// - an asynchronous copy becomes OpGroupAsyncCopy, and prefetches and lifetime markers, which are hints, go.
/// Afterwards nothing of the extension is left, nor its capability. Declines what has no meaning in a kernel
/// (the length of a run-time array), variables without a data type, and chains that leave their type. Before:
/// verify() has passed; the validator need not know the extension. Returns whether anything changed.
Result<bool> type_untyped_pointers(spirv::Module& module);

}  // namespace caldera::vulkan
