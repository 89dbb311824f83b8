// SPDX-License-Identifier: Apache-2.0
// Local memory of zeros (cl_khr_initialize_memory).
#pragma once

#include <span>

#include "spirv/builder.h"

namespace caldera::vulkan {

/// The bits of an element, if the variable in local memory is a block of explicit layout around an array. 0
/// for an array.
uint32_t local_block_width(const spirv::Builder& builder, spirv::Id variable);

/// Makes the kernel store zeros to all elements of these Workgroup arrays or blocks, and wait for the
/// work-group, after its variables and its first `instructions` instructions. The work-items take turns:
/// `index` is the number of one, and `work_items` how many there are (u32), both known there.
void clear_local_memory(spirv::Builder& builder, spirv::Function& kernel, size_t instructions,
                        std::span<const spirv::Id> arrays, spirv::Id index, spirv::Id work_items);

}  // namespace caldera::vulkan
