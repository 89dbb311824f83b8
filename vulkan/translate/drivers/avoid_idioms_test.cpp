// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability Float64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%f0 = OpConstant %float 0
%f_minus0 = OpConstant %float -0.0
%f1 = OpConstant %float 1
%f_minus1 = OpConstant %float -1
%f3 = OpConstant %float 3
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i8 = OpConstant %int 8
%i256 = OpConstant %int 256
%minus_one = OpConstant %int 0xffffffff
%c0 = OpConstant %char 0
%l0 = OpConstant %long 0
%l7 = OpConstant %long 7
%l31 = OpConstant %long 31
%l2_31 = OpConstant %long 0x80000000
%all = OpConstant %long 0xffffffffffffffff
%long2 = OpTypeVector %long 2
%char2 = OpTypeVector %char 2
%float2 = OpTypeVector %float 2
%c_minus1 = OpConstant %char 0xff
%c7 = OpConstant %char 7
%l63 = OpConstant %long 63
%l63_63 = OpConstantComposite %long2 %l63 %l63
%l7_31 = OpConstantComposite %long2 %l7 %l31
%l7_2_31 = OpConstantComposite %long2 %l7 %l2_31
%c7_minus1 = OpConstantComposite %char2 %c7 %c_minus1
%c7_0 = OpConstantComposite %char2 %c7 %c0
%f3_0 = OpConstantComposite %float2 %f3 %f0
%f3_1 = OpConstantComposite %float2 %f3 %f1
%f1_3 = OpConstantComposite %float2 %f1 %f3
%fn = OpTypeFunction %void %char %int %long %long %float
%k = OpFunction %void None %fn
%c = OpFunctionParameter %char
%i = OpFunctionParameter %int
%a = OpFunctionParameter %long
%b = OpFunctionParameter %long
%f = OpFunctionParameter %float
%entry = OpLabel
)";

std::string avoided(std::string_view body, bool wrong = true) {
    TranslateOptions options;
    options.profile.quirks.wrong_idioms = wrong;
    return run_in_kernel(kHead, body, avoid_idioms, options);
}

size_t count_of(std::string_view text, std::string_view part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("a zero-extended value is counted at the top of its word, a sign-extended one as it is") {
    constexpr std::string_view kZero = "%w = OpUConvert %int %c\n%n = OpBitCount %int %w\n";
    CHECK(contains(avoided(kZero), "OpShiftLeftLogical %uint"));
    CHECK(!contains(avoided(kZero, false), "OpShiftLeftLogical"));
    CHECK(!contains(avoided("%w = OpSConvert %int %c\n%n = OpBitCount %int %w\n"), "OpShiftLeftLogical"));
    CHECK(!contains(avoided("%n = OpBitCount %int %i\n"), "OpShiftLeftLogical"));
}

TEST_CASE("a float becomes a long or ulong in halves, an int or uint at once") {
    for (std::string_view conversion : {"%u = OpConvertFToU %long %f\n", "%u = OpConvertFToS %long %f\n",
                                        "%d = OpFConvert %double %f\n%u = OpConvertFToS %long %d\n"}) {
        CAPTURE(conversion);
        const std::string text = avoided(conversion);
        CHECK(contains(text, "OpConvertFToU %uint"));
        CHECK(!contains(text, "OpConvertFToU %ulong"));
        CHECK(!contains(text, "OpConvertFToS"));
        CHECK(contains(text, "FAbs") == contains(std::string(conversion), "FToS"));
    }
    CHECK(!contains(avoided("%u = OpConvertFToU %int %f\n"), "Trunc"));
    CHECK(!contains(avoided("%u = OpConvertFToS %int %f\n"), "Trunc"));
}

TEST_CASE("where one or zero is chosen, as floats, only the device knows the one") {
    constexpr std::string_view kLess = "%less = OpFOrdLessThan %bool %f %f1\n";
    for (std::string_view arms : {"%f1 %f0", "%f0 %f1", "%f_minus1 %f0", "%f_minus1 %f_minus0"}) {
        CAPTURE(arms);
        CHECK(contains(avoided(std::string(kLess) + "%r = OpSelect %float %less " + std::string(arms) + "\n"),
                       "NumWorkgroups"));
    }
    for (std::string_view arms : {"%f1 %f", "%f3 %f0", "%f1 %f_minus1"})
        CHECK(
            !contains(avoided(std::string(kLess) + "%r = OpSelect %float %less " + std::string(arms) + "\n"),
                      "NumWorkgroups"));
    CHECK(contains(avoided(std::string(kLess) + R"(
OpSelectionMerge %after None
OpBranchConditional %less %then %after
%then = OpLabel
OpBranch %after
%after = OpLabel
%r = OpPhi %float %f0 %entry %f1 %then
)"),
                   "NumWorkgroups"));
}

TEST_CASE("every negation of a narrow value is a subtraction from what only the device knows to be zero") {
    for (std::string_view negation :
         {"%n = OpSNegate %int %w\n", "%n = OpISub %int %i0 %w\n", "%n = OpIMul %int %w %minus_one\n",
          "%n = OpIMul %int %minus_one %w\n", "%x = OpNot %int %w\n%n = OpIAdd %int %x %i1\n"}) {
        CAPTURE(negation);
        const std::string text = avoided("%w = OpSConvert %int %c\n" + std::string(negation));
        CHECK(contains(text, "BuiltIn NumWorkgroups"));
        CHECK(contains(text, "OpISub %uint"));
    }
    CHECK(contains(avoided("%n = OpSNegate %char %c\n"), "OpISub %uchar"));
}

TEST_CASE("every negation whose lower bits become a narrow value subtracts from what only the device knows") {
    for (std::string_view negation :
         {"%n = OpSNegate %int %i\n", "%n = OpISub %int %i0 %i\n", "%n = OpISub %int %i256 %i\n",
          "%x = OpNot %int %i\n%y = OpIAdd %int %x %i1\n%n = OpBitwiseOr %int %y %i8\n"}) {
        CAPTURE(negation);
        CHECK(contains(avoided(std::string(negation) + "%t = OpUConvert %char %n\n"), "NumWorkgroups"));
    }
    CHECK(contains(avoided("%n = OpSNegate %long %a\n%t = OpUConvert %short %n\n"), "NumWorkgroups"));
    CHECK(!contains(avoided("%n = OpISub %int %i256 %i\n%t = OpUConvert %short %n\n"), "NumWorkgroups"));
    CHECK(!contains(avoided("%n = OpSNegate %int %i\n%t = OpSConvert %long %n\n"), "NumWorkgroups"));
}

TEST_CASE(
    "a maximum, minimum or clamp of a narrow value and zero is that with what only the device knows to be "
    "zero") {
    CHECK(contains(avoided("%n = OpExtInst %char %glsl SMax %c %c0\n"), "BuiltIn NumWorkgroups"));
    CHECK(contains(avoided("%n = OpExtInst %char %glsl SMin %c0 %c\n"), "BuiltIn NumWorkgroups"));
    CHECK(contains(avoided("%n = OpExtInst %char %glsl SClamp %c %c0 %c\n"), "BuiltIn NumWorkgroups"));
    for (std::string_view other :
         {"%n = OpExtInst %char %glsl UMax %c %c0\n", "%n = OpExtInst %char %glsl SMax %c %c\n",
          "%n = OpExtInst %int %glsl SMax %i %i0\n"})
        CHECK(!contains(avoided(other), "NumWorkgroups"));
}

TEST_CASE("other negations and subtractions stay") {
    for (std::string_view other :
         {"%n = OpSNegate %int %i\n", "%n = OpISub %int %i %i0\n", "%n = OpIMul %int %i %i1\n",
          "%n = OpIAdd %int %i %i1\n", "%w = OpSConvert %int %c\n%n = OpISub %int %i1 %w\n"}) {
        CAPTURE(other);
        CHECK(!contains(avoided(other), "NumWorkgroups"));
    }
}

TEST_CASE("the limits of saturated arithmetic are hidden where unsigned longs are compared") {
    constexpr std::string_view kSelect =
        "%s = OpIAdd %long %a %b\n"
        "%less = OpULessThan %bool %s %a\n"
        "%r = OpSelect %long %less %all %s\n";
    CHECK(contains(avoided(kSelect), "BuiltIn NumWorkgroups"));
    CHECK(!contains(avoided(kSelect, false), "NumWorkgroups"));
    CHECK(!contains(avoided("%less = OpULessThan %bool %a %b\n%r = OpSelect %long %less %l7 %a\n"),
                    "NumWorkgroups"));
    CHECK(!contains(avoided("%same = OpIEqual %bool %a %b\n%r = OpSelect %long %same %all %a\n"),
                    "NumWorkgroups"));
}

TEST_CASE("limits that a branch chooses are hidden, those that a loop starts from are not") {
    constexpr std::string_view kBranch = R"(
%more = OpUGreaterThan %bool %a %b
OpSelectionMerge %after None
OpBranchConditional %more %then %after
%then = OpLabel
%d = OpISub %long %a %b
OpBranch %after
%after = OpLabel
%r = OpPhi %long %l0 %entry %d %then
)";
    CHECK(contains(avoided(kBranch), "BuiltIn NumWorkgroups"));
    constexpr std::string_view kLoop = R"(
OpBranch %header
%header = OpLabel
%n = OpPhi %long %l0 %entry %next %latch
%more = OpULessThan %bool %n %a
OpLoopMerge %after %latch None
OpBranchConditional %more %latch %after
%latch = OpLabel
%next = OpIAdd %long %n %l7
OpBranch %header
%after = OpLabel
)";
    CHECK(!contains(avoided(kLoop), "NumWorkgroups"));
}

TEST_CASE("the byte that goes up in a half is shifted by what only the device knows to be 8") {
    constexpr std::string_view kShift = "%up = OpShiftLeftLogical %int %i %i8\n";
    constexpr std::string_view kDown = "%down = OpShiftRightLogical %int %i %i8\n";
    for (std::string_view rest : {"%both = OpBitwiseOr %int %up %down\n%half = OpUConvert %short %both\n",
                                  "%both = OpBitwiseXor %int %down %up\n%half = OpSConvert %short %both\n",
                                  "%a16 = OpUConvert %short %up\n%b16 = OpUConvert %short %down\n%half = "
                                  "OpBitwiseOr %short %a16 %b16\n",
                                  "%both = OpBitwiseOr %int %up %down\n%some = OpBitwiseAnd %int %both "
                                  "%i\n%half = OpUConvert %short %some\n"}) {
        CAPTURE(rest);
        CHECK(contains(avoided(std::string(kShift) + std::string(kDown) + std::string(rest)),
                       "BuiltIn NumWorkgroups"));
        CHECK(!contains(avoided(std::string(kShift) + std::string(kDown) + std::string(rest), false),
                        "NumWorkgroups"));
    }
    CHECK(contains(avoided("%up = OpIMul %int %i256 %i\n%half = OpUConvert %short %up\n"), "NumWorkgroups"));
    CHECK(
        !contains(avoided(std::string(kShift) + std::string(kDown) + "%both = OpBitwiseOr %int %up %down\n"),
                  "NumWorkgroups"));
    CHECK(!contains(avoided(std::string(kDown) + "%half = OpUConvert %short %down\n"), "NumWorkgroups"));
}

TEST_CASE("a long goes up by what only the device knows to be 31") {
    for (std::string_view product : {"%s = OpShiftLeftLogical %long %a %l31\n",
                                     "%s = OpIMul %long %a %l2_31\n", "%s = OpIMul %long %l2_31 %a\n"}) {
        CAPTURE(product);
        const std::string text = avoided(product);
        CHECK(contains(text, "OpSelect %ulong"));
        CHECK(contains(text, "OpShiftLeftLogical %ulong"));
        CHECK(!contains(text, "OpIMul"));
    }
    CHECK(!contains(avoided("%s = OpShiftLeftLogical %long %a %l7\n"), "OpSelect"));
    CHECK(!contains(avoided("%s = OpShiftLeftLogical %int %i %i8\n"), "OpSelect"));
}

TEST_CASE("of a constant vector only the components that are wrong are hidden") {
    constexpr std::string_view kVectors =
        "%aa = OpCompositeConstruct %long2 %a %b\n"
        "%cc = OpCompositeConstruct %char2 %c %c\n"
        "%less = OpULessThan %bool %a %b\n";
    for (std::string_view op :
         {"%s = OpShiftLeftLogical %long2 %aa %l7_31\n", "%s = OpIMul %long2 %aa %l7_2_31\n",
          "%s = OpIMul %long2 %l7_2_31 %aa\n", "%s = OpIMul %char2 %cc %c7_minus1\n",
          "%s = OpISub %char2 %c7_0 %cc\n", "%s = OpSelect %float2 %less %f3_0 %f3_1\n"}) {
        CAPTURE(op);
        const std::string text = avoided(std::string(kVectors) + std::string(op));
        CHECK(count_of(text, "OpCompositeInsert") == 1);
        CHECK(contains(text, " 1\n"));  // its place
        CHECK(count_of(text, "OpSelect") == 1 + count_of(op, "OpSelect"));
    }
    for (std::string_view other :
         {"%s = OpIMul %long2 %aa %l7_31\n", "%s = OpShiftLeftLogical %long2 %aa %l7_2_31\n",
          "%s = OpIAdd %char2 %c7_minus1 %cc\n", "%s = OpSelect %float2 %less %f3_0 %f1_3\n"})
        CHECK(!contains(avoided(std::string(kVectors) + std::string(other)), "OpCompositeInsert"));
}

TEST_CASE("of a vector that is made of values and constants, only the constants that are wrong are hidden") {
    constexpr std::string_view kVector = "%aa = OpCompositeConstruct %long2 %a %b\n";
    for (std::string_view by :
         {"%by = OpCompositeConstruct %long2 %a %l31\n", "%by = OpCompositeInsert %long2 %l31 %aa 1\n",
          "%by = OpVectorShuffle %long2 %aa %l7_31 0 3\n",
          "%odd = OpCompositeConstruct %long2 %l31 %a\n%by = OpVectorShuffle %long2 %odd %odd 1 2\n",
          "%odd = OpCompositeInsert %long2 %a %l7_31 0\n%by = OpBitwiseAnd %long2 %odd %l63_63\n"}) {
        CAPTURE(by);
        const std::string text =
            avoided(std::string(kVector) + std::string(by) + "%s = OpShiftLeftLogical %long2 %aa %by\n");
        CHECK(count_of(text, "OpSelect") == 1);
        CHECK(count_of(text, "OpCompositeInsert") == 1 + count_of(by, "OpCompositeInsert"));
        CHECK(contains(text, " 1\n"));  // its place
    }
    for (std::string_view by :
         {"%by = OpCompositeConstruct %long2 %a %l7\n", "%by = OpCompositeInsert %long2 %a %l7_31 1\n",
          "%by = OpVectorShuffle %long2 %aa %l7_31 0 2\n",
          "%by = OpVectorShuffle %long2 %aa %aa 0 4294967295\n"}) {
        CAPTURE(by);
        CHECK(!contains(
            avoided(std::string(kVector) + std::string(by) + "%s = OpShiftLeftLogical %long2 %aa %by\n"),
            "OpSelect"));
    }
}

TEST_CASE("a float that becomes a half goes through bits that are not known") {
    TranslateOptions options;
    constexpr std::string_view kHalf = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Float16
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%float4 = OpTypeVector %float 4
%half4 = OpTypeVector %half 4
%fn = OpTypeFunction %void %float %float4 %half
%k = OpFunction %void None %fn
%f = OpFunctionParameter %float
%v = OpFunctionParameter %float4
%h = OpFunctionParameter %half
%entry = OpLabel
)";
    const auto goes_through_bits = [&](std::string_view body) {
        return contains(run_in_kernel(kHalf, body, avoid_idioms, options), "OpBitwiseOr");
    };
    CHECK(goes_through_bits("%r = OpFConvert %half %f\n"));
    CHECK(goes_through_bits("%r = OpFConvert %half4 %v\n"));
    CHECK(!goes_through_bits("%r = OpFConvert %float %h\n"));
    options.profile.quirks.wrong_idioms = false;
    CHECK(!goes_through_bits("%r = OpFConvert %half %f\n"));
}

TEST_CASE("the zero that a magnitude is compared with is not known") {
    TranslateOptions options;
    const auto hides = [&](const std::string& comparison) {
        const std::string body =
            "%m = OpExtInst %float %glsl FAbs %f\n%n = OpFNegate %float %m\n%r = " + comparison + "\n";
        return contains(run_in_kernel(kHead, body, avoid_idioms, options), "OpSelect");
    };
    CHECK(hides("OpFOrdGreaterThanEqual %bool %m %f0"));
    CHECK(hides("OpFOrdGreaterThanEqual %bool %m %f_minus0"));
    CHECK(hides("OpFOrdLessThanEqual %bool %f0 %m"));
    CHECK(hides("OpFOrdLessThanEqual %bool %n %f0"));
    CHECK(hides("OpFUnordLessThan %bool %m %f0"));
    CHECK(!hides("OpFOrdGreaterThanEqual %bool %m %f3"));
    CHECK(!hides("OpFOrdGreaterThanEqual %bool %f %f0"));
    CHECK(!hides("OpFOrdLessThan %bool %m %f0"));
}
