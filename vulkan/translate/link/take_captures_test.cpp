// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// Kernel k does `body`. %block takes a pointer to its captures, 24 bytes, and one to local memory.
std::string module_text(std::string_view entries, std::string_view body, std::string_view functions = "") {
    return R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability DeviceEnqueue
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
)" + std::string(entries) +
           R"(
OpName %block "block"
%void = OpTypeVoid
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%zero = OpConstant %u32 0
%n3 = OpConstant %u32 3
%eight = OpConstant %u32 8
%size = OpConstant %u32 24
%three = OpConstant %u64 3
%array = OpTypeArray %u64 %three
%range_t = OpTypeStruct %u32 %array %array %array
%range_p = OpTypePointer Function %range_t
%queue_t = OpTypeQueue
%event_t = OpTypeDeviceEvent
%events_t = OpTypePointer Generic %event_t
%no_events = OpConstantNull %events_t
%local = OpTypePointer Workgroup %u8
%generic = OpTypePointer Generic %u8
%captured = OpTypeStruct %u32 %u32 %u64 %u64
%captured_p = OpTypePointer Function %captured
%captured_g = OpTypePointer Generic %captured
%size_p = OpTypePointer Function %u64
%long_g = OpTypePointer Generic %u64
%fn = OpTypeFunction %void %queue_t
%block_fn = OpTypeFunction %void %generic %local
%k = OpFunction %void None %fn
%q = OpFunctionParameter %queue_t
%entry = OpLabel
%range = OpVariable %range_p Function
%object = OpVariable %captured_p Function
%bytes = OpVariable %size_p Function
%object_g = OpPtrCastToGeneric %captured_g %object
%captures = OpBitcast %generic %object_g
)" + std::string(body) +
           R"(
OpReturn
OpFunctionEnd
%block = OpFunction %void None %block_fn
%p = OpFunctionParameter %generic
%l = OpFunctionParameter %local
%block_entry = OpLabel
%typed = OpBitcast %captured_g %p
%place = OpInBoundsPtrAccessChain %long_g %typed %zero %n3
OpStore %place %three Aligned 8
OpReturn
OpFunctionEnd
)" + std::string(functions);
}

constexpr std::string_view kEnqueue =
    "%s = OpEnqueueKernel %u32 %q %zero %range %zero %no_events %no_events %block %captures %size %eight "
    "%bytes\n";
constexpr std::string_view kBlockIsKernel = "OpEntryPoint Kernel %block \"block_kernel\"\n";

}  // namespace

TEST_CASE("take_captures: a block's kernel takes the struct that it takes its captures for") {
    const PassRun run = run_passes(module_text(kBlockIsKernel, kEnqueue), {take_captures});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpEntryPoint") == 2);
    CHECK(contains(run.text, "OpFunctionParameter %_struct"));
    CHECK(contains(run.text, "OpFunctionParameter %_ptr_Workgroup_uchar"));
    CHECK(!contains(run.text, "OpFunctionParameter %_ptr_Generic"));
    CHECK(contains(run.text, "OpPtrCastToGeneric"));  // the rest of the block still has a pointer to them
}

TEST_CASE("take_captures: a block without a kernel gets one, which calls it") {
    const PassRun run = run_passes(module_text("", kEnqueue), {take_captures});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpEntryPoint") == 2);
    CHECK(contains(run.text, "\"block_enqueued_"));
    CHECK(contains(run.text, "OpFunctionCall %void %block "));
    CHECK(contains(run.text, "OpFunctionParameter %_ptr_Generic_uchar"));  // the block's own
    CHECK(!contains(run.text, " %block %captures"));                       // what is enqueued is the kernel
}

TEST_CASE("take_captures: a kernel that only calls the block is the block's") {
    const PassRun run = run_passes(module_text("OpEntryPoint Kernel %wrapper \"wrapper\"\n", kEnqueue, R"(
%wrapper = OpFunction %void None %block_fn
%wp = OpFunctionParameter %generic
%wl = OpFunctionParameter %local
%wrapper_entry = OpLabel
%called = OpFunctionCall %void %block %wp %wl
OpReturn
OpFunctionEnd
)"),
                                   {take_captures});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpEntryPoint") == 2);
    CHECK(!contains(run.text, "_enqueued_"));
}

// What LLVM's optimiser leaves of a block knows no struct; descriptors need to know that there is no pointer
// in it.
TEST_CASE("take_captures: with descriptors, a block may count bytes if it loads only numbers") {
    const auto error_of = [](std::string_view code) {
        std::string text = module_text(kBlockIsKernel, kEnqueue);
        const size_t begin = text.find("%typed ="), end = text.find("OpReturn", begin);
        text.replace(begin, end - begin, code);
        TranslateOptions options;
        options.abi = Abi::Descriptors;
        options.clspv_reflection = false;
        return run_passes(text, {check_supported}, options).error;
    };
    constexpr std::string_view kLoad = R"(
%bytes_at = OpInBoundsPtrAccessChain %generic %p %three
%numbers = OpBitcast %long_g %bytes_at
%number = OpLoad %u64 %numbers Aligned 8
)";
    CHECK(error_of(kLoad) == "");
    CHECK(contains(error_of(std::string(kLoad) + "%address = OpConvertPtrToU %u64 %p\n"), "not known"));
    CHECK(contains(error_of(std::string(kLoad) + "OpStore %numbers %number Aligned 8\n"), "not known"));
}

TEST_CASE("take_captures: a block may take a pointer to the struct of its captures") {
    std::string text = module_text(kBlockIsKernel, kEnqueue);
    const auto replace = [&](std::string_view from, std::string_view to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("%void %generic %local", "%void %captured_g %local");
    replace("%p = OpFunctionParameter %generic", "%p = OpFunctionParameter %captured_g");
    replace("%typed = OpBitcast %captured_g %p", "%typed = OpCopyObject %captured_g %p");
    const PassRun run = run_passes(text, {take_captures});
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "OpFunctionParameter %_struct"));
}

TEST_CASE("take_captures: a block that nothing enqueues is no kernel") {
    const PassRun run = run_passes(module_text(kBlockIsKernel, ""), {take_captures});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpEntryPoint") == 1);
    CHECK(!contains(run.text, "\"block_kernel\""));
    std::string alone = module_text(kBlockIsKernel, "");
    constexpr std::string_view kEntry = "OpEntryPoint Kernel %k \"k\"\n";
    alone.erase(alone.find(kEntry), kEntry.size());
    CHECK(run_passes(alone, {take_captures}).error ==
          "the module's only kernels are those of blocks that nothing enqueues");
}
