// SPDX-License-Identifier: Apache-2.0
// What check_accesses asks of lower_memory, which alone knows the places of private and local objects: into
// which of them a pointer points that is known at run time only.
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace caldera::vulkan {

/// Two integers of 64 bits: how far the pointer is behind the beginning of its object, and the object's size.
/// A size of 0 means that there is no object. SPIR-V has no such instruction, so its nearest one stands for
/// it between the two passes. No module of a user has it with a vector as its result.
inline constexpr spv::Op kPointerExtent = spv::Op::OpSizeOf;

/// A pointer into memory that is not private or local is so far behind the beginning of an object of this
/// size. No index leads from the middle to an end.
inline constexpr uint64_t kMiddleOfUnknown = uint64_t{1} << 62, kSizeOfUnknown = uint64_t{1} << 63;

}  // namespace caldera::vulkan
