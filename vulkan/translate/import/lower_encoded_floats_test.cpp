// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kGlobals = R"(%void = OpTypeVoid
%bool = OpTypeBool
%bf = OpTypeFloat 16 BFloat16KHR
%v4bf = OpTypeVector %bf 4
%half = OpTypeFloat 16
%f32 = OpTypeFloat 32
%v4f = OpTypeVector %f32 4
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%v4s = OpTypeVector %u16 4
%far = OpTypePointer CrossWorkgroup %bf
%far2 = OpTypePointer CrossWorkgroup %u16
%one = OpConstant %bf 0xbf80
%fn = OpTypeFunction %void %far %f32 %v4f %u16 %v4s %half %u32
)";

PassRun run(const std::string& code, const std::string& annotations = {}, const std::string& globals = {}) {
    return validated(run_passes(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int16
OpCapability Float16Buffer
OpCapability BFloat16TypeKHR
OpExtension "SPV_KHR_bfloat16"
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)" + annotations + std::string(kGlobals) +
                                    globals +
                                    R"(%k = OpFunction %void None %fn
%p = OpFunctionParameter %far
%f = OpFunctionParameter %f32
%v = OpFunctionParameter %v4f
%s = OpFunctionParameter %u16
%t = OpFunctionParameter %v4s
%h = OpFunctionParameter %half
%i = OpFunctionParameter %u32
%e = OpLabel
%x = OpLoad %bf %p Aligned 2
)" + code + "OpReturn\nOpFunctionEnd\n",
                                {lower_encoded_floats}),
                     spirv::Target::OpenCL22);
}
std::string lowered(const std::string& code, const std::string& annotations = {}) {
    const PassRun made = run(code, annotations);
    REQUIRE(made.error == "");
    CHECK(!contains(made.text, "BFloat16KHR"));
    return made.text;
}

}  // namespace

TEST_CASE("a bfloat16 is a 16-bit integer, whose types are unique") {
    const std::string text =
        lowered("%c = OpUGreaterThan %bool %i %i\n%y = OpSelect %bf %c %x %one\nOpStore %p %y Aligned 2\n");
    CHECK(count(text, "= OpTypeInt 16 0") == 1);
    CHECK(count(text, "= OpTypeVector %ushort 4") == 1);
    CHECK(contains(text, "= OpConstant %ushort 49024"));
    CHECK(contains(text, "= OpLoad %ushort %"));
}

TEST_CASE("conversions go through float") {
    std::string text = lowered("%y = OpFConvert %f32 %x\n");
    CHECK(contains(text, "= OpShiftLeftLogical %uint %"));
    CHECK(contains(text, "= OpBitcast %float %"));
    text = lowered("%y = OpFConvert %half %x\n");
    CHECK(contains(text, "= OpFConvert %half %"));
    text = lowered("%y = OpFConvert %v4bf %v\n");
    CHECK(contains(text, "= OpUConvert %v4ushort %"));
    text = lowered("%y = OpConvertSToF %bf %i\n");
    CHECK(contains(text, "= OpConvertSToF %float %"));
    CHECK(contains(text, "= OpUConvert %ushort %"));
    text = lowered("%y = OpConvertFToU %u32 %x\n", "OpDecorate %y SaturatedConversion\n");
    CHECK(contains(text, " SaturatedConversion\n"));
    CHECK(contains(text, "= OpConvertFToU %uint %"));
}

TEST_CASE("a rounding mode is that of both steps") {
    const std::string text = lowered("%y = OpFConvert %bf %h\n%z = OpConvertSToF %bf %i\n",
                                     "OpDecorate %y FPRoundingMode RTZ\nOpDecorate %z FPRoundingMode RTP\n");
    CHECK(count(text, "FPRoundingMode RTZ") == 1);
    CHECK(count(text, "FPRoundingMode RTP") == 1);
}

TEST_CASE("arithmetic is that of floats") {
    const std::string text = lowered(R"(%y = OpFAdd %bf %x %one
%u = OpBitcast %v4bf %t
%d = OpDot %bf %u %u
%n = OpFNegate %bf %d
%a = OpExtInst %bf %cl fma %x %n %d
%b = OpExtInst %bf %cl length %u
%l = OpFOrdLessThan %bool %y %n
)");
    CHECK(contains(text, "= OpFAdd %float %"));
    CHECK(contains(text, "= OpCopyObject %v4ushort %"));
    CHECK(contains(text, "= OpDot %float %"));
    CHECK(contains(text, "= OpExtInst %float %1 fma %"));
    CHECK(contains(text, "= OpExtInst %float %1 length %"));
    CHECK(contains(text, "= OpBitwiseXor %ushort %"));
    CHECK(contains(text, "= OpFOrdLessThan %bool %"));
}

TEST_CASE("a bfloat16 has no other instructions") {
    CHECK(run("%y = OpAtomicFAddEXT %bf %p %i %i %x\n").error ==
          "OpAtomicFAddEXT of bfloat16 is not supported");
    CHECK(run("%y = OpFAdd %bf %x %f\n").error == "OpFAdd of bfloat16 has operands that do not fit");
    CHECK(run("%y = OpFConvert %bf %v\n").error == "OpFConvert of bfloat16 has operands that do not fit");
    CHECK(run("OpLine %file 3 7\n%y = OpConvertUToF %bf %f\n", "%file = OpString \"a.cl\"\n").error ==
          "a.cl:3:7: OpConvertUToF of bfloat16 has operands that do not fit");
    CHECK(run("%y = OpExtInst %bf %cl nextafter %x %x\n").error == "nextafter of bfloat16 is not supported");
    CHECK(run("%y = OpExtInst %bf %cl fmax %x %f\n").error ==
          "fmax of bfloat16 has operands that do not fit");
    CHECK(run("%y = OpExtInst %bf %cl fract %x %p\n").error ==
          "fract of bfloat16 has operands that do not fit");
    CHECK(run("", "", "%c = OpSpecConstantOp %bf FAdd %one %one\n").error ==
          "OpSpecConstantOp of bfloat16 is not supported");
}

TEST_CASE("rounding modes and decorations may be of groups") {
    const std::string text = lowered("%y = OpFConvert %bf %h\n",
                                     "OpDecorate %g FPRoundingMode RTZ\n%g = OpDecorationGroup\n"
                                     "OpGroupDecorate %g %y\n");
    CHECK(!contains(text, "OpGroupDecorate"));
    CHECK(count(text, "FPRoundingMode RTZ") == 1);
}

namespace {

constexpr std::string_view kFloat8 = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float64
OpCapability Float16Buffer
OpCapability BFloat16TypeKHR
OpCapability Float8EXT
OpExtension "SPV_EXT_float8"
OpExtension "SPV_KHR_bfloat16"
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)";

/// A function of values of both types, and of those that they are converted from.
PassRun run8(const std::string& code, const std::string& annotations = {}) {
    return validated(run_passes(std::string(kFloat8) + annotations + R"(%void = OpTypeVoid
%bool = OpTypeBool
%e4 = OpTypeFloat 8 Float8E4M3EXT
%e5 = OpTypeFloat 8 Float8E5M2EXT
%bf = OpTypeFloat 16 BFloat16KHR
%v4e4 = OpTypeVector %e4 4
%half = OpTypeFloat 16
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%v4f = OpTypeVector %f32 4
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%one = OpConstant %e4 0xb8
%fn = OpTypeFunction %void %e4 %e5 %bf %half %f32 %f64 %u32 %v4f
%k = OpFunction %void None %fn
%a = OpFunctionParameter %e4
%b = OpFunctionParameter %e5
%c = OpFunctionParameter %bf
%h = OpFunctionParameter %half
%f = OpFunctionParameter %f32
%d = OpFunctionParameter %f64
%i = OpFunctionParameter %u32
%v = OpFunctionParameter %v4f
%e = OpLabel
)" + code + "OpReturn\nOpFunctionEnd\n",
                                {lower_encoded_floats}),
                     spirv::Target::OpenCL22);
}
std::string lowered8(const std::string& code, const std::string& annotations = {}) {
    const PassRun made = run8(code, annotations);
    REQUIRE(made.error == "");
    CHECK(!contains(made.text, "OpTypeFloat 8"));
    return made.text;
}

}  // namespace

TEST_CASE("floats of 8 bits are integers of one type") {
    const std::string text = lowered8(R"(%t = OpUGreaterThan %bool %i %i
%y = OpSelect %e4 %t %a %one
%z = OpBitcast %u8 %y
)");
    CHECK(count(text, "= OpTypeInt 8 0") == 1);
    CHECK(contains(text, "= OpConstant %uchar 184"));
    CHECK(contains(text, "= OpCopyObject %uchar %"));
}

TEST_CASE("conversions to 8 bits round once") {
    std::string text = lowered8("%y = OpFConvert %e4 %d\n", "OpDecorate %y FPRoundingMode RTP\n");
    CHECK(!contains(text, "OpFConvert"));
    CHECK(!contains(text, "FPRoundingMode"));
    CHECK(contains(text, "= OpBitcast %ulong %"));
    text = lowered8("%y = OpFConvert %e5 %h\n");
    CHECK(!contains(text, "OpFConvert"));
    text = lowered8("%y = OpConvertUToF %e5 %i\n",
                    "OpDecorate %y SaturatedToLargestFloat8NormalConversionEXT\n");
    CHECK(contains(text, "= OpConvertUToF %float %"));
    CHECK(contains(text, "= OpConstant %uint 131072"));
    CHECK(!contains(text, "SaturatedToLargest"));
    text = lowered8("%y = OpFConvert %v4e4 %v\n%z = OpFConvert %v4f %y\n");
    CHECK(contains(text, "= OpUConvert %v4uchar %"));
    text = lowered8("%y = OpFConvert %e4 %b\n%z = OpFConvert %bf %y\n%w = OpFConvert %e5 %z\n");
    CHECK(!contains(text, "OpFConvert"));
}

TEST_CASE("a half of E5M2 has its bits, one of E4M3 is a float's") {
    CHECK(!contains(lowered8("%y = OpFConvert %half %b\n"), "OpFConvert"));
    CHECK(contains(lowered8("%y = OpFConvert %half %a\n"), "= OpFConvert %half %"));
    CHECK(contains(lowered8("%y = OpFConvert %f64 %a\n"), "= OpFConvert %double %"));
}

TEST_CASE("there is no arithmetic with floats of 8 bits") {
    CHECK(run8("%y = OpFAdd %e4 %a %a\n").error == "OpFAdd of float8 E4M3 is not supported");
    CHECK(run8("%y = OpFNegate %e5 %b\n").error == "OpFNegate of float8 E5M2 is not supported");
    CHECK(run8("%y = OpIsNan %bool %a\n").error == "OpIsNan of float8 E4M3 is not supported");
    CHECK(run8("%y = OpExtInst %e5 %cl fabs %b\n").error == "fabs of float8 E5M2 is not supported");
    CHECK(run8("%y = OpFConvert %e5 %v\n").error == "OpFConvert of float8 E5M2 has operands that do not fit");
}

TEST_CASE("other encodings are declined") {
    spirv::Module module;
    module.globals.push_back({.op = spv::Op::OpTypeFloat, .result = {1}, .operands = {8u, 4226u}});
    module.bound = 2;
    const TranslateOptions options;
    const BuiltinLibrary library;
    ProgramInterface interface;
    PassContext context{options, library, interface};
    const Result<Done> done = lower_encoded_floats(module, context);
    REQUIRE(!done);
    CHECK(done.error().message ==
          "floats with another encoding than bfloat16, E4M3 and E5M2 are not supported");
}

TEST_CASE("a module without bfloat16 stays") {
    const std::string text = R"(OpCapability Kernel
OpCapability Addresses
OpCapability Float16
OpMemoryModel Physical64 OpenCL
%half = OpTypeFloat 16
%v2 = OpTypeVector %half 2
%v2_again = OpTypeVector %half 2
)";
    const PassRun made = run_passes(text, {lower_encoded_floats});
    CHECK(made.error == "");
    CHECK(count(made.text, "OpTypeVector") == 2);
}

}  // namespace caldera::vulkan
