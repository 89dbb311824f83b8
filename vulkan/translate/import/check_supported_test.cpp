// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& globals, const std::string& body, const std::string& modes = "") {
    return "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int8\nOpCapability "
           "Float64\n"
           "OpCapability Groups\nOpCapability Pipes\nOpCapability GroupNonUniformBallot\nOpCapability "
           "Float16\nOpCapability "
           "Int16\nOpCapability Int64Atomics\n"
           "OpCapability Linkage\n%cl = OpExtInstImport \"OpenCL.std\"\n"
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

TEST_CASE("check_supported: instructions of vendors by name and place") {
    const std::string array = "%ps = OpTypePointer Function %u32\n";
    CHECK(error_of("OpLine %file 4 9\n%r = OpVariableLengthArrayINTEL %ps %s\n", {}, array) ==
          "kernel 'k' (k.cl:4:9): arrays of variable length are not supported (OpVariableLengthArrayINTEL)");
    CHECK(error_of("OpLine %file 4 9\n%r = OpUCountLeadingZerosINTEL %u32 %s\n") ==
          "kernel 'k' (k.cl:4:9): OpUCountLeadingZerosINTEL is not supported");
    CHECK(error_of("%r = OpSubgroupShuffleINTEL %u32 %s %z\n") == "");
    CHECK(error_of("%r = OpSubgroupImageMediaBlockReadINTEL %u32 %s %s %s %s\n") ==
          "kernel 'k': OpSubgroupImageMediaBlockReadINTEL is not supported: only Intel's devices move such "
          "blocks of images");
}

TEST_CASE("check_supported: execution modes by name") {
    const auto error = [](const std::string& mode) {
        return error_of("", {}, "", "OpExecutionMode %k " + mode + "\n");
    };
    CHECK(error("SharedLocalMemorySizeINTEL 64") ==
          "kernel 'k': the execution mode SharedLocalMemorySizeINTEL is not supported");
    CHECK(error("!9999") == "kernel 'k': the execution mode 9999 is not supported");
    for (const std::string mode :
         {"LocalSize 4 4 1", "LocalSizeHint 4 4 1", "VecTypeHint 4", "ContractionOff", "MaxWorkDimINTEL 1",
          "MaxWorkgroupSizeINTEL 4 4 4", "NoGlobalOffsetINTEL", "NumSIMDWorkitemsINTEL 2", "Initializer",
          "Finalizer"})
        CHECK(error(mode) == "");
}

TEST_CASE("check_supported: how many sub-groups make a work-group") {
    const auto error = [](uint32_t count, const TranslateOptions& options) {
        return error_of("", options, "",
                        "OpExecutionMode %k SubgroupsPerWorkgroup " + std::to_string(count) + "\n");
    };
    TranslateOptions options;
    options.profile.name = "device";
    options.profile.min_subgroup_size = 8;
    options.profile.max_local_invocations = 64;
    CHECK(error(8, options) == "");
    CHECK(error(9, options) ==
          "kernel 'k': a work-group of 9 sub-groups (SubgroupsPerWorkgroup) is larger than device allows");
    CHECK(error(0, options) == "kernel 'k': there is no work-group of 0 sub-groups (SubgroupsPerWorkgroup)");
    options.profile.subgroups = false;  // a work-group is one
    CHECK(error(1, options) == "");
    CHECK(contains(error(2, options), "subgroupSupportedOperations"));
}

TEST_CASE("check_supported: how floats are computed") {
    for (const std::string mode : {"RoundingModeRTZ", "RoundingModeRTPINTEL", "RoundingModeRTNINTEL",
                                   "DenormFlushToZero", "FloatingPointModeALTINTEL"})
        CHECK(error_of("", {}, "", "OpExecutionMode %k " + mode + " 32\n") ==
              "kernel 'k': the execution mode " + mode + " is not supported");
    for (const std::string mode :
         {"RoundingModeRTE", "DenormPreserve", "SignedZeroInfNanPreserve", "FloatingPointModeIEEEINTEL"})
        CHECK(error_of("", {}, "", "OpExecutionMode %k " + mode + " 64\n") == "");
    const auto decorated = [](const std::string& decoration) {
        return error_of("%r = OpFAdd %f64 %one %one\n", {}, "", "OpDecorate " + decoration + "\n");
    };
    CHECK(decorated("%k FunctionRoundingModeINTEL 64 RTE") == "");
    CHECK(decorated("%k FunctionRoundingModeINTEL 64 RTP") ==
          "kernel 'k': the decoration FunctionRoundingModeINTEL is not supported");
    CHECK(decorated("%k FunctionDenormModeINTEL 64 FlushToZero") ==
          "kernel 'k': the decoration FunctionDenormModeINTEL is not supported");
    CHECK(decorated("%r FPRoundingMode RTE") == "");
    CHECK(decorated("%r FPRoundingMode RTZ") ==
          "kernel 'k': OpFAdd does not take a rounding mode (FPRoundingMode)");
}

TEST_CASE("check_supported: operands that SPIRV-Tools do not look at") {
    const auto fault = [](const std::string& op) {
        return "kernel 'k': the operands of " + op + " are invalid";
    };
    const std::string types =
        "%event = OpTypeEvent\n%none = OpConstantNull %event\n%pipe = OpTypePipe ReadOnly\n"
        "%l64 = OpTypePointer Workgroup %u64\n%w = OpVariable %l64 Workgroup\n%three = OpConstant %u32 3\n"
        "%at = OpConstant %u64 1\n%up = OpUndef %pipe\n%ue = OpUndef %event\n";
    CHECK(error_of("%r = OpGroupUMax %u32 %s Reduce %z\n") == "");
    CHECK(error_of("%r = OpGroupUMax %u32 %s Reduce %p\n") == fault("OpGroupUMax"));
    CHECK(error_of("%r = OpGroupUMax %f64 %s Reduce %one\n") == fault("OpGroupUMax"));
    const std::string clusters = "OpGroupNonUniformIAdd %u32 %three ClusteredReduce %z";
    CHECK(error_of("%r = " + clusters + " %s\n", {}, "%three = OpConstant %u32 3\n") == "");
    CHECK(error_of("%r = " + clusters + "\n", {}, "%three = OpConstant %u32 3\n") ==
          fault("OpGroupNonUniformIAdd"));
    CHECK(error_of("%r = OpGroupBroadcast %bool %s %true %z\n") == "");
    CHECK(error_of("%r = OpGroupBroadcast %bool %s %true %one\n") == fault("OpGroupBroadcast"));
    CHECK(error_of("%r = OpGroupAsyncCopy %event %s %w %p %at %at %none\n", {}, types) == "");
    CHECK(error_of("%r = OpGroupAsyncCopy %event %s %p %w %at %at %none\n", {}, types) == "");
    CHECK(error_of("%r = OpGroupAsyncCopy %event %s %p %p %at %at %none\n", {}, types) ==
          fault("OpGroupAsyncCopy"));
    CHECK(error_of("%r = OpReadPipe %u32 %up %w %three %three\n", {}, types) == "");
    CHECK(error_of("%r = OpReadPipe %u32 %ue %w %three %three\n", {}, types) == fault("OpReadPipe"));
    CHECK(error_of("%r = OpIAdd %i32 %i %i\n", {}, "%i32 = OpTypeInt 32 1\n%i = OpConstant %i32 1\n") ==
          "kernel 'k': an integer type of a kernel is signed");
}

TEST_CASE("check_supported: sub-groups of a size that the device lacks, where work-groups stay together") {
    TranslateOptions options;
    options.profile.name = "old device";
    const std::string globals =
        "%pin = OpTypePointer Input %u32\n%id = OpVariable %pin Input\n"
        "%groups = OpVariable %pin Input\n%pf = OpTypePointer Function %u32\n"
        "%sub = OpConstant %u32 3\n%one32 = OpConstant %u32 1\n"
        "%fk = OpTypeFunction %u32 %u32\n";
    const auto error = [&](const std::string& body, uint32_t size = 32, const std::string& functions = "") {
        return error_of(body, options, globals + functions,
                        "OpExecutionMode %k SubgroupSize " + std::to_string(size) +
                            "\nOpDecorate %id BuiltIn LocalInvocationIndex\n"
                            "OpDecorate %groups BuiltIn NumSubgroups\n");
    };
    const auto operation = [](const std::string& result) {
        return result + " = OpGroupNonUniformBallot %v4 %sub %true\n";
    };
    const std::string v4 = "%v4 = OpTypeVector %u32 4\n", op = operation("%r");
    const std::string missed =
        "kernel 'k': the required sub-group size is 32, which old device does not have, and some work-items "
        "of "
        "the work-group may miss OpGroupNonUniformBallot";
    CHECK(error(op, 32, v4) == "");
    CHECK(error(op, 4, v4) == "");  // the device's
    CHECK(error(op, 2, v4) ==
          "kernel 'k': the required sub-group size is 2, but old device has 4, 8, 16, 32, 64");
    CHECK(error(op, 128, v4) ==
          "kernel 'k': the required sub-group size is 128, but old device has 4, 8, 16, 32, 64");
    CHECK(error(op, 24, v4) ==
          "kernel 'k': the required sub-group size is 24, but old device has 4, 8, 16, 32, 64");

    // A branch that parts work-items, and where they meet again.
    const std::string lane_is_0 = "%i = OpLoad %u32 %id\n%c = OpIEqual %bool %i %z\n";
    const std::string group_is_0 = "%i = OpLoad %u32 %groups\n%c = OpIEqual %bool %i %z\n";
    const std::string branch = "OpBranchConditional %c %a %b\n%a = OpLabel\n";
    const std::string meet = "OpBranch %b\n%b = OpLabel\n";
    CHECK(error(lane_is_0 + branch + op + meet, 32, v4) == missed);
    CHECK(error(lane_is_0 + branch + op + meet, 4, v4) == "");
    CHECK(error(lane_is_0 + branch + meet + op, 32, v4) == "");
    CHECK(error(group_is_0 + branch + op + meet, 32, v4) == "");
    CHECK(error(lane_is_0 + branch + "OpReturn\n%b = OpLabel\n" + op, 32, v4) == missed);
    // A value that depends on where a work-item came from.
    const std::string phi =
        "%x = OpPhi %u32 %z %entry %one32 %a\n%d = OpIEqual %bool %x %z\n"
        "OpBranchConditional %d %e %f\n%e = OpLabel\n";
    const std::string last = "OpBranch %f\n%f = OpLabel\n";
    CHECK(error(lane_is_0 + branch + meet + phi + op + last, 32, v4) == missed);
    CHECK(error(group_is_0 + branch + meet + phi + op + last, 32, v4) == "");
    // The same through a variable.
    const std::string variable = "%w = OpVariable %pf Function %z\n";
    const std::string loaded =
        "%x = OpLoad %u32 %w\n%d = OpIEqual %bool %x %z\n"
        "OpBranchConditional %d %e %f\n%e = OpLabel\n";
    const std::string store = "OpStore %w %one32\n";
    CHECK(error(variable + lane_is_0 + branch + store + meet + loaded + op + last, 32, v4) == missed);
    CHECK(error(variable + group_is_0 + branch + store + meet + loaded + op + last, 32, v4) == "");
    CHECK(error(variable + lane_is_0 + "OpStore %w %i\n" + branch + meet + loaded + op + last, 32, v4) ==
          missed);

    // A loop that work-items leave one by one, and one that they leave together.
    const auto loop = [&](const std::string& bound, const std::string& inside, const std::string& after) {
        return "%i = OpLoad %u32 " + bound +
               "\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %u32 %z %entry %m %h\n" + inside +
               "%m = OpIAdd %u32 %n %one32\n%c = OpULessThan %bool %m %i\n"
               "OpBranchConditional %c %h %q\n%q = OpLabel\n" +
               after;
    };
    CHECK(error(loop("%id", op, ""), 32, v4) == missed);
    CHECK(error(loop("%groups", op, ""), 32, v4) == "");
    CHECK(error(loop("%id", "", op), 32, v4) == "");
    CHECK(error(loop("%id", "",
                     "%x = OpIEqual %bool %m %z\nOpBranchConditional %x %e %f\n%e = OpLabel\n" + op + last),
                32, v4) == missed);

    // Functions: what they are given, and what they return.
    const std::string function =
        "%v4x = OpTypeVector %u32 4\n%f0 = OpFunction %u32 None %fk\n"
        "%y = OpFunctionParameter %u32\n%fl = OpLabel\n%fc = OpIEqual %bool %y %z\n"
        "OpBranchConditional %fc %fa %fb\n%fa = OpLabel\nOpBranch %fb\n%fb = OpLabel\n"
        "OpReturnValue %y\nOpFunctionEnd\n";
    const std::string called =
        "%d = OpIEqual %bool %x %z\nOpBranchConditional %d %e %f\n%e = OpLabel\n" + op + last;
    CHECK(error("%i = OpLoad %u32 %id\n%x = OpFunctionCall %u32 %f0 %i\n" + called, 32, v4 + function) ==
          missed);
    CHECK(error("%i = OpLoad %u32 %groups\n%x = OpFunctionCall %u32 %f0 %i\n" + called, 32, v4 + function) ==
          "");

    // A variable whose address is a number for a while.
    const std::string through_number = "%n = OpBitcast %u64 %w\n%q = OpBitcast %pf %n\nOpStore %q %i\n";
    CHECK(error(variable + lane_is_0 + through_number + loaded + op + last, 32, v4) == missed);
    CHECK(error(variable + group_is_0 + "%q = OpBitcast %pf %w\nOpStore %q %i\n" + loaded + op + last, 32,
                v4) == "");
    CHECK(contains(error("%q = OpBitcast %pin %groups\n%i = OpLoad %u32 %q\n"),
                   "OpBitcast takes the address of a built-in variable of sub-groups"));

    options.profile.max_required_subgroup_size = 0;  // the device's size cannot be required, which is as good
    CHECK(error(op, 4, v4) == "");
    options.profile.subgroups = false;
    CHECK(contains(error(op, 32, v4), "the required sub-group size is 32, but old device has none"));
}

TEST_CASE("check_supported: functions of kernels with sub-groups of several sizes") {
    TranslateOptions options;
    options.profile.name = "old device";
    const auto error = [&](const std::string& inside, const std::string& sizes) {
        return error_of("%r = OpFunctionCall %void %f0\n", options,
                        "%sub = OpConstant %u32 3\n%f0n = OpTypeFunction %void\n"
                        "%f0 = OpFunction %void None %f0n\n%fl = OpLabel\n" +
                            inside +
                            "OpReturn\nOpFunctionEnd\n%k2 = OpFunction %void None %fn\n"
                            "%p2 = OpFunctionParameter %g64\n%k2l = OpLabel\n"
                            "%r2 = OpFunctionCall %void %f0\nOpReturn\nOpFunctionEnd\n",
                        "OpEntryPoint Kernel %k2 \"k2\"\n" + sizes);
    };
    const std::string both = "OpExecutionMode %k SubgroupSize 32\nOpExecutionMode %k2 SubgroupSize ";
    const std::string
        sum = "%s0 = OpGroupIAdd %u32 %sub Reduce %s\n",
        shared =
            "kernel 'k2': a function with sub-group operations is shared with kernel 'k', which requires the "
            "sub-group size 32, but this kernel requires ";
    CHECK(error(sum, both + "32\n") == "");
    CHECK(error(sum, both + "16\n") == shared + "the sub-group size 16");
    CHECK(error(sum, both + "4\n") == shared + "the sub-group size 4");
    CHECK(error(sum, "OpExecutionMode %k SubgroupSize 32\n") == shared + "no sub-group size");
    // A wider scope suits all.
    CHECK(error("OpMemoryBarrier %sub %s\n", both + "16\n") == "");
}

TEST_CASE("check_supported: clocks, by scope and type") {
    TranslateOptions options;
    options.profile.name = "old device";
    const std::string globals =
        "%device = OpConstant %u32 1\n%group = OpConstant %u32 2\n%sub = OpConstant %u32 3\n%pair = "
        "OpTypeVector %u32 2\n";
    const auto error = [&](const std::string& type, const std::string& scope) {
        return error_of("%r = OpReadClockKHR " + type + " " + scope + "\n", options, globals);
    };
    const std::string of_device =
        "kernel 'k': the clock of a device or a work-group needs the feature shaderDeviceClock, which old "
        "device does not have";
    CHECK(error("%u64", "%device") == of_device);
    CHECK(error("%pair", "%group") == of_device);
    CHECK(error("%pair", "%sub") ==
          "kernel 'k': the clock of a sub-group needs the feature shaderSubgroupClock, which old device does "
          "not have");
    options.profile.device_clock = options.profile.subgroup_clock = true;
    for (const char* const scope : {"%device", "%group", "%sub"})
        for (const char* const type : {"%u64", "%pair"}) CHECK(error(type, scope) == "");
    for (const char* const type : {"%u32", "%f64", "%bool"})
        CHECK(error(type, "%device") == "kernel 'k': a clock is neither a 64-bit integer nor two of 32 bits");
    CHECK(error("%u64", "%z") ==
          "kernel 'k': the scope of a clock must be the device, a work-group or a sub-group");
}

TEST_CASE("check_supported: each feature that a profile may lack and nothing can replace") {
    struct Row {
        bool DeviceProfile::*feature;
        const char* globals;
        const char* body;
        const char* error;
    };
    const char* kLocal64 = "%l64 = OpTypePointer Workgroup %u64\n%w = OpVariable %l64 Workgroup\n";
    const char* kHalf = "%f16 = OpTypeFloat 16\n%h = OpConstant %f16 1\n";
    const Row rows[] = {
        {&DeviceProfile::float64, "", "OpLine %file 7 5\n%r = OpFAdd %f64 %one %one\n",
         "kernel 'k' (k.cl:7:5): double needs the feature shaderFloat64, which old does not have"},
        {&DeviceProfile::float16, kHalf, "OpLine %file 7 5\n%r = OpFAdd %f16 %h %h\n",
         "kernel 'k' (k.cl:7:5): half arithmetic needs the feature shaderFloat16, which old does not have"},
        {&DeviceProfile::buffer_device_address, "OpLine %file 2 13\n", "",
         "kernel 'k' (k.cl:2:13): global memory by address needs the feature bufferDeviceAddress, which old "
         "does "
         "not have"},
        {&DeviceProfile::buffer_int64_atomics, "",
         "OpLine %file 7 5\n%r = OpAtomicIIncrement %u64 %p %s %z\n",
         "kernel 'k' (k.cl:7:5): a 64-bit atomic operation needs the feature shaderBufferInt64Atomics, which "
         "old "
         "does not have"},
        {&DeviceProfile::shared_int64_atomics, kLocal64,
         "OpLine %file 7 5\n%r = OpAtomicIIncrement %u64 %w %s %z\n",
         "kernel 'k' (k.cl:7:5): a 64-bit atomic operation in local memory needs the feature "
         "shaderSharedInt64Atomics, which old does not have"},
        {&DeviceProfile::int64, "", "OpLine %file 7 5\n%r = OpAtomicIIncrement %u64 %p %s %z\n",
         "kernel 'k' (k.cl:7:5): a 64-bit atomic operation needs the feature shaderInt64, which old does not "
         "have"}};
    for (const Row& row : rows) {
        TranslateOptions options;
        options.profile.name = "old";
        CHECK(error_of(row.body, options, row.globals) == "");
        options.profile.*row.feature = false;
        CHECK(error_of(row.body, options, row.globals) == row.error);
    }
}

TEST_CASE("check_supported: features that are made of others") {
    const char* kGlobals =
        "%u16 = OpTypeInt 16 0\n%s16 = OpConstant %u16 1\n%s8 = OpConstant %u8 1\n"
        "%s64 = OpConstant %u64 1\n";
    TranslateOptions options;
    DeviceProfile& profile = options.profile;
    profile.int8 = profile.int16 = profile.int64 = profile.storage_8bit = profile.storage_16bit = false;
    profile.vulkan_memory_model = profile.buffer_float32_atomic_add = profile.fused_fma = false;
    CHECK(error_of("%a = OpIAdd %u8 %s8 %s8\n%b = OpIAdd %u16 %s16 %s16\n%c = OpIAdd %u64 %s64 %s64\n",
                   options, kGlobals) == "");
}

TEST_CASE("check_supported: a device without sub-groups has one for each work-group, which does not ballot") {
    TranslateOptions options;
    options.profile.name = "old";
    const char* kBallot = "%r = OpGroupNonUniformBallot %v4 %sub %true\n";
    const char* kGlobals = "%sub = OpConstant %u32 3\n%v4 = OpTypeVector %u32 4\n";
    CHECK(error_of(kBallot, options, kGlobals) == "");
    options.profile.subgroups = false;
    CHECK(
        error_of(kBallot, options, kGlobals) ==
        "kernel 'k': OpGroupNonUniformBallot needs the feature subgroupSupportedOperations (vote, ballot and "
        "shuffle), which old does not have");
    CHECK(error_of("%r = OpGroupAll %bool %sub %true\n", options, kGlobals) == "");
}

TEST_CASE("check_supported: the scope of a sub-group operation is a constant in Vulkan") {
    TranslateOptions options;
    options.profile.subgroups = true;
    const auto ballot = [&](const std::string& scope) {
        return error_of("%c = OpIAdd %u32 %s %z\n%r = OpGroupNonUniformBallot %v4 " + scope + " %true\n",
                        options, "%v4 = OpTypeVector %u32 4\n%sub_group = OpConstant %u32 3\n");
    };
    CHECK(ballot("%sub_group") == "");
    CHECK(ballot("%c") == "kernel 'k': the scope is not a constant (OpGroupNonUniformBallot)");
}

TEST_CASE("check_supported: what is not there yet") {
    CHECK(error_of("OpLine %file 4 2\n%r = OpExtInst %u32 %cl printf %p\n") ==
          "kernel 'k' (k.cl:4:2): the format string of printf is not known at compile time");
}

TEST_CASE("check_supported: a bitcast stays in the address space") {
    const char* kTypes =
        "%local = OpTypePointer Workgroup %u64\n%constant = OpTypePointer UniformConstant %u8\n";
    CHECK(error_of("OpLine %file 6 1\n%l = OpBitcast %local %p\n", {}, kTypes) ==
          "kernel 'k' (k.cl:6:1): OpBitcast changes the address space of a pointer");
    CHECK(error_of("%l = OpBitcast %constant %p\n%i = OpBitcast %u64 %p\n", {}, kTypes) == "");
}

TEST_CASE("check_supported: the first index of a pointer is an integer") {
    CHECK(error_of("%q = OpPtrAccessChain %g64 %p %z\n") == "");
    CHECK(error_of("%q = OpPtrAccessChain %g64 %p %one\n") ==
          "kernel 'k': an index is not an integer (OpPtrAccessChain)");
}

TEST_CASE("check_supported: types that Vulkan has, but not from us yet") {
    struct Row {
        const char *type, *error;
    };
    const Row rows[] = {
        {"OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly",
         "multisampled images are not supported in memory, only as images of Vulkan's"},
        {"OpTypeImage %void Cube 0 0 0 0 Unknown ReadOnly", "the image type does not exist in OpenCL"},
        {"OpTypePipeStorage", "pipes in program scope are not supported"},
        {"OpTypeOpaque \"opencl.thing\"", "the opaque type 'opencl.thing' is not supported"}};
    for (const Row& row : rows) {
        std::string text = module_text("", "%c = OpFunctionCall %void %f %v\n");
        const std::string type =
            std::string("%t = ") + row.type + "\n%ft = OpTypeFunction %void %t\n%v = OpUndef %t\n";
        text.insert(text.find("%k = OpFunction"), type);
        text +=
            "OpLine %file 2 6\n%f = OpFunction %void None %ft\n%fp = OpFunctionParameter %t\n%fe = "
            "OpLabel\nOpReturn\n"
            "OpFunctionEnd\n";
        text.insert(0, "OpCapability ImageBasic\nOpCapability Pipes\nOpCapability PipeStorage\n");
        CHECK(contains(run_passes(text, {check_supported}).error, row.error));
    }
}

TEST_CASE("check_supported: sizes against the device's limits") {
    CHECK(error_of("", {}, "", "OpExecutionMode %k LocalSize 64 64 1\n") ==
          "kernel 'k': the required work-group size (64,64,1) is larger than vulkan1.2 allows");
    CHECK(error_of("", {}, "", "OpExecutionMode %k SubgroupSize 2\n") ==
          "kernel 'k': the required sub-group size is 2, but vulkan1.2 has 4, 8, 16, 32, 64");
    const auto error_of_size = [](const char* size, const DeviceProfile& profile) {
        return error_of("", {.profile = profile}, "",
                        "OpExecutionMode %k SubgroupSize " + std::string(size) + "\n");
    };
    const DeviceProfile several{.min_subgroup_size = 8, .max_required_subgroup_size = 32};
    for (const char* size : {"8", "16", "32"}) CHECK(error_of_size(size, several).empty());
    for (const std::string size : {"4", "24", "128"})
        CHECK(error_of_size(size.c_str(), several) ==
              "kernel 'k': the required sub-group size is " + size + ", but vulkan1.2 has 8, 16, 32, 64");
    CHECK(error_of_size("8", {.min_subgroup_size = 16, .max_required_subgroup_size = 0}) ==
          "kernel 'k': the required sub-group size is 8, but vulkan1.2 has 16, 32, 64");
    CHECK(error_of("%l = OpInBoundsPtrAccessChain %pb %w %z %z\n", {},
                   "%n = OpConstant %u32 80000\n%a = OpTypeArray %u8 %n\n%pa = OpTypePointer Workgroup %a\n"
                   "%pb = OpTypePointer Workgroup %u8\n%w = OpVariable %pa Workgroup\n") ==
          "kernel 'k': it declares 80000 bytes of local memory, but vulkan1.2 has 65536");
}

/// The error for a kernel whose argument 1 is a %T that `types` declares.
std::string argument_error(const std::string& types, const std::string& modes = "") {
    std::string text = module_text(types + "%taker = OpTypeFunction %void %g64 %T\n", "",
                                   "OpName %second \"second\"\n" + modes);
    text.replace(text.find("None %fn\n"), 9, "None %taker\n");
    text.insert(text.find("%entry = OpLabel"), "%second = OpFunctionParameter %T\n");
    return run_passes(text, {check_supported, describe_kernels}).error;
}

TEST_CASE("check_supported: a kernel's argument is no pointer of any storage class") {
    const std::string pointer = "kernel 'k': its argument 1, 'second', is a ";
    CHECK(argument_error("%T = OpTypePointer Generic %u8\n") ==
          pointer + "generic pointer, which a kernel argument cannot be");
    CHECK(argument_error("%T = OpTypePointer Function %u8\n") ==
          pointer + "pointer to private memory, which a kernel argument cannot be without ByVal");
    CHECK(argument_error("%T = OpTypePointer Input %u8\n") ==
          pointer + "pointer of storage class 1, which a kernel argument cannot be");
    CHECK(argument_error("%T = OpTypePointer Function %u8\n", "OpDecorate %second FuncParamAttr ByVal\n") ==
          "");
    CHECK(argument_error("%T = OpTypePointer CrossWorkgroup %u8\n",
                         "OpDecorate %second FuncParamAttr ByVal\n") ==
          "kernel 'k': a parameter that is passed by value (ByVal) is no pointer to private memory");
}

TEST_CASE("check_supported: a kernel's argument has a size") {
    const std::string argument = "kernel 'k': its argument 1, 'second', ",
                      ends = ", which has no size in memory";
    const std::string event = "%e = OpTypeEvent\n", by_value = "OpDecorate %second FuncParamAttr ByVal\n";
    CHECK(argument_error("%T = OpTypeEvent\n") == argument + "is of OpTypeEvent" + ends);
    CHECK(argument_error("%T = OpTypeStruct %u32 %bool\n") == argument + "contains OpTypeBool" + ends);
    CHECK(argument_error("%T = OpTypeVector %bool 4\n") == argument + "contains OpTypeBool" + ends);
    CHECK(argument_error(event + "%pair = OpTypeStruct %u32 %e\n%T = OpTypePointer Function %pair\n",
                         by_value) == argument + "contains OpTypeEvent" + ends);
    CHECK(
        argument_error("%n = OpConstant %u64 4294967296\n%a = OpTypeArray %u64 %n\n%T = OpTypeStruct %a\n") ==
        "kernel 'k': its arguments have 34359738376 bytes, more than 65536");
    CHECK(argument_error("%n = OpConstant %u64 4294967296\n%a = OpTypeArray %u64 %n\n"
                         "%T = OpTypePointer Workgroup %a\n") ==
          argument + "points to local objects of 34359738368 bytes");
    CHECK(argument_error("%T = OpTypeStruct\n") == "");
    CHECK(argument_error(event + "%T = OpTypePointer Workgroup %e\n") == "");
    CHECK(argument_error("%o = OpTypeOpaque \"struct.Later\"\n%T = OpTypePointer Workgroup %o\n") == "");
}

TEST_CASE("check_supported: built-in variables are OpenCL's, with a type of OpenCL's") {
    const auto error = [](const std::string& builtin, const std::string& type) {
        return error_of("%x = OpLoad %T %v\n", {},
                        "%T = " + type + "\n%pi = OpTypePointer Input %T\n%v = OpVariable %pi Input\n",
                        "OpDecorate %v BuiltIn " + builtin + "\n");
    };
    CHECK(error("GlobalInvocationId", "OpTypeVector %u64 3") == "");
    CHECK(error("SubgroupEqMask", "OpTypeVector %u32 4") == "");
    CHECK(error("PointSize", "OpTypeVector %u32 3") ==
          "kernel 'k': the built-in variable 1 does not exist in OpenCL");
    const std::string mistyped =
        "kernel 'k': the built-in variable 26 is neither an integer nor a vector of three";
    CHECK(error("WorkgroupId", "OpTypeVector %u64 4") == mistyped);
    CHECK(error("WorkgroupId", "OpTypeVector %f64 3") == mistyped);
    CHECK(error("WorkgroupId", "OpTypeVector %bool 3") == mistyped);
    CHECK(error("WorkgroupId", "OpTypePointer CrossWorkgroup %u8") == mistyped);
}

TEST_CASE("check_supported: types that neither local memory nor images have") {
    CHECK(error_of("%b = OpBitcast %p8 %w\n", {},
                   "%later = OpTypeOpaque \"struct.Later\"\n%pl = OpTypePointer Workgroup %later\n"
                   "%p8 = OpTypePointer Workgroup %u8\n%w = OpVariable %pl Workgroup\n") ==
          "kernel 'k': a variable in local memory has a type without a size");
    CHECK(argument_error("%T = OpTypeImage %void Buffer 0 1 0 0 Unknown ReadOnly\n") ==
          "kernel 'k': the image type does not exist in OpenCL");
}

TEST_CASE("check_supported: recursion") {
    std::string text = module_text("", "%c = OpFunctionCall %void %f %p\n");
    text +=
        "%f = OpFunction %void None %fn\n%fp = OpFunctionParameter %g64\n%fe = OpLabel\n"
        "OpLine %file 9 3\n%fc = OpFunctionCall %void %f %fp\nOpReturn\nOpFunctionEnd\n";
    CHECK(run_passes(text, {check_supported}).error ==
          "kernel 'k' (k.cl:9:3): a function calls itself, which OpenCL C does not allow");
}

TEST_CASE("check_supported: scopes of shaders") {
    const std::string six = "%six = OpConstant %u32 6\n";
    const std::string expected = "kernel 'k': scope 6 does not occur in OpenCL";
    CHECK(error_of("%r = OpAtomicIIncrement %u64 %p %six %z\n", {}, six) == expected);
    CHECK(error_of("OpMemoryBarrier %six %z\n", {}, six) == expected);
    CHECK(error_of("OpControlBarrier %s %six %z\n", {}, six) == expected);
    CHECK(error_of("OpControlBarrier %s %s %z\n", {}, six) == "");
}

TEST_CASE("check_supported: addresses of constants lead to parts that there are") {
    const auto chain = [](const std::string& indices) {
        return error_of("", {},
                        R"(%pair = OpTypeStruct %u32 %u64
%pairs = OpTypeArray %pair %s
%far = OpTypePointer CrossWorkgroup %pairs
%table = OpVariable %far CrossWorkgroup
%three = OpConstant %u32 3
%at = OpSpecConstantOp %g64 InBoundsPtrAccessChain %table %z )" +
                            indices + "\n");
    };
    CHECK(chain("%three %s") == "an address of a constant leads to a part that its object does not have");
    CHECK(chain("%z %z %z") == "an address of a constant leads to a part that its object does not have");
    CHECK(chain("%three %z") == "");  // past the array, as C computes addresses
}

}  // namespace
}  // namespace caldera::vulkan
