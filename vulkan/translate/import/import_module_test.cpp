// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability Int8
)";

std::string module_text(std::string_view rest) { return std::string(kHead) + std::string(rest); }

PassRun import(std::string_view rest) { return run_passes(module_text(rest), {import_module}); }

}  // namespace

TEST_CASE("import_module: a kernel module in its normal form") {
    const PassRun run = import(R"(
OpCapability OptNoneINTEL
OpExtension "SPV_INTEL_optnone"
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%file = OpString "a.cl"
OpSource OpenCL_C 102000 %file "text"
OpSourceContinued "more text"
OpName %info "info"

OpDecorate %group Alignment 4
%group = OpDecorationGroup
OpGroupDecorate %group %v %w
OpDecorate %inner LinkageAttributes "f" Export
OpDecorate %outer LinkageAttributes "f" Import
%void = OpTypeVoid
%int = OpTypeInt 32 0
%char = OpTypeInt 8 0
%fn = OpTypeFunction %void
%ptr = OpTypePointer Function %int
%info = OpExtInst %void %debug DebugInfoNone
%outer = OpFunction %void None %fn
OpFunctionEnd
%inner = OpFunction %void DontInline|OptNoneINTEL %fn
%i0 = OpLabel
OpReturn
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
%w = OpVariable %ptr Function
OpNop
OpLifetimeStart %v 0
%x = OpLoad %int %v
%y = OpCopyObject %int %x
OpStore %w %y
%c = OpFunctionCall %void %outer
OpLifetimeStop %v 0
OpReturn
%dead = OpLabel
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    for (auto gone : {"OpNop", "Lifetime", "Continued", "text", "Group", "CopyObject", "Debug", "Linkage",
                      "OptNone", "%outer", "%dead"})
        CHECK_MESSAGE(!contains(run.text.substr(run.text.find("OpMemoryModel")), gone), gone);
    CHECK(contains(run.text, "Alignment 4"));
    CHECK(contains(run.text, "OpFunctionCall"));
}

TEST_CASE("import_module: alignments that constants give") {
    TranslateOptions options;
    options.spec_constants[7] = {std::byte{0}, std::byte{1}, std::byte{0}, std::byte{0}};
    const PassRun run = run_passes(module_text(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpName %v "v"
OpName %w "w"
OpName %x "x"
OpName %y "y"
OpDecorateId %group AlignmentId %sixteen
%group = OpDecorationGroup
OpGroupDecorate %group %v
OpDecorate %size SpecId 7
OpDecorateId %w AlignmentId %size
OpDecorateId %x AlignmentId %wide
OpDecorateId %y MaxByteOffsetId %sixteen
OpDecorateId %y AlignmentId %zero
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%sixteen = OpConstant %int 16
%zero = OpConstant %int 0
%size = OpSpecConstant %int 32
%wide = OpSpecConstant %long 64
%fn = OpTypeFunction %void
%ptr = OpTypePointer Function %int
%k = OpFunction %void None %fn
%k0 = OpLabel
%v = OpVariable %ptr Function
%w = OpVariable %ptr Function
%x = OpVariable %ptr Function
%y = OpVariable %ptr Function
OpReturn
OpFunctionEnd
)"),
                                   {import_module}, options);
    REQUIRE(run.error == "");
    for (auto line :
         {"OpDecorate %v Alignment 16", "OpDecorate %w Alignment 256", "OpDecorate %x Alignment 64"})
        CHECK_MESSAGE(contains(run.text, line), run.text);
    for (auto gone : {"DecorateId", "MaxByteOffset", "Decorate %y"}) CHECK_FALSE(contains(run.text, gone));
}

TEST_CASE("import_module: sizes that constants give to execution modes") {
    const auto with_mode = [](const std::string& mode) {
        TranslateOptions options;
        const uint32_t fifty = 50;
        const auto bytes = std::as_bytes(std::span(&fifty, 1));
        options.spec_constants[7] = {bytes.begin(), bytes.end()};
        return run_passes(
            "OpCapability Addresses\nOpCapability Kernel\nOpCapability SubgroupDispatch\n"
            "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\nOpExecutionModeId %k " +
                mode +
                "\nOpDecorate %five SpecId 6\nOpDecorate %size SpecId 7\n%void = OpTypeVoid\n"
                "%int = OpTypeInt 32 0\n%one = OpConstant %int 1\n%five = OpSpecConstant %int 5\n"
                "%size = OpSpecConstant %int 6\n%twice = OpSpecConstantOp %int IAdd %size %size\n"
                "%zero = OpConstantNull %int\n%none = OpUndef %int\n%fn = OpTypeFunction %void\n"
                "%k = OpFunction %void None %fn\n%k0 = OpLabel\nOpReturn\nOpFunctionEnd\n",
            {import_module, check_supported}, options, {}, spirv::Target::OpenCL22);
    };
    const auto modes = [&](const std::string& mode) {
        const auto run = with_mode(mode);
        return run.error.empty() ? run.text : run.error;
    };
    CHECK(contains(modes("LocalSizeId %five %twice %one"), " LocalSize 5 100 1\n"));
    CHECK(contains(modes("LocalSizeHintId %size %one %one"), " LocalSizeHint 50 1 1\n"));
    CHECK(contains(modes("SubgroupsPerWorkgroupId %size"), " SubgroupsPerWorkgroup 50\n"));
    CHECK_FALSE(contains(modes("LocalSizeHintId %size %none %one"), "OpExecutionMode"));
    CHECK(modes("LocalSizeId %five %none %one") ==
          "kernel 'k': the sizes of the execution mode LocalSizeId are no known constants");
    CHECK(modes("LocalSizeId %five %zero %one") == "kernel 'k': the required work-group size has a 0");
}

TEST_CASE("import_module: sizes of what pointers point to") {
    const PassRun run = import(R"(
OpCapability Vector16
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %packed CPacked
%void = OpTypeVoid
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%three = OpTypeVector %int 3
%four = OpSpecConstant %int 4
%padded = OpTypeStruct %char %int
%packed = OpTypeStruct %char %int
%array = OpTypeArray %padded %four
%to_array = OpTypePointer CrossWorkgroup %array
%to_three = OpTypePointer Workgroup %three
%to_packed = OpTypePointer Generic %packed
%to_pointer = OpTypePointer CrossWorkgroup %to_packed
%fn = OpTypeFunction %void %to_array %to_three %to_packed %to_pointer
%k = OpFunction %void None %fn
%a = OpFunctionParameter %to_array
%b = OpFunctionParameter %to_three
%c = OpFunctionParameter %to_packed
%d = OpFunctionParameter %to_pointer
%k0 = OpLabel
%as = OpSizeOf %int %a
%bs = OpSizeOf %int %b
%cs = OpSizeOf %int %c
%ds = OpSizeOf %int %d
%ab = OpIAdd %int %as %bs
%cd = OpIAdd %int %cs %ds
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    CHECK_FALSE(contains(run.text, "OpSizeOf"));
    CHECK_MESSAGE(contains(run.text, "OpIAdd %uint %uint_32 %uint_16"), run.text);
    CHECK_MESSAGE(contains(run.text, "OpIAdd %uint %uint_5 %uint_8"), run.text);
}

TEST_CASE("import_module: what is no kernel module is declined") {
    CHECK(import("OpMemoryModel Physical64 OpenCL").error == "the module has no kernel");
    CHECK(contains(import("OpMemoryModel Physical32 OpenCL").error, "spir64"));
    CHECK(contains(import("OpMemoryModel Physical64 Simple").error, "not OpenCL's"));
    CHECK(contains(import("OpMemoryModel Logical OpenCL").error, "Physical64"));
    CHECK(contains(run_passes("OpCapability Shader\nOpMemoryModel Logical GLSL450", {import_module}).error,
                   "shader module"));
    CHECK(contains(import(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
OpFunctionEnd
)")
                       .error,
                   "kernel 'k' has no body"));
}

TEST_CASE("import_module: kernels that are the same function get one each") {
    const PassRun run = import(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "one"
OpEntryPoint Kernel %k "two"
OpExecutionMode %k LocalSize 2 3 4
%void = OpTypeVoid
%long = OpTypeInt 64 0
%fn = OpTypeFunction %void %long
%k = OpFunction %void None %fn
%p = OpFunctionParameter %long
%entry = OpLabel
%s = OpIAdd %long %p %p
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    for (auto twice : {"OpFunctionEnd", "LocalSize 2 3 4", "OpIAdd"}) {
        const size_t first = run.text.find(twice);
        REQUIRE(first != std::string::npos);
        CHECK(run.text.find(twice, first + 1) != std::string::npos);
    }
}

TEST_CASE("import_module: of a loop's hints those about unrolling stay, in words of the target's version") {
    const Result<std::vector<uint32_t>> words = spirv::assemble(module_text(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
OpBranch %head
%head = OpLabel
OpLoopMerge %done %next DependencyLength|MaxIterations|PartialCount 7 100 4
OpBranchConditional %true %next %done
%next = OpLabel
OpBranch %head
%done = OpLabel
OpReturn
OpFunctionEnd
)"),
                                                                spirv::Target::Vulkan12);
    REQUIRE(words);
    for (const spirv::Target target : {spirv::Target::Vulkan11, spirv::Target::Vulkan12}) {
        Result<spirv::Module> module = spirv::read(*words);
        REQUIRE(module);
        TranslateOptions options;
        options.target = target;
        ProgramInterface interface;
        const BuiltinLibrary library;
        PassContext context{options, library, interface};
        REQUIRE(import_module(*module, context));
        const Result<std::string> text = spirv::disassemble(spirv::write(*module));
        REQUIRE(text);
        CHECK(contains(*text, target == spirv::Target::Vulkan11 ? " Unroll\n" : " PartialCount 4\n"));
    }
}

TEST_CASE("import_module: a split barrier is one barrier, and hints of loops without a merge go") {
    const PassRun run = import(R"(
OpCapability SplitBarrierINTEL
OpCapability UnstructuredLoopControlsINTEL
OpExtension "SPV_INTEL_split_barrier"
OpExtension "SPV_INTEL_unstructured_loop_controls"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%int = OpTypeInt 32 0
%group = OpConstant %int 2
%release = OpConstant %int 0x104
%acquire = OpConstant %int 0x102
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
OpControlBarrierArriveINTEL %group %group %release
OpLoopControlINTEL 1
OpBranch %next
%next = OpLabel
OpControlBarrierWaitINTEL %group %group %acquire
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    CHECK(contains(run.text,
                   "OpControlBarrier %uint_2 %uint_2 %uint_2824"));  // acquire and release, all memory
    CHECK(run.text.find("OpControlBarrier ") == run.text.rfind("OpControlBarrier "));
    for (const auto gone : {"ArriveINTEL", "WaitINTEL", "OpLoopControlINTEL"})
        CHECK(!contains(run.text, gone));
}

TEST_CASE("import_module: a conditional branch with two equal ways is a branch") {
    const PassRun run = import(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %join None
OpBranchConditional %true %join %join
%join = OpLabel
OpBranch %loop
%loop = OpLabel
OpLoopMerge %exit %again None
OpBranchConditional %true %exit %exit 1 2
%again = OpLabel
OpBranch %loop
%exit = OpLabel
OpReturn
OpFunctionEnd
)");
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "OpBranchConditional"));
    CHECK(!contains(run.text, "OpSelectionMerge"));
}

TEST_CASE("import_module: calls that write a level of an image are instructions") {
    const auto write = [](std::string_view name, std::string_view level_type, std::string_view level) {
        return import(R"(
OpCapability ImageBasic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %write LinkageAttributes ")" +
                      std::string(name) + R"(" Import
%void = OpTypeVoid
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%float4 = OpTypeVector %float 4
%image = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%at = OpConstantNull %int2
%color = OpConstantNull %float4
%one = OpConstant %int 1
%real = OpConstant %float 1
%fn = OpTypeFunction %void %image
%write_fn = OpTypeFunction %void %image %int2 %)" +
                      std::string(level_type) + R"( %float4
%write = OpFunction %void None %write_fn
%a = OpFunctionParameter %image
%b = OpFunctionParameter %int2
%c = OpFunctionParameter %)" +
                      std::string(level_type) + R"(
%d = OpFunctionParameter %float4
OpFunctionEnd
%k = OpFunction %void None %fn
%i = OpFunctionParameter %image
%k0 = OpLabel
%x = OpFunctionCall %void %write %i %at %)" +
                      std::string(level) + R"( %color
OpReturn
OpFunctionEnd
)");
    };
    const PassRun run = write("_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f", "int", "one");
    CHECK(count(run.text, "OpImageWrite %") == 1);
    CHECK(contains(run.text, "Lod %uint_1"));
    CHECK(!contains(run.text, "OpFunctionCall"));
    for (const PassRun& other : {write("_Z12write_imagef14ocl_image2d_woDv2_ifDv4_f", "float", "real"),
                                 write("_Z12write_imagex14ocl_image2d_woDv2_iiDv4_f", "int", "one")})
        CHECK(contains(other.text, "OpFunctionCall"));
}

TEST_CASE("import_module: components of built-in vectors are extracted from the whole") {
    const std::string head = R"(
OpCapability GroupNonUniformBallot
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %mask %id
OpName %mask "mask"
OpName %p "p"
OpName %x "x"
OpDecorate %mask BuiltIn SubgroupEqMask
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%v4 = OpTypeVector %u32 4
%v3 = OpTypeVector %u64 3
%pv4 = OpTypePointer Input %v4
%pv3 = OpTypePointer Input %v3
%p32 = OpTypePointer Input %u32
%p64 = OpTypePointer Input %u64
%mask = OpVariable %pv4 Input
%id = OpVariable %pv3 Input
%one = OpConstant %u32 1
%three = OpConstant %u32 3
%fn = OpTypeFunction %void %u32
%k = OpFunction %void None %fn
%n = OpFunctionParameter %u32
%k0 = OpLabel
)";
    const auto text = [&](const std::string& body) {
        const PassRun run = import(head + body + "OpReturn\nOpFunctionEnd\n");
        CHECK(run.error == "");
        return run.text;
    };
    const std::string load = "%x = OpLoad %u32 %p Aligned 4\n";
    const std::string constant = text("%p = OpInBoundsAccessChain %p32 %mask %one\n" + load);
    CHECK(contains(constant, "%x = OpCompositeExtract %uint"));
    CHECK(contains(constant, "OpLoad %v4uint %mask"));
    CHECK(!contains(constant, "AccessChain"));
    CHECK(contains(text("%p = OpAccessChain %p32 %mask %n\n" + load), "%x = OpVectorExtractDynamic %uint"));
    CHECK(contains(text("%p = OpAccessChain %p64 %id %one\n%x = OpLoad %u64 %p\n"),
                   "%x = OpCompositeExtract %ulong"));
    // Past the dimensions, functions of OpenCL C have values.
    for (const std::string index : {"%n", "%three"})
        CHECK(contains(text("%p = OpAccessChain %p64 %id " + index + "\n%x = OpLoad %u64 %p\n"),
                       "%x = OpLoad %ulong %p"));
}

TEST_CASE("import_module: printf that is called by name") {
    const PassRun run = import(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpDecorate %printf LinkageAttributes "printf" Import
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%u8 = OpTypeInt 8 0
%two = OpConstant %u32 2
%A = OpConstant %u8 65
%nul = OpConstant %u8 0
%text = OpTypeArray %u8 %two
%bytes = OpConstantComposite %text %A %nul
%const_text = OpTypePointer UniformConstant %text
%const = OpTypePointer UniformConstant %u8
%a = OpVariable %const_text UniformConstant %bytes
%prints = OpTypeFunction %u32 %const
%fn = OpTypeFunction %void
%printf = OpFunction %u32 None %prints
%format = OpFunctionParameter %const
OpFunctionEnd
%k = OpFunction %void None %fn
%k0 = OpLabel
%p = OpInBoundsPtrAccessChain %const %a %nul %nul
%r = OpFunctionCall %u32 %printf %p
OpReturn
OpFunctionEnd
)");
    CHECK(run.error == "");
    CHECK(contains(run.text, " printf %"));
    CHECK(!contains(run.text, "OpFunctionCall"));
}

TEST_CASE("import_module: a merge in the entry block makes no loop of it") {
    const PassRun run = import(R"(
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%entry = OpLabel
OpLoopMerge %end %next DontUnroll
OpBranch %body
%body = OpLabel
OpBranch %end
%next = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
)");
    CHECK(run.error == "");
    CHECK(!contains(run.text, "OpLoopMerge"));
}
