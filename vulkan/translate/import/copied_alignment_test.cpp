// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/import/copied_alignment.h"
#include "tests/support/why.h"

#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

constexpr std::string_view kModule = R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Int8
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpDecorate %said Alignment 4
 OpDecorate %packed CPacked
 OpDecorateId %given AlignmentId %two32
 OpDecorateId %open AlignmentId %later
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %bool = OpTypeBool
 %true = OpConstantTrue %bool
 %zero = OpConstant %u64 0
 %four = OpConstant %u64 4
 %six = OpConstant %u64 6
 %one32 = OpConstant %u32 1
 %two32 = OpConstant %u32 2
 %later = OpSpecConstant %u32 16
 %size = OpConstant %u64 16
 %words = OpTypeStruct %u32 %u32 %u32 %u32
 %packed = OpTypeStruct %u8 %u32
 %g8 = OpTypePointer CrossWorkgroup %u8
 %g32 = OpTypePointer CrossWorkgroup %u32
 %gw = OpTypePointer CrossWorkgroup %words
 %gp = OpTypePointer CrossWorkgroup %packed
 %pw = OpTypePointer Function %words
 %pg8 = OpTypePointer CrossWorkgroup %g8
 %fn = OpTypeFunction %void %g8 %g8 %gw %gp %pg8 %u64
 %k = OpFunction %void None %fn
 %bytes = OpFunctionParameter %g8
 %said = OpFunctionParameter %g8
 %structs = OpFunctionParameter %gw
 %packeds = OpFunctionParameter %gp
 %table = OpFunctionParameter %pg8
 %i = OpFunctionParameter %u64
 %e = OpLabel
 %v = OpVariable %pw Function
 %given = OpInBoundsPtrAccessChain %gw %structs %i
 %open = OpInBoundsPtrAccessChain %gw %structs %i
)";

/// The memory operands of the last copy, to a variable of words.
std::string operands_of(const std::string& code, uint32_t version = 0x10400, uint32_t generator = 43) {
    const auto words = spirv::assemble(
        std::string(kModule) + code + "OpCopyMemorySized %v %from %size Aligned 4\nOpReturn\nOpFunctionEnd\n",
        spirv::Target::Vulkan13);
    REQUIRE_MESSAGE(words, why(words));
    auto module = spirv::read(*words);
    REQUIRE(module);
    module->version = version;
    module->generator = generator << 16;
    mend_copied_alignment(*module);
    const auto valid = spirv::validate(spirv::write(*module));
    CHECK_MESSAGE(valid, why(valid));
    const spirv::Instruction& copy = module->functions[0].blocks.back().body.back();
    std::string text;
    for (size_t at = 3; at < copy.operands.size(); ++at) text += " " + std::to_string(copy.word(at));
    return text;
}

TEST_CASE("mend_copied_alignment: the source of LLVM's copies") {
    const std::string same = " 2 4", one = " 2 4 2 1", two = " 2 4 2 2";
    const auto chain = [](const std::string& base, const std::string& index) {
        return "%from = OpInBoundsPtrAccessChain %g8 " + base + " " + index + "\n";
    };
    CHECK(operands_of(chain("%said", "%four")) == same);
    CHECK(operands_of(chain("%said", "%six")) == two);
    CHECK(operands_of(chain("%said", "%i")) == one);
    CHECK(operands_of(chain("%bytes", "%four")) == one);
    CHECK(operands_of("%from = OpCopyObject %gw %given\n") == two);
    CHECK(operands_of("%from = OpCopyObject %gw %open\n") == one);
    CHECK(operands_of("%from = OpInBoundsPtrAccessChain %gw %structs %i\n") == same);
    CHECK(operands_of("%from = OpInBoundsPtrAccessChain %gp %packeds %i\n") == one);
    CHECK(operands_of("%from = OpInBoundsPtrAccessChain %g32 %packeds %zero %one32\n") == one);
    // A pointer from memory may be one to any type that it becomes.
    CHECK(operands_of("%l = OpLoad %g8 %table Aligned 8\n%from = OpBitcast %gw %l\n") == same);
    CHECK(operands_of("%l = OpLoad %g8 %table Aligned 8\n%m = OpInBoundsPtrAccessChain %g8 %l %i\n"
                      "%from = OpBitcast %gw %m\n") == one);
    CHECK(operands_of("%s = OpBitcast %g8 %structs\n%from = OpSelect %g8 %true %s %said\n") == same);
    CHECK(operands_of("%s = OpBitcast %g8 %structs\n%from = OpSelect %g8 %true %s %bytes\n") == one);
    const auto loop = [](const std::string& step) {
        return "OpBranch %h\n%h = OpLabel\n%p = OpPhi %g8 %said %e %q %h\n"
               "%q = OpInBoundsPtrAccessChain %g8 %p " +
               step + "\nOpBranchConditional %true %h %x\n%x = OpLabel\n%from = OpCopyObject %g8 %q\n";
    };
    CHECK(operands_of(loop("%four")) == same);
    CHECK(operands_of(loop("%six")) == two);
    // SPIR-V before 1.4 has one alignment for both. Other compilers name it for both.
    CHECK(operands_of(chain("%said", "%six"), 0x10200) == " 2 2");
    CHECK(operands_of(chain("%said", "%six"), 0x10400, 6) == same);
}

}  // namespace
}  // namespace caldera::vulkan
