// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/drivers/trial_arithmetic.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "spirv/op_class.h"
#include "spirv/support/floats.h"
#include "vulkan/translate/support/integers.h"

namespace caldera::vulkan {
namespace {

using spirv::Instruction;
using enum spv::Op;
using Numbers = std::span<const TrialNumber>;

uint64_t masked(uint64_t bits, uint32_t width) { return bits & all_ones(width); }
double real(const TrialNumber& number) { return float_value(number.width, number.bits); }
int64_t whole(const TrialNumber& number) { return sign_extend(number.bits, number.width); }

/// As Mesa has them where SPIR-V leaves them undefined: shifts by the low bits, and quotients of zero.
uint64_t integers(spv::Op op, const TrialNumber& a, const TrialNumber& b) {
    const bool is_shift =
        op == OpShiftLeftLogical || op == OpShiftRightLogical || op == OpShiftRightArithmetic;
    return integer_result(op, a.bits, is_shift ? b.bits % a.width : b.bits, a.width).value_or(0);
}

std::optional<bool> compared(spv::Op op, double a, double b) {
    switch (op) {
        case OpFOrdEqual: return a == b;
        case OpFUnordEqual: return !(a < b || a > b);
        case OpFOrdNotEqual: return a < b || a > b;
        case OpFUnordNotEqual: return a != b;
        case OpFOrdLessThan: return a < b;
        case OpFUnordLessThan: return !(a >= b);
        case OpFOrdGreaterThan: return a > b;
        case OpFUnordGreaterThan: return !(a <= b);
        case OpFOrdLessThanEqual: return a <= b;
        case OpFUnordLessThanEqual: return !(a > b);
        case OpFOrdGreaterThanEqual: return a >= b;
        case OpFUnordGreaterThanEqual: return !(a < b);
        default: return std::nullopt;
    }
}

std::optional<double> computed(spv::Op op, double a, double b) {
    switch (op) {
        case OpFAdd: return a + b;
        case OpFSub: return a - b;
        case OpFMul: return a * b;
        case OpFDiv: return a / b;
        case OpFRem: return std::fmod(a, b);
        default: return std::nullopt;
    }
}

std::optional<double> extended_real(uint32_t function, Numbers from) {
    const double a = real(from[0]), b = from.size() > 1 ? real(from[1]) : 0;
    const double c = from.size() > 2 ? real(from[2]) : 0;
    switch (function) {
        case GLSLstd450FAbs: return std::fabs(a);
        case GLSLstd450FSign: return a > 0 ? 1 : a < 0 ? -1 : a;
        case GLSLstd450Floor: return std::floor(a);
        case GLSLstd450Ceil: return std::ceil(a);
        case GLSLstd450Trunc: return std::trunc(a);
        case GLSLstd450RoundEven: return std::nearbyint(a);
        case GLSLstd450Fract: return a - std::floor(a);
        case GLSLstd450Sqrt: return std::sqrt(a);
        case GLSLstd450FMin:
        case GLSLstd450NMin: return std::fmin(a, b);
        case GLSLstd450FMax:
        case GLSLstd450NMax: return std::fmax(a, b);
        case GLSLstd450FClamp:
        case GLSLstd450NClamp: return std::fmin(std::fmax(a, b), c);
        case GLSLstd450Fma: return std::fma(a, b, c);
        case GLSLstd450Exp: return std::exp(a);
        case GLSLstd450Exp2: return std::exp2(a);
        case GLSLstd450Log: return std::log(a);
        case GLSLstd450Log2: return std::log2(a);
        case GLSLstd450Pow: return std::pow(a, b);
        case GLSLstd450InverseSqrt: return 1 / std::sqrt(a);
        case GLSLstd450Sin: return std::sin(a);
        case GLSLstd450Cos: return std::cos(a);
        case GLSLstd450Tan: return std::tan(a);
        default: return std::nullopt;
    }
}

std::optional<uint64_t> extended_integer(uint32_t function, Numbers from) {
    const uint64_t a = from[0].bits, b = from.size() > 1 ? from[1].bits : 0;
    const uint64_t c = from.size() > 2 ? from[2].bits : 0;
    const int64_t sa = whole(from[0]), sb = from.size() > 1 ? whole(from[1]) : 0;
    const int64_t sc = from.size() > 2 ? whole(from[2]) : 0;
    switch (function) {
        case GLSLstd450SAbs: return sa < 0 ? 0 - a : a;
        case GLSLstd450SSign: return static_cast<uint64_t>(sa > 0 ? 1 : sa < 0 ? -1 : 0);
        case GLSLstd450UMin: return std::min(a, b);
        case GLSLstd450UMax: return std::max(a, b);
        case GLSLstd450UClamp: return std::min(std::max(a, b), c);
        case GLSLstd450SMin: return static_cast<uint64_t>(std::min(sa, sb));
        case GLSLstd450SMax: return static_cast<uint64_t>(std::max(sa, sb));
        case GLSLstd450SClamp: return static_cast<uint64_t>(std::min(std::max(sa, sb), sc));
        default: return std::nullopt;
    }
}

/// The field of a number that an instruction names by its first bit and its width.
uint64_t field(Numbers from, bool is_signed) {
    const uint64_t bits = from[2].bits;
    if (bits == 0 || from[1].bits >= from[0].width) return 0;
    const uint64_t value = from[0].bits >> from[1].bits;
    if (bits >= from[0].width) return value;
    const auto width = static_cast<uint32_t>(bits);
    return is_signed ? static_cast<uint64_t>(sign_extend(value, width)) : masked(value, width);
}

/// The integer nearest to zero that a float is near, in a range that conversions have.
uint64_t truncated(double value) {
    constexpr double kEnd = 9.2e18;
    return std::isnan(value) ? 0
                             : static_cast<uint64_t>(static_cast<int64_t>(std::clamp(value, -kEnd, kEnd)));
}

std::optional<double> real_result(const Instruction& inst, Numbers from) {
    switch (inst.op) {
        case OpConvertSToF: return static_cast<double>(whole(from[0]));
        case OpConvertUToF: return static_cast<double>(from[0].bits);
        case OpFConvert: return real(from[0]);
        case OpExtInst:
            return from.empty() || !from[0].is_float ? std::nullopt : extended_real(inst.word(1), from);
        default: return from.size() == 2 ? computed(inst.op, real(from[0]), real(from[1])) : std::nullopt;
    }
}

std::optional<uint64_t> other_result(const Instruction& inst, Numbers from) {
    switch (inst.op) {
        case OpSelect: return from[0].bits != 0 ? from[1].bits : from[2].bits;
        case OpBitcast:
        case OpCopyObject:
        case OpUConvert: return from[0].bits;
        case OpSConvert: return static_cast<uint64_t>(whole(from[0]));
        case OpNot:
        case OpLogicalNot: return ~from[0].bits;
        case OpSNegate: return 0 - from[0].bits;
        case OpFNegate: return from[0].bits ^ sign_bit(from[0].width);
        case OpLogicalAnd: return from[0].bits & from[1].bits;
        case OpLogicalOr: return from[0].bits | from[1].bits;
        case OpLogicalEqual: return from[0].bits == from[1].bits;
        case OpLogicalNotEqual: return from[0].bits != from[1].bits;
        case OpBitCount: return std::popcount(from[0].bits);
        case OpBitFieldUExtract: return field(from, /*is_signed=*/false);
        case OpBitFieldSExtract: return field(from, /*is_signed=*/true);
        case OpConvertFToS:
        case OpConvertFToU: return truncated(real(from[0]));
        case OpIsNan: return std::isnan(real(from[0]));
        case OpIsInf: return std::isinf(real(from[0]));
        case OpExtInst:
            return from.empty() || from[0].is_float ? std::nullopt : extended_integer(inst.word(1), from);
        default: break;
    }
    if (from.size() != 2) return std::nullopt;
    if (from[0].is_float) return compared(inst.op, real(from[0]), real(from[1]));
    const bool is_arithmetic = (inst.op >= OpIAdd && inst.op <= OpSMod && inst.op != OpFMod) ||
                               (inst.op >= OpShiftRightLogical && inst.op <= OpBitwiseAnd);
    if (is_arithmetic || spirv::is_integer_comparison(inst.op)) return integers(inst.op, from[0], from[1]);
    return std::nullopt;
}

}  // namespace

std::optional<uint64_t> trial_result(const Instruction& inst, const TrialNumber& result, Numbers operands) {
    if (result.is_float)
        if (const auto value = real_result(inst, operands)) return float_bits(result.width, *value);
    const std::optional<uint64_t> bits = other_result(inst, operands);
    return bits ? std::optional(masked(*bits, result.width)) : std::nullopt;
}

}  // namespace caldera::vulkan
