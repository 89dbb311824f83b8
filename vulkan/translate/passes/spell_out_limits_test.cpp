// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/passes/pass_test.h"

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
%fn = OpTypeFunction %void %int %int2 %float %float2
%k = OpFunction %void None %fn
%i = OpFunctionParameter %int
%v = OpFunctionParameter %int2
%f = OpFunctionParameter %float
%w = OpFunctionParameter %float2
%entry = OpLabel
)";

std::string spelt_out(std::string_view body, bool wrong = true) {
    TranslateOptions options;
    options.profile.folds_limits_wrong = wrong;
    return run_in_kernel(kHead, body, spell_out_limits, options);
}

}  // namespace

TEST_CASE("limits of signed integers are comparisons") {
    constexpr std::string_view kClamp = "%r = OpExtInst %int %glsl SClamp %i %i5 %i\n";
    CHECK(contains(spelt_out(kClamp), "OpSGreaterThan"));
    CHECK(contains(spelt_out(kClamp), "OpSLessThan"));
    CHECK(!contains(spelt_out(kClamp), "OpExtInst %uint"));
    CHECK(contains(spelt_out(kClamp, false), "SClamp"));
    CHECK(contains(spelt_out("%r = OpExtInst %int %glsl UMin %i %i5\n"), "UMin"));
}

TEST_CASE("limits of vectors are limits of their components") {
    const std::string text = spelt_out("%r = OpExtInst %float2 %glsl NMax %w %w\n");
    CHECK(contains(text, "OpExtInst %float "));
    CHECK(!contains(text, "OpExtInst %v2float"));
    CHECK(contains(text, "OpCompositeConstruct %v2float"));
    CHECK(contains(spelt_out("%r = OpExtInst %int2 %glsl SMin %v %v\n"), "OpSelect %uint "));
}
