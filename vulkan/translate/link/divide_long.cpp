// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/divide_long.h"

#include <spirv/unified1/OpenCL.std.h>

#include <bit>

namespace caldera::vulkan {
namespace {

using spirv::Id;
using spv::Op;

/// 2^exponent divided by the divisor, which is greater than 2^(exponent - 65). The bits of the quotient from
/// 2^64 up are dropped.
struct PowerQuotient {
    uint64_t quotient = 0, remainder = 0;
};
PowerQuotient divide_power_of_two(uint32_t exponent, uint64_t divisor) {
    PowerQuotient result{.remainder = 1};
    for (uint32_t i = 0; i < exponent; ++i) {
        const bool fits = result.remainder >= divisor - result.remainder;
        result.quotient = result.quotient << 1 | (fits ? 1 : 0);
        result.remainder = fits ? result.remainder - (divisor - result.remainder) : result.remainder << 1;
    }
    return result;
}

}  // namespace

InverseMultiplier inverse_multiplier(uint64_t divisor, uint64_t most) {
    // 2^shift < divisor < 2^(shift + 1), so the quotient rounded up has 64 bits. It is too large by (divisor
    // - remainder) / divisor, which must not change the product for any dividend.
    const auto shift = static_cast<uint32_t>(std::bit_width(divisor) - 1);
    const PowerQuotient up = divide_power_of_two(64 + shift, divisor);
    const uint64_t excess = divisor - up.remainder;
    if (most <= uint64_t{1} << 63 || excess <= uint64_t{1} << shift) return {up.quotient + 1, shift, false};
    return {divide_power_of_two(65 + shift, divisor).quotient + 1, shift + 1, true};
}

Result<Id> LongDivision::emit(const spirv::Instruction& inst) {
    bool is_signed = false;
    switch (inst.op) {
        case Op::OpUDiv:
        case Op::OpUMod: break;
        case Op::OpSDiv:
        case Op::OpSRem:
        case Op::OpSMod: is_signed = true; break;
        default: return Id{};
    }
    if (code_.builder().width(inst.type) != 64) return Id{};
    const Id a = inst.id(0), b = inst.id(1);
    const Result<Id> whole = quotient(a, b, is_signed);
    if (!whole || inst.op == Op::OpUDiv || inst.op == Op::OpSDiv) return whole;
    const Id rest = code_.sub(a, code_.mul(*whole, b));
    if (inst.op != Op::OpSMod) return rest;
    // OpSMod has the divisor's sign: if the remainder has the opposite sign, the divisor is added.
    const Id zero = code_.number(inst.type, 0);
    const Id differ = code_.is_negative(code_.bit_xor(rest, b));
    const Id inexact = code_.compare(Op::OpINotEqual, rest, zero);
    const Id adds = code_.binary(Op::OpLogicalAnd, differ, inexact);
    return code_.add(rest, code_.select(adds, b, zero));
}

Result<Id> LongDivision::quotient(Id a, Id b, bool is_signed) {
    Id& known = quotients_[{a, b, is_signed}];
    if (known) return known;
    const uint32_t count = code_.count(a);
    if (count == 1) {
        const Result<Id> whole = quotient_of_scalars(a, b, is_signed);
        if (whole) known = *whole;
        return whole;
    }
    std::vector<Id> parts;
    for (uint32_t i = 0; i < count; ++i) {
        const Result<Id> part = quotient_of_scalars(code_.extract(a, i), code_.extract(b, i), is_signed);
        if (!part) return part;
        parts.push_back(*part);
    }
    return known = code_.construct(code_.type(a), parts);
}

Result<Id> LongDivision::quotient_of_scalars(Id a, Id b, bool is_signed) {
    const std::optional<uint64_t> divisor = code_.builder().constant_value(b);
    if (divisor && *divisor != 0) return by_constant(a, *divisor, is_signed);
    const Result<Id> function = linker_.import_function(is_signed ? "_Z8quotientll" : "_Z8quotientmm");
    if (!function) return function;
    if (!*function) return Error{.message = "the library has no division of 64-bit integers"};
    return code_.op(Op::OpFunctionCall, code_.type(a), {*function, a, b});
}

Id LongDivision::by_constant(Id a, uint64_t divisor, bool is_signed) {
    if (!is_signed) return by_constant(a, divisor, ~uint64_t{0});
    const bool is_negative = divisor >> 63 != 0;
    const Id sign = code_.shift_right_signed(a, 63);
    const Id size = code_.sub(code_.bit_xor(a, sign), sign);
    const Id whole = by_constant(size, is_negative ? -divisor : divisor, uint64_t{1} << 63);
    const Id sign_of_whole = is_negative ? code_.unary(Op::OpNot, sign) : sign;
    return code_.sub(code_.bit_xor(whole, sign_of_whole), sign_of_whole);
}

Id LongDivision::by_constant(Id a, uint64_t divisor, uint64_t most) {
    if (std::has_single_bit(divisor)) {
        const auto shift = static_cast<uint32_t>(std::countr_zero(divisor));
        return shift == 0 ? a : code_.shift_right(a, shift);
    }
    const InverseMultiplier inverse = inverse_multiplier(divisor, most);
    const Id high = mul_high(a, inverse.multiplier);
    if (!inverse.is_65_bits) return inverse.shift == 0 ? high : code_.shift_right(high, inverse.shift);
    // (a + high) >> shift, whose sum may have 65 bits
    const Id mean = code_.add(code_.shift_right(code_.sub(a, high), 1), high);
    return inverse.shift == 1 ? mean : code_.shift_right(mean, inverse.shift - 1);
}

Id LongDivision::mul_high(Id a, uint64_t b) {
    spirv::Builder& builder = code_.builder();
    const Id arguments[] = {a, code_.number(code_.type(a), b)};
    return builder.ext_inst(builder.ext_inst_import("OpenCL.std"), code_.type(a), OpenCLLIB::UMul_hi,
                            arguments);
}

}  // namespace caldera::vulkan
