// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int16
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %x "x"
OpName %y "y"
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%char4 = OpTypeVector %uchar 4
%minus1 = OpConstant %ushort 65535
%fn = OpTypeFunction %void %ushort %ushort %uchar %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %ushort
%y = OpFunctionParameter %ushort
%c = OpFunctionParameter %uchar
%w = OpFunctionParameter %uint
%entry = OpLabel
)";

std::string lowered(std::string_view body, bool has_int16 = false, bool has_int8 = false) {
    TranslateOptions options;
    options.profile.int16 = has_int16;
    options.profile.int8 = has_int8;
    const std::string text = run_in_kernel(kHead, body, lower_narrow_ints, options);
    for (const char* type : {"OpTypeInt 8", "OpTypeInt 16"})
        CHECK(contains(text, type) == (has_int16 && has_int8));
    return text;
}

}  // namespace

TEST_CASE("lower_narrow_ints: a device that has them keeps them, one that lacks either has neither") {
    CHECK(contains(lowered("%s = OpIAdd %ushort %x %y\n", true, true), "OpIAdd %ushort %x %y"));
    CHECK(contains(lowered("%s = OpIAdd %ushort %x %y\n", true, false), "OpIAdd %uint %x %y"));
    CHECK(contains(lowered("%s = OpIAdd %ushort %x %y\n", false, true), "OpIAdd %uint %x %y"));
}

TEST_CASE("lower_narrow_ints: what may set upper bits is masked, what cannot is not") {
    const std::string sum = lowered("%s = OpIAdd %ushort %x %y\n");
    CHECK(contains(sum, "OpBitwiseAnd %uint"));
    CHECK(contains(sum, "%uint_65535"));
    CHECK(!contains(lowered("%q = OpUDiv %ushort %x %y\n"), "OpBitwiseAnd"));
    CHECK(!contains(lowered("%l = OpULessThan %bool %x %y\n"), "OpBitwiseAnd"));
}

TEST_CASE("lower_narrow_ints: what looks at the sign has it extended") {
    for (const char* body : {"%l = OpSLessThan %bool %x %y\n", "%q = OpSDiv %ushort %x %y\n"}) {
        const std::string text = lowered(body);
        CHECK(count(text, "OpShiftLeftLogical %uint") == 2);
        CHECK(count(text, "OpShiftRightArithmetic %uint") == 2);
    }
    const std::string shift = lowered("%r = OpShiftRightArithmetic %ushort %x %y\n");
    CHECK(count(shift, "OpShiftLeftLogical %uint") == 1);  // the amount has no sign
}

TEST_CASE("lower_narrow_ints: conversions mask or extend") {
    const std::string text = lowered(R"(
%down = OpUConvert %uchar %w
%up = OpUConvert %uint %x
%wide = OpSConvert %uint %c
)");
    CHECK(contains(text, "%uint_255"));
    CHECK(contains(text, "OpShiftRightArithmetic %uint"));
    CHECK(!contains(text, "OpUConvert"));
    CHECK(!contains(text, "OpSConvert"));
}

TEST_CASE("lower_narrow_ints: a bitcast packs words and takes them apart") {
    const std::string apart = lowered("%v = OpBitcast %char4 %w\n");
    CHECK(count(apart, "OpShiftRightLogical %uint %") == 3);
    CHECK(contains(apart, "OpCompositeConstruct %v4uint"));
    const std::string packed = lowered("%v = OpBitcast %char4 %w\n%p = OpBitcast %uint %v\n");
    CHECK(count(packed, "OpBitwiseOr %uint") == 3);
}

TEST_CASE("lower_narrow_ints: the upper bits of constants are zero") {
    const std::string text = lowered("%s = OpBitwiseXor %ushort %x %minus1\n");
    CHECK(contains(text, "OpConstant %uint 65535"));
}
