// SPDX-License-Identifier: Apache-2.0
// The judge's arithmetic beside MPFR's: each operation of half, float and double, and each conversion, on
// random numbers and those at the edges.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "evaluate.h"
#include "tests/accuracy/scalar_type.h"

namespace caldera::float_order {
namespace {

using accuracy::Format;
using accuracy::Number;

const Format& format_of(Kind kind) {
    return kind == Kind::Half ? accuracy::kHalf : kind == Kind::Float ? accuracy::kFloat : accuracy::kDouble;
}

/// Sums of halves and doubles may be more digits apart than accuracy::Number has.
class Wide {
 public:
    Wide(Kind kind, uint64_t bits) {
        mpfr_init2(value_, kDigits);
        Number number;
        format_of(kind).to(number, bits);
        mpfr_set(value_, mpfr_srcptr(number), MPFR_RNDN);
    }
    ~Wide() { mpfr_clear(value_); }
    Wide(const Wide&) = delete;
    Wide& operator=(const Wide&) = delete;
    operator mpfr_ptr() { return value_; }

    /// By way of fewer digits, the last of which is odd where others are lost: that is rounding once.
    uint64_t rounded(Kind kind) {
        Number number;
        const bool is_inexact = mpfr_set(number, value_, MPFR_RNDZ) != 0;
        if (is_inexact && mpfr_min_prec(mpfr_srcptr(number)) < mpfr_get_prec(mpfr_srcptr(number))) {
            if (mpfr_signbit(mpfr_srcptr(number)))
                mpfr_nextbelow(number);
            else
                mpfr_nextabove(number);
        }
        return format_of(kind).from(number);
    }

 private:
    static constexpr mpfr_prec_t kDigits = 4400;
    mpfr_t value_ = {};
};

class Check {
 public:
    bool run(uint64_t count) {
        for (const Kind kind : {Kind::Half, Kind::Float, Kind::Double}) {
            for (uint64_t i = 0; i < count; ++i) operations(kind);
            roundings(kind);
        }
        for (const KindInfo& from : kKinds)
            for (const KindInfo& to : kKinds)
                conversions(static_cast<Kind>(&from - kKinds), static_cast<Kind>(&to - kKinds), count / 8);
        std::printf("%llu results, %llu differ from MPFR's\n", static_cast<unsigned long long>(tried_),
                    static_cast<unsigned long long>(wrong_));
        return wrong_ == 0;
    }

 private:
    uint64_t number(Kind kind) {
        const std::vector<uint64_t>& table = tables().at(kind);
        if (random_() % 3 != 0) return table[random_() % table.size()];
        return random_() & info(kind).mask();
    }

    void expect(const char* what, Kind kind, uint64_t got, uint64_t right, uint64_t a, uint64_t b,
                uint64_t c) {
        ++tried_;
        if (got == right || (info(kind).is_nan(got) && info(kind).is_nan(right))) return;
        if (++wrong_ > 20) return;
        std::printf("%s of %s %llx %llx %llx: %llx, not %llx\n", what, info(kind).name,
                    static_cast<unsigned long long>(a), static_cast<unsigned long long>(b),
                    static_cast<unsigned long long>(c), static_cast<unsigned long long>(got),
                    static_cast<unsigned long long>(right));
    }

    void operations(Kind kind) {
        const uint64_t a = number(kind), c = number(kind);
        // A number near another, and a sum that nearly cancels.
        const uint64_t b = random_() % 8 == 0 ? a ^ (random_() % 3) : number(kind);
        const uint64_t d = random_() % 4 == 0 ? negate(kind, multiply(kind, a, b)) ^ (random_() % 2) : c;
        const auto expect_of = [&](const char* what, uint64_t got, auto compute) {
            Wide x(kind, a), y(kind, b), z(kind, d);
            compute(mpfr_ptr(x), mpfr_ptr(y), mpfr_ptr(z));
            expect(what, kind, got, x.rounded(kind), a, b, d);
        };
        expect_of("+", add(kind, a, b),
                  [](mpfr_ptr x, mpfr_ptr y, mpfr_ptr) { mpfr_add(x, x, y, MPFR_RNDN); });
        expect_of("-", subtract(kind, a, b),
                  [](mpfr_ptr x, mpfr_ptr y, mpfr_ptr) { mpfr_sub(x, x, y, MPFR_RNDN); });
        expect_of("*", multiply(kind, a, b),
                  [](mpfr_ptr x, mpfr_ptr y, mpfr_ptr) { mpfr_mul(x, x, y, MPFR_RNDN); });
        expect_of("/", divide(kind, a, b),
                  [](mpfr_ptr x, mpfr_ptr y, mpfr_ptr) { mpfr_div(x, x, y, MPFR_RNDN); });
        expect_of("sqrt", square_root(kind, a),
                  [](mpfr_ptr x, mpfr_ptr, mpfr_ptr) { mpfr_sqrt(x, x, MPFR_RNDN); });
        expect_of("fma", fused(kind, a, b, d),
                  [](mpfr_ptr x, mpfr_ptr y, mpfr_ptr z) { mpfr_fma(x, x, y, z, MPFR_RNDN); });
    }

    void roundings(Kind kind) {
        constexpr mpfr_rnd_t kModes[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU, MPFR_RNDNA};
        for (const uint64_t a : tables().at(kind))
            for (int mode = 0; mode < 5; ++mode) {
                Wide x(kind, a);
                if (kModes[mode] == MPFR_RNDNA)
                    mpfr_round(x, x);
                else
                    mpfr_rint(x, x, kModes[mode]);
                expect("rounding", kind, to_integral(kind, static_cast<Integral>(mode), a), x.rounded(kind),
                       a, static_cast<uint64_t>(mode), 0);
            }
    }

    void conversions(Kind from, Kind to, uint64_t count) {
        const accuracy::ScalarType &source = accuracy::kScalarTypes[static_cast<int>(from)],
                                   &target = accuracy::kScalarTypes[static_cast<int>(to)];
        const accuracy::ScalarType targets[] = {target};
        for (const uint64_t number : accuracy::numbers_of(source, targets, static_cast<uint32_t>(count)))
            for (const bool saturated : {false, true})
                for (int rounding = 0; rounding < 5; ++rounding) {
                    if (saturated && target.format) continue;
                    const auto got = convert(from, number, to, static_cast<Rounding>(rounding), saturated);
                    const auto right =
                        accuracy::convert(source, number, target, accuracy::kRoundings[rounding], saturated);
                    const uint64_t neither = 0xdead;
                    expect("conversion", to, got.value_or(neither), right.value_or(neither),
                           static_cast<uint64_t>(from), number, static_cast<uint64_t>(rounding));
                }
    }

    std::mt19937_64 random_ = std::mt19937_64(1);
    uint64_t tried_ = 0, wrong_ = 0;
};

}  // namespace
}  // namespace caldera::float_order

int main(int argc, char** argv) {
    const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
    return caldera::float_order::Check().run(count) ? 0 : 1;
}
