// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/link/divide_long.h"

#include <doctest/doctest.h>

#include <random>

namespace caldera::vulkan {
namespace {

/// The upper half of a 128-bit product.
uint64_t mul_high(uint64_t a, uint64_t b) {
    const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffff);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

uint64_t divide(uint64_t a, const InverseMultiplier& inverse) {
    const uint64_t high = mul_high(a, inverse.multiplier);
    if (!inverse.is_65_bits) return high >> inverse.shift;
    return (((a - high) >> 1) + high) >> (inverse.shift - 1);
}

void check_quotients(uint64_t divisor, uint64_t most, std::mt19937_64& random) {
    const InverseMultiplier inverse = inverse_multiplier(divisor, most);
    auto check = [&](uint64_t a) {
        if (a <= most && divide(a, inverse) != a / divisor)
            FAIL(a << " / " << divisor << ", at most " << most << ": " << divide(a, inverse));
    };
    // The multiples of the divisor and those below them are where a quotient that is too large shows first.
    for (int i = 0; i < 50; ++i) {
        const uint64_t multiple = most / divisor - (most / divisor < 50 ? 0 : i);
        for (const uint64_t a : {multiple * divisor, multiple * divisor - 1, multiple * divisor + 1})
            check(a);
        check(most - i);
        check(random() >> random() % 64);
        check(random() % (most / divisor + 1) * divisor - 1);
    }
}

TEST_CASE("inverse_multiplier") {
    std::mt19937_64 random(1);
    auto check_both = [&](uint64_t divisor) {
        if ((divisor & (divisor - 1)) == 0) return;
        check_quotients(divisor, ~uint64_t{0}, random);
        if (divisor < uint64_t{1} << 63) check_quotients(divisor, uint64_t{1} << 63, random);
    };
    for (uint64_t divisor = 3; divisor < 5000; ++divisor) check_both(divisor);
    for (uint32_t bit = 2; bit < 64; ++bit)
        for (const uint64_t near : {1, 2, 3, 5}) {
            check_both((uint64_t{1} << bit) + near);
            check_both((uint64_t{1} << bit) - near);
        }
    for (int i = 0; i < 5000; ++i) check_both(random() >> random() % 62 | 1);
    check_both(~uint64_t{0});
    CHECK_FALSE(inverse_multiplier(5, ~uint64_t{0}).is_65_bits);
    CHECK(inverse_multiplier(7, ~uint64_t{0}).is_65_bits);
    CHECK_FALSE(inverse_multiplier(7, uint64_t{1} << 63).is_65_bits);
}

}  // namespace
}  // namespace caldera::vulkan
