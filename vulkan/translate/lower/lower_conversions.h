// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/device_profile.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// What decorates a conversion in OpenCL SPIR-V.
struct ConversionMode {
    std::optional<spv::FPRoundingMode> rounding = {};
    bool saturated = false;
};

/// Conversions between scalars or vectors of numbers: exact in every rounding mode, saturated where asked (OpenCL C 3.0
/// 6.4.3). Returns the value, or none when the instruction is right as it stands in Vulkan.
std::optional<spirv::Id> lower_conversion(Code& code, const spirv::Instruction& inst, ConversionMode mode,
                                          const DeviceProfile& profile);

}  // namespace caldera::vulkan
