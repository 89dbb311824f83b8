// SPDX-License-Identifier: Apache-2.0
// Pointers computed from those that have moved to other storage.
#pragma once

#include "spirv/builder.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"

namespace caldera::vulkan {

/// Gives the result of an instruction that computes a pointer from one of `moved` the same storage, and adds
/// it to them. Definitions come before uses.
inline void move_result(spirv::Builder& builder, spirv::Instruction& inst, spv::StorageClass storage,
                        spirv::IdSet& moved) {
    if (!spirv::computes_pointer(inst.op) || !moved.contains(inst.id(0)) || !builder.is_pointer(inst.type))
        return;
    inst.type = builder.type_pointer(storage, builder.pointee(inst.type));
    moved.insert(inst.result);
}

}  // namespace caldera::vulkan
