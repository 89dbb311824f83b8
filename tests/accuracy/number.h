// SPDX-License-Identifier: Apache-2.0
// Numbers as the references compute them, and the formats of the device's.
#pragma once

#include <cstdint>
// After <cstdint>, which its functions for uintmax_t want.
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

namespace caldera::accuracy {

/// An MPFR number. The precision keeps what a double's 53 bits lose even after its error is divided by an
/// ulp.
class Number {
 public:
    Number() { mpfr_init2(value_, kPrecision); }
    explicit Number(double value) : Number() { mpfr_set_d(value_, value, MPFR_RNDN); }
    Number(const Number& other) : Number() { mpfr_set(value_, other.value_, MPFR_RNDN); }
    Number& operator=(const Number& other) {
        mpfr_set(value_, other.value_, MPFR_RNDN);
        return *this;
    }
    ~Number() { mpfr_clear(value_); }

    operator mpfr_ptr() { return value_; }
    operator mpfr_srcptr() const { return value_; }
    double rounded() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
    static constexpr mpfr_prec_t kPrecision = 200;
    mpfr_t value_ = {};
};

/// A binary format of IEEE 754. Its numbers travel as their bits.
struct Format {
    const char* type = "";  ///< in OpenCL C
    int bytes = 0;
    int digits = 0;        ///< of the significand, the hidden one included
    int max_exponent = 0;  ///< the largest finite number is just below 2^max_exponent

    int bits() const { return 8 * bytes; }
    int min_exponent() const { return 2 - max_exponent; }  ///< 2^min_exponent is the smallest normal number
    uint64_t sign() const { return uint64_t{1} << (bits() - 1); }
    uint64_t hidden() const { return uint64_t{1} << (digits - 1); }
    uint64_t infinity() const { return (sign() - 1) & ~(hidden() - 1); }
    uint64_t nan() const { return infinity() | hidden() >> 1; }
    uint64_t magnitude(uint64_t number) const { return number & (sign() - 1); }
    bool is_finite(uint64_t number) const { return magnitude(number) < infinity(); }
    bool is_nan(uint64_t number) const { return magnitude(number) > infinity(); }
    bool is_subnormal(uint64_t number) const {
        return magnitude(number) != 0 && magnitude(number) < hidden();
    }

    void to(Number& value, uint64_t number) const;
    /// Rounded, as it stands to nearest, ties to even; subnormal and infinite where it must be.
    uint64_t from(const Number& value, mpfr_rnd_t rounding = MPFR_RNDN) const;
    /// 2 to the exponent of the unit in the last place of `value` (OpenCL C 3.0 7.4), which is finite.
    int ulp_exponent(const Number& value) const;
};

inline constexpr Format kHalf = {"half", 2, 11, 16};
inline constexpr Format kFloat = {"float", 4, 24, 128};
inline constexpr Format kDouble = {"double", 8, 53, 1024};

}  // namespace caldera::accuracy
