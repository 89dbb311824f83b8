// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

// What lower_memory leaves of
//   kernel void k(global float* out, uchar c, short3 s, float4 f, struct { char a; int b; } t, uint n)
// that stores (float)(c + s.y + t.a + t.b) + f.x at out[get_global_id(0)].
constexpr std::string_view kKernel = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int16
 OpCapability Int8
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k" %gid
 OpName %out "out"
 OpName %c "c"
 OpDecorate %gid BuiltIn GlobalInvocationId
 OpDecorate %gid Constant
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u16 = OpTypeInt 16 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f32 = OpTypeFloat 32
 %v3s = OpTypeVector %u16 3
 %v4f = OpTypeVector %f32 4
 %v3l = OpTypeVector %u64 3
 %struct = OpTypeStruct %u8 %u32
 %in = OpTypePointer Input %v3l
 %four = OpConstant %u64 4
 %fn = OpTypeFunction %void %u64 %u8 %v3s %v4f %struct %u32
 %psb = OpTypePointer PhysicalStorageBuffer %f32
 %gid = OpVariable %in Input
 %k = OpFunction %void None %fn
 %out = OpFunctionParameter %u64
 %c = OpFunctionParameter %u8
 %s = OpFunctionParameter %v3s
 %f = OpFunctionParameter %v4f
 %t = OpFunctionParameter %struct
 %n = OpFunctionParameter %u32
 %entry = OpLabel
 %id3 = OpLoad %v3l %gid Aligned 32
 %id = OpCompositeExtract %u64 %id3 0
 %c32 = OpUConvert %u32 %c
 %sy = OpCompositeExtract %u16 %s 1
 %s32 = OpSConvert %u32 %sy
 %ta = OpCompositeExtract %u8 %t 0
 %ta32 = OpSConvert %u32 %ta
 %tb = OpCompositeExtract %u32 %t 1
 %a1 = OpIAdd %u32 %c32 %s32
 %a2 = OpIAdd %u32 %a1 %ta32
 %a3 = OpIAdd %u32 %a2 %tb
 %af = OpConvertSToF %f32 %a3
 %fx = OpCompositeExtract %f32 %f 0
 %r = OpFAdd %f32 %af %fx
 %byte = OpIMul %u64 %id %four
 %address = OpIAdd %u64 %out %byte
 %p = OpConvertUToPtr %psb %address
 OpStore %p %r Aligned 4
 OpReturn
 OpFunctionEnd
)";

TEST_CASE("lower_interface: arguments in push constants, the id from its base") {
    const PassRun run = validated(run_passes(kKernel, {describe_kernels, lower_interface,
                                                       use_physical_addressing, derive_capabilities}),
                                  spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    REQUIRE(run.interface.kernels.size() == 1);
    const Kernel& kernel = run.interface.kernels[0];
    CHECK(kernel.block == ArgumentBlock::PushConstants);
    REQUIRE(kernel.arguments.size() == 6);
    const uint32_t offsets[] = {0, 8, 16, 32, 48, 56}, sizes[] = {8, 1, 8, 16, 8, 4};
    for (size_t i = 0; i < 6; ++i) {
        CHECK(kernel.arguments[i].offset_bytes == offsets[i]);
        CHECK(kernel.arguments[i].size_bytes == sizes[i]);
    }
    REQUIRE(kernel.hidden.size() == 1);
    CHECK(kernel.hidden[0].kind == HiddenKind::GlobalIdBase);
    CHECK(kernel.hidden[0].offset_bytes == 64);
    CHECK(kernel.block_bytes == 88);
    CHECK(contains(run.text, "BuiltIn WorkgroupSize"));
    CHECK(!contains(run.text, "StoragePushConstant8"));
}

TEST_CASE("lower_interface: an argument block that does not fit the push constants is a buffer") {
    TranslateOptions options;
    options.profile.max_push_constants_bytes = 64;
    const PassRun run = validated(
        run_passes(kKernel, {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities},
                   options),
        spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    CHECK(run.interface.kernels[0].block == ArgumentBlock::Buffer);
    CHECK(contains(run.text, "Aligned 16"));
}

TEST_CASE("lower_interface: float behaviour that the device promises is asked for, unless math is relaxed") {
    TranslateOptions options;
    options.profile.float32_controls = {true, true, true};
    options.profile.float64_controls = {true, true, true};
    auto run = [&] {
        PassRun result = validated(
            run_passes(kKernel,
                       {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities},
                       options),
            spirv::Target::Vulkan12);
        REQUIRE(result.error == "");
        return result.text;
    };
    const std::string text = run();
    CHECK(contains(text, "SignedZeroInfNanPreserve 32"));
    CHECK(contains(text, "DenormPreserve 32"));
    CHECK(contains(text, "OpCapability RoundingModeRTE"));
    CHECK(!contains(text, "DenormPreserve 64"));  // no double in the module
    options.fast_math = true;
    CHECK(!contains(run(), "SignedZeroInfNanPreserve"));
    options.denorms_are_zero = true;
    CHECK(!contains(run(), "DenormPreserve"));
}

TEST_CASE(
    "lower_interface: kernels with functions of sub-groups ask for uniform control flow, where the device "
    "has it") {
    constexpr std::string_view kTwo = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %a "a" %size
 OpEntryPoint Kernel %b "b"
 OpDecorate %size BuiltIn SubgroupSize
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %in = OpTypePointer Input %u32
 %size = OpVariable %in Input
 %fn = OpTypeFunction %void
 %a = OpFunction %void None %fn
 %a0 = OpLabel
 %x = OpLoad %u32 %size
 OpReturn
 OpFunctionEnd
 %b = OpFunction %void None %fn
 %b0 = OpLabel
 OpReturn
 OpFunctionEnd
)";
    const auto run = [&](bool offered) {
        TranslateOptions options;
        options.profile.subgroup_uniform_flow = offered;
        const PassRun result = validated(
            run_passes(kTwo,
                       {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities},
                       options),
            spirv::Target::Vulkan12);
        REQUIRE_MESSAGE(result.error == "", result.error);
        return result.text;
    };
    CHECK(count(run(true), "SubgroupUniformControlFlowKHR") == 1);  // of a alone
    CHECK(contains(run(true), "OpExtension \"SPV_KHR_subgroup_uniform_control_flow\""));
    CHECK_FALSE(contains(run(false), "ontrol_flow"));
    CHECK_FALSE(contains(run(false), "UniformControlFlow"));
}

TEST_CASE("lower_interface: lanes that no work-item has return before loops, where the driver has them") {
    const auto run = [](bool needed, bool has_loop, bool has_sub_groups, const std::string& mode = "",
                        bool is_uniform = true) {
        const std::string loop = R"(
 OpBranch %header
 %header = OpLabel
 OpLoopMerge %exit %next None
 OpBranchConditional %true %next %exit
 %next = OpLabel
 OpBranch %header
 %exit = OpLabel
)";
        TranslateOptions options;
        options.uniform_work_group_size = is_uniform;
        options.profile.quirks.runs_padding = needed;
        options.profile.min_subgroup_size = options.profile.max_required_subgroup_size = 8;
        options.profile.subgroups = has_sub_groups;
        const PassRun result =
            validated(
                run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
)" + mode + R"( %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %true = OpConstantTrue %bool
 %zero = OpConstant %u32 0
 %private = OpTypePointer Function %u32
 %fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %entry = OpLabel
 %x = OpVariable %private Function
 OpStore %x %zero
)" + (has_loop ? loop : "") + " OpReturn\n OpFunctionEnd\n",
                           {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities},
                           options),
                spirv::Target::Vulkan12);
        REQUIRE(result.error == "");
        return count(result.text, "OpReturn\n");
    };
    CHECK(run(true, true, true) == 2);
    CHECK(run(false, true, true) == 1);
    CHECK(run(true, false, true) == 1);
    CHECK(run(true, true, false) == 1);
    // Rows of a known length fill sub-groups, or do not.
    CHECK(run(true, true, true, " OpExecutionMode %k LocalSize 16 3 1\n") == 1);
    CHECK(run(true, true, true, " OpExecutionMode %k LocalSize 16 3 1\n", false) == 2);
    CHECK(run(true, true, true, " OpExecutionMode %k LocalSize 12 2 1\n") == 2);
    CHECK(run(true, true, true, " OpExecutionMode %k LocalSize 4 2 1\n") == 2);
}

TEST_CASE("lower_interface: kernels that cannot tell groups apart leave beyond the region") {
    // A kernel of `words` 32-bit arguments that loads an input variable, then does `body`.
    const auto run = [](std::string_view input, std::string_view body, int words = 0, bool partial = true) {
        std::string parameters, types;
        for (int i = 0; i < words; ++i) {
            types += " %u32";
            parameters += " %p" + std::to_string(i) + " = OpFunctionParameter %u32\n";
        }
        TranslateOptions options;
        options.partial_groups = partial;
        options.profile.max_push_constants_bytes = 128;
        return validated(run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k" %input
 OpDecorate %input BuiltIn )" + std::string(input) +
                                        R"(
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %two = OpConstant %u32 2
 %fence = OpConstant %u32 72
 %v3l = OpTypeVector %u64 3
 %in = OpTypePointer Input %v3l
 %shared = OpTypePointer Workgroup %u32
 %fn = OpTypeFunction %void)" + types + R"(
 %input = OpVariable %in Input
 %local = OpVariable %shared Workgroup
 %k = OpFunction %void None %fn
)" + parameters + " %entry = OpLabel\n %id = OpLoad %v3l %input\n" +
                                        std::string(body) + " OpReturn\n OpFunctionEnd\n",
                                    {describe_kernels, lower_interface, use_physical_addressing,
                                     derive_capabilities},
                                    options),
                         spirv::Target::Vulkan12);
    };
    const auto ignores = [](const PassRun& done) {
        REQUIRE(done.error == "");
        const Kernel& kernel = done.interface.kernels[0];
        const bool has_size = std::ranges::any_of(kernel.hidden, [](const HiddenArgument& hidden) {
            return hidden.kind == HiddenKind::RegionSize;
        });
        CHECK(has_size == kernel.ignores_groups);
        CHECK((count(done.text, "OpReturn\n") == 2) == kernel.ignores_groups);
        CHECK((done.interface.full_groups_spec_id != kNoSpecId) == kernel.ignores_groups);
        return kernel.ignores_groups;
    };
    for (const char* input : {"GlobalInvocationId", "GlobalSize", "GlobalOffset"})
        CHECK(ignores(run(input, "")));
    for (const char* input : {"LocalInvocationId", "WorkgroupId", "NumWorkgroups", "EnqueuedWorkgroupSize"})
        CHECK(!ignores(run(input, "")));
    CHECK(!ignores(run("GlobalInvocationId", "", 0, false)));
    CHECK(!ignores(run("GlobalInvocationId", " OpControlBarrier %two %two %two\n")));
    CHECK(!ignores(run("GlobalInvocationId", " OpStore %local %two\n")));
    CHECK(!ignores(run("GlobalInvocationId", " OpMemoryBarrier %two %fence\n")));
    // 12 more bytes must not cost the push constants.
    CHECK(ignores(run("GlobalSize", "", 22)));
    CHECK(!ignores(run("GlobalSize", "", 23)));
    CHECK(ignores(run("GlobalSize", "", 40)));
}

TEST_CASE("lower_interface: a mask of sub-groups has four words, also by an index that is not constant") {
    const PassRun run = validated(
        run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability GroupNonUniformBallot
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k" %mask
 OpDecorate %mask BuiltIn SubgroupGtMask
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %v4 = OpTypeVector %u32 4
 %in = OpTypePointer Input %v4
 %psb = OpTypePointer PhysicalStorageBuffer %u32
 %fn = OpTypeFunction %void %u64 %u32
 %mask = OpVariable %in Input
 %k = OpFunction %void None %fn
 %out = OpFunctionParameter %u64
 %n = OpFunctionParameter %u32
 %entry = OpLabel
 %words = OpLoad %v4 %mask
 %word = OpVectorExtractDynamic %u32 %words %n
 %p = OpConvertUToPtr %psb %out
 OpStore %p %word Aligned 4
 OpReturn
 OpFunctionEnd
)",
                   {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities}),
        spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpVectorExtractDynamic %uint"));
    CHECK(contains(run.text, "OpCompositeConstruct %v4uint"));
    CHECK(contains(run.text, " %uint_4\n"));
}

TEST_CASE("lower_interface: a function that is no kernel reads ids too; a required size is the default") {
    const PassRun run = validated(
        run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k" %group
 OpExecutionMode %k LocalSize 8 4 2
 OpExecutionMode %k ContractionOff
 OpDecorate %group BuiltIn WorkgroupId
 OpDecorate %size BuiltIn WorkgroupSize
 OpDecorate %linear BuiltIn GlobalLinearId
 %void = OpTypeVoid
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %v3l = OpTypeVector %u64 3
 %in = OpTypePointer Input %v3l
 %in1 = OpTypePointer Input %u64
 %psb = OpTypePointer PhysicalStorageBuffer %u64
 %fn = OpTypeFunction %void %u64 %u32
 %fnf = OpTypeFunction %u64 %u32
 %group = OpVariable %in Input
 %size = OpVariable %in Input
 %linear = OpVariable %in1 Input
 %f = OpFunction %u64 None %fnf
 %d = OpFunctionParameter %u32
 %fe = OpLabel
 %g3 = OpLoad %v3l %group
 %g = OpVectorExtractDynamic %u64 %g3 %d
 %s3 = OpLoad %v3l %size
 %s = OpCompositeExtract %u64 %s3 1
 %gs = OpIMul %u64 %g %s
 OpReturnValue %gs
 OpFunctionEnd
 %k = OpFunction %void None %fn
 %out = OpFunctionParameter %u64
 %n = OpFunctionParameter %u32
 %entry = OpLabel
 %v = OpFunctionCall %u64 %f %n
 %l = OpLoad %u64 %linear
 %r = OpIAdd %u64 %v %l
 %p = OpConvertUToPtr %psb %out
 OpStore %p %r Aligned 8
 OpReturn
 OpFunctionEnd
)",
                   {describe_kernels, lower_interface, use_physical_addressing, derive_capabilities}),
        spirv::Target::Vulkan12);
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "LocalSize 8 4 2"));
    for (const char* size : {"OpSpecConstant %uint 8", "OpSpecConstant %uint 4", "OpSpecConstant %uint 2"})
        CHECK(contains(run.text, size));  // groups at the edges are smaller
    CHECK(contains(run.text, "Private"));
    const Kernel& kernel = run.interface.kernels[0];
    CHECK(kernel.required_local_size == std::array<uint32_t, 3>{8, 4, 2});
    CHECK(kernel.attributes == "reqd_work_group_size(8,4,2)");
    REQUIRE(kernel.hidden.size() == 4);
    CHECK(kernel.hidden[2].kind == HiddenKind::GroupBase);
    CHECK(run.interface.has_base_spec_id == 3);  // lets the driver drop the base
    CHECK(contains(run.text, "SpecId 3"));
    CHECK(contains(run.text, "OpSpecConstantTrue"));
}

}  // namespace
}  // namespace caldera::vulkan
