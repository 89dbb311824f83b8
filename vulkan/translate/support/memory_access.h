// SPDX-License-Identifier: Apache-2.0
// Instructions on pointers, and the memory operands of loads, stores and copies (SPIR-V 3.26).
#pragma once

#include <vector>

#include "spirv/module.h"

namespace caldera::vulkan {

/// Operands [first, last) of an instruction: a mask and its parameters. Empty when there is none.
struct AccessOperands {
    size_t first = 0, last = 0;
    bool is_volatile = false;
};
inline AccessOperands access_at(const spirv::Instruction& inst, size_t index) {
    AccessOperands access = {index, index};
    if (index >= inst.operands.size()) return access;
    const uint32_t mask = inst.word(index);
    access.is_volatile = mask & static_cast<uint32_t>(spv::MemoryAccessMask::Volatile);
    access.last = index + 1;
    // Aligned, MakePointerAvailable, MakePointerVisible and the two alias scopes have one parameter each.
    for (uint32_t bit : {0x2u, 0x8u, 0x10u, 0x10000u, 0x20000u})
        if (mask & bit) ++access.last;
    access.last = access.last < inst.operands.size() ? access.last : inst.operands.size();
    return access;
}

/// The operands themselves.
inline spirv::Operands operands_of(const spirv::Instruction& inst, AccessOperands access) {
    return {inst.operands.begin() + static_cast<std::ptrdiff_t>(access.first),
            inst.operands.begin() + static_cast<std::ptrdiff_t>(access.last)};
}

/// Those of an OpCopyMemory or OpCopyMemorySized for the target and for the source, which are the same unless
/// the copy has two (SPIR-V 1.4).
struct CopyOperands {
    AccessOperands to = {}, from = {};
    bool is_volatile() const { return to.is_volatile || from.is_volatile; }
};
inline CopyOperands copy_operands(const spirv::Instruction& copy) {
    const AccessOperands to = access_at(copy, copy.op == spv::Op::OpCopyMemory ? 2 : 3);
    const AccessOperands from = access_at(copy, to.last);
    return {to, from.first < from.last ? from : to};
}

}  // namespace caldera::vulkan
