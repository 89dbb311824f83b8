// SPDX-License-Identifier: Apache-2.0
#include "spirv/builder.h"

#include <doctest/doctest.h>

using namespace caldera::spirv;

TEST_CASE("a constant is changed part by part, or not at all") {
    Module module;
    Builder builder(module);
    const Id half = builder.type_float(16), ushort = builder.type_int(16), uint = builder.type_int(32);
    const Id uint2 = builder.with_count(uint, 2), ushort2 = builder.with_count(ushort, 2);
    const Id one = builder.constant_int(uint, 1), large = builder.constant_int(uint, 0x10000);
    const Id both[] = {one, large};
    const Id pair = builder.constant_composite(uint2, both);
    const Id zeros = builder.constant_null(uint2);
    const auto plus_one = [](uint64_t bits) { return bits + 1; };
    const auto same = [](uint64_t bits) { return bits; };
    const auto of_16_bits = [](uint64_t bits) { return bits >> 16 ? std::nullopt : std::optional(bits); };

    CHECK(builder.changed_constant(uint, one, plus_one) == builder.constant_int(uint, 2));
    const Id more[] = {builder.constant_int(uint, 2), builder.constant_int(uint, 0x10001)};
    CHECK(builder.changed_constant(uint2, pair, plus_one) == builder.constant_composite(uint2, more));
    CHECK(builder.changed_constant(uint2, zeros, plus_one) == builder.constant_splat(uint2, one));
    CHECK(builder.changed_constant(half, builder.constant_float_bits(half, 0x3c00), plus_one) ==
          builder.constant_float_bits(half, 0x3c01));
    for (const Id constant : {one, pair, zeros})
        CHECK(builder.changed_constant(builder.type_of(constant), constant, same) == constant);

    CHECK(builder.changed_constant(ushort, one, of_16_bits) == builder.constant_int(ushort, 1));
    CHECK(builder.changed_constant(ushort2, zeros, of_16_bits) == builder.constant_null(ushort2));
    CHECK(!builder.changed_constant(ushort2, pair, of_16_bits));

    const Id unknown[] = {one, builder.undef(uint)};
    const Id known[] = {one, builder.constant_null(uint)};
    CHECK(builder.changed_constant(uint2, builder.constant_composite(uint2, unknown), same) ==
          builder.constant_composite(uint2, known));
    CHECK(!builder.changed_constant(uint, builder.spec_constant_u32(0, 1), same));
    CHECK(!builder.changed_constant(uint, uint, same));
}

TEST_CASE("integers of odd widths, which other compilers' modules have") {
    Module module;
    Builder builder(module);
    const auto literal = [&](uint32_t width, uint64_t value) {
        const Id id = builder.constant_int(builder.type_int(width), value);
        std::vector<uint32_t> words;
        for (const Operand& operand : builder.find_global(id)->operands) words.push_back(operand.word);
        return words;
    };
    const auto value = [&](uint32_t width, uint64_t given) {
        return builder.constant_value(builder.constant_int(builder.type_int(width), given));
    };
    constexpr uint64_t kOnes = ~uint64_t{0}, kLarge = 0x123456789abcdef0;
    CHECK(literal(8, kOnes) == std::vector<uint32_t>{0xff});
    CHECK(literal(31, kOnes) == std::vector<uint32_t>{0x7fffffff});
    CHECK(literal(32, kLarge) == std::vector<uint32_t>{0x9abcdef0});
    CHECK(literal(33, kOnes) == std::vector<uint32_t>{0xffffffff, 1});
    CHECK(literal(40, kLarge) == std::vector<uint32_t>{0x9abcdef0, 0x78});
    CHECK(literal(64, kLarge) == std::vector<uint32_t>{0x9abcdef0, 0x12345678});
    CHECK(literal(~0u, kLarge) == std::vector<uint32_t>{0x9abcdef0, 0x12345678});
    CHECK(value(31, kOnes) == 0x7fffffffu);
    CHECK(value(40, kLarge) == 0x789abcdef0u);
    CHECK(value(64, kLarge) == kLarge);
    CHECK(!value(65, 1));
    const Id large = builder.constant_int(builder.type_int(40), kLarge);
    CHECK(builder.changed_constant(builder.type_int(40), large, [](uint64_t bits) { return bits + 1; }) ==
          builder.constant_int(builder.type_int(40), 0x789abcdef1));
}
