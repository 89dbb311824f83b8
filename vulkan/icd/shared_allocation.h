// SPDX-License-Identifier: Apache-2.0
// Allocations of every kind of shared memory.
#pragma once

#include "vulkan/icd/context.h"

namespace caldera::icd {

/// The extensions promise alignments up to that of the largest type, kBaseAlignment. Programs written for
/// drivers that accept more ask for whole pages; these get them.
constexpr uint32_t kLargestAlignment = 1 << 16;

/// The places of the devices that have memory of the kind.
std::vector<size_t> places_with(const Context& context, SvmKind kind);
/// The place of the device whose buffer an allocation shall be. `device` is the one that the program named,
/// or null. Throws CL_INVALID_OPERATION if that device has no such memory, or no device, CL_INVALID_DEVICE if
/// it is not the context's, and CL_OUT_OF_RESOURCES if not all devices that have such memory would reach it.
size_t place_for(const Context& context, SvmKind kind, cl_device_id device);

/// Throws CL_INVALID_BUFFER_SIZE if the size is 0, or too large for a device that has memory of the kind.
void check_size(const Context& context, const SharedAllocation& wanted);
/// Makes the memory on the device of the allocation's place, and returns where it begins. `alignment` is a
/// power of two; 0 is that of the largest type.
void* allocate(Context& context, SharedAllocation wanted, size_t alignment);
/// Frees the allocation that begins there. Kernels may still reach it by its address: its memory goes when
/// all current commands of the context are over. Returns false if there is none.
bool free_when_over(Context& context, const void* pointer);

}  // namespace caldera::icd
