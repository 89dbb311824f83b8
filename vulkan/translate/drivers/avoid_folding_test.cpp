// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%int2 = OpTypeVector %int 2
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%i5 = OpConstant %int 5
%long = OpTypeInt 64 0
%bool = OpTypeBool
%bool2 = OpTypeVector %bool 2
%n = OpConstantNull %int
%m = OpConstantNull %long
%z = OpConstantNull %float2
%b = OpConstantNull %bool2
%fn = OpTypeFunction %void %int %int2 %float %float2
%k = OpFunction %void None %fn
%i = OpFunctionParameter %int
%v = OpFunctionParameter %int2
%f = OpFunctionParameter %float
%w = OpFunctionParameter %float2
%entry = OpLabel
)";

std::string unfolded(std::string_view body, bool wrong = true) {
    TranslateOptions options;
    options.profile.quirks.folds_functions_wrong = wrong;
    return run_in_kernel(kHead, body, avoid_folding, options);
}

}  // namespace

TEST_CASE("limits of integers are comparisons") {
    constexpr std::string_view kClamp = "%r = OpExtInst %int %glsl SClamp %i %i5 %i\n";
    CHECK(contains(unfolded(kClamp), "OpSGreaterThan"));
    CHECK(contains(unfolded(kClamp), "OpSLessThan"));
    CHECK(!contains(unfolded(kClamp), "OpExtInst %uint"));
    CHECK(contains(unfolded(kClamp, false), "SClamp"));
    CHECK(contains(unfolded("%r = OpExtInst %int %glsl UMin %i %i5\n"), "OpULessThan"));
    CHECK(contains(unfolded("%r = OpExtInst %int2 %glsl SMin %v %v\n"), "OpSelect %uint "));
}

TEST_CASE("limits of floats are those that tell what NaN gives") {
    CHECK(contains(unfolded("%r = OpExtInst %float2 %glsl FMax %w %w\n"), "NMax"));
    CHECK(contains(unfolded("%r = OpExtInst %float %glsl FMax %f %f\n", false), "FMax"));
}

TEST_CASE("operands of other functions that SPIRV-Tools folds are computed") {
    const std::string text = unfolded("%r = OpExtInst %float %glsl Pow %f %f\n");
    const size_t first = text.find("OpFNegate");
    REQUIRE(first != text.npos);
    CHECK(text.find("OpFNegate", first + 1) != text.npos);
    CHECK(!contains(unfolded("%r = OpExtInst %float %glsl Floor %f\n"), "OpFNegate"));
}

TEST_CASE("zeros of numbers are written out") {
    const auto text = [](bool wrong) {
        return unfolded("%r = OpNot %int %n\n%s = OpNot %long %m\n%t = OpFNegate %float2 %z\n", wrong);
    };
    CHECK(contains(text(false), "OpConstantNull"));
    CHECK(!contains(text(true), "OpConstantNull"));
    CHECK(contains(text(true), "OpConstantComposite %v2float"));
    CHECK(contains(text(true), "OpConstantFalse"));
}
