// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

PassRun narrowed(std::string_view body, std::string_view decorations = "") {
    return run_passes(std::string(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %out "out"
)") + std::string(decorations) +
                          R"(
%void = OpTypeVoid
%byte = OpTypeInt 8 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%ten = OpConstant %long 10
%one = OpConstant %int 1
%big = OpConstant %long 0x100000007
%global = OpTypePointer CrossWorkgroup %int
%longs = OpTypePointer CrossWorkgroup %long
%chars = OpTypePointer CrossWorkgroup %byte
%fn = OpTypeFunction %void %global %longs %int %byte %chars
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%wide = OpFunctionParameter %longs
%n = OpFunctionParameter %int
%b = OpFunctionParameter %byte
%bytes = OpFunctionParameter %chars
%entry = OpLabel
%base = OpLoad %long %wide Aligned 8
%id = OpUConvert %long %n
)" + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                      {narrow_integers});
}

}  // namespace

TEST_CASE("narrow_integers: a sum that is truncated has 32 bits") {
    const PassRun run = narrowed(R"(
%sum = OpIAdd %long %base %id
%scaled = OpIMul %long %sum %big
%moved = OpShiftLeftLogical %long %scaled %ten
%low = OpUConvert %int %moved
OpStore %out %low Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIAdd %uint"));
    CHECK(contains(run.text, "%uint_7 = OpConstant %uint 7"));
    CHECK(contains(run.text, "OpShiftLeftLogical %uint"));
    CHECK_FALSE(contains(run.text, "OpIAdd %ulong"));
    CHECK_FALSE(contains(run.text, "OpUConvert %ulong"));  // of %id nothing is left but its operand
}

TEST_CASE("narrow_integers: a use of which nothing is used does not count") {
    const PassRun run = narrowed(R"(
%sum = OpIAdd %long %base %id
%scaled = OpIMul %long %sum %ten
%more = OpIAdd %long %scaled %id
%low = OpUConvert %int %sum
OpStore %out %low Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIAdd %uint"));
    CHECK_FALSE(contains(run.text, "OpIAdd %ulong"));
    CHECK_FALSE(contains(run.text, "OpIMul"));
}

TEST_CASE("narrow_integers: a sum that is also used whole stays") {
    const PassRun run = narrowed(R"(
%sum = OpIAdd %long %base %id
%low = OpUConvert %int %sum
OpStore %out %low Aligned 4
OpStore %wide %sum Aligned 8
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIAdd %ulong"));
}

TEST_CASE("narrow_integers: upper bits that matter stay") {
    const PassRun run = narrowed(R"(
%sum = OpIAdd %long %base %id
%high = OpShiftRightLogical %long %sum %ten
%low = OpUConvert %int %high
OpStore %out %low Aligned 4
%quotient = OpUDiv %long %base %ten
%low2 = OpUConvert %int %quotient
OpStore %out %low2 Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIAdd %ulong"));
    CHECK(contains(run.text, "OpShiftRightLogical %ulong"));
    CHECK(contains(run.text, "OpUDiv %ulong"));
}

TEST_CASE("narrow_integers: sign extension of a byte, and truncation to one") {
    const PassRun run = narrowed(R"(
%extended = OpSConvert %long %b
%sum = OpIAdd %long %extended %id
%low = OpUConvert %int %sum
OpStore %out %low Aligned 4
%product = OpIMul %long %base %extended
%lowest = OpUConvert %byte %product
%back = OpSConvert %int %lowest
OpStore %out %back Aligned 4
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpSConvert %uint %"));
    CHECK(contains(run.text, "OpIMul %uint"));
    CHECK(contains(run.text, "OpUConvert %uchar"));
    CHECK_FALSE(contains(run.text, "OpSConvert %ulong"));
}

TEST_CASE("narrow_integers: a chain of truncated sums has the width of what it is made of") {
    constexpr std::string_view kChain = R"(
%wide1 = OpSConvert %int %b
%product = OpIMul %int %wide1 %wide1
%sum1 = OpIAdd %int %product %one
%byte1 = OpUConvert %byte %sum1
%wide2 = OpSConvert %int %byte1
%sum2 = OpISub %int %wide2 %wide1
%byte2 = OpUConvert %byte %sum2
)";
    const PassRun run = narrowed(std::string(kChain) + "OpStore %bytes %byte2 Aligned 1\n");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIMul %uchar"));
    CHECK(contains(run.text, "OpISub %uchar"));
    CHECK_FALSE(contains(run.text, "OpSConvert"));

    // An index extends it again; a number has more bits; the quotient depends on all bits.
    for (const std::string_view other : {R"(
%wide3 = OpUConvert %int %byte2
OpStore %out %wide3 Aligned 4
)",
                                         R"(
%wide3 = OpSConvert %int %byte2
%sum3 = OpIAdd %int %wide3 %n
%byte3 = OpUConvert %byte %sum3
OpStore %bytes %byte3 Aligned 1
)",
                                         R"(
%wide3 = OpSConvert %int %byte2
%quotient = OpSDiv %int %wide3 %wide1
%byte3 = OpUConvert %byte %quotient
OpStore %bytes %byte3 Aligned 1
)"}) {
        const PassRun kept = narrowed(std::string(kChain) + std::string(other));
        REQUIRE(kept.error == "");
        CHECK(contains(kept.text, "OpISub %uint"));
    }
}

TEST_CASE("narrow_integers: what does not wrap in 32 bits may wrap in 8") {
    const PassRun run = narrowed(R"(
%wide1 = OpSConvert %int %b
%sum1 = OpIAdd %int %wide1 %wide1
%byte1 = OpUConvert %byte %sum1
OpStore %bytes %byte1 Aligned 1
)",
                                 "OpDecorate %sum1 NoSignedWrap");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpIAdd %uchar"));
    CHECK_FALSE(contains(run.text, "NoSignedWrap"));
}
