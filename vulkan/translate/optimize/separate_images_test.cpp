// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {

TEST_CASE("separate_images: a function that two images are passed to is two functions") {
    const std::string text = R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%uchar = OpTypeInt 8 0
%one = OpConstant %uint 1
%words = OpTypePointer CrossWorkgroup %uint
%bytes = OpTypePointer CrossWorkgroup %uchar
%kernel = OpTypeFunction %void %words %words %words
%reader = OpTypeFunction %uint %words %words
%decoder = OpTypeFunction %uint %words
%decode = OpFunction %uint None %decoder
%texel = OpFunctionParameter %words
%d0 = OpLabel
%value = OpLoad %uint %texel Aligned 4
OpReturnValue %value
OpFunctionEnd
%read = OpFunction %uint None %reader
%image = OpFunctionParameter %words
%buffer = OpFunctionParameter %words
%r0 = OpLabel
%at = OpInBoundsPtrAccessChain %words %image %one
%found = OpFunctionCall %uint %decode %at
OpReturnValue %found
OpFunctionEnd
%k = OpFunction %void None %kernel
%a = OpFunctionParameter %words
%b = OpFunctionParameter %words
%c = OpFunctionParameter %words
%k0 = OpLabel
%x = OpFunctionCall %uint %read %a %c
%y = OpFunctionCall %uint %read %b %c
%z = OpFunctionCall %uint %read %a %c
%w = OpFunctionCall %uint %decode %c
OpReturn
OpFunctionEnd
)";
    const auto run = [&](ArgumentKind kind, Abi abi) {
        return run_passes(
            text,
            {[](spirv::Module&, PassContext& context) -> Result<Done> {
                 const bool images = context.options.simple_ndrange;  // what this test is told
                 const ArgumentKind its = images ? ArgumentKind::Image : ArgumentKind::GlobalPointer;
                 context.interface.kernels = {
                     {.name = "k",
                      .arguments = {{.kind = its}, {.kind = its}, {.kind = ArgumentKind::GlobalPointer}}}};
                 return Done{};
             },
             separate_images},
            {.abi = abi, .simple_ndrange = kind == ArgumentKind::Image});
    };
    const PassRun separated = run(ArgumentKind::Image, Abi::Descriptors);
    REQUIRE(separated.error == "");
    // Two readers; decoders of both images, and of the buffer.
    CHECK(count(separated.text, "OpFunction %uint") == 5);
    CHECK(count(separated.text, "OpFunctionCall") == 6);
    CHECK(count(run(ArgumentKind::GlobalPointer, Abi::Descriptors).text, "OpFunction %uint") == 2);
    CHECK(count(run(ArgumentKind::Image, Abi::Addresses).text, "OpFunction %uint") == 2);
}

}  // namespace caldera::vulkan
