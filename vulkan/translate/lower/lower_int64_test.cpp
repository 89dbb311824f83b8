// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %x "x"
OpName %y "y"
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%pair = OpTypeVector %uint 2
%long4 = OpTypeVector %ulong 4
%number = OpConstant %ulong 4886718345
%null = OpConstantNull %long4
%n3 = OpConstant %uint 3
%fn = OpTypeFunction %void %ulong %ulong %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %ulong
%y = OpFunctionParameter %ulong
%w = OpFunctionParameter %uint
%entry = OpLabel
)";

std::string lowered(std::string_view body, bool has_int64 = false) {
    TranslateOptions options;
    options.profile.int64 = has_int64;
    const std::string text = run_in_kernel(kHead, body, lower_int64, options);
    CHECK(contains(text, "OpTypeInt 64") == has_int64);
    return text;
}

}  // namespace

TEST_CASE("lower_int64: a device that has them keeps them") {
    const std::string text = lowered("%s = OpIAdd %ulong %x %y\n", true);
    CHECK(contains(text, "OpIAdd %ulong %x %y"));
}

TEST_CASE("lower_int64: a parameter is a pair, taken apart once") {
    const std::string text = lowered("%a = OpBitwiseAnd %ulong %x %y\n%b = OpBitwiseOr %ulong %x %a\n");
    CHECK(contains(text, "%x = OpFunctionParameter %v2uint"));
    CHECK(count(text, "OpCompositeExtract %uint %x ") == 2);
    CHECK(count(text, "OpBitwiseAnd %uint") == 2);
    CHECK(count(text, "OpBitwiseOr %uint") == 2);
}

TEST_CASE("lower_int64: sums carry, comparisons look at both halves") {
    const std::string sum = lowered("%s = OpIAdd %ulong %x %y\n");
    CHECK(count(sum, "OpIAdd") >= 2);
    CHECK((contains(sum, "OpIAddCarry") || contains(sum, "OpULessThan")));
    const std::string equal = lowered("%c = OpIEqual %bool %x %y\n");
    CHECK(!contains(equal, "OpIEqual %bool %x %y"));
    const std::string less = lowered("%c = OpSLessThan %bool %x %y\n");
    CHECK(contains(less, "OpSLessThan"));
    CHECK(contains(less, "OpULessThan"));  // of the lower halves
}

TEST_CASE("lower_int64: constants are their halves, the lower one first") {
    const std::string text = lowered("%s = OpBitwiseXor %ulong %x %number\n");  // 0x123456789
    CHECK(contains(text, "OpConstant %uint 591751049"));
    CHECK(contains(text, "%uint_1 = OpConstant %uint 1"));
}

TEST_CASE("lower_int64: conversions take or make the lower half") {
    const std::string text = lowered(R"(
%narrow = OpUConvert %uint %x
%wide = OpUConvert %ulong %w
%signed = OpSConvert %ulong %w
%both = OpBitcast %pair %y
)");
    CHECK(contains(text, "OpShiftRightArithmetic"));  // the sign fills the upper half
    CHECK(!contains(text, "OpUConvert"));
    CHECK(!contains(text, "OpSConvert"));
}

TEST_CASE("lower_int64: a vector is a struct of the lower halves and the upper ones") {
    const std::string text = lowered(R"(
%v = OpCompositeConstruct %long4 %x %y %x %y
%s = OpIMul %long4 %v %null
%e = OpCompositeExtract %ulong %s 2
%d = OpVectorExtractDynamic %ulong %v %n3
)");
    CHECK(contains(text, "= OpTypeStruct %v4uint %v4uint"));
    CHECK(count(text, "OpVectorExtractDynamic %uint") == 2);
}

TEST_CASE("lower_int64: a switch goes by the number of the case that matches") {
    const std::string text = lowered(R"(
OpSelectionMerge %join None
OpSwitch %x %join 4294967296 %first 7 %second
%first = OpLabel
OpBranch %join
%second = OpLabel
OpBranch %join
%join = OpLabel
)");
    CHECK(contains(text, "OpSelect %uint"));
    CHECK(contains(text, " 1 %"));
    CHECK(contains(text, " 2 %"));
    CHECK(!contains(text, "4294967296"));
}
