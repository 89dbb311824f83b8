// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "function.h"

namespace caldera::accuracy {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kNoBound = std::numeric_limits<double>::infinity();

constexpr Bound same = {.kind = Bound::Kind::Ulps, .ulps = -1};  // as without the option
constexpr Bound none = {.kind = Bound::Kind::None};              // defined by a formula, which bounds nothing
constexpr Bound logarithm = {.kind = Bound::Kind::Log, .ulps = 3, .exponent = -21};
constexpr Bound exponential = {.kind = Bound::Kind::Exp, .ulps = 3};
constexpr Bound ulps(double count) { return {.kind = Bound::Kind::Ulps, .ulps = count}; }
constexpr Bound absolute(int exponent, double limit) {
    return {.kind = Bound::Kind::Absolute, .exponent = exponent, .limit = limit};
}

// ---- MPFR's functions as references ----

using Reference = bool (*)(mpfr_ptr, const Inputs&);

#define one(function)                                           \
    [](mpfr_ptr r, const Inputs& in) {                          \
        function(r, static_cast<mpfr_srcptr>(in.x), MPFR_RNDN); \
        return true;                                            \
    }
#define two(function)                                                                           \
    [](mpfr_ptr r, const Inputs& in) {                                                          \
        function(r, static_cast<mpfr_srcptr>(in.x), static_cast<mpfr_srcptr>(in.y), MPFR_RNDN); \
        return true;                                                                            \
    }
#define three(function)                                                             \
    [](mpfr_ptr r, const Inputs& in) {                                              \
        function(r, static_cast<mpfr_srcptr>(in.x), static_cast<mpfr_srcptr>(in.y), \
                 static_cast<mpfr_srcptr>(in.z), MPFR_RNDN);                        \
        return true;                                                                \
    }
#define with_int(function)                                            \
    [](mpfr_ptr r, const Inputs& in) {                                \
        function(r, static_cast<mpfr_srcptr>(in.x), in.n, MPFR_RNDN); \
        return true;                                                  \
    }
#define whole(function)                              \
    [](mpfr_ptr r, const Inputs& in) {               \
        function(r, static_cast<mpfr_srcptr>(in.x)); \
        return true;                                 \
    }

// ---- References of our own ----

bool one_over(mpfr_ptr r, const Inputs& in) {
    mpfr_ui_div(r, 1, in.x, MPFR_RNDN);
    return true;
}

bool rsqrt(mpfr_ptr r, const Inputs& in) {
    mpfr_rec_sqrt(r, in.x, MPFR_RNDN);
    if (mpfr_zero_p(static_cast<mpfr_srcptr>(in.x)))
        mpfr_copysign(r, r, in.x, MPFR_RNDN);  // 7.5.1: rsqrt(-0) is -inf
    return true;
}

/// Unlike MPFR's, powr(1, NaN) is NaN (7.5.1).
bool powr(mpfr_ptr r, const Inputs& in) {
    if (mpfr_nan_p(static_cast<mpfr_srcptr>(in.y)))
        mpfr_set_nan(r);
    else
        mpfr_powr(r, in.x, in.y, MPFR_RNDN);
    return true;
}

bool rint(mpfr_ptr r, const Inputs& in) {
    mpfr_rint(r, in.x, MPFR_RNDN);
    return true;
}

bool log_gamma(mpfr_ptr r, const Inputs& in) {
    int sign = 0;
    mpfr_lgamma(r, &sign, in.x, MPFR_RNDN);
    return true;
}

/// Left open at the poles.
bool sign_of_gamma(mpfr_ptr r, const Inputs& in) {
    const mpfr_srcptr x = in.x;
    if (!mpfr_number_p(x) || mpfr_zero_p(x) || (mpfr_sgn(x) < 0 && mpfr_integer_p(x))) return false;
    int sign = 0;
    Number value;
    mpfr_lgamma(value, &sign, x, MPFR_RNDN);
    mpfr_set_si(r, sign, MPFR_RNDN);
    return true;
}

/// The low seven bits of the quotient with its sign (6.15.2); 0 where there is no quotient.
bool quotient_bits(mpfr_ptr r, const Inputs& in) {
    long quotient = 0;
    Number remainder;
    mpfr_remquo(remainder, &quotient, in.x, in.y, MPFR_RNDN);
    mpfr_set_si(r, mpfr_nan_p(static_cast<mpfr_srcptr>(remainder)) ? 0 : quotient & 127, MPFR_RNDN);
    return true;
}

/// min(x - floor(x), the largest number below 1) (6.15.2).
bool fract(mpfr_ptr r, const Inputs& in) {
    const mpfr_srcptr x = in.x;
    if (mpfr_inf_p(x)) {
        mpfr_set_zero(r, mpfr_sgn(x));
        return true;
    }
    Number below;
    mpfr_floor(below, x);
    mpfr_sub(r, x, below, MPFR_RNDN);
    if (mpfr_zero_p(x)) mpfr_copysign(r, r, x, MPFR_RNDN);  // 7.5.1: fract(-0) is -0
    in.format.to(below, (static_cast<uint64_t>(in.format.max_exponent - 2) << (in.format.digits - 1)) |
                            (in.format.hidden() - 1));
    if (!mpfr_nan_p(r)) mpfr_min(r, r, below, MPFR_RNDN);
    return true;
}

bool nextafter(mpfr_ptr r, const Inputs& in) {
    const Format& format = in.format;
    const uint64_t x = format.from(in.x), y = format.from(in.y);
    Number next;
    if (format.is_nan(x) || format.is_nan(y)) {
        format.to(next, format.nan());
    } else if (mpfr_equal_p(in.x, in.y)) {
        format.to(next, y);
    } else if (format.magnitude(x) == 0) {
        format.to(next, (y & format.sign()) | 1);
    } else {
        const bool away = mpfr_greater_p(in.y, in.x) == (mpfr_sgn(static_cast<mpfr_srcptr>(in.x)) > 0);
        format.to(next, away ? x + 1 : x - 1);
    }
    mpfr_set(r, next, MPFR_RNDN);
    return true;
}

bool ldexp(mpfr_ptr r, const Inputs& in) {
    mpfr_mul_2si(r, in.x, in.n, MPFR_RNDN);
    return true;
}

bool frexp(mpfr_ptr r, const Inputs& in) {
    mpfr_exp_t exponent = 0;
    mpfr_frexp(&exponent, r, in.x, MPFR_RNDN);
    return true;
}

bool frexp_exponent(mpfr_ptr r, const Inputs& in) {
    if (!mpfr_number_p(static_cast<mpfr_srcptr>(in.x))) return false;
    Number fraction;
    mpfr_exp_t exponent = 0;
    mpfr_frexp(&exponent, fraction, in.x, MPFR_RNDN);
    mpfr_set_si(r, exponent, MPFR_RNDN);
    return true;
}

/// FP_ILOGB0 is INT_MIN here and FP_ILOGBNAN INT_MAX (6.15.2); the result is converted to T.
bool ilogb(mpfr_ptr r, const Inputs& in) {
    const mpfr_srcptr x = in.x;
    mpfr_set_si(r,
                mpfr_zero_p(x)      ? std::numeric_limits<int>::min()
                : !mpfr_number_p(x) ? std::numeric_limits<int>::max()
                                    : mpfr_get_exp(x) - 1,
                MPFR_RNDN);
    Number rounded;
    in.format.to(rounded, in.format.from([&] {
        Number n;
        mpfr_set(n, r, MPFR_RNDN);
        return n;
    }()));
    mpfr_set(r, rounded, MPFR_RNDN);
    return true;
}

bool logb(mpfr_ptr r, const Inputs& in) {
    const mpfr_srcptr x = in.x;
    if (mpfr_nan_p(x))
        mpfr_set_nan(r);
    else if (mpfr_zero_p(x))
        mpfr_set_inf(r, -1);
    else if (mpfr_inf_p(x))
        mpfr_set_inf(r, 1);
    else
        mpfr_set_si(r, mpfr_get_exp(x) - 1, MPFR_RNDN);
    return true;
}

/// x where |x| > |y|, y where |y| > |x|, else fmax(x, y) (6.15.2).
bool maxmag(mpfr_ptr r, const Inputs& in) {
    const int order = mpfr_nan_p(static_cast<mpfr_srcptr>(in.x)) || mpfr_nan_p(static_cast<mpfr_srcptr>(in.y))
                          ? 0
                          : mpfr_cmpabs(in.x, in.y);
    if (order == 0)
        mpfr_max(r, in.x, in.y, MPFR_RNDN);
    else
        mpfr_set(r, order > 0 ? in.x : in.y, MPFR_RNDN);
    return true;
}

bool minmag(mpfr_ptr r, const Inputs& in) {
    const int order = mpfr_nan_p(static_cast<mpfr_srcptr>(in.x)) || mpfr_nan_p(static_cast<mpfr_srcptr>(in.y))
                          ? 0
                          : mpfr_cmpabs(in.x, in.y);
    if (order == 0)
        mpfr_min(r, in.x, in.y, MPFR_RNDN);
    else
        mpfr_set(r, order < 0 ? in.x : in.y, MPFR_RNDN);
    return true;
}

const Function kFunctions[] = {
#define ROW(name, statement, arguments, reference, f, d, h, relaxed, focus, any_zero, is_division) \
    {#name, statement, arguments, reference, f, d, h, relaxed, Focus::focus, any_zero, is_division},
#define FUNCTION(...) ROW(__VA_ARGS__, false, false)
#define ZERO_FUNCTION(...) ROW(__VA_ARGS__, true, false)
#define DIVIDE_FUNCTION(...) ROW(__VA_ARGS__, false, true)
#include "functions.def"
};

}  // namespace

std::span<const Function> functions() { return kFunctions; }

Bound Function::bound(const Format& format, bool relaxed_math, bool rounded_division) const {
    if (rounded_division && is_division && &format == &kFloat) return ulps(0.5);
    if (relaxed_math && &format == &kFloat && relaxed.ulps >= 0) return relaxed;
    const double allowed = format.bytes == 2 ? half_ulps : format.bytes == 4 ? float_ulps : double_ulps;
    return std::isinf(allowed) ? none : ulps(allowed);
}

}  // namespace caldera::accuracy
