// SPDX-License-Identifier: Apache-2.0
// AccessFinder: tells which memory the instructions of a program access, before they are lowered.
#pragma once

#include <vector>

#include "spirv/builder.h"
#include "vulkan/interface.h"
#include "vulkan/translate/support/opencl_layout.h"

namespace caldera::vulkan {

/// What one operand of an instruction accesses.
struct Access {
    size_t operand = 0;
    uint64_t bytes = 0;
    uint64_t alignment_bytes = 1;  ///< that the pointer must have
    CheckedAccess kind = CheckedAccess::Load;
    bool writes = false;
    spirv::Id index = {};  ///< vloadn and its like: the access is at index * stride_bytes
    uint64_t stride_bytes = 0;
};

/// Whether an instruction takes pointers and accesses none of their memory: it computes, compares or keeps
/// them.
bool only_moves_pointers(spv::Op op);

/// The operands of a copy that are pointers to as much as another operand says.
std::vector<size_t> counted_operands(const spirv::Instruction& inst);

/// Whether an access needs what is in the memory. An exchange replaces it, as a store does; who sets a flag
/// or takes a lock first may do so by one.
bool needs_value(const spirv::Instruction& inst, const Access& access);

/// Finds accesses of loads, stores, atomics, copies, pipes and functions of OpenCL.std. The references must
/// outlive it.
class AccessFinder {
 public:
    AccessFinder(const spirv::Builder& builder, const OpenclLayout& layout, spirv::Id opencl_std)
        : builder_(builder), layout_(layout), opencl_std_(opencl_std) {}

    std::vector<Access> of(const spirv::Instruction& inst) const;

 private:
    std::vector<Access> of_value(Access access, spirv::Id type) const;
    std::vector<Access> of_copy(const spirv::Instruction& inst) const;
    std::vector<Access> of_library(const spirv::Instruction& inst) const;
    uint64_t packet_bytes(const spirv::Instruction& inst, size_t operand) const;
    spirv::Id pointee(spirv::Id pointer) const { return builder_.pointee(builder_.type_of(pointer)); }

    const spirv::Builder& builder_;
    const OpenclLayout& layout_;
    const spirv::Id opencl_std_;
};

}  // namespace caldera::vulkan
