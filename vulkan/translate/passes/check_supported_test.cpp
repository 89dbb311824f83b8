// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/passes/pass_test.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& globals, const std::string& body, const std::string& modes = "") {
    return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int8\nOpCapability "
           "Float64\n"
           "OpCapability Groups\n%cl = OpExtInstImport \"OpenCL.std\"\n"
           "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n" +
           modes +
           "%file = OpString \"k.cl\"\n%void = OpTypeVoid\n%u8 = OpTypeInt 8 0\n%u32 = OpTypeInt 32 0\n"
           "%u64 = OpTypeInt 64 0\n%f64 = OpTypeFloat 64\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
           "%one = OpConstant %f64 1\n%s = OpConstant %u32 2\n%z = OpConstant %u32 0\n"
           "%g64 = OpTypePointer CrossWorkgroup %u64\n%fn = OpTypeFunction %void %g64\n" +
           globals + "%k = OpFunction %void None %fn\n%p = OpFunctionParameter %g64\n%entry = OpLabel\n" +
           body + "OpReturn\nOpFunctionEnd\n";
}
std::string error_of(const std::string& body, const TranslateOptions& options = {},
                     const std::string& globals = "", const std::string& modes = "") {
    return run_passes(module_text(globals, body, modes), {check_supported}, options).error;
}

TEST_CASE("check_supported: features by Vulkan's name, with kernel and place") {
    TranslateOptions options;
    options.profile.name = "old device";
    options.profile.float64 = false;
    CHECK(error_of("OpLine %file 3 7\n%r = OpFAdd %f64 %one %one\n", options) ==
          "kernel 'k' (k.cl:3:7): double needs the feature shaderFloat64, which old device does not have");
    CHECK(error_of("%r = OpFAdd %f64 %one %one\n") == "");
    options.profile.buffer_int64_atomics = false;
    CHECK(error_of("%r = OpAtomicIIncrement %u64 %p %s %z\n", options) ==
          "kernel 'k': a 64-bit atomic operation needs the feature shaderBufferInt64Atomics, which old "
          "device does "
          "not have");
    options.profile.int64 = false;  // pairs of 32-bit integers do
    CHECK(error_of("", options) == "");
    options.profile.buffer_device_address = false;
    CHECK(contains(error_of("", options), "bufferDeviceAddress"));
    options.abi = Abi::Descriptors;
    CHECK(error_of("", options) == "");
}

TEST_CASE("check_supported: what is not there yet") {
    CHECK(error_of("%r = OpGroupAll %bool %s %true\n") ==
          "kernel 'k': work-group and sub-group functions are not supported (OpGroupAll)");
    CHECK(error_of("%r = OpExtInst %u32 %cl printf %p\n") == "kernel 'k': printf is not supported");
}

TEST_CASE("check_supported: sizes against the device's limits") {
    CHECK(error_of("", {}, "", "OpExecutionMode %k LocalSize 64 64 1\n") ==
          "kernel 'k': the required work-group size (64,64,1) is larger than vulkan1.2 allows");
    CHECK(error_of("%l = OpInBoundsPtrAccessChain %pb %w %z %z\n", {},
                   "%n = OpConstant %u32 40000\n%a = OpTypeArray %u8 %n\n%pa = OpTypePointer Workgroup %a\n"
                   "%pb = OpTypePointer Workgroup %u8\n%w = OpVariable %pa Workgroup\n") ==
          "kernel 'k': it declares 40000 bytes of local memory, but vulkan1.2 has 32768");
}

TEST_CASE("check_supported: recursion") {
    std::string text = module_text("", "%c = OpFunctionCall %void %f %p\n");
    text +=
        "%f = OpFunction %void None %fn\n%fp = OpFunctionParameter %g64\n%fe = OpLabel\n"
        "%fc = OpFunctionCall %void %f %fp\nOpReturn\nOpFunctionEnd\n";
    CHECK(run_passes(text, {check_supported}).error ==
          "kernel 'k': a function calls itself, which OpenCL C does not allow");
}

}  // namespace
}  // namespace caldera::vulkan
