// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %callee "callee"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%fn = OpTypeFunction %void
%ptr = OpTypePointer Function %int
%fn_ptr = OpTypeFunction %int %ptr
%fn_int = OpTypeFunction %int %int
)";

/// What is to stay where it is is loaded volatile: the pass promotes variables.
PassRun inlined(std::string_view rest) {
    return run_passes(std::string(kHead) + std::string(rest), {inline_functions});
}

}  // namespace

TEST_CASE("inline_functions: phis know blocks whose calls became blocks, callees in callees too") {
    const PassRun run = inlined(R"(
%inner = OpFunction %int None %fn_ptr
%ip = OpFunctionParameter %ptr
%i0 = OpLabel
%ix = OpLoad %int %ip Volatile
%ic = OpIEqual %bool %ix %c0
OpSelectionMerge %i3 None
OpBranchConditional %ic %i1 %i3
%i1 = OpLabel
OpBranch %i3
%i3 = OpLabel
%iv = OpPhi %int %c1 %i0 %c2 %i1
OpReturnValue %iv
OpFunctionEnd
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%a = OpFunctionCall %int %inner %p
%ac = OpIEqual %bool %a %c1
OpSelectionMerge %e2 None
OpBranchConditional %ac %e1 %e2
%e1 = OpLabel
%b = OpFunctionCall %int %inner %p
OpBranch %e2
%e2 = OpLabel
%v = OpPhi %int %a %e %b %e1
OpReturnValue %v
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%var = OpVariable %ptr Function %c2
%old = OpLoad %int %var Volatile
%any = OpIEqual %bool %old %c0
OpSelectionMerge %k2 None
OpBranchConditional %any %k1 %k2
%k1 = OpLabel
%r = OpFunctionCall %int %callee %var
OpBranch %k2
%k2 = OpLabel
%phi = OpPhi %int %c0 %k0 %r %k1
OpStore %var %phi
OpReturn
OpFunctionEnd
)");
    CHECK(run.error == "");
    CHECK(count(run.text, "OpFunctionCall") == 0);
    CHECK(count(run.text, "OpPhi") == 4);
}

TEST_CASE("inline_functions: a straight callee melts into its caller's block") {
    const PassRun run = inlined(R"(
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%tmp = OpVariable %ptr Function %c2
%z = OpLoad %int %tmp Volatile
%x = OpLoad %int %p Volatile
%y = OpIAdd %int %x %z
OpReturnValue %y
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
%r = OpFunctionCall %int %callee %v
%s = OpFunctionCall %int %callee %v
%t = OpIAdd %int %r %s
OpStore %v %t
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpFunctionCall"));
    CHECK(!contains(run.text, "callee"));
    CHECK(count(run.text, "OpLabel") == 1);
    CHECK(count(run.text, "OpVariable") == 3);
    CHECK(count(run.text, "%uint_2\n") == 2);  // the initialiser is a store at each call
    CHECK(!contains(run.text, "Function %uint_2"));
}

TEST_CASE("inline_functions: a selection in the callee keeps its merge, phis follow the moved block") {
    const PassRun run = validated(inlined(R"(
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%x = OpLoad %int %p
%c = OpIEqual %bool %x %c0
OpSelectionMerge %m None
OpBranchConditional %c %a %m
%a = OpLabel
OpBranch %m
%m = OpLabel
%y = OpPhi %int %x %e %c1 %a
OpReturnValue %y
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
OpBranch %loop
%loop = OpLabel
%i = OpPhi %int %c0 %k0 %r %loop
%r = OpFunctionCall %int %callee %v
%d = OpIEqual %bool %r %c2
OpLoopMerge %after %loop Unroll
OpBranchConditional %d %after %loop
%after = OpLabel
%z = OpPhi %int %r %loop
OpStore %v %z
OpReturn
OpFunctionEnd
)"),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpSelectionMerge") == 1);
    CHECK(count(run.text, "OpLoopMerge") == 1);
    CHECK(contains(run.text, "Unroll"));
}

TEST_CASE("inline_functions: the caller of a function with several returns is structured anew") {
    const PassRun run = validated(inlined(R"(
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%x = OpLoad %int %p Volatile
%c = OpIEqual %bool %x %c0
OpSelectionMerge %m None
OpBranchConditional %c %a %m
%a = OpLabel
OpReturnValue %c1
%m = OpLabel
OpReturnValue %c2
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
%r = OpFunctionCall %int %callee %v
OpStore %v %r
OpReturn
OpFunctionEnd
)"),
                                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpFunctionCall"));
    CHECK(contains(run.text, "OpSelectionMerge"));
}

TEST_CASE("inline_functions: a function of values with two calls stays one") {
    std::string body;
    for (int i = 0; i < 20; ++i) body += "%n" + std::to_string(i) + " = OpIMul %int %p %p\n";
    const PassRun run = inlined(
        "%callee = OpFunction %int None %fn_int\n%p = OpFunctionParameter %int\n%e = OpLabel\n" + body + R"(
OpReturnValue %p
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%r = OpFunctionCall %int %callee %c1
%s = OpFunctionCall %int %callee %c2
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunctionCall") == 2);
}

TEST_CASE("inline_functions: a short function melts in where all calls pass constants") {
    std::string body;
    for (int i = 0; i < 8; ++i) body += "%n" + std::to_string(i) + " = OpIMul %int %p %p\n";
    const auto calls_left = [&](std::string_view last_argument) {
        const PassRun run =
            inlined("%callee = OpFunction %int None %fn_int\n%p = OpFunctionParameter %int\n%e = OpLabel\n" +
                    body + R"(
OpReturnValue %p
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%sum = OpIAdd %int %c1 %c2
%r = OpFunctionCall %int %callee %c1
%s = OpFunctionCall %int %callee )" +
                    std::string(last_argument) + "\nOpReturn\nOpFunctionEnd\n");
        REQUIRE(run.error == "");
        return count(run.text, "OpFunctionCall");
    };
    CHECK(calls_left("%c2") == 0);
    CHECK(calls_left("%sum") == 2);
}

TEST_CASE("inline_functions: recursion and explosion are declined") {
    CHECK(contains(inlined(R"(
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%r = OpFunctionCall %int %callee %p
OpReturnValue %r
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
%r0 = OpFunctionCall %int %callee %v
OpReturn
OpFunctionEnd
)")
                       .error,
                   "function 'callee' is recursive"));

    std::string text =
        "%callee = OpFunction %int None %fn_ptr\n%p = OpFunctionParameter %ptr\n%e = OpLabel\n"
        "%x = OpLoad %int %p\nOpReturnValue %x\nOpFunctionEnd\n";
    std::string last = "%callee";
    for (int i = 0; i < 40; ++i) {  // each calls the one before twice
        const std::string n = std::to_string(i);
        text += "%f" + n + " = OpFunction %int None %fn_ptr\n%p" + n + " = OpFunctionParameter %ptr\n%e" + n +
                " = OpLabel\n%x" + n + " = OpFunctionCall %int " + last + " %p" + n + "\n%y" + n +
                " = OpFunctionCall %int " + last + " %p" + n + "\nOpReturnValue %y" + n + "\nOpFunctionEnd\n";
        last = "%f" + n;
    }
    text +=
        "%k = OpFunction %void None %fn\n%k0 = OpLabel\n%v = OpVariable %ptr Function\n%r = OpFunctionCall "
        "%int " +
        last + " %v\nOpReturn\nOpFunctionEnd\n";
    CHECK(contains(inlined(text).error, "instructions after inlining the functions that take private"));
}

TEST_CASE("inline_functions: large functions of very large kernels are marked, so that drivers keep them") {
    std::string body;
    for (int i = 0; i < 1000; ++i) body += "%n" + std::to_string(i) + " = OpIMul %int %p %p\n";
    const auto marks = [&](int calls) {
        std::string text =
            "%callee = OpFunction %int Inline %fn_int\n%p = OpFunctionParameter %int\n%e = OpLabel\n" + body +
            "OpReturnValue %p\nOpFunctionEnd\n%k = OpFunction %void None %fn\n%k0 = OpLabel\n";
        for (int i = 0; i < calls; ++i)
            text += "%r" + std::to_string(i) + " = OpFunctionCall %int %callee %c1\n";
        const PassRun run = inlined(text + "OpReturn\nOpFunctionEnd\n");
        REQUIRE(run.error == "");
        return count(run.text, "OpFunction %uint DontInline");
    };
    CHECK(marks(60) == 1);
    CHECK(marks(40) == 0);
}
