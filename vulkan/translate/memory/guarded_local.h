// SPDX-License-Identifier: Apache-2.0
// Accesses to local memory that has no spare element for what is outside.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"

namespace caldera::vulkan::memory {

/// Lets stores and atomic operations through these pointers be executed only under their conditions; an
/// atomic operation gives zero otherwise. The pointers are access chains. Loads stay as they are.
void guard_changes(spirv::Builder& builder, const spirv::IdMap<spirv::Id>& conditions);

}  // namespace caldera::vulkan::memory
