// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel with a buffer, local memory and a private object, and functions that take a generic pointer:
/// get() calls read(), and pick() returns one of two.
std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability GenericPointer
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpName %get "get"
 OpName %read "read"
 OpName %pick "pick"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %global = OpTypePointer CrossWorkgroup %u32
 %local = OpTypePointer Workgroup %u32
 %private = OpTypePointer Function %u32
 %generic = OpTypePointer Generic %u32
 %kept = OpTypePointer Function %generic
 %table = OpTypePointer CrossWorkgroup %generic
 %null = OpConstantNull %generic
 %fn = OpTypeFunction %void %global %local %bool %table
 %get_type = OpTypeFunction %u32 %generic
 %pick_type = OpTypeFunction %generic %generic %generic %bool
 %read = OpFunction %u32 None %get_type
 %read_p = OpFunctionParameter %generic
 %read_entry = OpLabel
 %read_value = OpLoad %u32 %read_p Aligned 4
 OpReturnValue %read_value
 OpFunctionEnd
 %get = OpFunction %u32 None %get_type
 %get_p = OpFunctionParameter %generic
 %get_entry = OpLabel
 %get_kept = OpVariable %kept Function
 OpStore %get_kept %get_p Aligned 8
 %get_same = OpLoad %generic %get_kept Aligned 8
 %get_value = OpFunctionCall %u32 %read %get_same
 OpReturnValue %get_value
 OpFunctionEnd
 %pick = OpFunction %generic None %pick_type
 %pick_a = OpFunctionParameter %generic
 %pick_b = OpFunctionParameter %generic
 %pick_c = OpFunctionParameter %bool
 %pick_entry = OpLabel
 %picked = OpSelect %generic %pick_c %pick_a %pick_b
 OpReturnValue %picked
 OpFunctionEnd
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %l = OpFunctionParameter %local
 %c = OpFunctionParameter %bool
 %t = OpFunctionParameter %table
 %entry = OpLabel
 %x = OpVariable %private Function
 %p = OpVariable %kept Function
 %from_a = OpPtrCastToGeneric %generic %a
 %from_l = OpPtrCastToGeneric %generic %l
 %from_x = OpPtrCastToGeneric %generic %x
)" + body + " OpReturn\n OpFunctionEnd\n";
}

constexpr size_t kOfGet = 1,
                 kOfPick = 2;  // parameters of functions that nothing calls, which may point anywhere

std::string with_versions(const std::string& body, MemoryChecks checks = MemoryChecks::Guard) {
    const PassRun run =
        validated(run_passes(module_text(body), {version_functions, infer_spaces}, {.checks = checks}),
                  spirv::Target::OpenCL20);
    REQUIRE(run.error == "");
    return run.text;
}

TEST_CASE("version_functions: one for each space, in the functions that they call, too") {
    const std::string body = R"( %of_a = OpFunctionCall %u32 %get %from_a
 %of_l = OpFunctionCall %u32 %get %from_l
 %of_x = OpFunctionCall %u32 %get %from_x
 %again = OpFunctionCall %u32 %get %from_a
)";
    const std::string text = with_versions(body);
    CHECK(count(text, "OpFunctionEnd") == 8);  // pick, the kernel, and three of get and read each
    CHECK(count(text, "OpFunctionParameter %_ptr_CrossWorkgroup_uint") == 3 + kOfPick);
    CHECK(count(text, "OpFunctionParameter %_ptr_Workgroup_uint") == 3);
    CHECK(count(text, "OpFunctionParameter %_ptr_Function_uint") == 2);
    CHECK(!contains(text, "OpFunctionParameter %_ptr_Generic_uint\n%"));
    CHECK(count(text, "\"read\"") == 3);  // reports name it

    CHECK(count(with_versions(body, MemoryChecks::None), "OpFunctionEnd") == 4);
}

TEST_CASE("version_functions: pointers in private variables, and those that functions return") {
    const std::string text = with_versions(R"( OpStore %p %from_l Aligned 8
 %kept_l = OpLoad %generic %p Aligned 8
 %of_l = OpFunctionCall %u32 %read %kept_l
 %picked_x = OpFunctionCall %generic %pick %from_x %null %c
 %of_x = OpFunctionCall %u32 %read %picked_x
 %picked_a = OpFunctionCall %generic %pick %from_a %from_a %c
 %of_a = OpFunctionCall %u32 %read %picked_a
)");
    CHECK(count(text, "OpFunctionEnd") == 7);  // three of read and two of pick
    CHECK(count(text, "OpSelect %_ptr_Function_uint") == 1);
    CHECK(count(text, "OpSelect %_ptr_CrossWorkgroup_uint") == 1);
    CHECK(!contains(text, "OpLoad %uint %_ptr_Generic"));
    for (const char* space : {"CrossWorkgroup", "Workgroup", "Function"})
        CHECK(contains(text, "OpFunctionParameter %_ptr_" + std::string(space) + "_uint"));
}

TEST_CASE("version_functions: pointers of several spaces or from memory have a version of their own") {
    const std::string text = with_versions(R"( %of_a = OpFunctionCall %u32 %read %from_a
 %either = OpSelect %generic %c %from_l %from_x
 %of_either = OpFunctionCall %u32 %read %either
 %loaded = OpLoad %generic %t Aligned 8
 %of_loaded = OpFunctionCall %u32 %read %loaded
)");
    CHECK(count(text, "\"read\"") == 2);
    CHECK(count(text, "OpFunctionParameter %_ptr_CrossWorkgroup_uint") == 2 + kOfGet + kOfPick);
}

TEST_CASE("version_functions: calls of one space need no other version") {
    const std::string text = with_versions(R"( %of_a = OpFunctionCall %u32 %read %from_a
 %of_same = OpFunctionCall %u32 %read %from_a
 %of_null = OpFunctionCall %u32 %read %null
)");
    CHECK(count(text, "OpFunctionEnd") == 4);
    CHECK(count(text, "OpFunctionParameter %_ptr_CrossWorkgroup_uint") == 2 + kOfGet + kOfPick);
}

}  // namespace
}  // namespace caldera::vulkan
