// SPDX-License-Identifier: Apache-2.0
// Code: emits arithmetic on scalars and vectors alike, component by component, for the passes that need much
// of it.
#pragma once

#include <spirv/unified1/GLSL.std.450.h>

#include <optional>
#include <utility>

#include "spirv/builder.h"
#include "spirv/spirv.h"
#include "spirv/support/floats.h"
#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {

class Code {
 public:
    /// Code for the target, from whose version it follows what OpSelect may have. The others: as in
    /// DriverQuirks, where `prefers_fma` is that Fma is not slow, and in DeviceProfile.
    Code(spirv::Builder& builder, spirv::Target target, bool prefers_fma = false,
         bool wrong_log2_of_denormals = true, bool emulated_float64 = false)
        : builder_(builder),
          select_by_scalar_(spirv::spirv_version(target) >= 0x00010400),
          prefers_fma_(prefers_fma),
          wrong_log2_of_denormals_(wrong_log2_of_denormals),
          emulated_float64_(emulated_float64) {}
    /// Code for any target.
    explicit Code(spirv::Builder& builder) : Code(builder, spirv::Target::Vulkan11) {}
    spirv::Builder& builder() { return builder_; }

    // ---- Types of values ----
    spirv::Id type(spirv::Id value) const { return builder_.type_of(value); }
    uint32_t width(spirv::Id value) const { return builder_.width(type(value)); }
    uint32_t count(spirv::Id value) const { return builder_.count(type(value)); }
    bool is_float(spirv::Id value) const { return builder_.is_float(builder_.element(type(value))); }
    spirv::Id int_type(spirv::Id like, uint32_t width);  ///< with as many components as `like`
    spirv::Id float_type(spirv::Id like, uint32_t width);
    spirv::Id bool_type(spirv::Id like);

    // ---- Constants, splatted over `type` ----
    spirv::Id number(spirv::Id type, uint64_t value);
    spirv::Id real(spirv::Id type, double value);

    // ---- Instructions ----
    spirv::Id op(spv::Op op, spirv::Id type, spirv::Operands operands) {
        return builder_.append(op, type, std::move(operands));
    }
    spirv::Id unary(spv::Op op, spirv::Id a) { return builder_.append(op, type(a), {a}); }
    spirv::Id binary(spv::Op op, spirv::Id a, spirv::Id b) { return builder_.append(op, type(a), {a, b}); }
    spirv::Id compare(spv::Op op, spirv::Id a, spirv::Id b) {
        return builder_.append(op, bool_type(a), {a, b});
    }
    spirv::Id select(spirv::Id condition, spirv::Id if_true, spirv::Id if_false);
    spirv::Id splat(spirv::Id scalar, uint32_t count);
    spirv::Id extract(spirv::Id vector, uint32_t index);
    spirv::Id construct(spirv::Id type, std::span<const spirv::Id> parts);
    spirv::Id glsl(GLSLstd450 instruction,
                   std::initializer_list<spirv::Id> args);  ///< the result has the type of the first one
    spirv::Id glsl(GLSLstd450 instruction, spirv::Id type, std::initializer_list<spirv::Id> args);

    // ---- Common compositions ----
    /// a * b + c, with or without rounding of the product, whichever is faster. An emulated fma is.
    spirv::Id multiply_add(spirv::Id a, spirv::Id b, spirv::Id c) {
        return prefers_fma_ || (emulated_float64_ && width(a) == 64) ? glsl(GLSLstd450Fma, {a, b, c})
                                                                     : add(mul(a, b), c);
    }
    /// As exact as the device's Log2 or more so, and correct for zero, denormals and infinity.
    spirv::Id log2(spirv::Id a);
    spirv::Id add(spirv::Id a, spirv::Id b) {
        return binary(arith(a, spv::Op::OpIAdd, spv::Op::OpFAdd), a, b);
    }
    spirv::Id sub(spirv::Id a, spirv::Id b) {
        return binary(arith(a, spv::Op::OpISub, spv::Op::OpFSub), a, b);
    }
    spirv::Id mul(spirv::Id a, spirv::Id b) {
        return binary(arith(a, spv::Op::OpIMul, spv::Op::OpFMul), a, b);
    }
    spirv::Id shift_left(spirv::Id a, uint32_t by);
    spirv::Id shift_right(spirv::Id a, uint32_t by);
    spirv::Id shift_right_signed(spirv::Id a, uint32_t by);
    spirv::Id bit_and(spirv::Id a, spirv::Id b) { return binary(spv::Op::OpBitwiseAnd, a, b); }
    spirv::Id bit_or(spirv::Id a, spirv::Id b) { return binary(spv::Op::OpBitwiseOr, a, b); }
    spirv::Id bit_xor(spirv::Id a, spirv::Id b) { return binary(spv::Op::OpBitwiseXor, a, b); }
    /// zero-extended or truncated; `a` itself if the width is the same
    spirv::Id convert_unsigned(spirv::Id a, uint32_t width);
    spirv::Id convert_signed(spirv::Id a, uint32_t width);
    spirv::Id convert_float(spirv::Id a, uint32_t width);
    spirv::Id bits(spirv::Id a);            ///< a float's bits as an integer
    spirv::Id floats(spirv::Id a);          ///< an integer's bits as a float
    spirv::Id magnitude_bits(spirv::Id a);  ///< a float's bits without its sign
    spirv::Id is_negative(spirv::Id a);     ///< of a signed integer
    spirv::Id is_sign_set(spirv::Id a);     ///< of a float
    spirv::Id is_nan(spirv::Id a) { return op(spv::Op::OpIsNan, bool_type(a), {a}); }
    /// The low and the high 32 bits of a non-negative float below 2^64, without its fraction.
    std::pair<spirv::Id, spirv::Id> float_halves(spirv::Id a);
    spirv::Id copysign(spirv::Id magnitude, spirv::Id sign);

 private:
    spv::Op arith(spirv::Id a, spv::Op ints, spv::Op floats) const { return is_float(a) ? floats : ints; }

    spirv::Builder& builder_;
    bool select_by_scalar_, prefers_fma_, wrong_log2_of_denormals_, emulated_float64_;
    spirv::Id set_ = {};
};

/// Bits of the significand that a format stores: 10, 23, 52.
constexpr uint32_t mantissa_bits(uint32_t width) { return width == 16 ? 10 : width == 32 ? 23 : 52; }
constexpr uint32_t exponent_bias(uint32_t width) { return width == 16 ? 15 : width == 32 ? 127 : 1023; }
constexpr uint64_t infinity_bits(uint32_t width) {
    return uint64_t{2 * exponent_bias(width) + 1} << mantissa_bits(width);
}

}  // namespace caldera::vulkan
