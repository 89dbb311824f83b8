// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spirv/builder.h"

namespace caldera::vulkan {

/// The floats whose upper halves are these 16-bit integers: a number, or a vector of such.
spirv::Id bfloat_to_float(spirv::Builder& builder, spirv::Id bits);
/// The bits (16-bit integers) of floats rounded to bfloat16, by integer arithmetic, so that denormals survive
/// on any device. A NaN stays one.
spirv::Id float_to_bfloat(spirv::Builder& builder, spirv::Id value,
                          spv::FPRoundingMode rounding = spv::FPRoundingMode::RTE);

}  // namespace caldera::vulkan
