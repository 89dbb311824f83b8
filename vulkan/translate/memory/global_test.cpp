// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%bool = OpTypeBool
%v3ulong = OpTypeVector %ulong 3
%in = OpTypePointer Input %v3ulong
%id = OpVariable %in Input
%l1 = OpConstant %ulong 1
%l2 = OpConstant %ulong 2
%minus = OpConstant %ulong 18446744073709551615
%v4uint = OpTypeVector %uint 4
%p_uint = OpTypePointer CrossWorkgroup %uint
%p_v4uint = OpTypePointer CrossWorkgroup %v4uint
%fn = OpTypeFunction %void %p_uint %p_v4uint %uint %ulong
%k = OpFunction %void None %fn
%p = OpFunctionParameter %p_uint
%v = OpFunctionParameter %p_v4uint
%n = OpFunctionParameter %uint
%m = OpFunctionParameter %ulong
%entry = OpLabel
%ids = OpLoad %v3ulong %id
%x = OpCompositeExtract %ulong %ids 0
%u = OpUConvert %ulong %n
%s = OpSConvert %ulong %n
)";

std::string lowered(std::string_view body, bool chains = false, uint64_t largest = uint64_t{1} << 32) {
    TranslateOptions options;
    options.profile.quirks.slow_long_offsets = !chains;
    options.profile.quirks.slow_without_chains = chains;
    options.profile.max_buffer_bytes = largest;
    const PassRun run = run_passes(std::string(kHead) + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                                   {describe_kernels, lower_memory, narrow_integers, clean_up}, options);
    CHECK_MESSAGE(run.error == "", run.error);
    return run.text;
}

std::string element(std::string_view index) {
    return "%q = OpInBoundsPtrAccessChain %p_uint %p " + std::string(index) + "\nOpStore %q %n Aligned 4\n";
}

/// Whether 64 bits are computed, beside the sum of an address and an offset.
bool has_long_product(const std::string& text) { return contains(text, "OpIMul %ulong"); }
bool has_chain(const std::string& text) {
    return contains(text, "OpAccessChain %_ptr_PhysicalStorageBuffer_uint");
}

}  // namespace

TEST_CASE("offsets that are not negative have 32 bits where a compiler adds them to an address by itself") {
    const std::string unsigned_indices[] = {
        element("%u"),
        element("%x"),
        "%i = OpIAdd %ulong %u %x\n" + element("%i"),
        "%i = OpIMul %ulong %u %l2\n%j = OpIAdd %ulong %i %l1\n" + element("%j"),
        "%i = OpBitwiseAnd %ulong %m %l2\n" + element("%i"),
        "%i = OpShiftLeftLogical %ulong %x %l1\n" + element("%i")};
    for (const std::string& body : unsigned_indices) {
        CHECK(!has_long_product(lowered(body)));
        CHECK(contains(lowered(body), "OpIMul %uint"));
        CHECK(
            has_long_product(lowered(body, false, (uint64_t{1} << 32) + 1)));  // a larger offset may be right
        CHECK(has_chain(lowered(body, true)));
        CHECK(!has_chain(lowered(body, true, ~uint64_t{0})));
    }
}

TEST_CASE("offsets that may be negative have 64 bits") {
    const std::string others[] = {
        element("%s"), element("%m"), "%i = OpISub %ulong %u %l1\n" + element("%i"),
        "%i = OpIAdd %ulong %u %minus\n" + element("%i"), "%i = OpIMul %ulong %u %minus\n" + element("%i"),
        "%i = OpIAdd %ulong %u %s\n" + element("%i"),
        "%b = OpInBoundsPtrAccessChain %p_uint %p %minus\n%q = OpInBoundsPtrAccessChain %p_uint %b %u\n"
        "OpStore %q %n Aligned 4\n",
        // Another module may compute pointers to what is not in the object.
        "%q = OpPtrAccessChain %p_uint %p %u\nOpStore %q %n Aligned 4\n"};
    for (const std::string& body : others) {
        CHECK(has_long_product(lowered(body)));
        CHECK(!has_chain(lowered(body, true)));
    }
}

TEST_CASE("a loop's counter that only grows is not negative") {
    const auto loop = [](std::string_view step) {
        return "%small = OpULessThan %bool %x %l2\nOpBranch %head\n%head = OpLabel\n%i = OpPhi %ulong %u "
               "%entry %next "
               "%again\nOpLoopMerge %end %again None\nOpBranchConditional %small %again %end\n%again = "
               "OpLabel\n" +
               element("%i") + "%next = OpIAdd %ulong %i " + std::string(step) +
               "\nOpBranch %head\n%end = OpLabel\n";
    };
    CHECK(!has_long_product(lowered(loop("%l1"))));
    CHECK(has_long_product(lowered(loop("%minus"))));
    CHECK(has_long_product(lowered(loop("%m"))));
}

TEST_CASE("access chains lead to elements that are as aligned as they are large") {
    const auto vector = [](std::string_view alignment) {
        return "%q = OpInBoundsPtrAccessChain %p_v4uint %v %u\n%a = OpLoad %v4uint %q Aligned " +
               std::string(alignment) + "\nOpStore %q %a Aligned " + std::string(alignment) + "\n";
    };
    CHECK(contains(lowered(vector("16"), true), "OpAccessChain %_ptr_PhysicalStorageBuffer_v4uint"));
    CHECK(!contains(lowered(vector("4"), true), "OpAccessChain %_ptr_PhysicalStorageBuffer_v4uint"));
    CHECK(!has_long_product(lowered(vector("4"))));
}

}  // namespace caldera::vulkan
