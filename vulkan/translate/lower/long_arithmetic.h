// SPDX-License-Identifier: Apache-2.0
// Arithmetic on 64-bit integers as pairs of 32-bit ones, for devices without shaderInt64.
#pragma once

#include "vulkan/translate/support/code.h"

namespace caldera::vulkan {

/// The halves of a 64-bit integer, or of each component of a vector of them: u32, or vectors of u32 with as
/// many components.
struct Halves {
    spirv::Id low = {}, high = {};
};

class LongArithmetic {
 public:
    explicit LongArithmetic(Code& code) : code_(code) {}

    Halves number(Halves like, uint64_t value);
    Halves add(Halves a, Halves b);
    Halves sub(Halves a, Halves b);
    Halves mul(Halves a, Halves b);
    /// The upper 64 bits of the 128-bit product.
    Halves mul_high(Halves a, Halves b, bool is_signed);
    Halves negate(Halves a) { return sub(number(a, 0), a); }
    /// Shifts by a u32 below 64 (OpenCL C 6.3 j: the front end ensures this).
    Halves shift(spv::Op op, Halves a, spirv::Id by);
    Halves bitwise(spv::Op op, Halves a, Halves b);
    Halves bit_reverse(Halves a);
    Halves select(spirv::Id condition, Halves if_true, Halves if_false);
    /// OpIEqual and other comparisons; the result is a bool, or a vector of them.
    spirv::Id compare(spv::Op op, Halves a, Halves b);
    spirv::Id is_negative(Halves a) { return code_.is_negative(a.high); }
    Halves magnitude(Halves a);
    /// OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod. Division by zero gives an arbitrary value.
    Halves divide(spv::Op op, Halves a, Halves b);

    Halves from_narrow(spirv::Id value, bool is_signed);
    Halves from_float(spirv::Id value, bool is_signed);
    /// Rounded to nearest even.
    spirv::Id to_float(Halves a, uint32_t width, bool is_signed);

    /// Makes the function that divides, if it was called. No other member may be called afterwards.
    void build();

 private:
    spirv::Id u32(uint64_t value) { return code_.builder().constant_u32(static_cast<uint32_t>(value)); }
    std::pair<spirv::Id, spirv::Id> extended(spv::Op op, spirv::Id a, spirv::Id b);
    Halves shift_by_constant(spv::Op op, Halves a, uint32_t by);
    spirv::Id unsigned_to_float32(Halves a);
    std::pair<Halves, Halves> divide_unsigned(Halves a, Halves b);
    spirv::Id divide_type();

    Code& code_;
    spirv::Id divide_ = {};
};

}  // namespace caldera::vulkan
