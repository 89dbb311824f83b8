// SPDX-License-Identifier: Apache-2.0
// Conversions between floats and the bits of encoded floats, which are integers of 16 bits (bfloat16) or 8.
// They are integer arithmetic, so that denormals survive on any device, and round once.
#pragma once

#include "spirv/builder.h"
#include "spirv/encoded_floats.h"

namespace caldera::vulkan {

/// How a number becomes an encoded float.
struct EncodedRounding {
    spv::FPRoundingMode mode = spv::FPRoundingMode::RTE;
    /// What is beyond the largest number of 8 bits becomes that number. Otherwise it is infinite, or a NaN
    /// where the encoding has no infinity.
    bool saturates = false;
};

/// The bits in a float of this encoding.
uint32_t width_of(spirv::FloatEncoding encoding);

/// The floats that these bits stand for: a number, or a vector of such.
spirv::Id encoded_to_float(spirv::Builder& builder, spirv::FloatEncoding encoding, spirv::Id bits);
/// The bits of floats; for the encodings of 8 bits also of half and double. A NaN stays one.
spirv::Id float_to_encoded(spirv::Builder& builder, spirv::FloatEncoding encoding, spirv::Id value,
                           EncodedRounding rounding = {});

/// The bits, as a float of another width: exact, but for bfloat16 as half.
spirv::Id encoded_to_float_type(spirv::Builder& builder, spirv::FloatEncoding encoding, spirv::Id bits,
                                spirv::Id type);
/// The 8 bits of integers.
spirv::Id int_to_encoded(spirv::Builder& builder, spirv::FloatEncoding encoding, spirv::Id value,
                         bool is_signed, EncodedRounding rounding = {});

/// The floats of halves, which are integers of 16 bits.
spirv::Id half_to_float(spirv::Builder& builder, spirv::Id bits);

/// From and to bfloat16.
inline spirv::Id bfloat_to_float(spirv::Builder& builder, spirv::Id bits) {
    return encoded_to_float(builder, spirv::FloatEncoding::BFloat16, bits);
}
inline spirv::Id float_to_bfloat(spirv::Builder& builder, spirv::Id value) {
    return float_to_encoded(builder, spirv::FloatEncoding::BFloat16, value);
}

}  // namespace caldera::vulkan
