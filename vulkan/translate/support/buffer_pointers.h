// SPDX-License-Identifier: Apache-2.0
// Types of pointers into buffers, before lower_memory makes integers of these pointers.
#pragma once

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::vulkan {

/// Global and constant memory, and generic memory, which may be either.
inline bool is_buffer_storage(spv::StorageClass storage) {
    return storage == spv::StorageClass::CrossWorkgroup || storage == spv::StorageClass::UniformConstant ||
           storage == spv::StorageClass::Generic;
}
/// The types of pointers to such memory, and the arrays and structs that hold one.
spirv::IdSet buffer_pointer_types(const spirv::Module& module);

}  // namespace caldera::vulkan
