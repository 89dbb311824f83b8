// SPDX-License-Identifier: Apache-2.0
#include "inputs.h"

#include <cmath>
#include <random>

namespace caldera::accuracy {
namespace {

class Sampler {
 public:
    Sampler(const Function& function, const Format& format) : function_(function), format_(format) {}

    Samples take(size_t count) {
        if (format_.bytes == 2 && std::string(function_.arguments) == "x") {
            for (uint64_t x = 0; x < 65536; ++x) add(x);
            return samples_;
        }
        corner_cases();
        while (samples_.count() < count) {
            add(any(), any(), any(), any_int());
            add(moderate(), moderate(), moderate(), small_int());
            focus();
        }
        return samples_;
    }

 private:
    void add(uint64_t x, uint64_t y = 0, uint64_t z = 0, int32_t n = 0) {
        samples_.x.push_back(x);
        samples_.y.push_back(y);
        samples_.z.push_back(z);
        samples_.n.push_back(n);
    }

    void corner_cases() {
        const std::vector<uint64_t> corners = specials();
        const int32_t ints[] = {0, 1, 2, 3, 5, 10, 127, 1023, 16777217, 2147483647};
        for (uint64_t x : corners) {
            if (function_.has('n')) {
                for (int32_t n : ints) add(x, 0, 0, n), add(x, 0, 0, -n);
                add(x, 0, 0, INT32_MIN);
            } else if (function_.has('y')) {
                for (uint64_t y : corners) add(x, y, corners[samples_.count() % corners.size()]);
            } else {
                add(x);
            }
        }
        if (!function_.has('z')) return;
        const size_t pairs = samples_.count();
        for (uint64_t z : {uint64_t{0}, format_.sign(), uint64_t{1}, format_.infinity(), format_.nan()})
            for (size_t i = 0; i < pairs; ++i) add(samples_.x[i], samples_.y[i], z);
    }

    /// Zero, the smallest, around the smallest normal, around 1, some more, the largest, infinity; their
    /// negatives; NaN. With these MPFR gives the edge cases of C99 F.9: 2.5.1F-1 to 2.5.1F-41.
    std::vector<uint64_t> specials() const {
        const uint64_t hidden = format_.hidden(), infinity = format_.infinity(), one = bits(1);
        std::vector<uint64_t> out = {
            0,         1,          hidden - 1, hidden,       hidden + 1,    one - 1,      one,
            one + 1,   bits(0.5),  bits(1.5),  bits(2),      bits(2.5),     bits(3),      bits(4),
            bits(100), bits(1000), bits(M_PI), bits(M_PI_2), bits(0.5) - 1, infinity - 1, infinity};
        for (int digits : {-1, 0, 1})  // where halves, whole numbers and odd numbers end
            out.push_back(bits(std::ldexp(1, format_.digits + digits - 1)) + 1);
        for (size_t i = out.size(); i-- > 0;) out.push_back(out[i] | format_.sign());
        out.push_back(format_.nan());
        return out;
    }

    void focus() {
        switch (function_.focus) {
            case Focus::None: add(any(), any()); return;
            case Focus::QuarterTurns: return add_number(M_PI_2 * whole(), true);
            case Focus::Halves: return add_number(0.5 * whole(), true);
            case Focus::NearOne:
                return add_number(sign() * (1 + sign() * std::exp2(between(-format_.digits, 0))), false);
            case Focus::Exponents: {
                const double base = std::vector<double>{1, M_LN2, M_LN2 / M_LN10}[random_() % 3];
                return add_number(format_.max_exponent * base * between(-1.2, 1.1), false);
            }
            case Focus::Gamma:
                return add_number(between(-1, 1) * (random_() % 2        ? 12
                                                    : format_.bytes == 8 ? 190
                                                                         : 45),
                                  true);
            case Focus::Powers: return powers();
            case Focus::Quotients: return quotients();
            case Focus::Magnitudes: return magnitudes();
            case Focus::Scales:
                return add(random_() % 2 ? any() : moderate(), 0, 0,
                           static_cast<int32_t>(between(-2.2, 2.2) * format_.max_exponent));
            case Focus::Roots:
                return add(random_() % 2 ? any() : bits(between(-4, 4)), 0, 0,
                           static_cast<int32_t>(between(-20, 20) * (random_() % 2 ? 1 : 20)));
            case Focus::Sums: return sums();
        }
    }

    void powers() {
        const double x =
            random_() % 2 ? 1 + sign() * std::exp2(between(-format_.digits, 0)) : std::exp2(between(-20, 20));
        // y is such that the result nearly overflows or vanishes, or any smaller number.
        const double limit = random_() % 2 ? format_.max_exponent : -format_.max_exponent - format_.digits;
        const double log = std::log2(x) == 0 ? 1 : std::log2(x);
        const double y = (random_() % 2 ? between(0.98, 1.01) : between(-1, 1)) * limit / log;
        const bool negative = random_() % 4 == 0;
        add(bits(negative ? -x : x), bits(negative ? std::trunc(y) : y));
    }
    void quotients() {
        const double y = moderate_number(), times = std::trunc(std::exp2(between(0, 12)) * 2) / 2;
        add(bits(y * times) + random_() % 5 - 2, bits(y) | (random_() % 2 ? format_.sign() : 0));
    }
    void magnitudes() {
        const uint64_t x = random_() % 2 ? any() : moderate();
        const uint64_t distance =
            random_() >> (64 - random_() % static_cast<uint64_t>(format_.digits + 3) - 1);
        add(x, (random_() % 2 ? x + distance : x - distance) ^ (random_() % 2 ? format_.sign() : 0));
    }
    void sums() {
        const int lowest = format_.min_exponent() - format_.digits;
        const bool vanishing = random_() % 3 == 0;
        const double x =
            sign() * std::exp2(vanishing ? between(lowest / 2, lowest / 2 + 30) : between(-8, 8));
        const double y =
            sign() * std::exp2(vanishing ? between(lowest / 2, lowest / 2 + 30) : between(-8, 8));
        const uint64_t a = bits(x), b = bits(y);
        Number p, q;
        format_.to(p, a);
        format_.to(q, b);
        mpfr_mul(p, p, q, MPFR_RNDN);
        uint64_t z = 0;
        switch (random_() % 3) {
            case 0: z = (format_.from(p) ^ format_.sign()) + random_() % 5 - 2; break;  // cancels
            case 1:  // the product is about half an ulp of the sum
                mpfr_mul_2si(p, p, format_.digits, MPFR_RNDN);
                z = (format_.from(p) ^ (random_() % 2 ? format_.sign() : 0)) &
                    ~uint64_t{random_() % 2 ? 15u : 0u};
                break;
            default: z = random_() % 2 ? moderate() : any();
        }
        add(a, b, z);
    }

    /// The number nearest to `value` or, where asked for, one some steps away.
    void add_number(double value, bool around) {
        const uint64_t number = bits(value);
        const uint64_t other = number + (around ? random_() % 5 - 2 : 0);
        add(format_.magnitude(other) <= format_.infinity() ? other : number);
    }

    uint64_t any() { return format_.bytes == 8 ? random_() : random_() >> (64 - format_.bits()); }
    double moderate_number() { return sign() * std::exp2(between(-12, 12)); }
    uint64_t moderate() { return bits(moderate_number()); }
    int32_t any_int() { return static_cast<int32_t>(random_()); }
    int32_t small_int() { return static_cast<int32_t>(random_() % 64) - 32; }
    double between(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
    double sign() { return random_() % 2 ? 1 : -1; }
    /// A whole number of any size that the format has.
    double whole() {
        return sign() *
               std::rint(std::exp2(between(0, random_() % 2 ? 10 : std::min(format_.max_exponent - 1, 60))));
    }
    uint64_t bits(double value) const { return format_.from(Number(value)); }

    const Function& function_;
    const Format& format_;
    Samples samples_ = {};
    std::mt19937_64 random_{1};
};

}  // namespace

Samples sample(const Function& function, const Format& format, size_t count) {
    return Sampler(function, format).take(count);
}

}  // namespace caldera::accuracy
