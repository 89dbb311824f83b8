// SPDX-License-Identifier: Apache-2.0
// Integer dot products (SPV_KHR_integer_dot_product): become products and sums, unless the device has a
// faster instruction.
#pragma once

#include "vulkan/device_profile.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// Whether an instruction is OpSDot, OpUDot, OpSUDot or the AccSat form of one.
constexpr bool is_integer_dot(spv::Op op) { return op >= spv::Op::OpSDot && op <= spv::Op::OpSUDotAccSat; }

/// The value of such an instruction. None if it stays, in which case four bytes may have become one word.
std::optional<spirv::Id> lower_integer_dot(Code& code, spirv::Instruction& inst,
                                           const DeviceProfile& profile);

}  // namespace caldera::vulkan
