// SPDX-License-Identifier: Apache-2.0
#include "frontend/lint/exact_number.h"

#include <doctest/doctest.h>

namespace caldera::frontend {
namespace {

TEST_CASE("a literal is exact where its digits are those of the double") {
    CHECK(is_exactly("0.5", 0.5));
    CHECK(is_exactly("00.50e0f", 0.5));
    CHECK(is_exactly(".5", 0.5));
    CHECK(is_exactly("50e-2", 0.5));
    CHECK(is_exactly("3.", 3.0));
    CHECK(is_exactly("0.0", 0.0));
    CHECK(is_exactly("0e999999999999", 0.0));
    CHECK(is_exactly("1e22", 1e22));
    CHECK(is_exactly("0.1000000000000000055511151231257827021181583404541015625", 0.1));
    CHECK(!is_exactly("0.1", 0.1));
    CHECK(!is_exactly("0.100000000000000005551115123125782702118158340454101562", 0.1));
    CHECK(!is_exactly("0.1f", static_cast<double>(0.1f)));
    CHECK(!is_exactly("1e23", 1e23));
    CHECK(!is_exactly("1e-400", 0.0));
    CHECK(!is_exactly("1e400", __builtin_inf()));
    CHECK(is_exactly("0.0000152587890625", 0x1p-16));
}

TEST_CASE("a hexadecimal literal is exact where its bits are those of the double") {
    CHECK(is_exactly("0x1p-1074", 0x1p-1074));
    CHECK(is_exactly("0X.8P+1", 1.0));
    CHECK(is_exactly("0x18p0f", 24.0));
    CHECK(is_exactly("0x1.fffffffffffffp1023", 0x1.fffffffffffffp1023));
    CHECK(is_exactly("0x0p5", 0.0));
    CHECK(!is_exactly("0x1.00000000000001p0", 1.0));
    CHECK(!is_exactly("0x1p-1075", 0.0));
}

}  // namespace
}  // namespace caldera::frontend
