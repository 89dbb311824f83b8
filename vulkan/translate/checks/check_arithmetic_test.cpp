// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel with the body.
PassRun checked(const std::string& body, MemoryChecks checks = MemoryChecks::Arithmetic) {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpDecorate %saturated SaturatedConversion
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %f32 = OpTypeFloat 32
 %u32x2 = OpTypeVector %u32 2
 %three = OpConstant %u32 3
 %mask = OpConstant %u32 31
 %three2 = OpConstantComposite %u32x2 %three %three
 %fn = OpTypeFunction %void %u32 %u32 %f32 %u32x2
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %u32
 %b = OpFunctionParameter %u32
 %f = OpFunctionParameter %f32
 %v = OpFunctionParameter %u32x2
 %entry = OpLabel
)" + body + " OpReturn\n OpFunctionEnd\n";
    std::string used = text;
    if (body.find("%saturated") == std::string::npos)
        used.erase(used.find(" OpDecorate"),
                   std::string(" OpDecorate %saturated SaturatedConversion\n").size());
    return run_passes(used, {describe_kernels, check_arithmetic}, {.checks = checks});
}

std::vector<std::string> operations(const std::string& body) {
    const PassRun run = checked(body);
    REQUIRE(run.error == "");
    std::vector<std::string> result;
    for (const CheckSite& site : run.interface.check_sites) {
        CHECK(site.kind == CheckKind::Arithmetic);
        result.push_back(site.operation);
    }
    return result;
}

TEST_CASE("check_arithmetic: divisors that may be 0 or -1") {
    using Names = std::vector<std::string>;
    CHECK(operations(" %x = OpSDiv %u32 %a %b\n") == Names{"division of int"});
    CHECK(operations(" %x = OpUMod %u32x2 %v %v\n") == Names{"remainder of uint2"});
    CHECK(operations(" %x = OpSDiv %u32 %a %three\n").empty());
    CHECK(operations(" %x = OpSRem %u32x2 %v %three2\n").empty());
}

TEST_CASE("check_arithmetic: shifts that no mask limits, which OpenCL C does not have") {
    using Names = std::vector<std::string>;
    CHECK(operations(" %x = OpShiftLeftLogical %u32 %a %b\n") == Names{"shift of uint"});
    CHECK(operations(" %x = OpShiftRightLogical %u32x2 %v %v\n") == Names{"shift of uint2"});
    CHECK(operations(" %x = OpShiftRightArithmetic %u32 %a %b\n") == Names{"shift of int"});
    CHECK(operations(" %y = OpBitwiseAnd %u32 %b %mask\n %x = OpShiftLeftLogical %u32 %a %y\n").empty());
    CHECK(operations(" %x = OpShiftRightArithmetic %u32 %a %three\n").empty());
}

TEST_CASE("check_arithmetic: conversions that do not saturate") {
    using Names = std::vector<std::string>;
    CHECK(operations(" %x = OpConvertFToS %u32 %f\n") == Names{"conversion of float to int"});
    CHECK(operations(" %saturated = OpConvertFToS %u32 %f\n").empty());
}

TEST_CASE("check_arithmetic: nothing happens where it is not asked for") {
    const PassRun run = checked(" %x = OpSDiv %u32 %a %b\n", MemoryChecks::Bounds);
    CHECK(run.error == "");
    CHECK(run.interface.check_sites.empty());
}

}  // namespace
}  // namespace caldera::vulkan
