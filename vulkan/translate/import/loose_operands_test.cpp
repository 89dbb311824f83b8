// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/loose_operands.h"
#include "tests/support/why.h"
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kTypes = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Linkage
 OpCapability Int8
 OpCapability Int16
 OpCapability Int64
 OpCapability Float16Buffer
 OpCapability GenericPointer
 OpCapability LiteralSampler
 OpCapability ImageBasic
 OpCapability SampledBuffer
 OpCapability DeviceEnqueue
 %cl = OpExtInstImport "OpenCL.std"
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %kernel "k"
 OpDecorate %to_local LinkageAttributes "__to_local" Import
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u8 = OpTypeInt 8 0
 %u16 = OpTypeInt 16 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f16 = OpTypeFloat 16
 %f32 = OpTypeFloat 32
 %v4i = OpTypeVector %u32 4
 %v4b = OpTypeVector %bool 4
 %v4f = OpTypeVector %f32 4
 %global8 = OpTypePointer CrossWorkgroup %u8
 %global32 = OpTypePointer CrossWorkgroup %u32
 %globalf = OpTypePointer CrossWorkgroup %f32
 %local8 = OpTypePointer Workgroup %u8
 %generic32 = OpTypePointer Generic %u32
 %pair = OpTypeStruct %u32 %u32
 %pairs = OpTypePointer CrossWorkgroup %pair
 %null32 = OpConstantNull %u32
 %zero64 = OpConstant %u64 0
 %one = OpConstant %u32 1
 %two = OpConstant %u32 2
 %five = OpConstant %u32 5
 %sequential = OpConstant %u32 16
 %byte = OpConstant %u32 255
 %large = OpConstant %u64 0x100000001
 %seven = OpConstant %u64 7
 %fnk = OpTypeFunction %void %global8 %global32 %globalf %pairs %generic32 %u8 %u16 %u32 %u64 %v4i %bool %f32
 %fnl = OpTypeFunction %local8 %generic32
 )";
constexpr std::string_view kKernel = R"(
 %to_local = OpFunction %local8 None %fnl
 %tp = OpFunctionParameter %generic32
 OpFunctionEnd
 %kernel = OpFunction %void None %fnk
 %p8 = OpFunctionParameter %global8
 %p32 = OpFunctionParameter %global32
 %pf = OpFunctionParameter %globalf
 %ps = OpFunctionParameter %pairs
 %pg = OpFunctionParameter %generic32
 %a8 = OpFunctionParameter %u8
 %a16 = OpFunctionParameter %u16
 %a32 = OpFunctionParameter %u32
 %a64 = OpFunctionParameter %u64
 %v = OpFunctionParameter %v4i
 %b = OpFunctionParameter %bool
 %f = OpFunctionParameter %f32
 %e = OpLabel
)";

/// The text of the code behind the parameters, after the repair. SPIR-V of this `version`, by the tool
/// `generator`.
std::string mended(std::string_view code, std::string_view globals = {}, uint32_t version = 0x10000,
                   uint32_t generator = 0) {
    const auto words = spirv::assemble(std::string(kTypes) + std::string(globals) + std::string(kKernel) +
                                           std::string(code) + "OpReturn\nOpFunctionEnd\n",
                                       spirv::Target::Vulkan13);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE_MESSAGE(module, why(module));
    module->version = version;
    module->generator = generator << 16;
    REQUIRE(spirv::verify(*module));
    const bool changed = mend_loose_operands(*module);
    CHECK(spirv::verify(*module));
    const std::vector<uint32_t> after = spirv::write(*module);
    const auto valid = spirv::validate(after);
    const auto text = spirv::disassemble(after);
    REQUIRE(text);
    if (!changed) return "unchanged";
    return valid ? *text : "invalid: " + valid.error().message;
}

}  // namespace

TEST_CASE("OpAny and OpAll of integers look at the most significant bits") {
    CHECK(contains(mended("%r = OpAny %bool %v\n"), "OpSLessThan %v4bool"));
    const std::string scalar = mended("%r = OpAll %bool %a8\n");
    CHECK(contains(scalar, "OpSLessThan %bool"));
    CHECK(!contains(scalar, "OpAll"));
    CHECK(!contains(mended("%r = OpAny %bool %b\n"), "OpAny"));
}

TEST_CASE("pointers get the pointee that the instruction wants") {
    CHECK(contains(mended("%r = OpExtInst %v4f %cl vloadn %zero64 %p8 4\n"),
                   "OpBitcast %_ptr_CrossWorkgroup_float"));
    CHECK(contains(mended("OpStore %pf %f Aligned 4\n%r = OpExtInst %void %cl vstoren %v %zero64 %p8\n"),
                   "OpBitcast %_ptr_CrossWorkgroup_uint"));
    CHECK(contains(mended("%r = OpExtInst %f32 %cl vload_half %zero64 %p8\n"),
                   "OpBitcast %_ptr_CrossWorkgroup_half"));
    CHECK(
        contains(mended("%r = OpExtInst %f32 %cl fract %f %p32\n"), "OpBitcast %_ptr_CrossWorkgroup_float"));
    CHECK(contains(mended("%r = OpExtInst %f32 %cl frexp %f %pf\n"), "OpBitcast %_ptr_CrossWorkgroup_uint"));
    CHECK(contains(mended("%r = OpPtrEqual %bool %p8 %p32\n", {}, 0x10400),
                   "OpBitcast %_ptr_CrossWorkgroup_uchar"));
    CHECK(mended("%r = OpExtInst %v4i %cl vloadn %zero64 %p32 4\n") == "unchanged");
}

TEST_CASE("gradients in three dimensions have three components") {
    constexpr std::string_view kImages = R"(
 %image = OpTypeImage %void 3D 0 0 0 0 Unknown ReadOnly
 %sampled = OpTypeSampledImage %image
 %sampler = OpTypeSampler
 %literal = OpConstantSampler %sampler None 0 Nearest
 %no_image = OpUndef %image
 %place = OpConstantNull %v4f
)";
    const std::string text = mended(R"(
 %s = OpSampledImage %sampled %no_image %literal
 %r = OpImageSampleExplicitLod %v4f %s %place Grad %place %place
)",
                                    kImages);
    CHECK_MESSAGE(count(text, "= OpVectorShuffle %v3float ") == 2, text);
    CHECK(mended("%s = OpSampledImage %sampled %no_image %literal\n"
                 "%r = OpImageSampleExplicitLod %v4f %s %place Lod %f\n",
                 kImages) == "unchanged");
}

TEST_CASE("a conversion between equal types is none") {
    CHECK(contains(mended("%r = OpUConvert %u32 %a32\n"), "OpCopyObject %uint"));
    CHECK(contains(mended("%r = OpFConvert %f32 %f\n"), "OpCopyObject %float"));
    CHECK(mended("%r = OpUConvert %u64 %a32\n") == "unchanged");
}

TEST_CASE("operands lose upper bits that the result does not have") {
    CHECK(contains(mended("%r = OpIAdd %u32 %a64 %a32\n"), "OpUConvert %uint"));
    CHECK(contains(mended("%r = OpBitwiseAnd %u32 %a64 %byte\n"), "OpUConvert %uint"));
    // No bit above the mask matters.
    CHECK(contains(mended("%r = OpBitwiseAnd %u32 %a8 %byte\n"), "OpUConvert %uint"));
    // Nobody knows how others are extended.
    CHECK(mended("%r = OpIAdd %u32 %a16 %a32\n") == "unchanged");
    CHECK(mended("%r = OpShiftRightLogical %u32 %a64 %a32\n") == "unchanged");
}

TEST_CASE("a constant that is compared has as many bits as the other operand") {
    CHECK(contains(mended("%r = OpULessThan %bool %a32 %seven\n"), "%uint_7"));
    CHECK(contains(mended("%r = OpIEqual %bool %two %a64\n"), "%ulong_2"));
    CHECK(mended("%r = OpIEqual %bool %a32 %large\n") == "unchanged");
    CHECK(mended("%r = OpIEqual %bool %a32 %a64\n") == "unchanged");
    CHECK(mended("%r = OpIEqual %bool %a8 %byte\n") == "unchanged");  // -1, or 255?
}

TEST_CASE("values of a phi that are wider than it") {
    const auto phi = [](const std::string& types, const std::string& first) {
        return mended(
            "OpBranch %other\n%other = OpLabel\nOpBranchConditional %b %third %last\n%third = OpLabel\n"
            "OpBranch %last\n%last = OpLabel\n%r = OpPhi " +
            types + " " + first + " %other %one %third\n");
    };
    const std::string truncated = phi("%u32", "%a64");
    CHECK(contains(truncated, "OpUConvert %uint"));
    CHECK(truncated.find("OpUConvert") < truncated.find("OpBranchConditional"));
    CHECK(!contains(truncated, "invalid"));
    CHECK(phi("%u32", "%a32") == "unchanged");
    CHECK(phi("%u32", "%a8") == "unchanged");  // signed, or not?
    CHECK(phi("%u32", "%f") == "unchanged");
}

TEST_CASE("atomic operations that SPIR-V does not have") {
    constexpr std::string_view kWeak =
        "%r = OpAtomicCompareExchangeWeak %u32 %p32 %one %sequential %sequential %a32 %two\n";
    CHECK(mended(kWeak) == "unchanged");
    CHECK(contains(mended(kWeak, {}, 0x10400), "OpAtomicCompareExchange %uint"));
    const std::string floats = mended(
        "%r = OpAtomicCompareExchange %f32 %pf %one %sequential %sequential %f %f\n%s = OpIEqual %bool %r "
        "%f\n");
    CHECK(contains(floats, "OpAtomicCompareExchange %uint"));
    CHECK(contains(floats, "OpIEqual %bool"));
}

TEST_CASE("LLVM's back end writes the order of an atomic load for its scope") {
    const auto load = [](const char* scope, const char* semantics, uint32_t generator) {
        return mended(std::string("%r = OpAtomicLoad %u32 %p32 ") + scope + " " + semantics + "\n", {},
                      0x10000, generator);
    };
    CHECK(load("%two", "%two", 0) == "unchanged");
    CHECK(load("%one", "%sequential", 43) == "unchanged");            // atomic_load()
    CHECK(contains(load("%two", "%two", 43), "%uint_1 %uint_770"));   // acquire, for the device
    CHECK(contains(load("%five", "%two", 43), "%uint_1 %uint_784"));  // sequentially consistent
    CHECK(contains(load("%null32", "%one", 43), "%uint_1 %uint_0"));  // relaxed
}

TEST_CASE("indices into structs, and parts of constants") {
    CHECK(contains(mended("%r = OpInBoundsPtrAccessChain %global32 %ps %zero64 %null32\n"),
                   "%uint_0 = OpConstant"));
    constexpr std::string_view kTables = R"(
 %array = OpTypeArray %global8 %two
 %other = OpTypeStruct %array %u32
 %same = OpTypeStruct %array %u32
 %table = OpTypeArray %same %one
 %ptable = OpTypePointer UniformConstant %table
 %null8 = OpConstantNull %global8
 %addresses = OpConstantComposite %array %zero64 %null8
 %part = OpConstantComposite %other %addresses %two
 %parts = OpConstantComposite %table %part
 %variable = OpVariable %ptable UniformConstant %parts
)";
    const std::string text = mended("", kTables);
    CHECK(!contains(text, "invalid"));
    CHECK(text != "unchanged");
}

TEST_CASE("LLVM's back end writes bytes as an index") {
    constexpr std::string_view kTable = R"(
 %six = OpConstant %u32 6
 %four = OpConstant %u64 4
 %numbers = OpTypeArray %u32 %six
 %pnumbers = OpTypePointer UniformConstant %numbers
 %constant8 = OpTypePointer UniformConstant %u8
 %null = OpConstantNull %numbers
 %squares = OpVariable %pnumbers UniformConstant %null
 %second = OpSpecConstantOp %constant8 InBoundsPtrAccessChain %squares %null32 %four
)";
    const std::string text = mended("", kTable, 0x10000, 43);
    CHECK(contains(text, "OpSpecConstantOp %_ptr_UniformConstant_uchar Bitcast"));
    CHECK(count(text, "%uint_0 %ulong_4") == 0);
    CHECK(mended("", kTable) == "unchanged");
}

TEST_CASE("LLVM's back end gives the addresses of an enqueued block's sizes no type") {
    constexpr std::string_view kSizes = R"(
 %sizes = OpTypeArray %u64 %two
 %psizes = OpTypePointer Function %sizes
 %p64 = OpTypePointer Function %u64
)";
    const std::string text = mended(R"(
 %sized = OpVariable %psizes Function
 %first = OpPtrAccessChain %p64 %sized %null32 %null32
 %x = OpPtrAccessChain %u32 %first %null32 %one
 %y = OpPtrAccessChain %u32 %sized %null32 %one
 OpStore %x %zero64 Aligned 8
 OpStore %y %zero64 Aligned 8
)",
                                    kSizes, 0x10000, 43);
    CHECK(!contains(text, "invalid"));
    CHECK(count(text, "OpPtrAccessChain %_ptr_Function_ulong") == 3);
}

TEST_CASE("a scalar stands for all components") {
    const std::string text = mended(R"(
 %vf = OpCompositeConstruct %v4f %f %f %f %f
 %r = OpExtInst %v4f %cl ldexp %vf %two
 %m = OpExtInst %v4f %cl fmax %vf %f
)");
    CHECK(!contains(text, "invalid"));
    CHECK(count(text, "OpCompositeConstruct %v4uint") == 1);
    CHECK(count(text, "OpCompositeConstruct %v4float") == 2);
}

TEST_CASE("casts between address spaces that change the pointee") {
    const std::string text = mended(R"(
 %r = OpPtrCastToGeneric %generic32 %p8
 %l = OpGenericCastToPtrExplicit %local8 %pg Workgroup
)");
    CHECK(!contains(text, "invalid"));
    CHECK(contains(text, "OpBitcast %_ptr_CrossWorkgroup_uint"));
    CHECK(contains(text, "OpBitcast %_ptr_Generic_uchar"));
}

TEST_CASE("casts between address spaces that clang calls by name") {
    const std::string text = mended("%r = OpFunctionCall %local8 %to_local %pg\n");
    CHECK(contains(text, "OpGenericCastToPtrExplicit %_ptr_Workgroup_uchar"));
    CHECK(contains(text, " Workgroup\n"));
}

TEST_CASE("pointers that are passed, stored and chosen get the type that is wanted") {
    constexpr std::string_view kTypes2 = R"(
 %own32 = OpTypePointer Function %global32
)";
    const std::string text = mended(R"(
 %place = OpVariable %own32 Function
 OpStore %place %p8 Aligned 8
 %g8 = OpPtrCastToGeneric %generic8 %p8
 %l = OpFunctionCall %local8 %to_local %g8
 %c = OpSelect %globalf %b %p8 %pf
)",
                                    std::string(kTypes2) + "%generic8 = OpTypePointer Generic %u8\n");
    CHECK_MESSAGE(!contains(text, "invalid"), text);
    CHECK(contains(text, "OpBitcast %_ptr_CrossWorkgroup_uint"));
    CHECK(contains(text, "OpBitcast %_ptr_CrossWorkgroup_float"));
}

TEST_CASE("images that have no levels are asked for their size") {
    constexpr std::string_view kImages = R"(
 %samples = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly
 %numbers = OpTypeImage %void Buffer 0 0 0 0 Unknown ReadOnly
 %plain = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
 %v2i = OpTypeVector %u32 2
 %no_samples = OpUndef %samples
 %no_numbers = OpUndef %numbers
 %no_plain = OpUndef %plain
)";
    const std::string text = mended(R"(
 %x = OpImageQuerySizeLod %v2i %no_samples %null32
 %y = OpImageQuerySizeLod %u32 %no_numbers %null32
 %z = OpImageQuerySizeLod %v2i %no_plain %null32
)",
                                    kImages);
    CHECK(count(text, "= OpImageQuerySize %") == 2);
    CHECK(count(text, "= OpImageQuerySizeLod %") == 1);
}

TEST_CASE("LLVM's back end passes a list of events as an array") {
    constexpr std::string_view kEvents = R"(
 %queue = OpTypeQueue
 %event = OpTypeDeviceEvent
 %events = OpTypeArray %event %two
 %own_events = OpTypePointer Function %events
 %any_events = OpTypePointer Generic %events
 %any_event = OpTypePointer Generic %event
 %no_event = OpConstantNull %any_event
 %no_queue = OpConstantNull %queue
)";
    const std::string text = mended(R"(
 %list = OpVariable %own_events Function
 %any = OpPtrCastToGeneric %any_events %list
 %r = OpEnqueueMarker %u32 %no_queue %two %any %no_event
)",
                                    kEvents);
    CHECK(contains(text, "OpBitcast %_ptr_Generic_"));
    CHECK(count(text, "OpTypePointer Generic") >= 2);
}

}  // namespace caldera::vulkan
