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
OpName %k "k"
OpName %a "a"
OpName %b "b"
OpName %g "g"
OpName %h "h"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%c1 = OpConstant %int 1
%c0 = OpConstant %int 0
%l100 = OpConstant %long 100
%l60 = OpConstant %long 60
%large = OpTypeArray %int %l100
%small = OpTypeArray %int %l60
%struct = OpTypeStruct %int %large
%private = OpTypePointer Function %large
%private_small = OpTypePointer Function %small
%private_int = OpTypePointer Function %int
%global = OpTypePointer CrossWorkgroup %large
%global_int = OpTypePointer CrossWorkgroup %int
)";

std::string in_kernel(std::string_view body, const TranslateOptions& options = {}) {
    return run_in_kernel(std::string(kHead) + R"(
%fn = OpTypeFunction %void %global %global %int
%k = OpFunction %void None %fn
%g = OpFunctionParameter %global
%h = OpFunctionParameter %global
%n = OpFunctionParameter %int
%entry = OpLabel
%a = OpVariable %private Function
%b = OpVariable %private Function
%s = OpVariable %private_small Function
%t = OpVariable %private_small Function
)",
                         body, copy_aggregates, options);
}

/// A kernel with a large struct and what it does with it.
PassRun with_argument(std::string_view body, TranslateOptions options = {}) {
    return run_passes(std::string(kHead) + R"(
%fn = OpTypeFunction %void %global_int %struct
%k = OpFunction %void None %fn
%o = OpFunctionParameter %global_int
%v = OpFunctionParameter %struct
%entry = OpLabel
%a = OpVariable %private Function
)" + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                      {describe_kernels, copy_aggregates}, options);
}

}  // namespace

TEST_CASE("copy_aggregates: a load and the store of it are a copy") {
    const std::string text = in_kernel("%v = OpLoad %large %a Aligned 4\nOpStore %b %v Aligned 16\n");
    CHECK(contains(text, "OpCopyMemorySized %b %a %ulong_400 Aligned 4"));
    CHECK(!contains(text, "OpLoad"));
    CHECK(!contains(text, "OpStore"));
}

TEST_CASE("copy_aggregates: what is written in between counts where it may be the same memory") {
    const auto joins = [](std::string_view written) {
        return contains(in_kernel("%p = OpInBoundsAccessChain %private_int %a %n\n"
                                  "%q = OpInBoundsAccessChain %private_int %b %n\n"
                                  "%r = OpInBoundsAccessChain %global_int %g %n\n"
                                  "%v = OpLoad %large %a Aligned 4\n" +
                                  std::string(written) + "OpStore %b %v Aligned 4\n"),
                        "OpCopyMemory");
    };
    CHECK(!joins("OpStore %p %c1 Aligned 4\n"));
    CHECK(!joins("OpStore %p %c1 Volatile|Aligned 4\n"));
    CHECK(joins("OpStore %q %c1 Aligned 4\n"));
    CHECK(joins("OpStore %r %c1 Aligned 4\n"));
    const std::string global = "%v = OpLoad %large %g Aligned 4\n";
    CHECK(contains(in_kernel(global + "OpStore %b %v Aligned 4\n"), "OpCopyMemorySized %b %g"));
    CHECK(!contains(in_kernel("%r = OpInBoundsAccessChain %global_int %g %n\n" + global +
                              "OpStore %r %c1 Aligned 4\nOpStore %b %v Aligned 4\n"),
                    "OpCopyMemory"));
}

TEST_CASE("copy_aggregates: a copy between places that may overlap loads before it stores") {
    const std::string pointers = R"(
%i = OpUConvert %long %n
%far = OpInBoundsPtrAccessChain %global %g %l100
%next = OpInBoundsPtrAccessChain %global %g %c1
%some = OpInBoundsPtrAccessChain %global %g %i
%part = OpInBoundsAccessChain %private_int %a %c1
%near = OpBitcast %private %part
)";
    // The size is there where no two bytes are the same, or all are.
    const auto joined = [&](std::string_view from, std::string_view to,
                            const TranslateOptions& options = {}) {
        return in_kernel(pointers + "%v = OpLoad %large " + std::string(from) + " Aligned 4\nOpStore " +
                             std::string(to) + " %v Aligned 4\n",
                         options);
    };
    for (const auto& [from, to] : {std::pair("%g", "%a"),
                                   {"%a", "%g"},
                                   {"%g", "%far"},
                                   {"%next", "%g"},
                                   {"%g", "%g"},
                                   {"%some", "%some"},
                                   {"%a", "%b"},
                                   {"%b", "%near"}})
        CHECK(contains(joined(from, to), "OpCopyMemorySized"));
    for (const auto& [from, to] :
         {std::pair("%g", "%some"), {"%some", "%next"}, {"%a", "%near"}, {"%near", "%a"}, {"%g", "%h"}})
        CHECK(contains(joined(from, to), "OpCopyMemory %"));

    // Nobody knows whether two descriptors are one buffer, unless the host says it.
    TranslateOptions descriptors;
    descriptors.abi = Abi::Descriptors;
    CHECK(contains(joined("%g", "%some", descriptors), "OpCopyMemory %"));
    const std::string detour = joined("%g", "%h", descriptors);
    CHECK(count(detour, "OpCopyMemorySized") == 2);
    CHECK(!contains(detour, "OpCopyMemory %"));
    descriptors.argument_table = true;
    CHECK(contains(joined("%g", "%h", descriptors), "OpCopyMemory %"));
}

TEST_CASE("copy_aggregates: values that are used otherwise stay, small ones do") {
    const std::string text = in_kernel(
        "%v = OpLoad %large %a Aligned 4\nOpStore %b %v Aligned 4\n%e = OpCompositeExtract %int %v 3\n");
    CHECK(contains(text, "OpCopyMemorySized %b %a"));
    CHECK(contains(text, "OpLoad"));
    CHECK(!contains(in_kernel("%v = OpLoad %small %s Aligned 4\nOpStore %t %v Aligned 4\n"), "OpCopyMemory"));
}

TEST_CASE("copy_aggregates: a large argument that is only read is indexed in the argument block") {
    const std::string body = R"(
%first = OpCompositeExtract %int %v 0
%rest = OpCompositeExtract %large %v 1
OpStore %a %rest Aligned 4
%p = OpInBoundsAccessChain %private_int %a %first
%e = OpLoad %int %p Aligned 4
OpStore %o %e Aligned 4
)";
    const PassRun run = with_argument(body);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "\"caldera.Arguments\""));
    CHECK(!contains(run.text, "OpVariable %_ptr_Function"));
    CHECK(!contains(run.text, "OpCompositeExtract"));
    CHECK(count(run.text, "OpConvertUToPtr") == 1);
    CHECK(!contains(run.text, "OpCopyMemory"));

    const PassRun written = with_argument(body + "OpStore %p %c1 Aligned 4\n");
    REQUIRE(written.error == "");
    CHECK(contains(written.text, "OpCopyMemory %a"));

    TranslateOptions descriptors;
    descriptors.abi = Abi::Descriptors;
    for (const std::string& write : {std::string(), std::string("OpStore %p %c1 Aligned 4\n")}) {
        const PassRun copied = with_argument(body + write, descriptors);
        REQUIRE(copied.error == "");
        CHECK(contains(copied.text, "\"caldera.ArgumentWords\""));
        CHECK(!contains(copied.text, "\"caldera.Arguments\""));
        CHECK(count(copied.text, "OpLoopMerge") == 1);
        CHECK(!contains(copied.text, "OpCompositeExtract"));
        CHECK(contains(copied.text, "OpCopyMemory %a") == !write.empty());
    }
}
