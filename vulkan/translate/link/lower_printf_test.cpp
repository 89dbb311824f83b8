// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// A kernel that prints, as clang 15 and llvm-spirv write it, and one that does not; "%d%s%f" and "ab" as
/// constants.
std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int8
 OpCapability Int16
 OpCapability Float16Buffer
 OpCapability Float64
 %cl = OpExtInstImport "OpenCL.std"
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %silent "silent"
 OpEntryPoint Kernel %k "k"
 OpDecorate %format Constant
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u16 = OpTypeInt 16 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f32 = OpTypeFloat 32
 %f64 = OpTypeFloat 64
 %v3s = OpTypeVector %u16 3
 %v2l = OpTypeVector %u64 2
 %v2d = OpTypeVector %f64 2
 %percent = OpConstant %u8 37
 %d = OpConstant %u8 100
 %s = OpConstant %u8 115
 %f = OpConstant %u8 102
 %a = OpConstant %u8 97
 %b = OpConstant %u8 98
 %nul = OpConstant %u8 0
 %i0 = OpConstant %u64 0
 %i2 = OpConstant %u64 2
 %i3 = OpConstant %u64 3
 %i7 = OpConstant %u64 7
 %seven = OpConstant %u32 7
 %third = OpConstant %f64 0x1.5555555555555p-2
 %array7 = OpTypeArray %u8 %i7
 %array3 = OpTypeArray %u8 %i3
 %text = OpConstantComposite %array7 %percent %d %percent %s %percent %f %nul
 %ab = OpConstantComposite %array3 %a %b %nul
 %p7 = OpTypePointer UniformConstant %array7
 %p3 = OpTypePointer UniformConstant %array3
 %p = OpTypePointer UniformConstant %u8
 %pp = OpTypePointer Function %p
 %pp7 = OpTypePointer Function %p7
 %null = OpConstantNull %p
 %global = OpTypePointer CrossWorkgroup %u32
 %format = OpVariable %p7 UniformConstant %text
 %string = OpVariable %p3 UniformConstant %ab
 %fn = OpTypeFunction %void %global %f32 %v3s %v2l %v2d
 %silent = OpFunction %void None %fn
 %sg = OpFunctionParameter %global
 %sx = OpFunctionParameter %f32
 %sv = OpFunctionParameter %v3s
 %sl = OpFunctionParameter %v2l
 %sd = OpFunctionParameter %v2d
 %silent_entry = OpLabel
 OpReturn
 OpFunctionEnd
 %k = OpFunction %void None %fn
 %g = OpFunctionParameter %global
 %x = OpFunctionParameter %f32
 %v = OpFunctionParameter %v3s
 %l = OpFunctionParameter %v2l
 %dd = OpFunctionParameter %v2d
 %entry = OpLabel
)" + body + " OpReturn\n OpFunctionEnd\n";
}
PassRun lowered(const std::string& body) {
    return run_passes(module_text(body), {import_module, check_supported, describe_kernels, lower_printf});
}
std::vector<PrintfFormat> formats(const std::string& body) {
    const PassRun run = lowered(body);
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, " printf "));
    CHECK(run.interface.kernels[1].prints);
    CHECK(!run.interface.kernels[0].prints);
    return run.interface.printf_formats;
}

TEST_CASE("lower_printf: a record has the format's number, literals' numbers and floats as they are") {
    const std::string call = R"( %chain = OpInBoundsPtrAccessChain %p %format %i0 %i0
 %str = OpInBoundsPtrAccessChain %p %string %i0 %i0
 %double = OpFConvert %f64 %x
 %r = OpExtInst %u32 %cl printf %chain %seven %str %double
 OpStore %g %r Aligned 4
)";
    const PassRun run = lowered(call);
    REQUIRE(run.error == "");
    const std::vector<PrintfFormat> wanted = {{"ab", {}}, {"%d%s%f", {4, 4, 4}}};
    CHECK(run.interface.printf_formats == wanted);
    CHECK(run.interface.printf_words_spec_id == 3);
    CHECK(contains(run.text, "LinkageAttributes \"_Z12printf_beginPU3AS1jjjj\" Import"));
    CHECK(contains(run.text, "OpSpecConstant %uint 262144"));
    CHECK(!contains(run.text, "OpFConvert"));
    CHECK(!contains(run.text, "OpInBoundsPtrAccessChain"));  // nothing takes the literals' addresses
    CHECK(contains(run.text, "OpSelect %uint"));
    CHECK(formats(call + " %r2 = OpExtInst %u32 %cl printf %chain %seven %str %x\n") ==
          wanted);  // equal calls
}

TEST_CASE("lower_printf: sizes of arguments") {
    const std::string chain = " %chain = OpInBoundsPtrAccessChain %p %format %i0 %i0\n";
    CHECK(formats(chain + " %r = OpExtInst %u32 %cl printf %chain %l %g %third\n")[0].argument_bytes ==
          std::vector<uint32_t>{16, 8, 8});
    CHECK(formats(chain + " %r = OpExtInst %u32 %cl printf %chain %v %v %dd %i7 %i7\n")[0].argument_bytes ==
          std::vector<uint32_t>{8, 8, 16});  // excess ones are left out
    CHECK(formats(chain + " %r = OpExtInst %u32 %cl printf %chain\n")[0].argument_bytes.empty());
}

TEST_CASE("lower_printf: where the format is") {
    // In a variable that is stored once, past its start.
    CHECK(formats(R"( %var = OpVariable %pp Function
 %chain = OpInBoundsPtrAccessChain %p %format %i0 %i2
 OpStore %var %chain Aligned 8
 %loaded = OpLoad %p %var Aligned 8
 %r = OpExtInst %u32 %cl printf %loaded %seven
)")[0]
              .text == "%s%f");
    // The same where casts say that it holds other pointers.
    CHECK(formats(R"( %var = OpVariable %pp Function
 %as_array = OpBitcast %pp7 %var
 OpStore %as_array %format Aligned 8
 %loaded = OpLoad %p %var Aligned 8
 %r = OpExtInst %u32 %cl printf %loaded %seven
)")[0]
              .text == "%d%s%f");
    CHECK(formats(" %cast = OpBitcast %p %format\n %r = OpExtInst %u32 %cl printf %cast\n")[0].text ==
          "%d%s%f");
}

TEST_CASE("lower_printf: declined with the reason") {
    const char* const kUnknown = "kernel 'k': the format string of printf is not known at compile time";
    CHECK(lowered(" %var = OpVariable %pp Function\n %loaded = OpLoad %p %var Aligned 8\n"
                  " %r = OpExtInst %u32 %cl printf %loaded\n")
              .error == kUnknown);
    CHECK(lowered(R"( %var = OpVariable %pp Function
 %as_array = OpBitcast %pp7 %var
 OpStore %as_array %format Aligned 8
 OpStore %var %null Aligned 8
 %loaded = OpLoad %p %var Aligned 8
 %r = OpExtInst %u32 %cl printf %loaded
)")
              .error == kUnknown);
    CHECK(lowered(R"( %var = OpVariable %pp Function
 %one = OpBitcast %p %format
 %two = OpBitcast %p %string
 OpStore %var %one Aligned 8
 OpStore %var %two Aligned 8
 %loaded = OpLoad %p %var Aligned 8
 %r = OpExtInst %u32 %cl printf %loaded
)")
              .error == kUnknown);
    CHECK(lowered(" %far = OpInBoundsPtrAccessChain %p %format %i3 %i7\n"
                  " %r = OpExtInst %u32 %cl printf %far\n")
              .error == kUnknown);
}

}  // namespace
}  // namespace caldera::vulkan
