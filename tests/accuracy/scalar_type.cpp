// SPDX-License-Identifier: Apache-2.0
#include "scalar_type.h"

#include <algorithm>
#include <random>

namespace caldera::accuracy {
namespace {

std::optional<uint64_t> to_integer(const Number& value, const ScalarType& to, mpfr_rnd_t rounding,
                                   bool saturated) {
    if (mpfr_nan_p(value)) return saturated ? std::optional<uint64_t>(0) : std::nullopt;
    Number whole;
    mpfr_rint(whole, value, rounding);
    const bool is_below =
        to.is_signed ? mpfr_cmp_si_2exp(whole, -1, to.bits() - 1) < 0 : mpfr_sgn(mpfr_srcptr(whole)) < 0;
    const bool is_above = mpfr_cmp_ui_2exp(whole, 1, to.digits()) >= 0;
    if ((is_below || is_above) && !saturated) return std::nullopt;
    if (is_below) return to.least();
    if (is_above) return to.largest();
    const uint64_t integer =
        to.is_signed ? static_cast<uint64_t>(mpfr_get_sj(whole, MPFR_RNDN)) : mpfr_get_uj(whole, MPFR_RNDN);
    return integer & to.mask();
}

/// Adds significands of `digits` bits, the highest one set: some multiples of 2^dropped, the middles between
/// them, and what is beside those.
void add_significands(std::vector<uint64_t>& out, int digits, int dropped) {
    const uint64_t top = uint64_t{1} << (digits - 1), all = top | (top - 1);
    const uint64_t unit = uint64_t{1} << dropped, middle = unit >> 1;
    for (const uint64_t kept : {top, top + unit, top + 2 * unit, all & ~(unit - 1)})
        for (const uint64_t rest : {uint64_t{0}, uint64_t{1}, middle - 1, middle, middle + 1, unit - 1})
            out.push_back(((kept + rest) & all) | top);
}

/// The significands worth trying of numbers from 2^exponent to 2^(exponent + 1).
std::vector<uint64_t> significands(int digits, int exponent, std::span<const ScalarType> to) {
    std::vector<uint64_t> out;
    if (digits > 1) add_significands(out, digits, 1);
    const auto add = [&](int least_kept) {  // an exponent
        const int dropped = least_kept - (exponent - (digits - 1));
        if (dropped > 1 && dropped <= digits && dropped < 64) add_significands(out, digits, dropped);
    };
    add(0);
    for (const ScalarType& type : to)
        if (type.format && exponent <= type.format->max_exponent)
            add(std::max(exponent, type.format->min_exponent()) - (type.format->digits - 1));
    return out;
}

std::vector<uint64_t> integers(const ScalarType& from, std::span<const ScalarType> to) {
    std::vector<uint64_t> out = {0, from.largest(), from.least()};
    for (int exponent = 0; exponent < from.digits(); ++exponent)
        for (const uint64_t number : significands(exponent + 1, exponent, to))
            for (const uint64_t near : {number - 1, number, number + 1})
                out.insert(out.end(), {near & from.mask(), (0 - near) & from.mask()});
    return out;
}

std::vector<uint64_t> floats(const Format& format, std::span<const ScalarType> to) {
    std::vector<uint64_t> out = {0, 1, 2, 3, format.infinity(), format.nan(), format.infinity() - 1};
    const uint64_t exponents = format.infinity() >> (format.digits - 1);
    for (uint64_t biased = 1; biased < exponents; ++biased)
        for (const uint64_t number :
             significands(format.digits, static_cast<int>(biased) - (format.max_exponent - 1), to))
            out.push_back(biased << (format.digits - 1) | (number & (format.hidden() - 1)));
    for (int bit = 0; bit < format.digits - 1; ++bit)  // subnormal
        for (const uint64_t number : {uint64_t{1} << bit, (uint64_t{2} << bit) - 1}) out.push_back(number);
    const size_t positive = out.size();
    for (size_t i = 0; i < positive; ++i) out.push_back(out[i] | format.sign());
    return out;
}

}  // namespace

int64_t ScalarType::sign_extended(uint64_t number) const {
    return static_cast<int64_t>(number << (64 - bits())) >> (64 - bits());
}

void ScalarType::to(Number& value, uint64_t number) const {
    if (format)
        format->to(value, number);
    else if (is_signed)
        mpfr_set_sj(value, sign_extended(number), MPFR_RNDN);
    else
        mpfr_set_uj(value, number, MPFR_RNDN);
}

std::optional<uint64_t> convert(const ScalarType& from, uint64_t number, const ScalarType& to,
                                const Rounding& rounding, bool saturated) {
    if (!from.format && !to.format && !saturated)  // modulo
        return (from.is_signed ? static_cast<uint64_t>(from.sign_extended(number)) : number) & to.mask();
    Number value;
    from.to(value, number);
    if (to.format) return to.format->from(value, rounding.to_float);
    return to_integer(value, to, rounding.to_integer, saturated);
}

bool rounds(const ScalarType& from, const ScalarType& to) {
    if (!to.format) return from.format != nullptr;
    return from.digits() > to.digits() || (!from.format && from.digits() > to.format->max_exponent);
}

std::vector<uint64_t> numbers_of(const ScalarType& from, std::span<const ScalarType> to, uint32_t random) {
    std::vector<uint64_t> out;
    if (from.bytes <= 2) {
        for (uint64_t number = 0; number <= from.mask(); ++number) out.push_back(number);
        return out;
    }
    out = from.format ? floats(*from.format, to) : integers(from, to);
    std::ranges::sort(out);
    out.erase(std::ranges::unique(out).begin(), out.end());
    std::mt19937_64 generator(1);
    for (uint32_t i = 0; i < random; ++i) {
        const uint64_t number = generator();
        if (!from.format) {
            out.push_back((number & from.mask()) >> (generator() % static_cast<uint64_t>(from.bits())));
            continue;
        }
        // Half of them where integers are.
        const Format& format = *from.format;
        const uint64_t biased = static_cast<uint64_t>(format.max_exponent) - 5 + generator() % 72;
        const uint64_t integral = (number & ~format.infinity()) | biased << (format.digits - 1);
        out.push_back((i % 2 ? integral : number) & from.mask());
    }
    return out;
}

}  // namespace caldera::accuracy
