// SPDX-License-Identifier: Apache-2.0
#include "spirv/newer_rules.h"

#include <doctest/doctest.h>

#include "spirv/faults.h"

using namespace caldera;
using namespace caldera::spirv;

namespace {

std::string first_of(const std::string& text, Target target) {
    const Result<std::vector<uint32_t>> words = assemble(text, target);
    if (!words) return words.error().message;
    const Faults faults = find_faults(*words, target);
    const Result<Done> valid = validate(*words, target);
    CHECK(faults.found.empty() == static_cast<bool>(valid));
    return faults.found.empty() ? "" : faults.found[0].message;
}

std::string of_kernel(const std::string& body, const std::string& types = "", const std::string& modes = "") {
    return first_of(
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability Groups\nOpCapability ImageBasic\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n" +
            modes +
            "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%bool = OpTypeBool\n"
            "%event = OpTypeEvent\n%p_uint = OpTypePointer CrossWorkgroup %uint\n"
            "%p_private = OpTypePointer Function %uint\n%p_event = OpTypePointer Function %event\n"
            "%fn = OpTypeFunction %void %p_uint %uint\n%none = OpConstantNull %event\n"
            "%two = OpConstant %uint 2\n%half = OpConstant %float 0.5\n%true = OpConstantTrue %bool\n" +
            types +
            "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %p_uint\n%n = OpFunctionParameter "
            "%uint\n"
            "%l = OpLabel\n%own = OpVariable %p_private Function\n%events = OpVariable %p_event Function\n" +
            body + "OpReturn\nOpFunctionEnd\n",
        Target::OpenCL22);
}

std::string of_shader(const std::string& body,
                      const std::string& modes = "OpExecutionMode %main LocalSize 4 1 1\n",
                      const std::string& decorations = "OpDecorate %id BuiltIn GlobalInvocationId\n",
                      const std::string& variables = "%id", const std::string& types = "") {
    return first_of(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" " +
            variables + "\n" + modes + decorations +
            "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\nOpDecorate %array ArrayStride "
            "4\n"
            "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
            "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat "
            "32\n"
            "%v3 = OpTypeVector %uint 3\n%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
            "%p_block = OpTypePointer StorageBuffer %block\n%p_uint = OpTypePointer StorageBuffer %uint\n"
            "%p_v3 = OpTypePointer Input %v3\n%p_index = OpTypePointer Input %uint\n"
            "%buffer = OpVariable %p_block StorageBuffer\n%id = OpVariable %p_v3 Input\n"
            "%index = OpVariable %p_index Input\n%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n"
            "%half = OpConstant %float 0.5\n" +
            types +
            "%main = OpFunction %void None %fn\n%l = OpLabel\n"
            "%to = OpAccessChain %p_uint %buffer %zero %one\n" +
            body + "OpReturn\nOpFunctionEnd\n",
        Target::Vulkan11);
}

}  // namespace

TEST_CASE("newer rules: alignments are powers of two") {
    for (const char* good : {"Aligned 1", "Aligned 4", "Volatile", "Volatile|Aligned 8"}) {
        CHECK(of_kernel("%a = OpLoad %uint %p " + std::string(good) + "\n") == "");
        CHECK(of_shader("OpStore %to %one " + std::string(good) + "\n") == "");
    }
    CHECK(of_kernel("%a = OpLoad %uint %p Aligned 6\n") ==
          "OpLoad is Aligned by 6, which is no power of two");
    CHECK(of_kernel("OpCopyMemory %own %p Volatile|Aligned 12\n") ==
          "OpCopyMemory is Aligned by 12, which is no power of two");
    CHECK(of_shader("OpStore %to %one Aligned 0\n") == "OpStore is Aligned by 0, which is no power of two");
}

TEST_CASE("newer rules: what OpenCL's instructions take") {
    CHECK(of_kernel("%a = OpPtrAccessChain %p_uint %p %n\n") == "");
    CHECK(of_kernel("%a = OpPtrAccessChain %p_uint %p %half\n") ==
          "OpPtrAccessChain has an Element that is no integer");
    CHECK(of_kernel("%a = OpGroupAll %bool %two %true\n%b = OpGroupAny %bool %two %true\n") == "");
    CHECK(of_kernel("%a = OpGroupAll %bool %two %n\n") == "OpGroupAll has a predicate that is no boolean");
    CHECK(of_kernel("OpGroupWaitEvents %two %two %events\n") == "");
    CHECK(of_kernel("OpGroupWaitEvents %two %two %n\n") ==
          "OpGroupWaitEvents has an Events List that is no pointer");
    CHECK(of_kernel("%a = OpGroupAsyncCopy %uint %two %p %p %n %n %none\n") ==
          "OpGroupAsyncCopy has a result that is no event");
    CHECK(of_kernel("OpLifetimeStart %own 4\nOpLifetimeStop %own 4\n") == "");
    CHECK(of_kernel("OpLifetimeStart %p 4\n") ==
          "OpLifetimeStart has a pointer that is not of storage class Function");
    // SPIRV-Tools 2023.1 know these rules of the environment, which takes SPIR-V 1.2.
    CHECK(of_kernel("", "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n") == "");
    CHECK(of_kernel("", "%image = OpTypeImage %float 2D 0 0 0 0 Unknown ReadOnly\n") != "");
    CHECK(of_kernel("", "%image = OpTypeImage %void 2D 0 0 0 0 Unknown\n") != "");
}

TEST_CASE("newer rules: execution modes, decorations and built-in variables") {
    CHECK(of_shader("") == "");
    const std::string size = "OpExecutionMode %main LocalSize 4 1 1\n",
                      id = "OpDecorate %id BuiltIn GlobalInvocationId\n";
    CHECK(of_shader("", size + size) == "an entry point has LocalSize twice");
    CHECK(of_shader("", "OpExecutionMode %main LocalSize 4 0 1\n") == "LocalSize has a 0");
    CHECK(of_kernel("", "", "OpExecutionMode %k LocalSize 0 1 1\n") == "LocalSize has a 0");
    CHECK(
        of_shader("", size, id + "OpDecorate %buffer Binding 1\n").ends_with(" has the decoration 33 twice"));
    CHECK(of_shader("", size, id, "%id %id") == "an entry point has a built-in variable twice");
    const std::string index = "OpDecorate %index BuiltIn LocalInvocationIndex\n";
    CHECK(of_shader("", size, id + index, "%id %index") == "");
    CHECK(of_shader("", size, "OpDecorate %id BuiltIn LocalInvocationIndex\n") ==
          "LocalInvocationIndex is no 32-bit integer");
}

TEST_CASE("newer rules: what computes constants") {
    const auto of = [](const std::string& constant) {
        return of_shader(
            "", "OpExecutionMode %main LocalSize 4 1 1\n", "OpDecorate %id BuiltIn GlobalInvocationId\n",
            "%id", "%spec = OpSpecConstant %uint 1\n%computed = OpSpecConstantOp %uint " + constant + "\n");
    };
    CHECK(of("IAdd %spec %one") == "");
    CHECK(of("IAdd %spec %half") == "OpSpecConstantOp computes with an operand that is no integer");
}
