// SPDX-License-Identifier: Apache-2.0
#include "spirv/op_class.h"

#include <doctest/doctest.h>

#include <string_view>

#include "spirv/grammar.h"

using namespace caldera::spirv;

TEST_CASE("opcodes are of the classes that their names tell") {
    for (uint32_t number = 0; number < 1 << 16; ++number) {
        const auto op = static_cast<spv::Op>(number);
        if (!grammar(op)) continue;
        const std::string_view name = grammar(op)->name;
        CAPTURE(name);
        CHECK(is_atomic(op) == name.starts_with("OpAtomic"));
        CHECK(is_sub_group_operation(op) == name.starts_with("OpGroupNonUniform"));
        if (is_float_conversion(op)) CHECK((name == "OpFConvert" || name.starts_with("OpConvert")));
        if (is_comparison(op)) CHECK(is_float_operation(op) == (name[2] == 'F'));
        if (is_comparison(op)) CHECK(is_integer_comparison(op) == (name[2] != 'F'));
    }
    CHECK(is_comparison(spv::Op::OpIEqual));
    CHECK(is_comparison(spv::Op::OpFUnordGreaterThanEqual));
    CHECK(!is_comparison(spv::Op::OpSelect));
    CHECK(!is_comparison(spv::Op::OpShiftRightLogical));
}

TEST_CASE("comparisons mirrored twice and negated twice are themselves") {
    for (auto number = static_cast<uint32_t>(spv::Op::OpIEqual);
         number <= static_cast<uint32_t>(spv::Op::OpSLessThanEqual); ++number) {
        const auto op = static_cast<spv::Op>(number);
        CHECK(mirrored(mirrored(op)) == op);
        CHECK(negated(op) != op);
        CHECK(negated(negated(op)) == op);
        CHECK(mirrored(negated(op)) == negated(mirrored(op)));
        CHECK(as_unsigned(as_unsigned(op)) == as_unsigned(op));
    }
}
