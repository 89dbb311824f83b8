// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// The bits (16-bit integers) of floats or doubles rounded to half, without conversions: Vulkan promises
/// neither the rounding mode of OpFConvert nor that denormals survive, and a device may go from double
/// through float and so round twice (lavapipe does). driver_quirks.def: rounds_to_half_by_integers.
spirv::Id round_to_half(Code& code, spirv::Id value, spv::FPRoundingMode rounding);

/// The bits of floats rounded to nearest, for devices with DeviceProfile::exact_half_packing.
std::vector<spirv::Id> pack_halves(Code& code, const std::vector<spirv::Id>& floats);

}  // namespace caldera::vulkan
