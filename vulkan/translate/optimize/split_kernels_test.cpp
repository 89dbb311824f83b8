// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

std::string module_text(std::string_view names, std::string_view functions) {
    return R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %a "a"
OpEntryPoint Kernel %b "b"
)" + std::string(names) +
           R"(
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%global = OpTypePointer CrossWorkgroup %uint
%fn = OpTypeFunction %void %global
%none = OpTypeFunction %void
)" + std::string(functions);
}

/// A function that stores through its pointer, and two kernels that call it.
const std::string kShared = module_text("OpName %store \"store\"", R"(
%store = OpFunction %void None %fn
%to = OpFunctionParameter %global
%s0 = OpLabel
OpStore %to %one Aligned 4
OpReturn
OpFunctionEnd
%a = OpFunction %void None %fn
%pa = OpFunctionParameter %global
%a0 = OpLabel
%ra = OpFunctionCall %void %store %pa
OpReturn
OpFunctionEnd
%b = OpFunction %void None %fn
%pb = OpFunctionParameter %global
%b0 = OpLabel
%rb = OpFunctionCall %void %store %pb
OpReturn
OpFunctionEnd
)");

}  // namespace

TEST_CASE("split_kernels: a called kernel is two functions, what nobody reaches is gone") {
    const PassRun run = run_passes(module_text("OpName %unused \"unused\"", R"(
%unused = OpFunction %void None %none
%u0 = OpLabel
OpReturn
OpFunctionEnd
%a = OpFunction %void None %none
%a0 = OpLabel
OpReturn
OpFunctionEnd
%b = OpFunction %void None %none
%b0 = OpLabel
%r = OpFunctionCall %void %a
OpReturn
OpFunctionEnd
)"),
                                   {split_kernels});
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "unused"));
    CHECK(!contains(run.text, "OpFunctionCall %void %a\n"));
    CHECK(count(run.text, "OpFunctionEnd") == 3);
}

TEST_CASE("split_kernels: with addresses, kernels share a function that handles global pointers") {
    const PassRun run = run_passes(kShared, {split_kernels});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunctionEnd") == 3);
    CHECK(count(run.text, "OpFunctionCall %void %store ") == 2);
}

TEST_CASE("split_kernels: with descriptors, each kernel has its own") {
    TranslateOptions options;
    options.abi = Abi::Descriptors;
    const PassRun run = run_passes(kShared, {split_kernels}, options);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunctionEnd") == 4);
    CHECK(count(run.text, "OpFunctionCall %void ") == 2);
    CHECK(count(run.text, "OpFunctionCall %void %store ") == 1);
}
