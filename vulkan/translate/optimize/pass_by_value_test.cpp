// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %k "k"
OpName %mix "mix"
OpDecorate %in FuncParamAttr NoWrite
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%c3 = OpConstant %int 3
%c4 = OpConstant %int 4
%c8 = OpConstant %int 8
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%l2 = OpConstant %long 2
%l4 = OpConstant %long 4
%l7 = OpConstant %long 7
%c2 = OpConstant %int 2
%arr = OpTypeArray %int %c8
%arr3 = OpTypeArray %int %c3
%arr2 = OpTypeArray %int %c2
%ptr = OpTypePointer Function %int
%p_arr = OpTypePointer Function %arr
%p_arr3 = OpTypePointer Function %arr3
%p_arr2 = OpTypePointer Function %arr2
%fn = OpTypeFunction %void
%fn_mix = OpTypeFunction %int %ptr %ptr
)";

/// `mix` reads in[0] and in[1], writes out[2], and is as long as it has to be.
std::string mix() {
    std::string text = R"(
%mix = OpFunction %int None %fn_mix
%in = OpFunctionParameter %ptr
%out = OpFunctionParameter %ptr
%e = OpLabel
%x0 = OpLoad %int %in
%in1 = OpInBoundsPtrAccessChain %ptr %in %l1
%x1 = OpLoad %int %in1
)";
    for (int i = 2; i < 200; ++i)
        text += "%x" + std::to_string(i) + " = OpIMul %int %x" + std::to_string(i - 1) + " %x" +
                std::to_string(i - 2) + "\n";
    return text + R"(
%out2 = OpInBoundsPtrAccessChain %ptr %out %l2
OpStore %out2 %x199
OpReturnValue %x198
OpFunctionEnd
)";
}

/// The kernel calls `mix` twice: with the first elements of `a`, and with what `second` says.
PassRun run(std::string_view second, const std::string& callee = mix()) {
    return validated(run_passes(std::string(kHead) + callee + R"(
%k = OpFunction %void None %fn
%ke = OpLabel
%a = OpVariable %p_arr Function
%b = OpVariable %p_arr Function
%c = OpVariable %p_arr3 Function
%d = OpVariable %p_arr2 Function
%a0 = OpInBoundsAccessChain %ptr %a %l0
%a1 = OpInBoundsAccessChain %ptr %a %l1
%b0 = OpInBoundsAccessChain %ptr %b %l0
%b7 = OpInBoundsAccessChain %ptr %b %l7
%r = OpFunctionCall %int %mix %a0 %b0
OpStore %a1 %r
)" + std::string(second) + "\nOpReturn\nOpFunctionEnd\n",
                                {pass_by_value}),
                     spirv::Target::OpenCL20);
}

constexpr std::string_view kByValue = "OpTypeFunction %_struct_";  // of two, or five, integers

}  // namespace

TEST_CASE("pass_by_value: what is read is passed, what is written is returned beside the result") {
    const PassRun out = run("%s = OpFunctionCall %int %mix %b0 %a0\n");
    REQUIRE(out.error == "");
    CHECK(contains(out.text, "= OpTypeStruct %uint %uint %uint %uint\n"));  // the result and three elements
    CHECK(contains(out.text, std::string(kByValue)));
    CHECK(contains(out.text, "%uint %uint %uint %uint %uint\n"));  // two and three elements
    CHECK(!contains(out.text, "OpVariable"));
    CHECK(!contains(out.text, "FuncParamAttr"));
    CHECK(contains(out.text, "OpCompositeExtract %uint %"));
}

TEST_CASE("pass_by_value: an object passed twice, one of them written, keeps its address") {
    CHECK(!contains(run("%s = OpFunctionCall %int %mix %a0 %a0\n").text, kByValue));
    CHECK(!contains(run("%s = OpFunctionCall %int %mix %a1 %a0\n").text, kByValue));
    CHECK(contains(run("%a4 = OpInBoundsAccessChain %ptr %a %l4\n"
                       "%s = OpFunctionCall %int %mix %a4 %a0\n")
                       .text,
                   kByValue));
}

TEST_CASE("pass_by_value: what is not there is not read") {
    CHECK(!contains(run("%s = OpFunctionCall %int %mix %b7 %a0\n").text, kByValue));
    const PassRun captured =
        run("%p = OpPtrAccessChain %ptr %b0 %l0\n%n = OpConvertPtrToU %long %p\n"
            "%s = OpFunctionCall %int %mix %b0 %a0\n");
    CHECK(!contains(captured.text, kByValue));
}

TEST_CASE("pass_by_value: an array that is indexed at run time is passed as a whole") {
    std::string callee = mix();
    callee.insert(
        callee.find("OpReturnValue"),
        "%w = OpUConvert %long %x9\n%dyn = OpInBoundsPtrAccessChain %ptr %out %w\nOpStore %dyn %x7\n");
    // The result and eight elements of %out; %in has two. There is no more of %c than three.
    CHECK(contains(run("%s = OpFunctionCall %int %mix %b0 %a0\n", callee).text,
                   "= OpTypeStruct %uint %uint %uint %uint %uint %uint %uint %uint %uint\n"));
    const PassRun shorter =
        run("%c0 = OpInBoundsAccessChain %ptr %c %l0\n%s = OpFunctionCall %int %mix %b0 %c0\n", callee);
    REQUIRE(shorter.error == "");
    CHECK(contains(shorter.text, "= OpTypeStruct %uint %uint %uint %uint %uint %uint %uint %uint %uint\n"));
    CHECK(contains(shorter.text, "OpUndef %uint"));
    // An index may be negative, or is too small for what is there in any case.
    CHECK(!contains(run("%s = OpFunctionCall %int %mix %b0 %a1\n", callee).text, kByValue));
    const PassRun too_short =
        run("%d0 = OpInBoundsAccessChain %ptr %d %l0\n%s = OpFunctionCall %int %mix %b0 %d0\n", callee);
    CHECK(!contains(too_short.text, kByValue));
    // A place that is known at run time only is no array.
    CHECK(!contains(run("%n = OpUConvert %long %r\n%an = OpInBoundsAccessChain %ptr %a %n\n"
                        "%s = OpFunctionCall %int %mix %b0 %an\n",
                        callee)
                        .text,
                    kByValue));
}
