// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/foreign.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// The text after the repair of what verify() rejects, which it no longer does if `is_sound`.
std::string mended(std::string_view body, bool is_sound = true) {
    auto [words, module] = read_text(std::string(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Pipes
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%float = OpTypeFloat 32
%reservation = OpTypeReserveId
%far = OpTypePointer CrossWorkgroup %u32
%ones = OpConstant %u64 0xffffffffffffffff
%fn = OpTypeFunction %void %bool %u32
%k = OpFunction %void None %fn
%b = OpFunctionParameter %bool
%x = OpFunctionParameter %u32
%e = OpLabel
)") + std::string(body) + "OpFunctionEnd\n",
                                     spirv::Target::OpenCL22);
    const bool changed = mend_unverified_module(module);
    CHECK(static_cast<bool>(spirv::verify(module)) == is_sound);
    const auto text = spirv::disassemble(spirv::write(module));
    REQUIRE(text);
    return changed ? *text : "unchanged";
}

}  // namespace

TEST_CASE("source languages that SPIRV-Tools do not know are unknown") {
    const auto language = [](uint32_t number) {
        spirv::Module module;
        module.debug_sources.push_back({.op = spv::Op::OpSource, .operands = {number, 100u}});
        mend_unverified_module(module);
        return module.debug_sources[0].word(0);
    };
    CHECK(language(static_cast<uint32_t>(spv::SourceLanguage::OpenCL_C)) == 3);
    constexpr uint32_t kZig = 12;
    CHECK(language(kZig) == static_cast<uint32_t>(spv::SourceLanguage::Unknown));
}

TEST_CASE("a cast before a phi moves to the end of the block from which the phi has it") {
    const std::string text = mended(R"(OpBranchConditional %b %then %join
%then = OpLabel
%y = OpIAdd %u32 %x %x
OpBranch %join
%join = OpLabel
%c = OpBitcast %float %y
%d = OpBitcast %float %x
%p = OpPhi %float %c %then %d %e
%q = OpFAdd %float %p %p
OpReturn
)");
    CHECK(text.find("OpBitcast") < text.find("OpBranchConditional"));  // d, at the end of the entry
    const size_t sum = text.find("OpIAdd"), cast = text.find("OpBitcast", sum), phi = text.find("OpPhi");
    CHECK(sum < cast);
    CHECK(cast < phi);
    CHECK(text.find("OpBranch ", cast) < phi);
}

TEST_CASE("a cast before a phi stays where others use it too") {
    CHECK(mended(R"(OpBranchConditional %b %then %join
%then = OpLabel
OpBranch %join
%join = OpLabel
%c = OpBitcast %float %x
%p = OpPhi %float %c %then %c %e
OpReturn
)",
                 false) == "unchanged");
    CHECK(mended(R"(OpBranchConditional %b %then %join
%then = OpLabel
OpBranch %join
%join = OpLabel
%c = OpBitcast %float %x
%p = OpPhi %u32 %x %then %x %e
%q = OpFAdd %float %c %c
OpReturn
)",
                 false) == "unchanged");
}

TEST_CASE("CLK_NULL_RESERVE_ID is the null of its type") {
    const std::string text =
        mended("%r = OpBitcast %reservation %ones\n%v = OpIsValidReserveId %bool %r\nOpReturn\n");
    CHECK(contains(text, "= OpConstantNull %ReserveId"));
    CHECK(!contains(text, "OpBitcast"));
    const std::string of_pointer =
        mended("%p = OpConvertUToPtr %far %ones\n%r = OpBitcast %reservation %p\nOpReturn\n");
    CHECK(contains(of_pointer, "= OpConstantNull %ReserveId"));
    CHECK(!contains(of_pointer, "OpBitcast"));
}

TEST_CASE("variables of functions are in Function storage") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%two = OpConstant %u32 2
%pair = OpTypeArray %u32 %two
%far = OpTypePointer CrossWorkgroup %pair
%far_u32 = OpTypePointer CrossWorkgroup %u32
%any = OpTypePointer Generic %u32
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%e = OpLabel
%v = OpVariable %far Function
%w = OpVariable %any Function
%p = OpInBoundsAccessChain %far_u32 %v %two
%x = OpLoad %u32 %p Aligned 4
OpStore %w %x Aligned 4
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL20);
    CHECK(!spirv::validate(words));
    CHECK(mend_foreign_module(module));
    CHECK(spirv::verify(module));
    const std::vector<uint32_t> after = spirv::write(module);
    CHECK(spirv::validate(after));
    const auto text = spirv::disassemble(after);
    REQUIRE(text);
    CHECK(contains(*text, "OpVariable %_ptr_Function__arr_uint_uint_2 Function"));
    CHECK(contains(*text, "OpPtrCastToGeneric %_ptr_Generic_uint"));
}

TEST_CASE("a literal sampler without a filter takes the nearest texel") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability LiteralSampler
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%sampler = OpTypeSampler
%literal = OpConstantSampler %sampler None 1 !0xffffffff
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%e = OpLabel
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL20);
    CHECK(!spirv::validate(words));
    CHECK(mend_foreign_module(module));
    CHECK(spirv::validate(spirv::write(module)));
    CHECK(module.globals[2].word(2) == 0);
}

TEST_CASE("other numbers are no reservations") {
    CHECK(mended("%r = OpBitcast %reservation %x\nOpReturn\n") == "unchanged");
    CHECK(mended("%p = OpConvertUToPtr %far %x\n%r = OpBitcast %reservation %p\nOpReturn\n") == "unchanged");
}

TEST_CASE("casts of null pointers in constants are null pointers") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability GenericPointer
OpMemoryModel Physical64 OpenCL
%u32 = OpTypeInt 32 0
%far = OpTypePointer CrossWorkgroup %u32
%any = OpTypePointer Generic %u32
%null = OpConstantNull %any
%cast = OpSpecConstantOp %far GenericCastToPtr %null
%back = OpSpecConstantOp %any PtrCastToGeneric %cast
)",
                                     spirv::Target::OpenCL22);
    CHECK(mend_foreign_module(module));
    const std::string text = *spirv::disassemble(spirv::write(module));
    CHECK(count(text, "= OpConstantNull ") == 3);
    CHECK(!contains(text, "OpSpecConstantOp"));
}

TEST_CASE("constants come after what they are made of") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %table LinkageAttributes "table" Export
%u32 = OpTypeInt 32 0
%two = OpConstant %u32 2
%pair = OpTypeArray %u32 %two
%pairs = OpTypeArray %pair %two
%both = OpConstantComposite %pairs %second %first
%first = OpConstantComposite %pair %one %two
%second = OpConstantComposite %pair %two %one
%one = OpConstant %u32 1
%far = OpTypePointer CrossWorkgroup %pairs
%table = OpVariable %far CrossWorkgroup %both
)",
                                     spirv::Target::OpenCL22);
    CHECK(!spirv::verify(module));
    CHECK(mend_unverified_module(module));
    CHECK(spirv::verify(module));
    CHECK(spirv::validate(spirv::write(module)));
    CHECK(!mend_unverified_module(module));
}

TEST_CASE("types that contain pointers to themselves stay where they are") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpDecorate %first LinkageAttributes "first" Export
OpTypeForwardPointer %far CrossWorkgroup
%node = OpTypeStruct %far
%far = OpTypePointer CrossWorkgroup %node
%first = OpVariable %far CrossWorkgroup
)",
                                     spirv::Target::OpenCL22);
    CHECK(!mend_unverified_module(module));
}

TEST_CASE("a kernel that reverses bits is no shader, whose loops are structured") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability Matrix
OpCapability Shader
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%far = OpTypePointer CrossWorkgroup %u32
%fn = OpTypeFunction %void %far %u32
%k = OpFunction %void None %fn
%out = OpFunctionParameter %far
%n = OpFunctionParameter %u32
%e = OpLabel
OpBranch %loop
%loop = OpLabel
%x = OpPhi %u32 %n %e %y %loop
%y = OpBitReverse %u32 %x
%ends = OpULessThan %bool %x %y
OpBranchConditional %ends %end %loop
%end = OpLabel
OpStore %out %y Aligned 4
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL22);
    CHECK(!spirv::validate(words));
    CHECK(mend_foreign_module(module));
    const auto text = spirv::disassemble(spirv::write(module));
    REQUIRE(text);
    CHECK(!contains(*text, "Shader"));
    CHECK(contains(*text, "OpCapability BitInstructions"));
    CHECK_MESSAGE(spirv::validate(spirv::write(module)), why(spirv::validate(spirv::write(module))));
}

TEST_CASE("hints of a loop that begins with a switch are dropped") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%fn = OpTypeFunction %void %u32
%k = OpFunction %void None %fn
%n = OpFunctionParameter %u32
%e = OpLabel
OpBranch %loop
%loop = OpLabel
%x = OpPhi %u32 %n %e %y %next
OpLoopMerge %end %next DontUnroll
OpSwitch %x %next 5 %end
%next = OpLabel
%y = OpIAdd %u32 %x %n
OpBranch %loop
%end = OpLabel
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL22);
    CHECK(!spirv::validate(words));
    CHECK(mend_foreign_module(module));
    CHECK(!contains(*spirv::disassemble(spirv::write(module)), "OpLoopMerge"));
    CHECK_MESSAGE(spirv::validate(spirv::write(module)), why(spirv::validate(spirv::write(module))));
}

TEST_CASE("an image that is taken out of a sampled image") {
    auto [words, module] = read_text(R"(OpCapability Kernel
OpCapability Addresses
OpCapability ImageBasic
OpCapability LiteralSampler
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%u32 = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2i = OpTypeVector %u32 2
%zero = OpConstantNull %u32
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%sampled = OpTypeSampledImage %image
%sampler = OpTypeSampler
%literal = OpConstantSampler %sampler None 0 Nearest
%fn = OpTypeFunction %void %image
%k = OpFunction %void None %fn
%i = OpFunctionParameter %image
%e = OpLabel
%s = OpSampledImage %sampled %i %literal
%t = OpImage %image %s
%size = OpImageQuerySizeLod %v2i %t %zero
OpReturn
OpFunctionEnd
)",
                                     spirv::Target::OpenCL22);
    CHECK(mend_foreign_module(module));
    const std::string text = *spirv::disassemble(spirv::write(module));
    CHECK(contains(text, "OpImageQuerySizeLod"));
    CHECK(!contains(text, "= OpImage %"));
    CHECK(spirv::verify(module));
}

}  // namespace caldera::vulkan
