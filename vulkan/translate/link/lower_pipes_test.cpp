// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int16
 OpCapability Int8
 OpCapability Pipes
 OpCapability GenericPointer
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u16 = OpTypeInt 16 0
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %generic = OpTypePointer Generic %u8
 %global = OpTypePointer CrossWorkgroup %u32
 %generic_words = OpTypePointer Generic %u32
 %reader = OpTypePipe ReadOnly
 %writer = OpTypePipe WriteOnly
 %reservation = OpTypeReserveId
 %none = OpConstantNull %reservation
 %subgroup = OpConstant %u32 3
 %device = OpConstant %u32 1
 %workgroup = OpConstant %u32 2
 %two = OpConstant %u32 2
 %four = OpConstant %u32 4
 %six = OpConstant %u32 6
 %helper_fn = OpTypeFunction %void %writer %generic
 %fn = OpTypeFunction %void %reader %writer %global
 %helper = OpFunction %void None %helper_fn
 %hp = OpFunctionParameter %writer
 %hd = OpFunctionParameter %generic
 %helper_entry = OpLabel
 %hr = OpWritePipe %u32 %hp %hd %six %two
 OpReturn
 OpFunctionEnd
 %k = OpFunction %void None %fn
 %r = OpFunctionParameter %reader
 %w = OpFunctionParameter %writer
 %g = OpFunctionParameter %global
 %entry = OpLabel
 %words = OpPtrCastToGeneric %generic_words %g
 %d = OpBitcast %generic %words
)" + body + " OpReturn\n OpFunctionEnd\n";
}
PassRun lowered(const std::string& body) {
    return run_passes(module_text(body), {check_supported, describe_kernels, lower_pipes});
}

TEST_CASE("lower_pipes: instructions are calls, pipes are pointers, reservations pairs") {
    const PassRun run = lowered(R"( %x = OpReadPipe %u32 %r %d %four %four
 %id = OpReserveReadPipePackets %reservation %r %two %four %four
 %valid = OpIsValidReserveId %bool %id
 %y = OpReservedReadPipe %u32 %r %id %two %d %four %four
 OpCommitReadPipe %r %id %four %four
 %gid = OpGroupReserveWritePipePackets %reservation %workgroup %w %two %six %two
 %z = OpReservedWritePipe %u32 %w %gid %two %d %six %two
 OpGroupCommitWritePipe %workgroup %w %gid %six %two
 %num = OpGetNumPipePackets %u32 %r %four %four
 %max = OpGetMaxPipePackets %u32 %r %four %four
 %nothing = OpIsValidReserveId %bool %none
)");
    REQUIRE(run.error == "");
    for (const char* function :
         {"_Z9pipe_readPU3AS1jjjPU3AS4j", "_Z9pipe_readPU3AS1jDv2_jjjjPU3AS4j",
          "_Z17pipe_reserve_readPU3AS1jj", "_Z16pipe_commit_readPU3AS1jDv2_j",
          "_Z24pipe_group_reserve_writePU3AS1jjPU3AS3Dv2_j", "_Z10pipe_writePU3AS1jDv2_jjjjPU3AS4Kt",
          "_Z23pipe_group_commit_writePU3AS1jDv2_j", "_Z16pipe_num_packetsPU3AS1j",
          "_Z16pipe_max_packetsPU3AS1j"})
        CHECK_MESSAGE(contains(run.text, "LinkageAttributes \"" + std::string(function) + "\" Import"),
                      function);
    for (const char* gone :
         {"OpTypePipe", "OpTypeReserveId", "PipePackets", "OpReadPipe", "OpIsValidReserveId"})
        CHECK_MESSAGE(!contains(run.text, gone), gone);
    const std::vector<KernelArgument>& arguments = run.interface.kernels[0].arguments;
    CHECK(arguments[0].kind == ArgumentKind::Pipe);
    CHECK(arguments[0].size_bytes == 8);
    CHECK(arguments[0].element_bytes == 4);
    CHECK(arguments[1].element_bytes == 6);
    CHECK(arguments[2].kind == ArgumentKind::GlobalPointer);
}

TEST_CASE("lower_pipes: the size of packets is known from functions that are called") {
    const PassRun called = lowered(" %x = OpFunctionCall %void %helper %w %d\n");
    REQUIRE(called.error == "");
    CHECK(called.interface.kernels[0].arguments[1].element_bytes == 6);
    CHECK(called.interface.kernels[0].arguments[0].element_bytes == 0);
}

TEST_CASE("lower_pipes: sub-groups have functions of their own") {
    const PassRun run = lowered(
        " %id = OpGroupReserveWritePipePackets %reservation %subgroup %w %two %six %two\n"
        " OpGroupCommitWritePipe %subgroup %w %id %six %two\n");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z28pipe_sub_group_reserve_writePU3AS1jj"));
    CHECK(contains(run.text, "_Z27pipe_sub_group_commit_writePU3AS1jDv2_j"));
}

TEST_CASE("lower_pipes: declined with the reason") {
    CHECK(lowered(" %id = OpGroupReserveWritePipePackets %reservation %device %w %two %six %two\n").error ==
          "kernel 'k': the scope of a pipe function must be a work-group or a sub-group");
    CHECK(lowered(" %n = OpGetNumPipePackets %u32 %r %four %four\n %x = OpReadPipe %u32 %r %d %n %four\n")
              .error == "kernel 'k': the packet size of a pipe is not constant");
}

}  // namespace
}  // namespace caldera::vulkan
