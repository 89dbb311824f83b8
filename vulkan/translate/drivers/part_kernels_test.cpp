// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

TranslateOptions parting() {
    TranslateOptions options;
    options.profile.quirks.slow_long_kernels = true;
    options.profile.quirks.masks_branches = true;
    options.profile.quirks.fences_are_barriers = true;
    return options;
}

/// So many additions, whose results begin with the name.
std::string sums(int count, const std::string& name) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "%" + name + std::to_string(i) + " = OpIAdd %uint %c7 %c7\n";
    return text;
}
std::string repeated(int count, const std::string& line) {
    std::string text;
    for (int i = 0; i < count; ++i) text += line;
    return text;
}
int count(const std::string& text, std::string_view part) {
    int found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// A kernel "k" with this body, which begins in the entry block, and a function that is none.
std::string after(const std::string& body, const TranslateOptions& options = parting()) {
    const PassRun run = validated(run_passes(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %k "k" %p %shared
OpExecutionMode %k LocalSize 1 1 1
OpDecorate %p BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint4 = OpTypeVector %uint 4
%true = OpConstantTrue %bool
%c2 = OpConstant %uint 2
%c7 = OpConstant %uint 7
%order = OpConstant %uint 264
%c77 = OpConstantComposite %uint4 %c7 %c7 %c7 %c7
%input = OpTypePointer Input %uint
%f_uint = OpTypePointer Function %uint
%f_uint4 = OpTypePointer Function %uint4
%p = OpVariable %input Input
%w_uint = OpTypePointer Workgroup %uint
%shared = OpVariable %w_uint Workgroup
%fn = OpTypeFunction %void
%of = OpTypeFunction %uint %uint
%called = OpFunction %uint None %of
%i = OpFunctionParameter %uint
%c_entry = OpLabel
)" + sums(2000, "w") + R"(OpReturnValue %c7
OpFunctionEnd
%storing = OpFunction %uint None %of
%j = OpFunctionParameter %uint
%s_entry = OpLabel
OpStore %shared %j
OpReturnValue %c7
OpFunctionEnd
%k = OpFunction %void None %fn
%entry = OpLabel
%a = OpVariable %f_uint Function
%b = OpVariable %f_uint4 Function
)" + body + R"(OpReturn
OpFunctionEnd
)",
                                             {part_kernels}, options, {}, spirv::Target::Vulkan12),
                                  spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    return run.text;
}
int barriers(const std::string& body, const TranslateOptions& options = parting()) {
    return count(after(body, options), "OpControlBarrier");
}

TEST_CASE("a long kernel gets barriers that order local memory") {
    CHECK(barriers(sums(7999, "x")) == 0);
    CHECK(barriers(sums(8000, "x")) == 2);
    CHECK(barriers(sums(10499, "x")) == 2);
    CHECK(barriers(sums(10500, "x")) == 3);
    const std::string text = after(sums(8000, "x"));
    CHECK(count(text, "OpControlBarrier %uint_2 %uint_2 %uint_264") == 2);
    const size_t kernel = text.find("OpFunction %void");
    CHECK(count(text.substr(kernel, text.find("OpControlBarrier") - kernel), "OpIAdd") == 3000);
}

TEST_CASE("the more lives across a barrier, the longer is the code before it") {
    const auto living = [](int values) {
        std::string uses;
        for (int i = 0; i < values; ++i)
            uses += "%u" + std::to_string(i) + " = OpIAdd %uint %v" + std::to_string(i) + " %c7\n";
        return sums(values, "v") + sums(8000, "x") + uses;
    };
    CHECK(barriers(living(10)) == 2);
    CHECK(barriers(living(20)) == 1);
    CHECK(barriers(living(22)) == 0);
    const std::string text = after(living(20));
    const size_t kernel = text.find("OpFunction %void");
    CHECK(count(text.substr(kernel, text.find("OpControlBarrier") - kernel), "OpIAdd") == 6000);
    // where less lives a little later, the barrier is there
    CHECK(barriers(living(40) + sums(3000, "y")) == 1);
}

TEST_CASE("what is loops of the compiler's ends the code that counts") {
    for (const std::string end :
         {"OpStore %shared %c7\n", "%l = OpLoad %uint %shared\n", "OpControlBarrier %c2 %c2 %order\n",
          "%l = OpAtomicIAdd %uint %shared %c2 %order %c7\n", "%l = OpFunctionCall %uint %storing %c7\n"}) {
        const int own = count(end, "OpControlBarrier");
        CHECK(barriers(sums(7900, "x") + end + sums(7900, "y")) == own);
        CHECK(barriers(sums(7900, "x") + end + sums(8000, "y")) == own + 2);
        CHECK(barriers(sums(8000, "x") + end + sums(7900, "y")) == own + 2);
    }
}

TEST_CASE("accesses to private memory count by components") {
    CHECK(barriers(repeated(199, "OpStore %b %c77\n")) == 0);
    CHECK(barriers(repeated(200, "OpStore %b %c77\n")) == 2);
}

TEST_CASE("many accesses to a variable have barriers between them, whatever lives") {
    std::string uses;
    for (int i = 0; i < 100; ++i)
        uses += "%u" + std::to_string(i) + " = OpIAdd %uint %v" + std::to_string(i) + " %c7\n";
    CHECK(barriers(sums(100, "v") + repeated(300, "OpStore %a %c7\n") + uses) == 0);
    CHECK(barriers(sums(100, "v") + repeated(301, "OpStore %a %c7\n") + uses) == 3);
    CHECK(barriers(repeated(150, "OpStore %a %c7\n") + repeated(151, "OpStore %b %c77\n")) == 0);
    const std::string own = "OpControlBarrier %c2 %c2 %order\n";
    const std::string part = repeated(80, "OpStore %a %c7\n") + own;
    CHECK(barriers(part + part + part + part) == 4);  // its own
}

TEST_CASE("calls count by what the function has") {
    const std::string call = " = OpFunctionCall %uint %called %c7\n";
    CHECK(barriers("%q" + call + "%r" + call + "%s" + call) == 0);
    CHECK(barriers("%q" + call + "%r" + call + "%s" + call + "%t" + call) == 1);
}

TEST_CASE("loops end the code that counts, and stay whole") {
    const auto looping = [](const std::string& before, const std::string& within, const std::string& behind) {
        return before + "OpBranch %again\n%again = OpLabel\n" + within +
               "OpLoopMerge %left %latch None\nOpBranchConditional %true %latch %left\n"
               "%latch = OpLabel\nOpBranch %again\n%left = OpLabel\n" +
               behind;
    };
    CHECK(barriers(looping(sums(7900, "x"), sums(9000, "y"), sums(7900, "z"))) == 0);
    const std::string text = after(looping(sums(8000, "x"), sums(9000, "y"), sums(8000, "z")));
    CHECK(count(text, "OpControlBarrier") == 4);
    const size_t loop = text.find("OpBranch "), end = text.find("OpLoopMerge");
    CHECK(count(text.substr(loop, end - loop), "OpIAdd") == 9000);
    CHECK(count(text.substr(loop, end - loop), "OpControlBarrier") == 0);
}

TEST_CASE("branches have barriers, too, behind phis") {
    const std::string text = after(
        "OpSelectionMerge %join None\nOpBranchConditional %true %one %other\n%one = OpLabel\n" +
        sums(4000, "x") + "OpBranch %join\n%other = OpLabel\n" + sums(5000, "y") +
        "OpBranch %join\n%join = OpLabel\n%phi = OpPhi %uint %x3999 %one %y4999 %other\n" + sums(2000, "z"));
    CHECK(count(text, "OpControlBarrier") == 3);
    const size_t join = text.find("OpPhi");
    CHECK(count(text.substr(join), "OpControlBarrier") == 1);
}

TEST_CASE("only drivers get barriers that run all branches") {
    for (const auto quirk : {&DriverQuirks::slow_long_kernels, &DriverQuirks::masks_branches,
                             &DriverQuirks::fences_are_barriers}) {
        TranslateOptions options = parting();
        options.profile.quirks.*quirk = false;
        CHECK(barriers(sums(9000, "x"), options) == 0);
    }
}

}  // namespace
}  // namespace caldera::vulkan
