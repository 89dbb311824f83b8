// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// A compute shader with what `annotations`, `globals` and `body` add; its capabilities are more than it
/// uses.
PassRun derived(std::string_view annotations, std::string_view globals, std::string_view body,
                spirv::Target target = spirv::Target::Vulkan12, std::string_view model = "Logical GLSL450") {
    TranslateOptions options;
    options.target = target;
    return run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Float16
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel )" + std::string(model) +
                          R"(
OpEntryPoint GLCompute %k "k"
OpExecutionMode %k LocalSize 1 1 1
)" + std::string(annotations) +
                          R"(
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%zero = OpConstant %uint 0
%device = OpConstant %uint 1
%subgroup = OpConstant %uint 3
%half_one = OpConstant %float 0.5
%fn = OpTypeFunction %void
)" + std::string(globals) +
                          R"(
%k = OpFunction %void None %fn
%entry = OpLabel
)" + std::string(body) + "OpReturn\nOpFunctionEnd\n",
                      {derive_capabilities}, options, {}, spirv::Target::Vulkan13);
}

bool needs(const PassRun& run, std::string_view capability) {
    REQUIRE(run.error == "");
    const bool is_declared = contains(run.text, "OpCapability " + std::string(capability) + "\n");
    CHECK(is_declared == (std::ranges::count(run.interface.capabilities, capability) != 0));
    return is_declared;
}

}  // namespace

TEST_CASE("derive_capabilities: what nothing uses is gone") {
    const PassRun run = derived("", "", "");
    CHECK(run.interface.capabilities == std::vector<std::string>{"Shader"});
    CHECK(count(run.text, "OpCapability") == 1);
    CHECK(!contains(run.text, "OpExtInstImport"));
    CHECK(!contains(run.text, "OpExtension"));
}

TEST_CASE("derive_capabilities: types and instruction sets") {
    const PassRun run = derived("", "%ulong = OpTypeInt 64 0\n%half = OpTypeFloat 16\n",
                                "%f = OpExtInst %float %glsl FAbs %half_one\n");
    CHECK(needs(run, "Int64"));
    CHECK(needs(run, "Float16"));
    CHECK(!needs(run, "Int8"));
    CHECK(contains(run.text, "OpExtInstImport"));
}

TEST_CASE("derive_capabilities: what a pointer reaches says which storage it needs") {
    constexpr std::string_view kBlock = R"(
%uchar = OpTypeInt 8 0
%bytes = OpTypeRuntimeArray %uchar
%block = OpTypeStruct %bytes
%block_p = OpTypePointer StorageBuffer %block
)";
    const PassRun old = derived("OpDecorate %block Block\n", kBlock, "", spirv::Target::Vulkan11);
    CHECK(needs(old, "Int8"));
    CHECK(needs(old, "StorageBuffer8BitAccess"));
    CHECK(contains(old.text, "OpExtension \"SPV_KHR_8bit_storage\""));
    const PassRun later = derived("OpDecorate %block Block\n", kBlock, "", spirv::Target::Vulkan12);
    CHECK(needs(later, "StorageBuffer8BitAccess"));
    CHECK(!contains(later.text, "OpExtension"));  // SPIR-V 1.5 has it
}

TEST_CASE("derive_capabilities: the memory model, and the device's scope under it") {
    const std::string barrier = "OpControlBarrier %device %device %zero\n";
    CHECK(!needs(derived("", "", barrier), "VulkanMemoryModelDeviceScope"));
    const PassRun run = derived("", "", barrier, spirv::Target::Vulkan12, "Logical Vulkan");
    CHECK(needs(run, "VulkanMemoryModel"));
    CHECK(needs(run, "VulkanMemoryModelDeviceScope"));
    CHECK(needs(derived("", "", "", spirv::Target::Vulkan12, "PhysicalStorageBuffer64 GLSL450"),
                "PhysicalStorageBufferAddresses"));
}

TEST_CASE("derive_capabilities: group operations, by what they do") {
    const PassRun reduce = derived("", "", "%s = OpGroupNonUniformIAdd %uint %subgroup Reduce %device\n");
    CHECK(needs(reduce, "GroupNonUniformArithmetic"));
    CHECK(!needs(reduce, "GroupNonUniformClustered"));
    const PassRun clustered =
        derived("", "", "%s = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %device %device\n");
    CHECK(needs(clustered, "GroupNonUniformClustered"));
    CHECK(!needs(clustered, "GroupNonUniformArithmetic"));
}

TEST_CASE("derive_capabilities: the version is the target's") {
    CHECK(derived("", "", "", spirv::Target::Vulkan11).words[1] == 0x00010300);
    CHECK(derived("", "", "", spirv::Target::Vulkan12).words[1] == 0x00010500);
    CHECK(derived("", "", "", spirv::Target::Vulkan13).words[1] == 0x00010600);
}

TEST_CASE("derive_capabilities: an instruction of OpenCL that no pass has lowered is an error") {
    const PassRun run = derived("", "", "%s = OpGroupIAdd %uint %subgroup Reduce %device\n");
    CHECK(contains(run.error, "OpGroupIAdd is not available in Vulkan"));
}
