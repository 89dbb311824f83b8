// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/passes/pass_test.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A kernel with `modes` and `decorations` whose body is `body`: %a, %b, %c are floats, %v a float16.
std::string kernel(std::string_view modes, std::string_view decorations, std::string_view body) {
    return R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Vector16
OpCapability Float16
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)" + std::string(modes) +
           "OpName %m \"m\"\nOpName %r \"r\"\n" + std::string(decorations) + R"(
%void = OpTypeVoid
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float16 = OpTypeVector %float 16
%fn = OpTypeFunction %void
%a = OpUndef %float
%b = OpUndef %float
%c = OpUndef %float
%v = OpUndef %float16
%i = OpUndef %uint
%k = OpFunction %void None %fn
%entry = OpLabel
)" + std::string(body) +
           "OpReturn\nOpFunctionEnd\n";
}

std::string text_of(const PassRun& run) {
    REQUIRE(run.error == "");
    return run.text;
}
/// After the passes that see to the order.
std::string ordered(const std::string& text, const TranslateOptions& options = {}) {
    return text_of(run_passes(text, {contract_products, lower_instructions, keep_float_order}, options));
}
size_t occurrences(const std::string& text, std::string_view what) {
    size_t found = 0;
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
}

constexpr std::string_view kOff = "OpExecutionMode %k ContractionOff\n";
constexpr std::string_view kProductAndSum = "%m = OpFMul %float %a %b\n%r = OpFAdd %float %m %c\n";

}  // namespace

TEST_CASE("floating-point instructions of every kind are NoContraction, once each") {
    for (const char* body :
         {"%r = OpFAdd %float %a %b\n", "%r = OpFSub %float %a %b\n", "%r = OpFMul %float %a %b\n",
          "%r = OpFDiv %float %a %b\n", "%r = OpFNegate %float %a\n", "%r = OpFConvert %half %a\n",
          "%r = OpConvertFToS %uint %a\n", "%r = OpConvertUToF %float %i\n",
          "%r = OpFOrdLessThan %bool %a %b\n", "%r = OpFUnordNotEqual %bool %a %b\n",
          "%r = OpExtInst %float %cl fma %a %b %c\n", "%r = OpExtInst %float %cl rint %a\n",
          "%r = OpExtInst %float %cl fmax %a %b\n"})
        CHECK_MESSAGE(occurrences(ordered(kernel("", "", body)), "OpDecorate %r NoContraction") == 1, body);
    CHECK(occurrences(ordered(kernel("", "OpDecorate %r NoContraction\n", "%r = OpFMul %float %a %b\n")),
                      "%r NoContraction") == 1);
    CHECK(occurrences(ordered(kernel("", "", "%r = OpIAdd %uint %i %i\n")), "NoContraction") == 0);
    const PassRun wide = run_passes(kernel("", "", "%r = OpFMul %float16 %v %v\n"),
                                    {lower_instructions, lower_wide_vectors, keep_float_order});
    CHECK(occurrences(text_of(wide), "NoContraction") == 4);
}

TEST_CASE("relaxed instructions are left to the compiler, in parts too") {
    const std::string fast = "OpDecorate %r FPFastMathMode Fast\n";
    CHECK(!contains(ordered(kernel("", fast, "%r = OpFMul %float %a %b\n")), "OpDecorate %r"));
    // No NaN and no infinities is not leave to reassociate.
    CHECK(contains(
        ordered(kernel("", "OpDecorate %r FPFastMathMode NotNaN|NotInf\n", "%r = OpFMul %float %a %b\n")),
        "OpDecorate %r NoContraction"));
    const PassRun wide = run_passes(kernel("", fast, "%r = OpFMul %float16 %v %v\n"),
                                    {lower_instructions, lower_wide_vectors, keep_float_order});
    CHECK(!contains(text_of(wide), "OpDecorate"));
    TranslateOptions options;
    options.fast_math = true;
    CHECK(!contains(ordered(kernel("", "", kProductAndSum), options), "NoContraction"));
    // FP_CONTRACT OFF in a program that is built to be fast.
    CHECK(occurrences(ordered(kernel(kOff, "", kProductAndSum), options), "NoContraction") == 2);
    // What round() adds to its argument is not added to the argument's exact product.
    const std::string rounded =
        ordered(kernel("", "", "%m = OpFMul %float %a %a\n%r = OpExtInst %float %cl round %m\n"), options);
    CHECK(contains(rounded, "NoContraction"));
    CHECK(!contains(rounded, "%m NoContraction"));
}

TEST_CASE("a product and a sum are one Fma where the module allows it and the device's is fast") {
    const auto fused = [](std::string_view modes, std::string_view decorations, std::string_view body,
                          const TranslateOptions& options = {}) {
        const std::string text = ordered(kernel(modes, decorations, body), options);
        return contains(text, "Fma") && !contains(text, "OpFAdd") && !contains(text, "OpFSub");
    };
    CHECK(fused("", "", kProductAndSum));
    CHECK(fused("", "", "%m = OpFMul %float %a %b\n%r = OpFAdd %float %c %m\n"));
    CHECK(fused("", "", "%m = OpFMul %float %a %b\n%r = OpFSub %float %m %c\n"));
    CHECK(fused("", "", "%m = OpFMul %float %a %b\n%r = OpFSub %float %c %m\n"));
    CHECK(fused("", "", "%m = OpFMul %float16 %v %v\n%r = OpFAdd %float16 %m %v\n"));
    CHECK(!fused(kOff, "", kProductAndSum));
    CHECK(!fused("", "OpDecorate %m NoContraction\n", kProductAndSum));
    CHECK(!fused("", "OpDecorate %r NoContraction\n", kProductAndSum));
    // The product has another use.
    CHECK(!fused("", "", "%m = OpFMul %float %a %b\n%n = OpFNegate %float %m\n%r = OpFAdd %float %m %n\n"));
    TranslateOptions options;
    options.contraction = false;
    CHECK(!fused("", "", kProductAndSum, options));
    options.contraction = true;
    options.profile.prefers_fma = false;
    CHECK(!fused("", "", kProductAndSum, options));
    // mad() is one or two instructions for the same reason.
    CHECK(!fused("", "", "%r = OpExtInst %float %cl mad %a %b %c\n", options));
    options.profile.prefers_fma = true;
    CHECK(fused(kOff, "", "%r = OpExtInst %float %cl mad %a %b %c\n", options));
}
