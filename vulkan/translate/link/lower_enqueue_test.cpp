// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// `wrapper`: the block's kernel only calls what is enqueued, as LLVM's translator writes it.
std::string module_text(const std::string& body, bool wrapper = false, bool has_kernel = true) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int8
 OpCapability DeviceEnqueue
 OpCapability SubgroupDispatch
 OpCapability GenericPointer
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
)" +
           std::string(has_kernel ? (wrapper ? " OpEntryPoint Kernel %wrapper \"block_kernel\"\n"
                                             : " OpEntryPoint Kernel %block_kernel \"block_kernel\"\n")
                                  : "") +
           R"( OpDecorate %captured CPacked
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %zero = OpConstant %u32 0
 %one = OpConstant %u32 1
 %two = OpConstant %u32 2
 %three = OpConstant %u32 3
 %eight = OpConstant %u32 8
 %size = OpConstant %u32 24
 %large = OpConstant %u32 9001
 %long_zero = OpConstant %u64 0
 %long_four = OpConstant %u64 4
 %long_three = OpConstant %u64 3
 %array = OpTypeArray %u64 %long_three
 %range_t = OpTypeStruct %u32 %array %array %array
 %range_p = OpTypePointer Function %range_t
 %queue_t = OpTypeQueue
 %event_t = OpTypeDeviceEvent
 %event_p = OpTypePointer Function %event_t
 %events_t = OpTypePointer Generic %event_t
 %no_events = OpConstantNull %events_t
 %no_event = OpConstantNull %event_t
 %global = OpTypePointer CrossWorkgroup %u32
 %local = OpTypePointer Workgroup %u8
 %generic = OpTypePointer Generic %u8
 %captured = OpTypeStruct %u32 %u32 %generic %global
 %captured_p = OpTypePointer Function %captured
 %captured_g = OpTypePointer Generic %captured
 %global_g = OpTypePointer Generic %global
 %size_p = OpTypePointer Function %u64
 %fn = OpTypeFunction %void %queue_t %global
 %block_fn = OpTypeFunction %void %generic %local
 %k = OpFunction %void None %fn
 %q = OpFunctionParameter %queue_t
 %g = OpFunctionParameter %global
 %entry = OpLabel
 %range = OpVariable %range_p Function
 %event = OpVariable %event_p Function
 %object = OpVariable %captured_p Function
 %bytes = OpVariable %size_p Function
 %object_g = OpPtrCastToGeneric %captured_g %object
 %block = OpBitcast %generic %object_g
 %events = OpPtrCastToGeneric %events_t %event
)" + body + R"( OpReturn
 OpFunctionEnd
 %block_kernel = OpFunction %void None %block_fn
 %p = OpFunctionParameter %generic
 %l = OpFunctionParameter %local
 %block_entry = OpLabel
 %typed = OpBitcast %captured_g %p
 %place = OpInBoundsPtrAccessChain %global_g %typed %zero %three
 %pointer = OpLoad %global %place Aligned 8
 OpStore %pointer %one Aligned 4
 OpReturn
 OpFunctionEnd
)" +
           (wrapper && has_kernel ? R"( %wrapper = OpFunction %void None %block_fn
 %wp = OpFunctionParameter %generic
 %wl = OpFunctionParameter %local
 %wrapper_entry = OpLabel
 %called = OpFunctionCall %void %block_kernel %wp %wl
 OpReturn
 OpFunctionEnd
)"
                                  : "");
}
PassRun lowered(const std::string& text, const TranslateOptions& options = {}) {
    return run_passes(text, {check_supported, take_captures, describe_kernels, lower_enqueue}, options);
}

constexpr const char* kEnqueue =
    " %s = OpEnqueueKernel %u32 %q %zero %range %zero %no_events %no_events %block_kernel %block %size "
    "%eight "
    "%bytes\n";
constexpr const char* kEnqueueWithEvents =
    " %s = OpEnqueueKernel %u32 %q %zero %range %one %events %events %block_kernel %block %size %eight "
    "%bytes\n";

std::string import(const std::string& name) { return "LinkageAttributes \"" + name + "\" Import"; }

TEST_CASE("lower_enqueue: a block is a kernel that has its captures by value") {
    for (const auto& [wrapper, has_kernel] : {std::pair{false, true}, {true, true}, {false, false}}) {
        const PassRun run = lowered(module_text(kEnqueue, wrapper, has_kernel));
        REQUIRE(run.error == "");
        REQUIRE(run.interface.kernels.size() == 2);
        const Kernel &parent = run.interface.kernels[0], &block = run.interface.kernels[1];
        CHECK(parent.enqueues);
        CHECK(!parent.is_block);
        CHECK(parent.arguments[0].kind == ArgumentKind::DeviceQueue);
        CHECK(parent.arguments[0].size_bytes == 8);
        CHECK(block.is_block);
        CHECK(!block.enqueues);
        REQUIRE(block.arguments.size() == 2);
        CHECK(block.arguments[0].kind == ArgumentKind::Value);
        CHECK(block.arguments[0].size_bytes == 24);
        CHECK(block.arguments[1].kind == ArgumentKind::LocalPointer);
        CHECK(block.arguments[1].element_bytes == 1);
        CHECK(contains(run.text, "OpFunctionParameter %_struct"));
        for (const char* gone : {"OpTypeQueue", "OpTypeDeviceEvent", "OpEnqueueKernel"})
            CHECK_MESSAGE(!contains(run.text, gone), gone);
    }
}

TEST_CASE("lower_enqueue: a block that nothing enqueues is no kernel") {
    for (const bool wrapper : {false, true}) {
        const PassRun run = lowered(module_text("", wrapper));
        CHECK(run.error == "");
        REQUIRE(run.interface.kernels.size() == 1);
        CHECK(run.interface.kernels[0].name == "k");
        CHECK(!contains(run.text, "\"block_kernel\""));
    }
    std::string blocks_only = module_text("");
    blocks_only.erase(blocks_only.find(" OpEntryPoint Kernel %k"),
                      std::string(" OpEntryPoint Kernel %k \"k\"\n").size());
    CHECK(lowered(blocks_only).error ==
          "the module's only kernels are those of blocks that nothing enqueues");
}

TEST_CASE("lower_enqueue: events are looked at where there are any") {
    const std::string begin = import("_Z13enqueue_beginPU3AS1jmjjjjDv3_mS1_S1_S1_jjjmjjj");
    const std::string valid = import("_Z16events_are_validPU3AS1jjPU3AS4Km"),
                      put = import("_Z10events_putPU3AS1jjjjPU3AS4Km"),
                      give = import("_Z12event_returnjjjPU3AS4m");
    const PassRun without = lowered(module_text(kEnqueue)), with = lowered(module_text(kEnqueueWithEvents));
    REQUIRE(without.error == "");
    REQUIRE(with.error == "");
    CHECK(contains(without.text, begin));
    CHECK(contains(with.text, begin));
    for (const std::string& function : {valid, put, give}) {
        CHECK(!contains(without.text, function));
        CHECK(contains(with.text, function));
    }
    CHECK(contains(with.text, "\"caldera.Command\""));
    CHECK(contains(with.text, "Binding 2"));
}

TEST_CASE("lower_enqueue: events, queues, ranges and queries") {
    const PassRun run = lowered(module_text(R"( %u = OpCreateUserEvent %event_t
 OpRetainEvent %u
 OpReleaseEvent %u
 OpSetUserEventStatus %u %zero
 %is = OpIsValidEvent %bool %no_event
 OpCaptureEventProfilingInfo %u %one %g
 %d = OpGetDefaultQueue %queue_t
 %m = OpEnqueueMarker %u32 %d %one %events %events
 %r = OpBuildNDRange %range_t %long_four %long_zero %long_zero
 OpStore %range %r Aligned 8
 %n = OpGetKernelNDrangeSubGroupCount %u32 %range %block_kernel %block %size %eight
 %x = OpGetKernelNDrangeMaxSubGroupSize %u32 %range %block_kernel %block %size %eight
 %w = OpGetKernelWorkGroupSize %u32 %block_kernel %block %size %eight
 OpStore %g %w Aligned 4
 %o = OpGetKernelPreferredWorkGroupSizeMultiple %u32 %block_kernel %block %size %eight
 %fitting = OpGetKernelLocalSizeForSubgroupCount %u32 %one %block_kernel %block %size %eight
 %parts = OpGetKernelMaxNumSubgroups %u32 %block_kernel %block %size %eight
)"));
    REQUIRE(run.error == "");
    for (const char* function :
         {"_Z12event_createPU3AS1j", "_Z12event_retainPU3AS1jm", "_Z13event_releasePU3AS1jm",
          "_Z16event_set_statusPU3AS1jmj", "_Z13event_profilePU3AS1jmjm", "_Z14event_is_validPU3AS1jm",
          "_Z13queue_defaultPU3AS1j", "_Z20enqueue_begin_markerPU3AS1jmjjjjj",
          "_Z23enqueue_sub_group_countPU3AS1jjDv3_mS1_S1_", "_Z22enqueue_sub_group_sizePU3AS1jjDv3_mS1_S1_",
          "_Z26enqueue_preferred_multiplePU3AS1j"})
        CHECK_MESSAGE(contains(run.text, import(function)), function);
    for (const char* gone : {"OpBuildNDRange", "OpGetKernel", "OpCreateUserEvent", "OpGetDefaultQueue"})
        CHECK_MESSAGE(!contains(run.text, gone), gone);
}

TEST_CASE("lower_enqueue: declined with the reason") {
    TranslateOptions descriptors;
    descriptors.abi = Abi::Descriptors;
    CHECK(lowered(module_text(kEnqueue), descriptors).error ==
          "kernel 'k': an enqueued block captures a pointer, which needs device addresses; "
          "--abi=descriptors does not use them");
    std::string of_image = module_text(kEnqueue);
    const std::string captured = "%captured = OpTypeStruct %u32 %u32 %generic ";
    of_image.replace(of_image.find(captured), captured.size() + std::strlen("%global"),
                     "%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n " + captured + "%image");
    descriptors.argument_table = true;
    CHECK(lowered(of_image, descriptors).error ==
          "kernel 'k': an enqueued block captures an image, which needs device addresses; "
          "--abi=descriptors does not use them");
    CHECK(lowered(module_text(" OpCaptureEventProfilingInfo %no_event %one %g\n"), descriptors).error ==
          "kernel 'k': event profiling information needs device addresses, which --abi=descriptors does not "
          "use");
    descriptors.clspv_reflection = true;
    CHECK(lowered(module_text(" %d = OpGetDefaultQueue %queue_t\n"), descriptors).error ==
          "kernel 'k': clspv's reflection cannot describe device-side enqueue; use --no-clspv-reflection");
    CHECK(lowered(module_text(" %n = OpGetKernelWorkGroupSize %u32 %block_kernel %block %one %eight\n"))
              .error == "kernel 'k': the captures of an enqueued block have no valid size");
    CHECK(lowered(module_text(" %n = OpGetKernelWorkGroupSize %u32 %block_kernel %block %large %eight\n"))
              .error == "kernel 'k': the captures of an enqueued block have 8985 bytes, more than 8176");
    for (const char* wrong :
         {" %n = OpGetKernelPreferredWorkGroupSizeMultiple %u32 %block_kernel %zero %size %eight\n",
          " %r = OpBuildNDRange %captured %long_four %long_zero %long_zero\n",
          " %m = OpEnqueueMarker %u32 %q %long_zero %events %events\n"})
        CHECK_MESSAGE(contains(lowered(module_text(wrong)).error, "are invalid"), wrong);
}

}  // namespace
}  // namespace caldera::vulkan
