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
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %f "f"
OpName %first "first"
OpName %second "second"
OpName %x "x"
OpDecorate %table FuncParamAttr NoWrite
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%c16 = OpConstant %int 16
%l0 = OpConstant %long 0
%l8 = OpConstant %long 8
%words = OpTypeArray %int %c16
%p_words = OpTypePointer Workgroup %words
%p_int = OpTypePointer Workgroup %int
%p_any = OpTypePointer Generic %int
%p_own = OpTypePointer Function %int
%p_array = OpTypePointer Function %words
%fn = OpTypeFunction %void
%fn_f = OpTypeFunction %int %p_int %int
%fn_any = OpTypeFunction %int %p_any %int
%fn_own = OpTypeFunction %int %p_own %p_own
%fn_three = OpTypeFunction %int %p_own %p_own %p_own
%first = OpVariable %p_words Workgroup
%second = OpVariable %p_words Workgroup
)";

/// A hundred instructions and more, from %v0 to %v119.
std::string many() {
    std::string text;
    for (int i = 1; i < 120; ++i)
        text += "%v" + std::to_string(i) + " = OpIMul %int %v" + std::to_string(i - 1) + " %v0\n";
    return text;
}

/// A function of a table and a number that is too large to be copied.
std::string reader(std::string_view type = "%fn_f", std::string_view pointer = "%p_int") {
    return "%f = OpFunction %int None " + std::string(type) + "\n%table = OpFunctionParameter " +
           std::string(pointer) +
           "\n%n = OpFunctionParameter %int\n%e = OpLabel\n%v0 = OpLoad %int %table\n" + many() +
           "OpReturnValue %v119\nOpFunctionEnd\n";
}

PassRun bound(const std::string& functions, std::string_view kernel) {
    return validated(run_passes(std::string(kHead) + functions + R"(
%k = OpFunction %void None %fn
%ke = OpLabel
%x = OpVariable %p_array Function
%x0 = OpInBoundsAccessChain %p_own %x %l0
%x8 = OpInBoundsAccessChain %p_own %x %l8
%a = OpInBoundsAccessChain %p_int %first %l0
%b = OpInBoundsAccessChain %p_int %second %l0
%b8 = OpInBoundsPtrAccessChain %p_int %b %l8
)" + std::string(kernel) + "\nOpReturn\nOpFunctionEnd\n",
                                {bind_parameters}),
                     spirv::Target::OpenCL20);
}

}  // namespace

TEST_CASE("bind_parameters: a local variable that all calls pass is used directly") {
    const PassRun run =
        bound(reader(),
              "%r = OpFunctionCall %int %f %a %c16\n%a_too = OpInBoundsAccessChain %p_int %first %l0\n"
              "%s = OpFunctionCall %int %f %a_too %r\n");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunction %uint None") == 1);
    CHECK(contains(run.text, "OpFunctionCall %uint %f %uint_16"));
    CHECK(count(run.text, "OpInBoundsAccessChain %_ptr_Workgroup_uint %first") == 3);  // one in the function
    CHECK(!contains(run.text, "FuncParamAttr"));
}

TEST_CASE("bind_parameters: a function becomes one for each variable and place, if it is large") {
    const std::string calls =
        "%r = OpFunctionCall %int %f %a %c16\n%s = OpFunctionCall %int %f %b %c16\n"
        "%t = OpFunctionCall %int %f %b8 %c16\n%u = OpFunctionCall %int %f %b8 %t\n";
    const PassRun run = bound(reader(), calls);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunction %uint None") == 3);
    CHECK(!contains(run.text, "OpFunctionParameter %_ptr"));
    CHECK(count(run.text, "OpInBoundsPtrAccessChain %_ptr_Workgroup_uint %") == 2);
    const std::string small =
        "%f = OpFunction %int None %fn_f\n%table = OpFunctionParameter %p_int\n%n = OpFunctionParameter "
        "%int\n"
        "%e = OpLabel\n%v0 = OpLoad %int %table\nOpReturnValue %v0\nOpFunctionEnd\n";
    CHECK(contains(bound(small, calls).text, "OpFunctionParameter %_ptr_Workgroup_uint"));
}

TEST_CASE(
    "bind_parameters: a place that is known at run time stays an argument, and so does a kernel's own") {
    const PassRun run = bound(reader(), R"(
%r = OpFunctionCall %int %f %a %c16
%n8 = OpUConvert %long %r
%bn = OpInBoundsAccessChain %p_int %second %n8
%s = OpFunctionCall %int %f %bn %c16
)");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunction %uint None") == 2);
    CHECK(count(run.text, "OpFunctionParameter %_ptr_Workgroup_uint") == 1);
}

TEST_CASE("bind_parameters: what a bound function passes on is known too, generic pointers as well") {
    const PassRun run = bound(reader("%fn_any", "%p_any") + R"(
%outer = OpFunction %int None %fn_f
%given = OpFunctionParameter %p_int
%m = OpFunctionParameter %int
%oe = OpLabel
%any = OpPtrCastToGeneric %p_any %given
%o1 = OpFunctionCall %int %f %any %m
%o2 = OpFunctionCall %int %f %any %o1
OpReturnValue %o2
OpFunctionEnd
)",
                              "%r = OpFunctionCall %int %outer %a %c16\n");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpFunctionParameter %_ptr"));
    CHECK(count(run.text, "OpPtrCastToGeneric") == 2);
}

TEST_CASE("bind_parameters: a private object that is passed twice and written is one parameter") {
    const auto copier = [](std::string_view store) {
        return "%f = OpFunction %int None %fn_own\n%table = OpFunctionParameter %p_own\n%out = "
               "OpFunctionParameter "
               "%p_own\n%e = OpLabel\n%v0 = OpLoad %int %table\n" +
               many() + std::string(store) + "OpReturnValue %v119\nOpFunctionEnd\n";
    };
    const std::string calls =
        "%r = OpFunctionCall %int %f %x0 %x8\n%s = OpFunctionCall %int %f %x8 %x8\n"
        "%x8_too = OpInBoundsAccessChain %p_own %x %l8\n%t = OpFunctionCall %int %f %x8 %x8_too\n";
    const PassRun run = bound(copier("OpStore %out %v119\n"), calls);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunction %uint None") == 2);
    CHECK(count(run.text, "OpFunctionParameter") == 3);
    // The first and the last are read, and the one between them is written.
    const PassRun three = bound(
        "%f = OpFunction %int None %fn_three\n%table = OpFunctionParameter %p_own\n"
        "%out = OpFunctionParameter %p_own\n%last = OpFunctionParameter %p_own\n"
        "%e = OpLabel\n%v0 = OpLoad %int %table\n%w0 = OpLoad %int %last\n" +
            many() + "OpStore %out %v119\nOpReturnValue %w0\nOpFunctionEnd\n",
        "%r = OpFunctionCall %int %f %x0 %x0 %x0\n");
    REQUIRE(three.error == "");
    CHECK(count(three.text, "OpFunctionParameter") == 1);
    const PassRun reads = bound(copier("%w = OpLoad %int %out\n"), calls);
    CHECK(count(reads.text, "OpFunctionParameter") == 2);
}

TEST_CASE("bind_parameters: a generic pointer has the class that its arguments are cast from") {
    const std::string outer = R"(
%outer = OpFunction %int None %fn_any
%given = OpFunctionParameter %p_any
%m = OpFunctionParameter %int
%oe = OpLabel
%further = OpInBoundsPtrAccessChain %p_any %given %l8
%o1 = OpFunctionCall %int %f %given %m
%o2 = OpFunctionCall %int %f %further %o1
OpReturnValue %o2
OpFunctionEnd
)";
    const PassRun run =
        bound(reader("%fn_any", "%p_any") + outer,
              "%any = OpPtrCastToGeneric %p_any %x0\n%r = OpFunctionCall %int %outer %any %c16\n");
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpFunctionParameter %_ptr_Function_uint") == 2);
    CHECK(!contains(run.text, "OpFunctionParameter %_ptr_Generic_uint"));
    CHECK(contains(run.text, "OpInBoundsPtrAccessChain %_ptr_Function_uint %"));
    CHECK(!contains(run.text, "OpLoad %uint %table"));  // but what it was cast from
    // A pointer to one of two classes stays generic.
    const PassRun either =
        bound(reader("%fn_any", "%p_any"),
              "%any = OpPtrCastToGeneric %p_any %x0\n%some = OpPtrCastToGeneric %p_any %a\n"
              "%true = OpIEqual %bool %c16 %c16\n%one = OpSelect %p_any %true %any %some\n"
              "%r = OpFunctionCall %int %f %one %c16\n");
    REQUIRE(either.error == "");
    CHECK(contains(either.text, "OpFunctionParameter %_ptr_Generic_uint"));
}
