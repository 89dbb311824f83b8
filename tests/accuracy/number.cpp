// SPDX-License-Identifier: Apache-2.0
#include "number.h"

#include <algorithm>

namespace caldera::accuracy {

void Format::to(Number& value, uint64_t number) const {
    const uint64_t size = magnitude(number);
    if (size > infinity()) {
        mpfr_set_nan(value);
    } else if (size == infinity()) {
        mpfr_set_inf(value, 1);
    } else if (size == 0) {
        mpfr_set_zero(value, 1);
    } else {
        const uint64_t exponent = size >> (digits - 1), fraction = size & (hidden() - 1);
        const uint64_t significand = exponent == 0 ? fraction : fraction | hidden();
        const long unit =
            static_cast<long>(std::max<uint64_t>(exponent, 1)) - 1 + min_exponent() - (digits - 1);
        mpfr_set_uj_2exp(value, significand, unit, MPFR_RNDN);
    }
    mpfr_setsign(value, value, (number & sign()) != 0, MPFR_RNDN);
}

uint64_t Format::from(const Number& value, mpfr_rnd_t rounding) const {
    if (mpfr_nan_p(value)) return nan();
    const uint64_t signed_zero = mpfr_signbit(value) ? sign() : 0;
    if (mpfr_zero_p(value)) return signed_zero;
    if (mpfr_inf_p(value)) return signed_zero | infinity();
    const bool is_inward = rounding == MPFR_RNDZ || rounding == (mpfr_signbit(value) ? MPFR_RNDU : MPFR_RNDD);
    const uint64_t largest = is_inward ? infinity() - 1 : infinity();
    if (mpfr_get_exp(mpfr_srcptr(value)) > max_exponent) return signed_zero | largest;
    Number significand = value;
    const int unit = ulp_exponent(value);
    mpfr_mul_2si(significand, significand, -unit, MPFR_RNDN);
    mpfr_rint(significand, significand, rounding);
    mpfr_abs(significand, significand, MPFR_RNDN);
    // The hidden bit adds one to the exponent, and so does a significand that is rounded up to the next power
    // of two.
    const uint64_t exponent = static_cast<uint64_t>(unit - (min_exponent() - (digits - 1)));
    const uint64_t number = (exponent << (digits - 1)) + mpfr_get_uj(significand, MPFR_RNDN);
    return signed_zero | std::min(number, largest);
}

int Format::ulp_exponent(const Number& value) const {
    // MPFR's significands are below 1.
    const long exponent = mpfr_zero_p(value) ? min_exponent() : mpfr_get_exp(value) - 1;
    return static_cast<int>(std::clamp<long>(exponent, min_exponent(), max_exponent - 1)) - (digits - 1);
}

}  // namespace caldera::accuracy
