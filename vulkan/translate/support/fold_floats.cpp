// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons of floats, as far as every device computes the same.
#include <spirv/unified1/GLSL.std.450.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "vulkan/translate/support/code.h"
#include "vulkan/translate/support/fold_impl.h"

namespace caldera::vulkan {

using namespace spirv;
using enum spv::Op;

namespace {

/// Zero or normal in the format of so many bits.
bool is_plain(uint32_t width, double value) {
    return value == 0 ||
           (std::isfinite(value) && std::ilogb(value) > -static_cast<int>(exponent_bias(width)));
}

/// False where there are zeros of both signs: a minimum may be either.
bool has_one_zero(const std::vector<double>& values) {
    const auto zero_of_sign = [&](bool negative) {
        return std::ranges::any_of(values, [&](double v) { return v == 0 && std::signbit(v) == negative; });
    };
    return !zero_of_sign(false) || !zero_of_sign(true);
}

}  // namespace

unsigned float_outcomes(spv::Op op) {
    switch (op) {
        case OpFOrdEqual: return kEqual;
        case OpFUnordEqual: return kEqual | kUnordered;
        case OpFOrdNotEqual: return kLess | kGreater;
        case OpFUnordNotEqual: return kLess | kGreater | kUnordered;
        case OpFOrdLessThan: return kLess;
        case OpFUnordLessThan: return kLess | kUnordered;
        case OpFOrdGreaterThan: return kGreater;
        case OpFUnordGreaterThan: return kGreater | kUnordered;
        case OpFOrdLessThanEqual: return kLess | kEqual;
        case OpFUnordLessThanEqual: return kLess | kEqual | kUnordered;
        case OpFOrdGreaterThanEqual: return kGreater | kEqual;
        case OpFUnordGreaterThanEqual: return kGreater | kEqual | kUnordered;
        case OpOrdered: return kLess | kEqual | kGreater;
        case OpUnordered: return kUnordered;
        default: return 0;
    }
}

/// A constant, which may be infinite or NaN.
std::optional<double> Folder::float_constant(Id value) const {
    const Instruction* constant = builder_.find_global(value);
    if (constant == nullptr || constant->op != OpConstant || !builder_.is_float(constant->type)) return {};
    return float_value(builder_.width(constant->type), number_at(*constant));
}

/// A constant that is a number and not infinite.
std::optional<double> Folder::finite_float(Id value) const {
    const std::optional<double> number = float_constant(value);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

/// One that all devices take for the same: none that may be flushed to zero.
std::optional<double> Folder::plain_float(Id value) const {
    const std::optional<double> number = finite_float(value);
    return number && is_plain(builder_.width(builder_.type_of(value)), *number) ? number : std::nullopt;
}

/// The rounded value, or {} if it is not plain. The translator rounds to nearest (DefaultFloatEnvironment).
Id Folder::plain_constant(Id type, double value) {
    const uint32_t width = builder_.width(type);
    const uint64_t bits = float_bits(width, value);
    const double rounded = float_value(width, bits);
    if (!is_plain(width, rounded) || (rounded == 0) != (value == 0)) return {};
    return builder_.constant_float_bits(type, bits);
}

/// The value if the type has it and it is plain.
Id Folder::exact_constant(Id type, double value) {
    const uint32_t width = builder_.width(type);
    return float_value(width, float_bits(width, value)) == value ? plain_constant(type, value) : Id{};
}

/// Negation and magnitude, of any constant.
Id Folder::fold_sign(const Instruction& inst, Id operand, bool negates) {
    const Instruction* constant = builder_.find_global(operand);
    if (constant == nullptr || constant->op != OpConstant || !builder_.is_float(inst.type)) return {};
    const uint64_t sign = sign_bit(builder_.width(inst.type)), bits = number_at(*constant);
    return builder_.constant_float_bits(inst.type, negates ? bits ^ sign : bits & ~sign);
}

/// Computes in double. Rounding twice does not change a narrower result (Figueroa 1995). A result too small
/// for double must not have become zero. Zero times a denormal is zero, whether the denormal is flushed or
/// not.
Id Folder::fold_float_binary(const Instruction& inst) {
    if (inst.op == OpFMul) {
        const auto a = finite_float(inst.id(0)), b = finite_float(inst.id(1));
        if (a && b && (*a == 0 || *b == 0)) return plain_constant(inst.type, *a * *b);
    }
    const auto a = plain_float(inst.id(0)), b = plain_float(inst.id(1));
    if (!a || !b) return {};
    switch (inst.op) {
        case OpFAdd: return plain_constant(inst.type, *a + *b);
        case OpFSub: return plain_constant(inst.type, *a - *b);
        case OpFMul:
            if (*a != 0 && *b != 0 && *a * *b == 0) return {};
            return plain_constant(inst.type, *a * *b);
        case OpFDiv:
            if (*b == 0 || (*a != 0 && *a / *b == 0)) return {};
            return plain_constant(inst.type, *a / *b);
        case OpFRem:
        case OpFMod: {
            if (*b == 0) return {};
            const double rest = std::fmod(*a, *b);
            const bool is_wrong = inst.op == OpFMod && rest != 0 && (rest < 0) != (*b < 0);
            return plain_constant(inst.type, is_wrong ? rest + *b : rest);
        }
        default: return {};
    }
}

/// A value is neither less nor greater than itself. It is equal to itself unless it is NaN.
Id Folder::fold_self_compare(const Instruction& inst) {
    const unsigned outcomes = float_outcomes(inst.op) & (kEqual | kUnordered);
    if (outcomes == kEqual || outcomes == kUnordered) return {};
    return truth(inst.type, outcomes != 0);
}

/// A comparison with a denormal operand is folded if its result is the same with a zero in its place. Then it
/// holds on all devices. Mesa's compilers get comparisons of constant vectors with a NaN wrong.
Id Folder::fold_float_compare(const Instruction& inst) {
    const bool is_test = inst.op == OpIsNan || inst.op == OpIsInf;
    if (!is_test && inst.id(0) == inst.id(1))
        if (const Id always = fold_self_compare(inst)) return always;
    if (!builder_.is_bool(inst.type)) return {};
    const auto a = float_constant(inst.id(0)), b = is_test ? a : float_constant(inst.id(1));
    if (!a || !b) return {};
    if (is_test) return builder_.constant_bool(inst.op == OpIsNan ? std::isnan(*a) : std::isinf(*a));
    const auto holds = [&](double x, double y) {
        const unsigned outcome = x < y ? kLess : x > y ? kGreater : x == y ? kEqual : kUnordered;
        return (float_outcomes(inst.op) & outcome) != 0;
    };
    const uint32_t width = builder_.width(builder_.type_of(inst.id(0)));
    const auto flushed = [&](double x) { return std::isfinite(x) && !is_plain(width, x) ? 0 : x; };
    const bool kept = holds(*a, *b);
    if (holds(flushed(*a), flushed(*b)) != kept) return {};
    return builder_.constant_bool(kept);
}

/// Folds if the product and the sum are exact in double, so that the result is rounded once.
Id Folder::fold_fma(Id type, double a, double b, double c) {
    const double product = a * b, sum = product + c, part = sum - product;
    const bool is_exact = std::fma(a, b, -product) == 0 && (product - (sum - part)) + (c - part) == 0;
    return is_exact && std::isfinite(sum) && (product == 0) == (a == 0 || b == 0) ? plain_constant(type, sum)
                                                                                  : Id{};
}

/// Magnitudes, rounding to whole numbers, exact square roots, steps, minimum, maximum and clamp.
Id Folder::fold_float_extended(const Instruction& inst) {
    if (!inst.operands[2].is_id || !builder_.find_global(inst.id(2)) || !is_glsl(inst)) return {};
    if (inst.word(1) == GLSLstd450FAbs) return fold_sign(inst, inst.id(2), false);
    std::vector<double> values;
    for (size_t i = 2; i < inst.operands.size(); ++i) {
        const auto value = inst.operands[i].is_id ? plain_float(inst.id(i)) : std::nullopt;
        if (!value) return {};
        values.push_back(*value);
    }
    switch (inst.word(1)) {
        case GLSLstd450Ceil: return plain_constant(inst.type, std::ceil(values[0]));
        case GLSLstd450Floor: return plain_constant(inst.type, std::floor(values[0]));
        case GLSLstd450Trunc: return plain_constant(inst.type, std::trunc(values[0]));
        case GLSLstd450RoundEven: return plain_constant(inst.type, round_even(values[0]));
        case GLSLstd450Sqrt: {
            const double root = std::sqrt(values[0]);
            return root * root == values[0] ? exact_constant(inst.type, root) : Id{};
        }
        case GLSLstd450Fma: return fold_fma(inst.type, values[0], values[1], values[2]);
        case GLSLstd450Step: return plain_constant(inst.type, values[1] < values[0] ? 0 : 1);
        case GLSLstd450FMin:
        case GLSLstd450NMin:
            return has_one_zero(values) ? plain_constant(inst.type, std::ranges::min(values)) : Id{};
        case GLSLstd450FMax:
        case GLSLstd450NMax:
            return has_one_zero(values) ? plain_constant(inst.type, std::ranges::max(values)) : Id{};
        case GLSLstd450FClamp:
        case GLSLstd450NClamp:
            if (!has_one_zero(values)) return {};
            return plain_constant(inst.type, std::min(std::max(values[0], values[1]), values[2]));
        default: return {};
    }
}

}  // namespace caldera::vulkan
