// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Float16
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%float = OpTypeFloat 32
%float2 = OpTypeVector %float 2
%half = OpTypeFloat 16
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%pointer = OpTypePointer Function %float
%shared_uint = OpTypePointer Workgroup %uint
%i0 = OpConstant %uint 0
%i1 = OpConstant %uint 1
%i2 = OpConstant %uint 2
%i3 = OpConstant %uint 3
%zero = OpConstant %float 0
%minus = OpConstant %float -0.0
%one = OpConstant %float 1
%null = OpConstantNull %float2
%mixed = OpConstantComposite %float2 %one %zero
%kept = OpConstantComposite %float2 %minus %zero
%two = OpConstant %float 2
%any = OpUndef %float
%partly = OpConstantComposite %float2 %zero %any
%array = OpTypeArray %float %i3
%own_array = OpTypePointer Function %array
%words = OpTypeArray %uint %i3
%shared_words = OpTypePointer Workgroup %words
%uint2 = OpTypeVector %uint 2
%bool2 = OpTypeVector %bool 2
%memory = OpVariable %shared_words Workgroup
%array2 = OpTypeArray %array %i2
%zeros = OpConstantNull %array
%ones = OpConstantComposite %array %one %one %one
%mixed_array = OpConstantComposite %array %one %zero %two
%fn_pass = OpTypeFunction %array2 %array
%fn_void = OpTypeFunction %void
%fn_less = OpTypeFunction %float %uint %uint %float
%fn = OpTypeFunction %void %float %float2 %half %uint
%k = OpFunction %void None %fn
%f = OpFunctionParameter %float
%v = OpFunctionParameter %float2
%h = OpFunctionParameter %half
%n = OpFunctionParameter %uint
%entry = OpLabel
)";

bool is_kept(std::string_view body, bool drops = true) {
    TranslateOptions options;
    options.profile.quirks.drops_zero_operands = drops;
    const std::string text = run_in_kernel(kHead, body, keep_zero_operands, options);
    return contains(text, "OpSelect") || contains(text, "OpBitwiseXor");
}

bool is_hidden(std::string_view body) {
    TranslateOptions options;
    options.profile.quirks.drops_zero_operands = true;
    return contains(run_in_kernel(kHead, body, keep_zero_operands, options), "NumWorkgroups");
}

/// %a is doubled while %i is below the bound; %r is made of it behind the loop.
std::string loop(std::string_view first, std::string_view bound, std::string_view end) {
    return "OpBranch %header\n%header = OpLabel\n%a = OpPhi %float " + std::string(first) +
           " %entry %b %turn\n%i = OpPhi %uint %i0 %entry %j %turn\n%more = OpULessThan %bool %i " +
           std::string(bound) +
           "\nOpLoopMerge %merge %turn None\nOpBranchConditional %more %turn %merge\n%turn = OpLabel\n"
           "%b = OpFMul %float %a %two\n%j = OpIAdd %uint %i %i1\nOpBranch %header\n%merge = OpLabel\n" +
           std::string(end);
}

}  // namespace

TEST_CASE("sums with a constant zero have its sign") {
    CHECK(is_kept("%r = OpFAdd %float %f %zero\n"));
    CHECK(is_kept("%r = OpFAdd %float %zero %f\n"));
    CHECK(is_kept("%r = OpFSub %float %zero %f\n"));
    CHECK(is_kept("%r = OpFAdd %float2 %v %null\n"));
    CHECK(is_kept("%r = OpFSub %float2 %mixed %v\n"));
    CHECK(!is_kept("%r = OpFAdd %float %f %zero\n", false));
}

TEST_CASE("products and quotients of a constant zero have its sign and NaN") {
    CHECK(is_kept("%r = OpFMul %float %f %zero\n"));
    CHECK(is_kept("%r = OpFMul %float2 %mixed %v\n"));
    CHECK(is_kept("%r = OpFDiv %float %zero %f\n"));
    CHECK(is_kept("%r = OpFDiv %float2 %null %v\n"));
    CHECK(is_kept("%r = OpFDiv %float2 %partly %v\n"));  // as LLVM makes of two scalars
    CHECK(is_kept("%r = OpFDiv %float %f %zero\n"));
    CHECK(is_kept("%r = OpExtInst %float %glsl Fma %f %zero %f\n"));
    CHECK(is_kept("%r = OpExtInst %float2 %glsl Fma %mixed %v %v\n"));
    CHECK(!is_kept("%r = OpExtInst %float %glsl Fma %f %one %f\n"));
}

TEST_CASE("a product with zeros of both signs is negated where its constant was") {
    TranslateOptions options;
    options.profile.quirks.drops_zero_operands = true;
    const std::string text =
        run_in_kernel(kHead, "%r = OpFMul %float2 %v %kept\n", keep_zero_operands, options);
    CHECK(contains(text, "OpConstantComposite %v2float %float_n0 %float_n0"));
    CHECK(contains(text, "OpConstantComposite %v2uint %uint_0 %uint_2147483648"));
}

TEST_CASE("a difference with -0 has no sign") { CHECK(is_kept("%r = OpFSub %float %f %minus\n")); }

TEST_CASE("a sum with -0 may be -0") {
    TranslateOptions options;
    options.profile.quirks.drops_zero_operands = true;
    const std::string text =
        run_in_kernel(kHead, "%r = OpFAdd %float2 %v %kept\n", keep_zero_operands, options);
    CHECK(contains(text, "OpConstantComposite %v2float %float_n0 %float_0"));
    CHECK(contains(text, "OpSelect"));
}

TEST_CASE("absolute values have no sign bit") {
    TranslateOptions options;
    options.profile.quirks.drops_zero_operands = options.profile.quirks.drops_signs_of_zeros = true;
    const auto kept = [&](std::string_view body) {
        const std::string text = run_in_kernel(kHead, body, keep_zero_operands, options);
        return contains(text, "OpBitwiseAnd") && !contains(text, "FAbs");
    };
    CHECK(kept("%r = OpExtInst %float %glsl FAbs %f\n"));
    CHECK(kept("%r = OpExtInst %float2 %glsl FAbs %v\n"));
    CHECK(kept("%r = OpExtInst %half %glsl FAbs %h\n"));
    options.profile.int16 = false;
    CHECK(!kept("%r = OpExtInst %half %glsl FAbs %h\n"));
}

TEST_CASE("what takes no sign from a zero stays") {
    CHECK(!is_kept("%r = OpFSub %float %f %zero\n"));
    CHECK(!is_kept("%r = OpFAdd %float %f %minus\n"));
    CHECK(!is_kept("%r = OpFAdd %float %f %one\n"));
    CHECK(!is_kept("%r = OpFMul %float %f %minus\n"));
    CHECK(!is_kept("%r = OpFDiv %float %f %minus\n"));
}

TEST_CASE("what loops of constants leave is hidden from what is computed with it") {
    CHECK(is_hidden(loop("%zero", "%i3", "%r = OpFAdd %float %a %f\n")));
    CHECK(is_hidden(loop("%zero", "%i3", "%r = OpExtInst %float %glsl Fma %f %f %a\n")));
    CHECK(is_hidden(loop("%zero", "%i3", "%e = OpFSub %float %a %a\n%r = OpFDiv %float %e %f\n")));
    CHECK(is_hidden(loop("%zero", "%i3", "%e = OpConvertUToF %float %i\n%r = OpFMul %float %f %e\n")));
    // What a sum begins with, too.
    CHECK(is_hidden(
        "OpBranch %header\n%header = OpLabel\n%a = OpPhi %float %zero %entry %b %turn\n"
        "%i = OpPhi %uint %i0 %entry %j %turn\n%more = OpULessThan %bool %i %i3\n"
        "OpLoopMerge %merge %turn None\nOpBranchConditional %more %turn %merge\n%turn = OpLabel\n"
        "%b = OpFAdd %float %a %f\n%j = OpIAdd %uint %i %i1\nOpBranch %header\n%merge = OpLabel\n"));
    // Not where the number of turns or the first value comes from elsewhere.
    CHECK(!is_hidden(loop("%one", "%n", "%r = OpFAdd %float %a %f\n")));
    CHECK(!is_hidden(loop("%f", "%i3", "%r = OpFAdd %float %a %f\n")));
    CHECK(!is_hidden("%r = OpFAdd %float %f %two\n"));
}

TEST_CASE("so is a zero beside other components of a vector") {
    constexpr std::string_view kSum = "%r = OpFAdd %float2 %a %v\n";
    const auto sum_of = [&](std::string_view parts) { return std::string(parts) + std::string(kSum); };
    CHECK(is_hidden(sum_of("%a = OpCompositeConstruct %float2 %f %zero\n")));
    CHECK(is_hidden(sum_of("%a = OpCompositeConstruct %float2 %minus %f\n")));
    CHECK(is_hidden(sum_of("%a = OpCompositeInsert %float2 %f %null 0\n")));
    CHECK(is_hidden(sum_of("%a = OpVectorShuffle %float2 %v %null 0 3\n")));
    CHECK(is_hidden(
        sum_of("%b = OpCompositeInsert %float2 %zero %v 0\n%a = OpVectorShuffle %float2 %b %v 0 3\n")));
    CHECK(
        is_hidden("%a = OpCompositeConstruct %float2 %f %zero\n%e = OpCompositeExtract %float %a 1\n"
                  "%r = OpFMul %float %e %f\n"));
    // Not where there is none, nor without arithmetic.
    CHECK(!is_hidden(sum_of("%a = OpCompositeConstruct %float2 %f %one\n")));
    CHECK(!is_hidden("%a = OpCompositeConstruct %float2 %f %zero\n%e = OpCompositeExtract %float %a 1\n"));
}

TEST_CASE("so is a zero that arises in a component that is a constant") {
    const auto of = [&](std::string_view operation) {
        return "%a = OpCompositeConstruct %float2 %f %two\n" + std::string(operation);
    };
    CHECK(is_hidden(of("%r = OpFSub %float2 %a %a\n")));
    CHECK(is_hidden(of("%b = OpCompositeConstruct %float2 %one %two\n%r = OpFSub %float2 %a %b\n")));
    CHECK(is_hidden(of("%b = OpVectorShuffle %float2 %a %v 2 1\n%r = OpFSub %float2 %b %a\n")));
    CHECK(is_hidden(
        of("%e = OpCompositeExtract %float %a 1\n%r = OpFSub %float %e %two\n%s = OpFMul %float %r %f\n")));
    CHECK(is_hidden(of("%b = OpFNegate %float2 %a\n%r = OpFAdd %float2 %a %b\n")));
    CHECK(is_hidden(of("%b = OpCompositeInsert %float2 %two %v 1\n%r = OpFSub %float2 %b %a\n")));
    // Not where it is no zero, nor in another component.
    CHECK(!is_hidden(of("%r = OpFAdd %float2 %a %a\n")));
    CHECK(!is_hidden(of("%b = OpVectorShuffle %float2 %a %v 1 2\n%r = OpFSub %float2 %b %a\n")));
    CHECK(!is_hidden(of("%r = OpFSub %float2 %a %v\n")));
}

TEST_CASE("zeros that a compiler finds by the ranges of integers are hidden") {
    // %f times a float, or 1 or 0, of the last of the integers or truth values that the code makes
    const auto product = [](std::string_view before) {
        return std::string(before) + "%s = OpConvertUToF %float %d\n%r = OpFMul %float %s %f\n";
    };
    const auto chosen = [](std::string_view before) {
        return std::string(before) + "%s = OpSelect %float %d %one %zero\n%r = OpFDiv %float %s %f\n";
    };
    constexpr std::string_view kBit = "%a = OpBitwiseAnd %uint %n %i1\n";
    const auto of_bit = [&](std::string_view rest) { return std::string(kBit) + std::string(rest); };
    CHECK(is_hidden(product(of_bit("%d = OpBitwiseAnd %uint %a %i2\n"))));
    CHECK(is_hidden(product(of_bit("%d = OpShiftRightLogical %uint %a %i1\n"))));
    CHECK(is_hidden(product(of_bit("%d = OpUDiv %uint %a %i3\n"))));
    CHECK(is_hidden(product("%d = OpUMod %uint %n %i1\n")));
    CHECK(is_hidden(chosen(of_bit("%d = OpULessThan %bool %i1 %a\n"))));
    CHECK(is_hidden(chosen("%d = OpULessThan %bool %n %i0\n")));
    CHECK(
        is_hidden(chosen("%b = OpIEqual %bool %n %i0\n%c = OpINotEqual %bool %n %i0\n"
                         "%d = OpLogicalAnd %bool %b %c\n")));
    CHECK(
        is_hidden("%b = OpExtInst %float %glsl FAbs %f\n%d = OpFOrdLessThan %bool %b %zero\n"
                  "%s = OpSelect %float %d %one %zero\n%r = OpFAdd %float %s %f\n"));
    // Not where it may be another number, nor beside a constant.
    CHECK(!is_hidden(product(of_bit("%d = OpShiftLeftLogical %uint %a %i1\n"))));
    CHECK(!is_hidden(product(of_bit("%d = OpBitwiseXor %uint %a %i1\n"))));
    CHECK(!is_hidden(product("%d = OpUMod %uint %n %i3\n")));
    CHECK(!is_hidden(chosen("%d = OpULessThan %bool %n %i3\n")));
    CHECK(!is_hidden(chosen("%d = OpULessThanEqual %bool %i0 %n\n")));
    CHECK(
        !is_hidden("%a = OpShiftRightLogical %uint %n %i3\n%b = OpBitwiseAnd %uint %a %i0\n"
                   "%s = OpConvertUToF %float %b\n%r = OpFMul %float %s %two\n"));
}

TEST_CASE("so are those that branches say") {
    // A branch on the condition %c of the code before, to %yes or %no. %s is a float of %n.
    constexpr std::string_view kFloat = "%s = OpConvertUToF %float %n\n%r = OpFMul %float %s %f\n";
    const auto branch = [](std::string_view before, std::string_view yes, std::string_view no,
                           std::string_view behind = {}) {
        return std::string(before) +
               "OpSelectionMerge %end None\nOpBranchConditional %c %yes %no\n%yes = OpLabel\n" +
               std::string(yes) + "OpBranch %end\n%no = OpLabel\n" + std::string(no) +
               "OpBranch %end\n%end = OpLabel\n" + std::string(behind);
    };
    constexpr std::string_view kEqual = "%c = OpIEqual %bool %n %i0\n";
    CHECK(is_hidden(branch(kEqual, kFloat, {})));
    CHECK(!is_hidden(branch(kEqual, {}, kFloat)));
    CHECK(!is_hidden(branch(kEqual, {}, {}, kFloat)));
    CHECK(!is_hidden(branch("%c = OpIEqual %bool %n %i3\n", kFloat, {})));
    CHECK(is_hidden(branch("%c = OpINotEqual %bool %n %i0\n", {}, kFloat)));
    CHECK(is_hidden(branch("%c = OpULessThan %bool %n %i1\n", kFloat, {})));
    CHECK(is_hidden(branch("%c = OpULessThan %bool %i0 %n\n", {}, kFloat)));
    CHECK(is_hidden(branch("%a = OpISub %uint %n %i3\n%c = OpIEqual %bool %a %i0\n",
                           "%s = OpConvertUToF %float %a\n%r = OpFMul %float %s %f\n", {})));
    CHECK(is_hidden(branch("%a = OpISub %uint %n %i3\n%c = OpIEqual %bool %n %i3\n",
                           "%s = OpConvertUToF %float %a\n%r = OpFMul %float %s %f\n", {})));
    // The float was computed before.
    CHECK(!is_hidden(branch("%c = OpIEqual %bool %n %i0\n%s = OpConvertUToF %float %n\n",
                            "%r = OpFMul %float %s %f\n", {})));
    // A choice was made before, by the same condition.
    constexpr std::string_view kChoice =
        "%c = OpULessThan %bool %n %i3\n%s = OpSelect %float %c %one %zero\n";
    CHECK(is_hidden(branch(kChoice, {}, "%r = OpFMul %float %s %f\n")));
    CHECK(!is_hidden(branch(kChoice, "%r = OpFMul %float %s %f\n", {})));
    // Two conditions, as && has them.
    const auto and_then = [&](std::string_view rest) {
        return "%false = OpINotEqual %bool %n %n\n" +
               branch(kEqual, "%d = OpFOrdLessThan %bool %f %one\n", {},
                      "%e = OpPhi %bool %d %yes %false %no\nOpSelectionMerge %last None\n"
                      "OpBranchConditional %e %then %last\n%then = OpLabel\n") +
               std::string(rest) + "OpBranch %last\n%last = OpLabel\n";
    };
    CHECK(is_hidden(and_then(kFloat)));
    // One case of a switch.
    const auto in_case = [&](std::string_view number) {
        return "OpSelectionMerge %end None\nOpSwitch %n %end " + std::string(number) +
               " %yes\n%yes = OpLabel\n" + std::string(kFloat) + "OpBranch %end\n%end = OpLabel\n";
    };
    CHECK(is_hidden(in_case("0")));
    CHECK(!is_hidden(in_case("3")));
    CHECK(!is_hidden(in_case("0 %yes 3")));
}

TEST_CASE("so are zeros in dot products") {
    CHECK(is_hidden("%a = OpCompositeConstruct %float2 %f %zero\n%r = OpDot %float %a %v\n"));
    CHECK(is_hidden("%r = OpDot %float %mixed %v\n"));
    CHECK(is_hidden("%r = OpVectorTimesScalar %float2 %mixed %f\n"));
    CHECK(!is_hidden("%r = OpDot %float %v %v\n"));
    CHECK(!is_hidden("%a = OpCompositeConstruct %float2 %f %one\n%r = OpDot %float %a %v\n"));
}

TEST_CASE("turns of loops are other numbers than the first") {
    const auto turn = [](std::string_view count) {
        std::string text = loop("%f", "%n", {});
        return text.insert(text.find("%b = "), std::string(count) +
                                                   "%s = OpConvertUToF %float %d\n"
                                                   "%r = OpFMul %float %s %f\n");
    };
    CHECK(!is_hidden(turn("%d = OpBitwiseAnd %uint %i %i3\n")));
    CHECK(!is_hidden(turn("%d = OpShiftRightLogical %uint %i %i1\n")));
    CHECK(is_hidden(turn("%e = OpBitwiseAnd %uint %i %i1\n%d = OpShiftRightLogical %uint %e %i1\n")));
}

TEST_CASE("what comparisons of a value with itself give is hidden, however it was computed") {
    // %f times 1 or 0, as %d says, behind code that makes %x, %y and %d
    const auto product = [](std::string_view before) {
        return std::string(before) + "%s = OpSelect %float %d %one %zero\n%r = OpFMul %float %s %f\n";
    };
    const auto compared = [&](std::string_view before, std::string_view op = "OpULessThan") {
        return product(std::string(before) + "%d = " + std::string(op) + " %bool %x %y\n");
    };
    constexpr std::string_view kSums = "%x = OpIAdd %uint %n %i1\n%z = OpIAdd %uint %n %i3\n";
    const auto sums = [&](std::string_view last) { return std::string(kSums) + std::string(last); };
    CHECK(is_hidden(compared(sums("%y = OpISub %uint %z %i2\n"))));
    CHECK(is_hidden(compared(sums("%y = OpIAdd %uint %i1 %n\n"))));
    CHECK(is_hidden(compared("%x = OpIMul %uint %n %i2\n%y = OpShiftLeftLogical %uint %n %i1\n")));
    CHECK(is_hidden(compared(sums("%y = OpISub %uint %z %i1\n"), "OpINotEqual")));
    CHECK(
        is_hidden(sums("%d = OpISub %uint %z %x\n%s = OpConvertUToF %float %d\n%r = OpFMul %float %s %f\n")));
    CHECK(!is_hidden(compared(sums("%y = OpISub %uint %z %i1\n"))));
    CHECK(!is_hidden(compared(sums("%y = OpIMul %uint %n %i2\n"), "OpINotEqual")));

    // From memory: with a selection in the address, and what was stored there.
    constexpr std::string_view kPlaces =
        "%c = OpULessThan %bool %n %i2\n%a = OpSelect %uint %c %n %i2\n%e = OpULessThan %bool %n %i2\n"
        "%b = OpSelect %uint %e %n %i2\n%p = OpAccessChain %shared_uint %memory %a\n"
        "%q = OpAccessChain %shared_uint %memory %b\n%o = OpAccessChain %shared_uint %memory %i1\n";
    const auto places = [&](std::string_view rest) { return std::string(kPlaces) + std::string(rest); };
    CHECK(is_hidden(compared(places("%x = OpLoad %uint %p\n%y = OpLoad %uint %q\n"))));
    CHECK(is_hidden(compared(places("%x = OpNot %uint %n\nOpStore %p %x\n%y = OpLoad %uint %q\n"))));
    CHECK(!is_hidden(compared(places("%x = OpLoad %uint %p\n%y = OpLoad %uint %o\n"))));
    CHECK(!is_hidden(compared(places("%x = OpLoad %uint %p Volatile\n%y = OpLoad %uint %q Volatile\n"))));

    // One component of two.
    constexpr std::string_view kVectors =
        "%u = OpCompositeConstruct %uint2 %n %i1\n%m = OpNot %uint %n\n"
        "%w = OpCompositeInsert %uint2 %m %u 1\n%less = OpULessThan %bool2 %u %w\n";
    const auto component = [&](std::string_view at) {
        return product(std::string(kVectors) + "%d = OpCompositeExtract %bool %less " + std::string(at) +
                       "\n");
    };
    CHECK(is_hidden(component("0")));
    CHECK(!is_hidden(component("1")));
}

TEST_CASE("so are zeros in arrays that a function receives, element by element") {
    constexpr std::string_view kCallee =
        "OpReturn\nOpFunctionEnd\n%pass = OpFunction %array2 None %fn_pass\n%p = OpFunctionParameter %array\n"
        "%in = OpLabel\n%ps = OpCompositeConstruct %array2 %p %p\nOpReturnValue %ps\nOpFunctionEnd\n"
        "%fill = OpFunction %void None %fn_void\n%start = OpLabel\n";
    const auto hidden = [&](std::string_view argument, std::string_view before = "") {
        TranslateOptions options;
        options.profile.quirks.drops_zero_operands = true;
        const std::string text = run_in_kernel(kHead,
                                               std::string(before) + "%r = OpFunctionCall %array2 %pass " +
                                                   std::string(argument) + "\n" + std::string(kCallee),
                                               keep_zero_operands, options);
        CHECK(!contains(text, "OpSelect %_arr"));
        return count(text, "OpSelect %float ");
    };
    CHECK(hidden("%zeros") == 3);
    CHECK(hidden("%mixed_array") == 3);
    CHECK(hidden("%ones") == 6);  // the result, which Mesa knows
    CHECK(hidden("%a", "%a = OpCompositeConstruct %array %f %f %zero\n") == 1);
    CHECK(hidden("%a", "%a = OpCompositeConstruct %array %f %f %f\n") == 0);
    CHECK(hidden("%a", "%e = OpFMul %float %one %two\n%a = OpCompositeConstruct %array %e %e %e\n") == 3);
}

TEST_CASE("so is what private variables hold") {
    constexpr std::string_view kVariable = "%var = OpVariable %pointer Function\nOpStore %var %two\n";
    constexpr std::string_view kUse = "%a = OpLoad %float %var\n%r = OpFAdd %float %a %f\n";
    CHECK(is_hidden(std::string(kVariable) + std::string(kUse)));
    CHECK(!is_hidden(std::string(kVariable) + "OpStore %var %f\n" + std::string(kUse)));
}

TEST_CASE("so is what single elements of private arrays hold") {
    const auto summed = [](std::string_view stores, std::string_view at) {
        return "%vars = OpVariable %own_array Function\n%p0 = OpAccessChain %pointer %vars %i0\n"
               "%p1 = OpAccessChain %pointer %vars %i1\n%pn = OpAccessChain %pointer %vars %n\n" +
               std::string(stores) +
               // another block, in which nothing has been stored yet
               "OpBranch %next\n%next = OpLabel\n%a = OpLoad %float " + std::string(at) +
               "\n%r = OpFAdd %float %a %f\n";
    };
    constexpr std::string_view kZeroAndOther = "OpStore %p0 %zero\nOpStore %p1 %f\n";
    CHECK(is_hidden(summed(kZeroAndOther, "%p0")));
    CHECK(!is_hidden(summed(kZeroAndOther, "%p1")));
    CHECK(!is_hidden(summed(kZeroAndOther, "%pn")));
    CHECK(!is_hidden(summed("OpStore %p1 %f\n", "%p1")));
    // A loop that stays one keeps what another turn has stored; %a is loaded in it.
    const auto looped = [](std::string_view stored, std::string_view bound) {
        return "%vars = OpVariable %own_array Function\n%p0 = OpAccessChain %pointer %vars %i0\n"
               "%p1 = OpAccessChain %pointer %vars %i1\nOpStore %p0 %zero\nOpBranch %header\n"
               "%header = OpLabel\n%i = OpPhi %uint %i0 %entry %j %turn\n%more = OpULessThan %bool %i " +
               std::string(bound) +
               "\nOpLoopMerge %merge %turn None\nOpBranchConditional %more %turn %merge\n%turn = OpLabel\n"
               "%a = OpLoad %float %p0\n%r = OpFAdd %float %a %f\nOpStore " +
               std::string(stored) + " %r\n%j = OpIAdd %uint %i %i1\nOpBranch %header\n%merge = OpLabel\n";
    };
    CHECK(is_hidden(looped("%p0", "%i3")));
    CHECK(is_hidden(looped("%p1", "%n")));
    CHECK(!is_hidden(looped("%p0", "%n")));
}

TEST_CASE("so is what a comparison with itself chooses") {
    constexpr std::string_view kUse = "%a = OpSelect %float %same %one %two\n%r = OpFMul %float %a %f\n";
    CHECK(is_hidden("%same = OpFOrdLessThan %bool %f %f\n" + std::string(kUse)));
    CHECK(is_hidden("%same = OpINotEqual %bool %n %n\n" + std::string(kUse)));
    CHECK(!is_hidden("%same = OpINotEqual %bool %n %i1\n" + std::string(kUse)));
}

TEST_CASE("so is what a function makes of what some call passes") {
    // a comparison of two parameters times a third one
    constexpr std::string_view kCallee =
        "OpReturn\nOpFunctionEnd\n%less = OpFunction %float None %fn_less\n%l = OpFunctionParameter %uint\n"
        "%m = OpFunctionParameter %uint\n%p = OpFunctionParameter %float\n%in = OpLabel\n"
        "%d = OpULessThan %bool %l %m\n%s = OpSelect %float %d %one %two\n%r = OpFMul %float %s %p\n"
        "OpReturnValue %r\nOpFunctionEnd\n%last = OpFunction %void None %fn_void\n%start = OpLabel\n";
    const auto hidden = [&](std::string_view passed, std::string_view before = "") {
        return is_hidden(std::string(before) + "%c = OpFunctionCall %float %less " + std::string(passed) +
                         " %f\n" + std::string(kCallee));
    };
    constexpr std::string_view kOther = "%o = OpNot %uint %n\n%e = OpFunctionCall %float %less %n %o %f\n";
    CHECK(hidden("%i1 %i2"));
    CHECK(hidden("%n %n"));
    CHECK(hidden("%i1 %i2", kOther));
    CHECK(hidden("%t %n", std::string(kOther) + "%t = OpCopyObject %uint %n\n"));
    CHECK(!hidden("%i1 %n"));
    CHECK(!hidden("%n %i1", kOther));
}
