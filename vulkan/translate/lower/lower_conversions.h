// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/device_profile.h"
#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// The decorations of a conversion in OpenCL SPIR-V.
struct ConversionMode {
    std::optional<spv::FPRoundingMode> rounding = {};
    bool saturated = false;
};

/// Converts between scalars or vectors of numbers, exactly in every rounding mode, with saturation if
/// requested (OpenCL C 3.0 6.4.3). Returns the value, or none if Vulkan's instruction is correct as it is.
std::optional<spirv::Id> lower_conversion(Code& code, const spirv::Instruction& inst, ConversionMode mode,
                                          const DeviceProfile& profile);

}  // namespace caldera::vulkan
