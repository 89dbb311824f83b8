// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/code.h"

#include <cmath>

namespace caldera::vulkan {

using spirv::Id;
using spv::Op;

Id Code::int_type(Id like, uint32_t width) {
    return builder_.with_count(builder_.type_int(width), count(like));
}
Id Code::float_type(Id like, uint32_t width) {
    return builder_.with_count(builder_.type_float(width), count(like));
}
Id Code::bool_type(Id like) { return builder_.with_count(builder_.type_bool(), count(like)); }

Id Code::number(Id type, uint64_t value) {
    return builder_.constant_splat(type, builder_.constant_int(builder_.element(type), value));
}
Id Code::real(Id type, double value) {
    const Id scalar = builder_.element(type);
    return builder_.constant_splat(
        type, builder_.constant_float_bits(scalar, float_bits(builder_.width(scalar), value)));
}

Id Code::select(Id condition, Id if_true, Id if_false) {
    const uint32_t n = count(if_true);
    if (n > 1 && count(condition) == 1 && !select_by_scalar_) condition = splat(condition, n);
    return op(Op::OpSelect, type(if_true), {condition, if_true, if_false});
}
Id Code::splat(Id scalar, uint32_t n) {
    if (n == 1) return scalar;
    return construct(builder_.type_vector(type(scalar), n), std::vector<Id>(n, scalar));
}
Id Code::extract(Id vector, uint32_t index) {
    if (count(vector) == 1) return vector;
    return op(Op::OpCompositeExtract, builder_.element(type(vector)), {vector, index});
}
Id Code::construct(Id type, std::span<const Id> parts) {
    if (builder_.count(type) == 1) return parts[0];
    return op(Op::OpCompositeConstruct, type, {parts.begin(), parts.end()});
}
Id Code::glsl(GLSLstd450 instruction, std::initializer_list<Id> args) {
    return glsl(instruction, type(*args.begin()), args);
}
Id Code::glsl(GLSLstd450 instruction, Id type, std::initializer_list<Id> args) {
    if (!set_) set_ = builder_.ext_inst_import("GLSL.std.450");
    return builder_.ext_inst(set_, type, instruction, std::span(args.begin(), args.size()));
}

Id Code::shift_left(Id a, uint32_t by) { return binary(Op::OpShiftLeftLogical, a, number(type(a), by)); }
Id Code::shift_right(Id a, uint32_t by) { return binary(Op::OpShiftRightLogical, a, number(type(a), by)); }
Id Code::shift_right_signed(Id a, uint32_t by) {
    return binary(Op::OpShiftRightArithmetic, a, number(type(a), by));
}
Id Code::convert_unsigned(Id a, uint32_t to) {
    if (width(a) == to) return a;
    if (const auto constant = builder_.constant_value(a)) return number(int_type(a, to), *constant);
    return op(Op::OpUConvert, int_type(a, to), {a});
}
Id Code::convert_signed(Id a, uint32_t to) {
    return width(a) == to ? a : op(Op::OpSConvert, int_type(a, to), {a});
}
Id Code::convert_float(Id a, uint32_t to) {
    return width(a) == to ? a : op(Op::OpFConvert, float_type(a, to), {a});
}
Id Code::bits(Id a) { return is_float(a) ? op(Op::OpBitcast, int_type(a, width(a)), {a}) : a; }
Id Code::floats(Id a) { return is_float(a) ? a : op(Op::OpBitcast, float_type(a, width(a)), {a}); }
Id Code::magnitude_bits(Id a) {
    const Id as_int = bits(a);
    return bit_and(as_int, number(type(as_int), sign_bit(width(a)) - 1));
}
Id Code::is_negative(Id a) { return compare(Op::OpSLessThan, a, number(type(a), 0)); }
Id Code::is_sign_set(Id a) { return is_negative(bits(a)); }
/// Every step is exact: the upper half is a whole number of 2^32, the rest has the same unit in the last
/// place.
std::pair<Id, Id> Code::float_halves(Id a) {
    const Id high = glsl(GLSLstd450Trunc, {mul(a, real(type(a), 0x1p-32))});
    const Id low = sub(a, mul(high, real(type(a), 0x1p32)));
    const Id half = int_type(a, 32);
    return {op(Op::OpConvertFToU, half, {low}), op(Op::OpConvertFToU, half, {high})};
}
Id Code::log2(Id a) {
    if (!wrong_log2_of_denormals_) return glsl(GLSLstd450Log2, {a});
    const int digits = static_cast<int>(mantissa_bits(width(a))) + 1;
    const Id all = type(a), one = real(all, 1), zero = real(all, 0);
    const Id least_normal = real(all, std::ldexp(1, 1 - static_cast<int>(exponent_bias(width(a)))));
    const Id small = compare(spv::Op::OpFOrdLessThan, a, least_normal);
    const Id scaled = mul(a, select(small, real(all, std::ldexp(1, digits)), one));
    const Id value = sub(glsl(GLSLstd450Log2, {scaled}), select(small, real(all, digits), zero));
    const Id is_zero = compare(spv::Op::OpFOrdEqual, scaled, zero);
    return select(is_zero, floats(number(type(bits(a)), sign_bit(width(a)) | infinity_bits(width(a)))),
                  value);
}
Id Code::copysign(Id magnitude, Id sign) {
    const Id sign_int = bits(sign);
    const Id only_sign = bit_and(sign_int, number(type(sign_int), sign_bit(width(sign))));
    return floats(bit_or(magnitude_bits(magnitude), only_sign));
}

}  // namespace caldera::vulkan
