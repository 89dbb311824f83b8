// SPDX-License-Identifier: Apache-2.0
// float and double are the host's own, whose operations round once: no wider registers (FLT_EVAL_METHOD), no
// contraction (this file is compiled with -ffp-contract=off). half is computed in double and rounded to half
// then, which is rounding once: + - * are exact in double; for / and sqrt 53 digits are more than twice 11
// and two (Figueroa, "When is double rounding innocuous?").
#include "number.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>

namespace caldera::float_order {

static_assert(FLT_EVAL_METHOD == 0, "float and double have to be rounded at each operation");

namespace {

float single(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }
double wide(uint64_t bits) { return std::bit_cast<double>(bits); }
uint64_t bits_of(float value) {
    return std::isnan(value) ? info(Kind::Float).nan() : std::bit_cast<uint32_t>(value);
}
uint64_t bits_of(double value) {
    return std::isnan(value) ? info(Kind::Double).nan() : std::bit_cast<uint64_t>(value);
}

/// A finite number: (-1)^is_negative * significand * 2^exponent.
struct Exact {
    bool is_negative = false;
    uint64_t significand = 0;
    int exponent = 0;
};

Exact exact(Kind kind, uint64_t bits) {
    const KindInfo& of = info(kind);
    if (!of.is_real()) {
        const bool is_negative = of.is_signed && (bits & of.sign());
        return {is_negative, is_negative ? (~bits + 1) & of.mask() : bits & of.mask(), 0};
    }
    const auto exponent = static_cast<int>(of.magnitude(bits) >> (of.digits - 1));
    const uint64_t fraction = bits & (of.hidden() - 1);
    return {(bits & of.sign()) != 0, exponent == 0 ? fraction : fraction | of.hidden(),
            std::max(exponent, 1) + 2 - of.max_exponent - of.digits};
}

int width(const Exact& value) { return static_cast<int>(std::bit_width(value.significand)); }

/// Whether a magnitude is rounded up to the next unit. `against_half` compares the remainder with half a
/// unit: -1 if it is less, 0 if equal, 1 if more.
bool rounds_up(const Exact& value, bool is_odd, bool is_inexact, int against_half, Rounding rounding) {
    switch (rounding) {
        case Rounding::Default:
        case Rounding::Nearest: return against_half > 0 || (against_half == 0 && is_odd);
        case Rounding::Zero: return false;
        case Rounding::Up: return is_inexact && !value.is_negative;
        case Rounding::Down: return is_inexact && value.is_negative;
    }
    return false;
}

/// The significand in units of 2^unit, rounded. It fits where that is no more than 64 digits wide.
uint64_t in_units(const Exact& value, int unit, Rounding rounding) {
    const int shift = unit - value.exponent;
    if (shift <= 0) return value.significand << -shift;
    const uint64_t whole = shift < 64 ? value.significand >> shift : 0;
    const uint64_t rest = shift < 64 ? value.significand - (whole << shift) : value.significand;
    int against_half = -1;  // of a unit that is more than twice as much as any significand
    if (shift <= 64) {
        const uint64_t half = uint64_t{1} << (shift - 1);
        against_half = rest > half ? 1 : rest == half ? 0 : -1;
    }
    return whole + (rounds_up(value, whole & 1, rest != 0, against_half, rounding) ? 1 : 0);
}

uint64_t to_real(const Exact& value, Kind kind, Rounding rounding) {
    const KindInfo& to = info(kind);
    const uint64_t sign = value.is_negative ? to.sign() : 0;
    if (value.significand == 0) return sign;
    const int exponent = value.exponent + width(value) - 1, least = 2 - to.max_exponent;
    const bool is_inward =
        rounding == Rounding::Zero || rounding == (value.is_negative ? Rounding::Up : Rounding::Down);
    const uint64_t largest = is_inward ? to.infinity() - 1 : to.infinity();
    if (exponent >= to.max_exponent) return sign | largest;
    const int unit = std::max(exponent, least) - (to.digits - 1);
    // The hidden digit adds one to the exponent, and so does what is rounded up to the next power of two.
    const auto biased = static_cast<uint64_t>(unit - (least - (to.digits - 1)));
    return sign | std::min((biased << (to.digits - 1)) + in_units(value, unit, rounding), largest);
}

std::optional<uint64_t> to_integer(const Exact& value, Kind kind, Rounding rounding, bool saturated) {
    const KindInfo& to = info(kind);
    if (rounding == Rounding::Default) rounding = Rounding::Zero;
    const uint64_t most =
        to.is_signed ? (value.is_negative ? to.sign() : to.sign() - 1) : (value.is_negative ? 0 : to.mask());
    const bool is_huge = value.significand != 0 && value.exponent + width(value) > 64;
    const uint64_t size = is_huge ? ~uint64_t{0} : in_units(value, 0, rounding);
    if ((is_huge || size > most) && !saturated) return {};
    const uint64_t result = is_huge ? most : std::min(size, most);
    return (value.is_negative ? ~result + 1 : result) & to.mask();
}

/// The sum of c and a product of two halves, which is exact in double, rounded to odd. Rounding that sum to
/// half then gives a * b + c rounded once (Boldo, Melquiond: "Emulation of FMA and correctly rounded sums").
double odd_sum(double product, double c) {
    const double sum = product + c;
    if (!std::isfinite(sum) || !std::isfinite(product) || !std::isfinite(c)) return sum;
    const double part = sum - product;
    const double error = (product - (sum - part)) + (c - part);
    if (error == 0 || (std::bit_cast<uint64_t>(sum) & 1)) return sum;
    return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

template <typename Operation>
uint64_t apply(Kind kind, uint64_t a, uint64_t b, Operation operation) {
    switch (kind) {
        case Kind::Float: return bits_of(static_cast<float>(operation(single(a), single(b))));
        case Kind::Double: return bits_of(static_cast<double>(operation(wide(a), wide(b))));
        default: return nearest(kind, operation(real(kind, a), real(kind, b)));
    }
}

}  // namespace

double real(Kind kind, uint64_t bits) {
    if (kind == Kind::Double) return wide(bits);
    if (kind == Kind::Float) return single(bits);
    const KindInfo& of = info(kind);
    if (of.is_nan(bits)) return NAN;
    const double sign = bits & of.sign() ? -1.0 : 1.0;
    if (!of.is_finite(bits)) return sign * HUGE_VAL;
    const Exact value = exact(kind, bits);
    return sign * std::ldexp(static_cast<double>(value.significand), value.exponent);
}

uint64_t nearest(Kind kind, double value) {
    return *convert(Kind::Double, bits_of(value), kind, Rounding::Nearest, false);
}

uint64_t add(Kind kind, uint64_t a, uint64_t b) {
    return apply(kind, a, b, [](auto x, auto y) { return x + y; });
}
uint64_t subtract(Kind kind, uint64_t a, uint64_t b) {
    return apply(kind, a, b, [](auto x, auto y) { return x - y; });
}
uint64_t multiply(Kind kind, uint64_t a, uint64_t b) {
    return apply(kind, a, b, [](auto x, auto y) { return x * y; });
}
uint64_t divide(Kind kind, uint64_t a, uint64_t b) {
    return apply(kind, a, b, [](auto x, auto y) { return x / y; });
}
uint64_t square_root(Kind kind, uint64_t a) {
    return apply(kind, a, a, [](auto x, auto) { return std::sqrt(x); });
}

uint64_t fused(Kind kind, uint64_t a, uint64_t b, uint64_t c) {
    switch (kind) {
        case Kind::Float: return bits_of(std::fma(single(a), single(b), single(c)));
        case Kind::Double: return bits_of(std::fma(wide(a), wide(b), wide(c)));
        default: return nearest(kind, odd_sum(real(kind, a) * real(kind, b), real(kind, c)));
    }
}

uint64_t negate(Kind kind, uint64_t a) {
    return info(kind).is_nan(a) ? info(kind).nan() : a ^ info(kind).sign();
}
uint64_t absolute(Kind kind, uint64_t a) { return info(kind).magnitude(a); }

uint64_t to_integral(Kind kind, Integral mode, uint64_t a) {
    const double value = real(kind, a);
    switch (mode) {
        case Integral::Rint: return nearest(kind, std::nearbyint(value));
        case Integral::Trunc: return nearest(kind, std::trunc(value));
        case Integral::Floor: return nearest(kind, std::floor(value));
        case Integral::Ceil: return nearest(kind, std::ceil(value));
        case Integral::Round: return nearest(kind, std::round(value));
    }
    return 0;
}

std::optional<uint64_t> convert(Kind from, uint64_t bits, Kind to, Rounding rounding, bool saturated) {
    const KindInfo &source = info(from), &target = info(to);
    if (!source.is_real() && !target.is_real() && !saturated) {  // modulo
        const bool is_negative = source.is_signed && (bits & source.sign());
        return (is_negative ? bits | ~source.mask() : bits) & target.mask();
    }
    if (source.is_nan(bits)) {
        if (target.is_real()) return target.nan();
        return saturated ? std::optional<uint64_t>(0) : std::nullopt;
    }
    if (source.is_real() && !source.is_finite(bits)) {
        const bool is_negative = (bits & source.sign()) != 0;
        if (target.is_real()) return target.infinity() | (is_negative ? target.sign() : 0);
        return to_integer({is_negative, ~uint64_t{0}, 64}, to, rounding, saturated);
    }
    const Exact value = exact(from, bits);
    return target.is_real() ? to_real(value, to, rounding) : to_integer(value, to, rounding, saturated);
}

}  // namespace caldera::float_order
