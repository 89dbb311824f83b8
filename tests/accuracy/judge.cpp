// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include <cmath>
#include <limits>
#include <vector>

namespace caldera::accuracy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// |got - exact| in units of 2^exponent. An infinite result counts as the power of two after the largest
/// number.
double distance(const Format& format, uint64_t got, const Number& exact, int exponent) {
    Number difference, target = exact, limit(1);
    mpfr_mul_2si(limit, limit, format.max_exponent, MPFR_RNDN);
    if (format.magnitude(got) == format.infinity())
        mpfr_setsign(difference, limit, (got & format.sign()) != 0, MPFR_RNDN);
    else
        format.to(difference, got);
    if (mpfr_cmpabs(target, limit) > 0)
        mpfr_setsign(target, limit, mpfr_signbit(static_cast<mpfr_srcptr>(exact)), MPFR_RNDN);
    mpfr_sub(difference, difference, target, MPFR_RNDN);
    mpfr_abs(difference, difference, MPFR_RNDN);
    mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
    return difference.rounded();
}

/// The error where one side is not an ordinary number: none, or an infinite one.
double class_error(const Format& format, uint64_t got, const Number& exact, bool any_zero) {
    if (mpfr_nan_p(static_cast<mpfr_srcptr>(exact))) return format.is_nan(got) ? 0 : kInfinity;
    if (format.is_nan(got)) return kInfinity;
    const bool same_sign =
        ((got & format.sign()) != 0) == (mpfr_signbit(static_cast<mpfr_srcptr>(exact)) != 0);
    if (mpfr_inf_p(static_cast<mpfr_srcptr>(exact)))
        return format.magnitude(got) == format.infinity() && same_sign ? 0 : kInfinity;
    return format.magnitude(got) == 0 && (same_sign || any_zero) ? 0 : kInfinity;
}

/// The verdict for one interpretation of the inputs, as they are or with subnormal numbers flushed.
Verdict judge_reading(const Function& function, const Inputs& inputs, uint64_t got, const Bound& bound,
                      Subnormals subnormals) {
    const Format& format = inputs.format;
    Verdict verdict;
    if (!function.reference(verdict.exact, inputs)) return verdict;
    const mpfr_srcptr exact = verdict.exact, x = inputs.x;
    const double size = mpfr_number_p(x) ? std::fabs(inputs.x.rounded()) : 0;
    int unit = mpfr_regular_p(exact) ? format.ulp_exponent(verdict.exact) : 0;
    verdict.allowed = bound.ulps;
    if (bound.kind == Bound::Kind::None) verdict.allowed = kInfinity;
    if (bound.kind == Bound::Kind::Exp) verdict.allowed += std::floor(2 * size);
    const bool is_absolute =
        bound.kind == Bound::Kind::Absolute || (bound.kind == Bound::Kind::Log && size >= 0.5 && size <= 2);
    if (is_absolute) {
        unit = bound.exponent;
        verdict.allowed = bound.limit != 0 && size > bound.limit ? kInfinity : 1;
    }
    const bool ordinary = mpfr_regular_p(exact) || (is_absolute && mpfr_number_p(exact));
    if (!ordinary || format.is_nan(got)) {
        verdict.error = class_error(format, got, verdict.exact, function.any_zero);
        // An exact zero from a product or sum of which a part was flushed is found by the other readings.
        return verdict;
    }
    verdict.error = distance(format, got, verdict.exact, unit);
    // A subnormal result may be flushed, and so may one that is no further from the exact one than is
    // allowed.
    if (subnormals == Subnormals::MayFlush && format.magnitude(got) == 0 && !is_absolute) {
        Number smallest(1);
        mpfr_mul_2si(smallest, smallest, format.min_exponent(), MPFR_RNDN);
        Number least;
        mpfr_abs(least, exact, MPFR_RNDN);
        Number slack(std::isinf(verdict.allowed) ? 0 : verdict.allowed);
        mpfr_mul_2si(slack, slack, unit, MPFR_RNDN);
        mpfr_sub(least, least, slack, MPFR_RNDN);
        if (mpfr_less_p(least, smallest)) verdict.error = 0;
    }
    return verdict;
}

}  // namespace

Verdict judge(const Function& function, const Inputs& inputs, uint64_t got, const Bound& bound,
              Subnormals subnormals) {
    Verdict best = judge_reading(function, inputs, got, bound, subnormals);
    if (subnormals == Subnormals::Kept || !best.is_bad()) return best;
    // Each subnormal argument may be read as a zero, of either sign: 2.5.3-1, 2.5.3-2.
    std::vector<Number Inputs::*> flushed;
    for (Number Inputs::*argument : {&Inputs::x, &Inputs::y, &Inputs::z})
        if (inputs.format.is_subnormal(inputs.format.from(inputs.*argument))) flushed.push_back(argument);
    for (uint32_t choice = 1; choice < 1u << (2 * flushed.size()); ++choice) {
        Inputs reading = inputs;
        for (size_t i = 0; i < flushed.size(); ++i)
            if (const uint32_t how = choice >> (2 * i) & 3; how != 0)
                mpfr_set_zero(reading.*flushed[i], how == 1 ? 1 : -1);
        const Verdict verdict = judge_reading(function, reading, got, bound, subnormals);
        if (!(verdict.error - verdict.allowed >= best.error - best.allowed)) best = verdict;
        if (!best.is_bad()) break;
    }
    return best;
}

}  // namespace caldera::accuracy
