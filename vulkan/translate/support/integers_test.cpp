// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/integers.h"

#include <doctest/doctest.h>

using namespace caldera::vulkan;
using enum spv::Op;

TEST_CASE("integer_result: integers of any width wrap, and are signed where the instruction is") {
    CHECK(integer_result(OpIAdd, 0xff, 2, 8) == 1);
    CHECK(integer_result(OpISub, 1, 2, 16) == 0xffff);
    CHECK(integer_result(OpIMul, 200, 2, 8) == 144);
    CHECK(integer_result(OpShiftLeftLogical, 0x81, 1, 8) == 2);
    CHECK(integer_result(OpShiftRightLogical, 0x80, 3, 8) == 0x10);
    CHECK(integer_result(OpShiftRightArithmetic, 0x80, 3, 8) == 0xf0);
    CHECK(integer_result(OpULessThan, 0xff, 1, 8) == 0);
    CHECK(integer_result(OpSLessThan, 0xff, 1, 8) == 1);
    CHECK(integer_result(OpSLessThan, ~uint64_t{0}, 1, 64) == 1);
}

TEST_CASE("integer_result: a remainder has the sign of the dividend, a modulus that of the divisor") {
    const uint64_t minus_seven = 0xfff9, minus_two = 0xfffe;
    CHECK(integer_result(OpSDiv, minus_seven, 2, 16) == 0xfffd);
    CHECK(integer_result(OpSRem, minus_seven, 2, 16) == 0xffff);
    CHECK(integer_result(OpSMod, minus_seven, 2, 16) == 1);
    CHECK(integer_result(OpSMod, 7, minus_two, 16) == 0xffff);
    CHECK(integer_result(OpSMod, 6, minus_two, 16) == 0);
    CHECK(integer_result(OpUMod, minus_seven, minus_two, 16) == minus_seven);
}

TEST_CASE("integer_result: the least integer divided by -1 is itself, and nothing remains") {
    for (const uint32_t width : {8u, 16u, 32u, 64u}) {
        const uint64_t least = uint64_t{1} << (width - 1), minus_one = 2 * least - 1;
        CHECK(integer_result(OpSDiv, least, minus_one, width) == least);
        for (const spv::Op op : {OpSRem, OpSMod}) CHECK(integer_result(op, least, minus_one, width) == 0);
        CHECK(integer_result(OpSDiv, least + 1, minus_one, width) == least - 1);
        CHECK(integer_result(OpUDiv, least, minus_one, width) == 0);
    }
}

TEST_CASE("integer_result: nothing where SPIR-V defines nothing") {
    for (const spv::Op op : {OpUDiv, OpUMod, OpSDiv, OpSRem, OpSMod}) CHECK(!integer_result(op, 1, 0, 32));
    for (const spv::Op op : {OpShiftLeftLogical, OpShiftRightLogical, OpShiftRightArithmetic}) {
        CHECK(!integer_result(op, 1, 16, 16));
        CHECK(integer_result(op, 0, 15, 16) == 0);
    }
    CHECK(!integer_result(OpFAdd, 1, 1, 32));
}
