// SPDX-License-Identifier: Apache-2.0
// The pointers that a pointer is made from.
#pragma once

#include <vector>

#include "spirv/module.h"
#include "spirv/op_class.h"

namespace caldera::vulkan {

/// A bitcast is one from a pointer only if its operand is.
constexpr bool is_pointer_cast(spv::Op op) {
    using enum spv::Op;
    return op == OpBitcast || op == OpCopyObject || op == OpPtrCastToGeneric || op == OpGenericCastToPtr ||
           op == OpGenericCastToPtrExplicit;
}
/// Whether the results of such instructions are made from pointers, if they are pointers.
constexpr bool only_makes_pointers(spv::Op op) {
    return is_pointer_cast(op) || spirv::is_access_chain(op) || op == spv::Op::OpSelect ||
           op == spv::Op::OpPhi;
}
/// None for instructions that do more.
inline std::vector<spirv::Id> pointer_sources(const spirv::Instruction& inst) {
    if (!only_makes_pointers(inst.op)) return {};
    if (inst.op == spv::Op::OpSelect) return {inst.id(1), inst.id(2)};
    if (inst.op != spv::Op::OpPhi) return {inst.id(0)};
    std::vector<spirv::Id> sources;
    for (size_t i = 0; i < inst.operands.size(); i += 2) sources.push_back(inst.id(i));
    return sources;
}

}  // namespace caldera::vulkan
