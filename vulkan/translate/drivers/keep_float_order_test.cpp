// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

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

namespace {

/// A device that is told of each instruction, as are those that keep zeros' signs, infinities and NaN of
/// floats.
TranslateOptions told() {
    TranslateOptions options;
    options.profile.float_controls2 = true;
    return options;
}
/// What the module says may be done with %r: the names in its decoration, "" where it has none.
std::string allowed(const std::string& text) {
    CHECK(!contains(text, "NoContraction"));
    constexpr std::string_view kDecoration = "OpDecorate %r FPFastMathMode ";
    const size_t at = text.find(kDecoration);
    if (at == text.npos) return {};
    return text.substr(at + kDecoration.size(), text.find('\n', at) - at - kDecoration.size());
}
std::string allowed(std::string_view modes, const std::string& decoration, std::string_view body,
                    const TranslateOptions& options = told()) {
    const std::string mode = decoration.empty() ? "" : "OpDecorate %r FPFastMathMode " + decoration + "\n";
    return allowed(ordered(kernel(modes, mode, body), options));
}

constexpr std::string_view kProduct = "%r = OpFMul %float %a %b\n";
constexpr const char* kEverything = "NotNaN|NotInf|NSZ|AllowRecip|AllowContract|AllowReassoc|AllowTransform";

}  // namespace

TEST_CASE("a device that is told of each instruction is told what the module allows, and no more") {
    CHECK(allowed("", "", kProduct) == "");
    for (const char* same : {"NSZ", "NotNaN|NotInf", "AllowRecip", "NotNaN|NotInf|NSZ|AllowRecip"})
        CHECK(allowed(kOff, same, kProduct) == same);
    CHECK(allowed("", "Fast", kProduct) == kEverything);
    // SPV_INTEL_fp_fast_math_mode's, which llvm-spirv writes.
    CHECK(allowed("", "NSZ|AllowContractFastINTEL", kProduct) == "NSZ|AllowContract");
    CHECK(allowed("", "AllowReassocINTEL", kProduct) == "AllowReassoc");
    for (const char* body : {"%r = OpFOrdLessThan %bool %a %b\n", "%r = OpFConvert %half %a\n",
                             "%r = OpExtInst %float %cl fmax %a %b\n", "%r = OpFRem %float %a %b\n"})
        CHECK_MESSAGE(allowed("", "NotNaN|NotInf", body) == "NotNaN|NotInf", body);
    // Only of what computes with floats.
    CHECK(allowed("", "NSZ", "%r = OpIAdd %uint %i %i\n") == "");
}

TEST_CASE("each kernel's default is nothing, of each float type") {
    const PassRun run = run_passes(kernel("", "", kProduct), {lower_instructions, keep_float_order}, told());
    CHECK(occurrences(text_of(run), " FPFastMathDefault %float %uint_0\n") == 1);
    CHECK(occurrences(text_of(run), " FPFastMathDefault %half %uint_0\n") == 1);
    CHECK(run.interface.float_controls == std::vector<std::string>{"shaderFloatControls2",
                                                                   "shaderSignedZeroInfNanPreserveFloat16",
                                                                   "shaderSignedZeroInfNanPreserveFloat32"});
}

TEST_CASE("a device that does not promise signs of zeros, infinities and NaN is not asked for them") {
    TranslateOptions options = told();
    options.profile.float16_controls.preserve_special = false;
    const auto run = [&](const std::string& decoration, std::string_view body) {
        return run_passes(kernel("", decoration, body), {lower_instructions, keep_float_order}, options);
    };
    const PassRun product = run("", kProduct);
    CHECK(contains(text_of(product), "FPFastMathDefault %float %uint_0\n"));
    CHECK(contains(text_of(product), "FPFastMathDefault %half %uint_7\n"));
    CHECK(product.interface.float_controls ==
          std::vector<std::string>{"shaderFloatControls2", "shaderSignedZeroInfNanPreserveFloat32"});
    CHECK(allowed(text_of(run("OpDecorate %r FPFastMathMode AllowRecip\n", "%r = OpFConvert %half %a\n"))) ==
          "NotNaN|NotInf|NSZ|AllowRecip");
    CHECK(allowed(text_of(run("", "%r = OpFConvert %half %a\n"))) == "");  // the default is the same
}

TEST_CASE("sums may take products in where the module does not forbid it") {
    const std::string body = "%m = OpFMul %float %a %b\n%n = OpFNegate %float %m\n%r = OpFAdd %float %m %n\n";
    CHECK(allowed("", "", body) == "AllowContract");
    CHECK(allowed("", "NSZ", body) == "NSZ|AllowContract");
    CHECK(allowed(kOff, "", body) == "");
    CHECK(allowed(kOff, "Fast", body) == "NotNaN|NotInf|NSZ|AllowRecip|AllowReassoc");
    TranslateOptions options = told();
    options.contraction = false;
    CHECK(allowed("", "", body, options) == "");
    // The library's stay as they are.
    CHECK(allowed(ordered(kernel("", "OpDecorate %r NoContraction\n", body), told())) == "");
    // One fma where that is fast, as on other devices; what may be computed in any way is left to the device.
    CHECK(contains(ordered(kernel("", "OpDecorate %r FPFastMathMode NSZ\n", kProductAndSum), told()), "Fma"));
    CHECK(
        !contains(ordered(kernel("", "OpDecorate %r FPFastMathMode Fast\n", kProductAndSum), told()), "Fma"));
}

TEST_CASE("a driver that takes Fma apart may fuse mad() again, where nothing needs that it rounds once") {
    TranslateOptions options = told();
    const auto floats = [&](const std::string& instruction, const std::string& decoration = {}) {
        return allowed(kOff, decoration, "%r = OpExtInst %float %cl " + instruction + " %a %b %c\n", options);
    };
    const std::string_view half = "%h = OpFConvert %half %a\n%r = OpExtInst %half %cl mad %h %h %h\n";
    CHECK(floats("mad") == "");  // it rounds once
    options.profile.fused_fma = false;
    CHECK(floats("mad") == "AllowContract");
    CHECK(floats("mad", "NSZ") == "NSZ|AllowContract");
    CHECK(allowed("", "", kProductAndSum, options) == "AllowContract");
    CHECK(floats("fma") == "");
    CHECK(allowed(kOff, "", half, options) == "");
    options.profile.fused_half_fma = false;
    CHECK(allowed(kOff, "", half, options) == "AllowContract");
    // The library's stay as they are.
    CHECK(allowed(ordered(
              kernel(kOff, "OpDecorate %r NoContraction\n", "%r = OpExtInst %float %cl mad %a %b %c\n"),
              options)) == "");
    options.profile.quirks.slow_fma = true;  // a product and a sum
    CHECK(floats("mad") == "");
    options = {};
    options.profile.fused_fma = false;  // a device that is not told
    CHECK(!contains(ordered(kernel("", "", kProductAndSum), options), "FPFastMathMode"));
}

TEST_CASE("unsafe math leaves NaN and infinities; the parts of a wide vector are as free as the whole") {
    TranslateOptions options = told();
    options.fast_math = true;
    CHECK(allowed("", "", kProduct, options) == "NSZ|AllowRecip|AllowContract|AllowReassoc|AllowTransform");
    CHECK(allowed("", "NotNaN|NotInf", kProduct, options) == kEverything);
    CHECK(allowed("", "", "%m = OpFMul %float %a %a\n%r = OpExtInst %float %cl round %m\n", options) == "");
    const PassRun wide =
        run_passes(kernel("", "OpDecorate %r FPFastMathMode NSZ\n", "%r = OpFMul %float16 %v %v\n"),
                   {lower_instructions, lower_wide_vectors, keep_float_order}, told());
    CHECK(occurrences(text_of(wide), "FPFastMathMode NSZ\n") == 4);
}

TEST_CASE(
    "what becomes several instructions, some of which look at bits, is only free where all is allowed") {
    const std::string sign = "%r = OpExtInst %float %cl sign %a\n";
    const auto modes = [&](const std::string& mode, const std::string& body) {
        const std::string decoration = "OpDecorate %r FPFastMathMode " + mode + "\n";
        return occurrences(ordered(kernel("", decoration, body), told()), "FPFastMathMode");
    };
    CHECK(modes("NSZ", sign) == 0);
    CHECK(modes("Fast", sign) == 1);                                       // the comparison
    CHECK(modes("NSZ", "%r = OpExtInst %float %cl mix %a %b %c\n") == 3);  // a + (b - a) * c
}

TEST_CASE("a module's own FPFastMathDefault counts where an instruction has no mode") {
    // SPIRV-Tools may not know the names.
    const auto with_default = [](const std::string& decorations, std::string_view body, const char* mode) {
        std::string text = kernel("OpExecutionModeId %k !6028 %float %mode\n", decorations, body);
        text.insert(text.find("OpCapability"), "OpCapability !6029\n");
        text.insert(text.find("%fn ="), "%mode = OpConstant %uint " + std::string(mode) + "\n");
        return text_of(run_passes(text, {contract_products, lower_instructions, keep_float_order}, told(), {},
                                  spirv::Target::Vulkan12));
    };
    CHECK(allowed(with_default("", kProduct, "4")) == "NSZ");
    CHECK(allowed(with_default("", "%r = OpFConvert %half %a\n", "4")) == "NSZ");
    CHECK(allowed(with_default("OpDecorate %r FPFastMathMode NotNaN\n", kProduct, "4")) == "NotNaN");
    CHECK(allowed(with_default("", kProduct, "0x40000")) == "AllowContract|AllowReassoc|AllowTransform");
    // A mode without AllowContract forbids it.
    CHECK(!contains(with_default("", kProductAndSum, "4"), "Fma"));
    CHECK(contains(with_default("", kProductAndSum, "0x10004"), "Fma"));
    CHECK(contains(with_default("OpDecorate %r FPFastMathMode !0x10000\n", kProductAndSum, "4"), "Fma"));
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
    options.profile.quirks.slow_fma = true;
    CHECK(!fused("", "", kProductAndSum, options));
    // mad() is one or two instructions for the same reason.
    CHECK(!fused("", "", "%r = OpExtInst %float %cl mad %a %b %c\n", options));
    options.profile.quirks.slow_fma = false;
    CHECK(fused(kOff, "", "%r = OpExtInst %float %cl mad %a %b %c\n", options));
}
