// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Vector16
%std = OpExtInstImport "OpenCL.std"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %unused_input
OpName %out "out"
OpName %n "n"
OpName %unused "unused"
OpName %dead "dead"
OpDecorate %unused_input BuiltIn GlobalInvocationId
OpDecorate %dead FPFastMathMode Fast
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%v2 = OpTypeVector %int 2
%v3 = OpTypeVector %long 3
%pair = OpTypeStruct %int %int
%p_in = OpTypePointer Input %v3
%unused_input = OpVariable %p_in Input
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%cm1 = OpConstant %int 4294967295
%cmax = OpConstant %int 2147483647
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%f3 = OpConstant %float 3
%fm1_5 = OpConstant %float -1.5
%fdenormal = OpConstant %float 0x1p-130
%fhuge = OpConstant %float 0x1p127
%finf = OpConstant %float 0x1p+128
%fnan = OpConstant %float 0x1.8p+128
%vf = OpTypeVector %float 2
%truths = OpTypeVector %bool 2
%vfa = OpConstantComposite %vf %f0 %fm1_5
%vf0 = OpConstantNull %vf
%va = OpConstantComposite %v2 %cm1 %c2
%vb = OpConstantComposite %v2 %c1 %c3
%global = OpTypePointer CrossWorkgroup %int
%p_int = OpTypePointer Function %int
%p_float = OpTypePointer Function %float
%fn = OpTypeFunction %void %global %int
%fn0 = OpTypeFunction %void
%unused = OpFunction %void None %fn0
%u0 = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %fn
%out = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
)";

PassRun cleaned(std::string_view rest) {
    return validated(
        run_passes(std::string(kHead) + std::string(rest) + "OpReturn\nOpFunctionEnd\n", {clean_up}),
        spirv::Target::OpenCL20);
}

/// What is stored to `out` after cleaning.
std::string stored(std::string_view rest) {
    const PassRun run = cleaned(std::string(rest) + "OpStore %out %r Aligned 4\n");
    if (!run.error.empty()) return run.error;
    const size_t at = run.text.find("OpStore %out ");
    const std::string line = run.text.substr(at + 13, run.text.find(" Aligned", at) - at - 13);
    const size_t label = run.text.find("OpLabel");
    return line + (run.text.find("= Op", label) == std::string::npos ? "" : " and more");
}

}  // namespace

TEST_CASE("clean_up: what nothing uses is gone") {
    const PassRun run = cleaned(R"(
%v = OpVariable %p_int Function
%x = OpIAdd %int %n %c1
%dead = OpExtInst %int %std s_abs %x
OpStore %v %dead
)");
    REQUIRE(run.error == "");
    for (auto gone : {"unused", "dead", "OpIAdd", "OpVariable", "OpExtInst", "v3ulong", "GlobalInvocationId",
                      "OpTypeStruct"})
        CHECK_MESSAGE(!contains(run.text, gone), gone);
    CHECK(contains(run.text, "OpEntryPoint Kernel %"));
}

TEST_CASE("clean_up: an undefined value is no access of a variable") {
    const PassRun run = cleaned(R"(
%v = OpVariable %p_int Function
OpStore %v %n
%u = OpUndef %int
%x = OpLoad %int %v
%sum = OpIAdd %int %x %u
OpStore %out %sum Aligned 4
)");
    REQUIRE(run.error == "");
    for (auto kept : {"OpVariable", "OpUndef", "OpIAdd"}) CHECK_MESSAGE(contains(run.text, kept), kept);
}

TEST_CASE("clean_up: a switch on a constant is its case") {
    CHECK(stored(R"(
OpSelectionMerge %m None
OpSwitch %c2 %d 1 %a 2 %b
%a = OpLabel
OpBranch %m
%b = OpLabel
OpBranch %m
%d = OpLabel
OpBranch %m
%m = OpLabel
%r = OpPhi %int %c1 %a %c3 %b %n %d
)") == "%uint_3");
    CHECK(stored(R"(
OpSelectionMerge %m None
OpSwitch %cm1 %d 1 %a
%a = OpLabel
OpBranch %m
%d = OpLabel
OpBranch %m
%m = OpLabel
%r = OpPhi %int %c1 %a %c2 %d
)") == "%uint_2");
}

TEST_CASE("clean_up: a switch stays that something in it leaves, as a selection cannot be left so") {
    const auto stays = [](std::string_view inside) {
        const PassRun run =
            cleaned("%t = OpINotEqual %bool %n %c1\nOpSelectionMerge %m None\n" + std::string(inside) +
                    "OpStore %out %c1 Aligned 4\nOpBranch %m\n%m = OpLabel\n");
        CHECK(run.error == "");
        return contains(run.text, "OpSwitch");
    };
    CHECK(stays("OpSwitch %c2 %d 2 %d 3 %d\n%d = OpLabel\nOpBranchConditional %t %m %e\n%e = OpLabel\n"));
    CHECK(
        stays("OpSwitch %c2 %d 2 %a\n%d = OpLabel\nOpBranch %m\n%a = OpLabel\n"
              "OpSelectionMerge %after None\nOpBranchConditional %t %leave %after\n"
              "%leave = OpLabel\nOpStore %out %c3 Aligned 4\nOpBranch %m\n%after = OpLabel\n"));
    CHECK(
        !stays("OpSwitch %c2 %d 2 %a\n%d = OpLabel\nOpBranch %m\n%a = OpLabel\n"
               "OpSelectionMerge %after None\nOpBranchConditional %t %more %after\n"
               "%more = OpLabel\nOpStore %out %c3 Aligned 4\nOpBranch %after\n%after = OpLabel\n"));
}

TEST_CASE("clean_up: operations of sub-groups whose results nothing uses are gone") {
    const PassRun run =
        run_passes(std::string("OpCapability GroupNonUniformShuffle\n") + std::string(kHead) + R"(
%dead = OpGroupNonUniformShuffle %int %c3 %n %c1
%live = OpGroupNonUniformShuffle %int %c3 %n %c2
OpStore %out %live Aligned 4
OpReturn
OpFunctionEnd
)",
                   {clean_up});
    REQUIRE(run.error == "");
    const size_t kept = run.text.find("OpGroupNonUniformShuffle %");
    CHECK(kept != std::string::npos);
    CHECK(run.text.rfind("OpGroupNonUniformShuffle %") == kept);
}

TEST_CASE("clean_up: constants and neutral operands") {
    CHECK(stored("%r = OpIAdd %int %n %c0\n") == "%n");
    CHECK(stored("%r = OpIMul %int %c1 %n\n") == "%n");
    CHECK(stored("%r = OpIMul %int %c2 %c3\n") == "%uint_6");
    CHECK(stored("%r = OpISub %int %n %n\n") == "%uint_0");
    CHECK(stored("%r = OpSDiv %int %cm1 %c2\n") == "%uint_0");
    CHECK(stored("%r = OpUDiv %int %cm1 %c2\n") == "%uint_2147483647");
    CHECK(stored("%r = OpShiftRightArithmetic %int %cm1 %c2\n") == "%uint_4294967295");
    CHECK(stored("%a = OpIAdd %int %n %c1\n%b = OpIAdd %int %a %cm1\n%r = OpBitwiseXor %int %b %c0\n") ==
          "%n");
    CHECK(contains(stored("%r = OpUDiv %int %n %c0\n"), "and more"));
    const std::string x = "%x = OpIMul %int %n %n\n";
    CHECK(stored(x + "%d = OpISub %int %n %x\n%r = OpIAdd %int %x %d\n") == "%n");
    CHECK(stored(x + "%d = OpISub %int %n %x\n%r = OpIAdd %int %d %x\n") == "%n");
    CHECK(stored(x + "%d = OpIAdd %int %n %x\n%r = OpISub %int %d %x\n") == "%n");
    CHECK(stored(x + "%d = OpIAdd %int %x %n\n%r = OpISub %int %d %x\n") == "%n");
    CHECK(stored(x + "%d = OpISub %int %x %n\n%r = OpISub %int %x %d\n") == "%n");
    CHECK(contains(stored(x + "%d = OpISub %int %n %x\n%r = OpISub %int %d %x\n"), "and more"));
    CHECK(contains(stored(x + "%d = OpISub %int %x %n\n%r = OpIAdd %int %d %x\n"), "and more"));
    CHECK(contains(stored(x + "%d = OpIAdd %int %x %n\n%r = OpISub %int %x %d\n"), "and more"));
    CHECK(contains(stored("%r = OpShiftLeftLogical %int %c1 %cm1\n"), "and more"));
    CHECK(stored("%c = OpSLessThan %bool %cm1 %c0\n%r = OpSelect %int %c %n %c3\n") == "%n");
    CHECK(stored("%c = OpULessThan %bool %cm1 %c0\n%r = OpSelect %int %c %n %c3\n") == "%uint_3");
    CHECK(stored("%l = OpSConvert %long %cm1\n%r = OpUConvert %int %l\n") == "%uint_4294967295");
}

TEST_CASE("clean_up: conversions start from the narrow value") {
    CHECK(stored("%l = OpUConvert %long %n\n%r = OpUConvert %int %l\n") == "%n");
    CHECK(stored("%l = OpSConvert %long %n\n%r = OpSConvert %int %l\n") == "%n");
}

TEST_CASE("clean_up: comparisons of extended values compare the narrow ones") {
    auto compared = [](std::string_view rest) {
        const PassRun run =
            cleaned("%s = OpSConvert %long %n\n%z = OpUConvert %long %n\n" + std::string(rest) +
                    "%r = OpSelect %int %c %c2 %c3\nOpStore %out %r Aligned 4\n");
        if (!run.error.empty()) return run.error;
        const size_t at = run.text.find(" %bool", run.text.find("OpLabel"));
        return run.text.substr(at - 13, run.text.find('\n', at) - at + 13);
    };
    const std::string_view minus = "%m = OpSConvert %long %cm1\n", plus = "%m = OpUConvert %long %cm1\n";
    CHECK(contains(compared(std::string(minus) + "%c = OpSLessThan %bool %s %m\n"),
                   "OpSLessThan %bool %n %uint_4294967295"));
    CHECK(contains(compared(std::string(minus) + "%c = OpULessThan %bool %m %s\n"),
                   "OpULessThan %bool %uint_4294967295 %n"));
    CHECK(contains(compared(std::string(plus) + "%c = OpSLessThan %bool %z %m\n"),
                   "OpULessThan %bool %n %uint_4294967295"));
    // -1 is no zero-extended value, and 4294967295 no sign-extended one.
    CHECK(contains(compared(std::string(minus) + "%c = OpSLessThan %bool %z %m\n"),
                   "%ulong_18446744073709551615"));
    CHECK(contains(compared(std::string(plus) + "%c = OpSLessThan %bool %s %m\n"), "%ulong_4294967295"));
    CHECK(contains(compared("%t = OpSConvert %long %c3\n%c = OpIEqual %bool %s %t\n"),
                   "OpIEqual %bool %n %uint_3"));
    CHECK(!contains(compared("%c = OpSLessThan %bool %s %z\n"), "%n"));
}

TEST_CASE("clean_up: empty arms and needless blocks go, phis keep their values") {
    const PassRun run = cleaned(R"(
%c = OpIEqual %bool %n %c0
OpSelectionMerge %m None
OpBranchConditional %c %t %e
%t = OpLabel
OpBranch %m
%e = OpLabel
OpBranch %m
%m = OpLabel
%r = OpPhi %int %c1 %t %c2 %e
OpStore %out %r Aligned 4
OpSelectionMerge %m2 None
OpSwitch %n %d 1 %m2
%d = OpLabel
OpBranch %m2
%m2 = OpLabel
OpBranch %last
%last = OpLabel
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpBranchConditional"));
    CHECK(contains(run.text, "OpPhi %uint %uint_1 %"));
    CHECK(!contains(run.text, "OpSwitch"));
    size_t labels = 0;
    for (size_t at = 0; (at = run.text.find("OpLabel", at)) != std::string::npos; ++at) ++labels;
    CHECK(labels == 3);
}

TEST_CASE("clean_up: composites taken apart where they were put together") {
    CHECK(stored("%p = OpCompositeConstruct %pair %c1 %n\n%r = OpCompositeExtract %int %p 1\n") == "%n");
    CHECK(stored("%p = OpCompositeConstruct %v2 %c1 %n\n%q = OpVectorShuffle %v2 %p %p 3 2\n"
                 "%r = OpCompositeExtract %int %q 0\n") == "%n");
    CHECK(stored("%u = OpUndef %pair\n%p = OpCompositeInsert %pair %n %u 0\n%q = OpCompositeInsert %pair %c1 "
                 "%p 1\n"
                 "%r = OpCompositeExtract %int %q 0\n") == "%n");
    CHECK(stored("%f = OpBitcast %float %n\n%r = OpBitcast %int %f\n") == "%n");
}

TEST_CASE("clean_up: minimum and maximum of constants are signed or not as the instruction says") {
    const auto of_vectors = [](const std::string& operation, int component) {
        return stored("%m = OpExtInst %v2 %glsl " + operation + "\n%r = OpCompositeExtract %int %m " +
                      std::to_string(component) + "\n");
    };
    CHECK(of_vectors("UMin %va %vb", 0) == "%uint_1");
    CHECK(of_vectors("UMin %va %vb", 1) == "%uint_2");
    CHECK(of_vectors("SMin %va %vb", 0) == "%uint_4294967295");
    CHECK(of_vectors("SMax %va %vb", 1) == "%uint_3");
    CHECK(of_vectors("UClamp %vb %va %va", 0) == "%uint_4294967295");
    CHECK(stored("%r = OpExtInst %int %glsl SMax %cm1 %c1\n") == "%uint_1");
    CHECK(stored("%s = OpIAdd %v2 %va %vb\n%m = OpExtInst %v2 %glsl SClamp %s %va %vb\n"
                 "%r = OpCompositeExtract %int %m 1\n") == "%uint_3");
}

TEST_CASE("clean_up: floats of constants that every device rounds to the same") {
    const auto bits = [](const std::string& operation) {
        return stored("%f = " + operation + "\n%r = OpBitcast %int %f\n");
    };
    CHECK(bits("OpFAdd %float %f1 %fm1_5") == "%uint_3204448256");  // -0.5
    CHECK(bits("OpFSub %float %f1 %f1") == "%uint_0");
    CHECK(bits("OpFMul %float %f0 %fm1_5") == "%uint_2147483648");  // -0
    CHECK(bits("OpFDiv %float %f1 %f3") == "%uint_1051372203");     // 0x1.555556p-2
    CHECK(bits("OpFNegate %float %f0") == "%uint_2147483648");
    CHECK(bits("OpFNegate %float %fdenormal") == "%uint_2148007936");
    CHECK(bits("OpExtInst %float %glsl FAbs %fm1_5") == "%uint_1069547520");
    CHECK(bits("OpExtInst %float %glsl RoundEven %fm1_5") == "%uint_3221225472");
    CHECK(bits("OpExtInst %float %glsl Ceil %fm1_5") == "%uint_3212836864");
    CHECK(bits("OpExtInst %float %glsl NMin %fm1_5 %f0") == "%uint_3217031168");
    CHECK(bits("OpExtInst %float %glsl FMax %fm1_5 %f0") == "%uint_0");
    CHECK(bits("OpExtInst %float %glsl NClamp %f3 %f0 %f1") == "%uint_1065353216");
    CHECK(contains(stored("%z = OpFNegate %float %f0\n%f = OpExtInst %float %glsl NMax %z %f0\n"
                          "%r = OpBitcast %int %f\n"),
                   "and more"));
    for (auto other : {"OpFDiv %float %f1 %f0", "OpFMul %float %fhuge %fhuge", "OpFAdd %float %fdenormal %f1",
                       "OpFDiv %float %f1 %fhuge"})
        CHECK_MESSAGE(contains(bits(other), "and more"), other);
    CHECK(stored("%c = OpFOrdLessThan %bool %fm1_5 %f0\n%r = OpSelect %int %c %n %c3\n") == "%n");
    CHECK(stored("%c = OpFUnordGreaterThanEqual %bool %fm1_5 %f0\n%r = OpSelect %int %c %n %c3\n") ==
          "%uint_3");
    CHECK(contains(stored("%c = OpFOrdEqual %bool %fdenormal %f0\n%r = OpSelect %int %c %n %c3\n"),
                   "and more"));
    const std::string second = "%f = OpCompositeExtract %float %s 1\n%r = OpBitcast %int %f\n";
    CHECK(stored("%s = OpFAdd %vf %vfa %vf0\n" + second) == "%uint_3217031168");
    CHECK(stored("%s = OpExtInst %vf %glsl FAbs %vfa\n" + second) == "%uint_1069547520");
}

TEST_CASE("clean_up: comparisons of constants with NaN and infinity") {
    const auto holds = [&](const std::string& comparison) {
        return stored("%c = " + comparison + "\n%r = OpSelect %int %c %n %c3\n");
    };
    const std::string unordered[] = {"OpFUnordEqual",         "OpFUnordNotEqual",
                                     "OpFUnordLessThan",      "OpFUnordGreaterThan",
                                     "OpFUnordLessThanEqual", "OpFUnordGreaterThanEqual"};
    const std::string ordered[] = {"OpFOrdEqual",       "OpFOrdNotEqual",      "OpFOrdLessThan",
                                   "OpFOrdGreaterThan", "OpFOrdLessThanEqual", "OpFOrdGreaterThanEqual"};
    for (const std::string& op : unordered) {
        CHECK_MESSAGE(holds(op + " %bool %fnan %f0") == "%n", op);
        CHECK_MESSAGE(holds(op + " %bool %f1 %fnan") == "%n", op);
    }
    for (const std::string& op : ordered) {
        CHECK_MESSAGE(holds(op + " %bool %fnan %f0") == "%uint_3", op);
        CHECK_MESSAGE(holds(op + " %bool %f1 %fnan") == "%uint_3", op);
    }
    CHECK(holds("OpFOrdGreaterThan %bool %finf %fhuge") == "%n");
    CHECK(holds("OpFUnordLessThan %bool %finf %fhuge") == "%uint_3");
    CHECK(holds("OpUnordered %bool %fnan %f1") == "%n");
    CHECK(holds("OpOrdered %bool %finf %f1") == "%n");
    CHECK(holds("OpIsNan %bool %fnan") == "%n");
    CHECK(holds("OpIsNan %bool %finf") == "%uint_3");
    CHECK(holds("OpIsInf %bool %finf") == "%n");
    CHECK(holds("OpIsInf %bool %fhuge") == "%uint_3");
}

TEST_CASE("clean_up: vectors compared and computed with themselves") {
    const std::string v = "%v = OpCompositeConstruct %v2 %n %c3\n%w = OpIAdd %v2 %v %va\n";
    const auto computed = [&](const std::string& op) {
        return stored(v + "%s = " + op + " %v2 %w %w\n%r = OpCompositeExtract %int %s 1\n");
    };
    CHECK(computed("OpISub") == "%uint_0");
    CHECK(computed("OpBitwiseXor") == "%uint_0");
    for (const std::string op : {"OpBitwiseAnd", "OpBitwiseOr"}) {
        const PassRun run = cleaned(v + "%s = " + op + " %v2 %w %w\n%e = OpCompositeExtract %int %s 1\n" +
                                    "OpStore %out %e Aligned 4\n");
        CHECK_MESSAGE((run.error.empty() && !contains(run.text, op)), run.error);
    }
    const auto compared = [&](const std::string& op) {
        return stored(v + "%c = " + op + " %truths %w %w\n%b = OpCompositeExtract %bool %c 0\n" +
                      "%r = OpSelect %int %b %n %c3\n");
    };
    CHECK(compared("OpSGreaterThan") == "%uint_3");
    CHECK(compared("OpULessThan") == "%uint_3");
    CHECK(compared("OpINotEqual") == "%uint_3");
    CHECK(compared("OpIEqual") == "%n");
    CHECK(compared("OpSLessThanEqual") == "%n");
    CHECK(contains(computed("OpIMul"), "and more"));
}

TEST_CASE("clean_up: vectors of numbers are constants however they are put together") {
    const auto sum = [](const std::string& code) {
        return stored(code + "%s = OpIAdd %v2 %v %va\n%r = OpCompositeExtract %int %s 1\n");
    };
    const std::string half = "%undefined = OpUndef %v2\n%half = OpCompositeInsert %v2 %c3 %undefined 0\n";
    CHECK(sum("%v = OpCompositeConstruct %v2 %c0 %c3\n") == "%uint_5");
    CHECK(sum(half + "%v = OpCompositeInsert %v2 %c2 %half 1\n") == "%uint_4");
    CHECK(sum(half + "%v = OpVectorShuffle %v2 %half %vb 0 0\n") == "%uint_5");
    CHECK(sum("%v = OpVectorShuffle %v2 %vb %va 3 2\n") == "%uint_1");
    for (auto other :
         {"%v = OpCompositeConstruct %v2 %c0 %n\n", "%v = OpVectorShuffle %v2 %vb %va 3 4294967295\n"})
        CHECK_MESSAGE(contains(sum(other), "and more"), other);
    CHECK(contains(sum(half + "%v = OpVectorShuffle %v2 %half %vb 0 1\n"), "and more"));
}

TEST_CASE("clean_up: equal functions of numbers are shared, but not those of memory") {
    const auto left = [](std::string_view name, std::string_view one, std::string_view other) {
        const std::string call = " = OpExtInst %float %glsl " + std::string(name);
        const PassRun run =
            cleaned("%memory = OpVariable %p_float Function\n%f = OpConvertSToF %float %n\n%a" + call +
                    std::string(one) + "\n%b" + call + std::string(other) +
                    "\n%s = OpFAdd %float %a %b\n%r = OpBitcast %int %s\nOpStore %out %r Aligned 4\n");
        REQUIRE_MESSAGE(run.error == "", run.error);
        return count(run.text, "OpExtInst ");
    };
    CHECK(left("Sqrt", " %f", " %f") == 1);
    CHECK(left("Pow", " %f %f1", " %f1 %f") == 2);
    CHECK(left("Modf", " %f %memory", " %f %memory") == 2);
}

TEST_CASE("clean_up: equal address arithmetic is shared where it dominates") {
    const PassRun run = cleaned(R"(
%c = OpIEqual %bool %n %c0
%a = OpPtrAccessChain %global %out %n
OpStore %a %c1 Aligned 4
OpSelectionMerge %m None
OpBranchConditional %c %t %e
%t = OpLabel
%b = OpPtrAccessChain %global %out %n
%x = OpIMul %int %n %n
OpStore %b %x Aligned 4
OpBranch %m
%e = OpLabel
%y = OpIMul %int %n %n
OpStore %out %y Aligned 4
OpBranch %m
%m = OpLabel
)");
    REQUIRE(run.error == "");
    CHECK(run.text.find("OpPtrAccessChain") == run.text.rfind("OpPtrAccessChain"));
    CHECK(run.text.find("OpIMul") != run.text.rfind("OpIMul"));
}
