// SPDX-License-Identifier: Apache-2.0
// Integer dot products (SPV_KHR_integer_dot_product): as products and sums, where the device has no instruction that is faster.
#pragma once

#include "vulkan/device_profile.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// Whether an instruction is OpSDot, OpUDot, OpSUDot or the AccSat form of one.
constexpr bool is_integer_dot(spv::Op op) { return op >= spv::Op::OpSDot && op <= spv::Op::OpSUDotAccSat; }

/// The value of such an instruction; none when it stays, perhaps of four bytes as one word.
std::optional<spirv::Id> lower_integer_dot(Code& code, spirv::Instruction& inst,
                                           const DeviceProfile& profile);

}  // namespace caldera::vulkan
