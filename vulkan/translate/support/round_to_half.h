// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// The bits (16-bit integers) of floats or doubles rounded to half, by integer arithmetic: Vulkan promises
/// neither the rounding mode of OpFConvert nor that denormals survive, a device may go from double through
/// float and so round twice (lavapipe does), and a compiler may take a float that went to half and back for
/// itself (NVIDIA's does). driver_quirks.def: rounds_to_half_by_integers.
spirv::Id round_to_half(Code& code, spirv::Id value, spv::FPRoundingMode rounding);

}  // namespace caldera::vulkan
