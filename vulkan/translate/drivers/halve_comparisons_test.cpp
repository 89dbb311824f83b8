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
%void = OpTypeVoid
%bool = OpTypeBool
%bool2 = OpTypeVector %bool 2
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%ulong2 = OpTypeVector %ulong 2
%fn = OpTypeFunction %void %ulong %ulong %ulong2 %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %ulong
%y = OpFunctionParameter %ulong
%z = OpFunctionParameter %ulong2
%w = OpFunctionParameter %uint
%entry = OpLabel
)";

std::string halved(std::string_view body, MemoryChecks checks = MemoryChecks::Guard, bool is_wrong = true) {
    TranslateOptions options;
    options.profile.quirks.wrong_long_equality = is_wrong;
    options.checks = checks;
    return run_in_kernel(kHead, body, halve_comparisons, options);
}

constexpr std::string_view kEqual = "%e = OpIEqual %bool %x %y\n";

}  // namespace

TEST_CASE("64-bit integers are compared by halves, in modules with checks") {
    const std::string text = halved(kEqual);
    CHECK(contains(text, "OpBitcast %v2uint"));
    CHECK(contains(text, "OpBitwiseXor %v2uint"));
    CHECK(contains(text, "OpBitwiseOr %uint"));
    CHECK(contains(text, "OpIEqual %bool"));
    CHECK(contains(halved("%e = OpINotEqual %bool %x %y\n"), "OpINotEqual %bool"));
    CHECK(!contains(halved(kEqual, MemoryChecks::None), "OpBitcast"));
    CHECK(!contains(halved(kEqual, MemoryChecks::Guard, false), "OpBitcast"));
}

TEST_CASE("vectors are compared component by component, and words as they are") {
    const std::string text = halved("%e = OpIEqual %bool2 %z %z\n");
    CHECK(count(text, "OpBitwiseOr %uint") == 2);
    CHECK(contains(text, "OpCompositeConstruct %v2bool"));
    CHECK(!contains(halved("%e = OpIEqual %bool %w %w\n"), "OpBitcast"));
}
