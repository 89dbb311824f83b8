// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/buffer_pointers.h"

#include <algorithm>

namespace caldera::vulkan {

/// A type's members are declared before it, except behind pointers.
spirv::IdSet buffer_pointer_types(const spirv::Module& module) {
    using enum spv::Op;
    spirv::IdSet types;
    const auto is_found = [&](const spirv::Operand& part) { return part.is_id && types.contains(part.id()); };
    for (const spirv::Instruction& inst : module.globals) {
        const bool is_pointer =
            inst.op == OpTypePointer && is_buffer_storage(static_cast<spv::StorageClass>(inst.word(0)));
        const bool is_aggregate = inst.op == OpTypeArray || inst.op == OpTypeStruct;
        if (is_pointer || (is_aggregate && std::ranges::any_of(inst.operands, is_found)))
            types.insert(inst.result);
    }
    return types;
}

}  // namespace caldera::vulkan
