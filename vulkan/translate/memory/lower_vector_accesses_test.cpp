// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

// a and b may overlap.
constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int16
OpCapability Int64
OpCapability Float16Buffer
OpCapability Vector16
%cl = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %kernel "kernel"
OpDecorate %w Volatile
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%v16 = OpTypeVector %float 16
%order = OpConstant %int 264
%device = OpConstant %int 1
%i2 = OpConstant %int 2
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%p = OpTypePointer CrossWorkgroup %float
%ph = OpTypePointer CrossWorkgroup %half
%pi = OpTypePointer CrossWorkgroup %int
%fn = OpTypeFunction %void %p %p %p %ph %pi %long
%kernel = OpFunction %void None %fn
%a = OpFunctionParameter %p
%b = OpFunctionParameter %p
%w = OpFunctionParameter %p
%h = OpFunctionParameter %ph
%word = OpFunctionParameter %pi
%n = OpFunctionParameter %long
%entry = OpLabel
)";

std::string lower(std::string_view body, bool with_halves = true, const DriverQuirks& quirks = {}) {
    TranslateOptions options;
    options.profile.float16 = with_halves;
    options.profile.quirks = quirks;
    const PassRun run =
        validated(run_passes(std::string(kHead) + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                             {lower_vector_accesses}, options),
                  spirv::Target::OpenCL20);
    REQUIRE_MESSAGE(run.error == "", run.error);
    return run.text;
}

/// How many loads and stores are left of the body.
size_t accesses(std::string_view body) {
    const PassRun run = run_passes(std::string(kHead) + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                                   {lower_vector_accesses, reuse_loads});
    REQUIRE_MESSAGE(run.error == "", run.error);
    return count(run.text, "OpLoad") + count(run.text, "OpStore");
}

}  // namespace

TEST_CASE("lower_vector_accesses: loads and stores that are aligned as components are") {
    std::string text =
        lower("%x = OpExtInst %v4 %cl vloadn %n %a 4\n%y = OpExtInst %void %cl vstoren %x %l0 %b\n");
    CHECK(contains(text, "OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4float"));
    CHECK(contains(text, "OpLoad %v4float"));
    CHECK(contains(text, "OpStore"));
    CHECK(count(text, "Aligned 4\n") == 2);
    CHECK(count(text, "OpInBoundsPtrAccessChain") == 1);  // not for the offset 0
    CHECK(!contains(text, "OpExtInst "));
    // three components are not four apart
    text = lower("%x = OpExtInst %v3 %cl vloadn %n %a 3\n");
    CHECK(contains(text, "OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup__arr_float_uint_3"));
    CHECK(contains(text, "OpLoad %v3float"));
    CHECK(contains(lower("%x = OpExtInst %v4 %cl vloadn %n %w 4\n"), "Volatile|Aligned 4"));
}

TEST_CASE("lower_vector_accesses: halves") {
    const std::string_view kLoads = R"(
%x = OpExtInst %float %cl vload_half %n %h
%y = OpExtInst %v3 %cl vload_halfn %n %h 3
%z = OpExtInst %v3 %cl vloada_halfn %n %h 3
)";
    const std::string text = lower(kLoads);
    CHECK(count(text, "OpFConvert") == 3);
    CHECK(contains(text, "OpLoad %half"));
    CHECK(count(text, "OpLoad %v3half") == 2);
    CHECK(count(text, "Aligned 2\n") == 2);
    CHECK(count(text, "Aligned 8\n") == 1);
    CHECK(contains(text, "OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_v4half"));  // vloada_half3 is padded
    const std::string bits = lower(kLoads, false);
    CHECK(contains(bits, "OpLoad %ushort"));
    CHECK(count(bits, "OpLoad %v3ushort") == 2);
    CHECK(count(bits, "UnpackHalf2x16") == 7);
    CHECK(!contains(bits, "vload"));
    // llvmpipe's halves are integers where it has no Float16, and what they are elsewhere
    const DriverQuirks quirks{.takes_halves_for_integers = true};
    const std::string computed = lower(kLoads, false, quirks);
    CHECK(!contains(computed, "UnpackHalf2x16"));
    CHECK(!contains(computed, "OpFConvert"));
    CHECK(contains(computed, "OpLoad %ushort"));
    CHECK(contains(computed, "OpBitcast %float"));
    CHECK(count(computed, "OpBitcast %v3float") == 2);
    CHECK(lower(kLoads, true, quirks) == text);
}

TEST_CASE("lower_vector_accesses: vectors of one place are loaded once") {
    const auto around = [](std::string_view between) {
        return accesses("%x = OpExtInst %v16 %cl vloadn %n %a 16\n" + std::string(between) +
                        "%y = OpExtInst %v16 %cl vloadn %n %a 16\n%z = OpFMul %v16 %x %y\n"
                        "%u = OpExtInst %void %cl vstoren %z %l1 %b\n");
    };
    CHECK(around("") == 2);
    CHECK(around("%v = OpExtInst %v16 %cl vloadn %n %b 16\n") == 3);
    CHECK(around("%v = OpExtInst %void %cl vstoren %x %l0 %b\n") == 4);  // b may be a
    CHECK(around("%v = OpExtInst %void %cl vstoren %x %n %a\n") == 2);   // what is there already
    CHECK(around("OpControlBarrier %i2 %i2 %order\n") == 3);
    CHECK(around("%v = OpAtomicIAdd %int %word %device %order %i2\n") == 3);
    // another place
    CHECK(accesses("%x = OpExtInst %v4 %cl vloadn %n %a 4\n%y = OpExtInst %v4 %cl vloadn %l1 %a 4\n"
                   "%z = OpFMul %v4 %x %y\n%u = OpExtInst %void %cl vstoren %z %l1 %b\n") == 3);
    // what was stored
    CHECK(accesses("%x = OpExtInst %v4 %cl vloadn %n %a 4\n%y = OpFMul %v4 %x %x\n"
                   "%u = OpExtInst %void %cl vstoren %y %n %b\n%z = OpExtInst %v4 %cl vloadn %n %b 4\n"
                   "%v = OpExtInst %void %cl vstoren %z %l1 %b\n") == 3);
    CHECK(accesses("%x = OpExtInst %v4 %cl vloadn %n %w 4\n%y = OpExtInst %v4 %cl vloadn %n %w 4\n") == 2);
    CHECK(accesses("%x = OpExtInst %v4 %cl vload_halfn %n %h 4\n%y = OpExtInst %v4 %cl vload_halfn %n %h 4\n"
                   "%z = OpFMul %v4 %x %y\n%u = OpExtInst %void %cl vstoren %z %l1 %b\n") == 2);
}
