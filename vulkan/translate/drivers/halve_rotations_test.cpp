// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%c5 = OpConstant %ulong 5
%c20 = OpConstant %ulong 20
%c27 = OpConstant %uint 27
%w5 = OpConstant %uint 5
%c32 = OpConstant %ulong 32
%c44 = OpConstant %ulong 44
%fn = OpTypeFunction %void %ulong %ulong %uint
%k = OpFunction %void None %fn
%x = OpFunctionParameter %ulong
%y = OpFunctionParameter %ulong
%w = OpFunctionParameter %uint
%entry = OpLabel
)";

std::string halved(std::string_view body, bool misses = true) {
    TranslateOptions options;
    options.profile.quirks.misses_long_rotations = misses;
    return run_in_kernel(kHead, body, halve_rotations, options);
}

}  // namespace

TEST_CASE("a rotation is two shifts, whose lower halves it is") {
    const std::string text = halved(R"(
%l = OpShiftLeftLogical %ulong %x %c44
%r = OpShiftRightLogical %ulong %x %c20
%o = OpBitwiseOr %ulong %l %r
)");
    CHECK(contains(text, "OpShiftRightLogical"));
    CHECK(!contains(text, "OpShiftLeftLogical"));
    CHECK(!contains(text, "OpBitwiseOr"));
    CHECK(contains(text, "OpUConvert %uint"));
}

TEST_CASE("a rotation by half its width shifts nothing") {
    const std::string text = halved(R"(
%l = OpShiftLeftLogical %ulong %x %c32
%r = OpShiftRightLogical %ulong %x %c32
%o = OpIAdd %ulong %l %r
)");
    CHECK(!contains(text, "OpShift"));
    CHECK(contains(text, "OpVectorShuffle"));
}

TEST_CASE("shifts with other uses stay") {
    const std::string text = halved(R"(
%l = OpShiftLeftLogical %ulong %x %c44
%r = OpShiftRightLogical %ulong %x %c20
%o = OpBitwiseXor %ulong %l %r
%again = OpIAdd %ulong %l %l
)");
    CHECK(contains(text, "OpShiftLeftLogical"));
}

TEST_CASE("what is no rotation of 64 bits stays") {
    const std::string_view others[] = {
        // The halves come from two values
        "%l = OpShiftLeftLogical %ulong %x %c44\n%r = OpShiftRightLogical %ulong %y %c20\n"
        "%o = OpBitwiseOr %ulong %l %r\n",
        // Bits are lost
        "%l = OpShiftLeftLogical %ulong %x %c44\n%r = OpShiftRightLogical %ulong %x %c5\n"
        "%o = OpBitwiseOr %ulong %l %r\n",
        // Both to one side
        "%l = OpShiftLeftLogical %ulong %x %c44\n%r = OpShiftLeftLogical %ulong %x %c20\n"
        "%o = OpBitwiseOr %ulong %l %r\n",
        // 32 bits
        "%l = OpShiftLeftLogical %uint %w %c27\n%r = OpShiftRightLogical %uint %w %w5\n"
        "%o = OpBitwiseOr %uint %l %r\n"};
    for (const std::string_view other : others) CHECK(!contains(halved(other), "OpUConvert"));
}

TEST_CASE("compilers that see rotations get them") {
    const std::string text = halved(R"(
%l = OpShiftLeftLogical %ulong %x %c44
%r = OpShiftRightLogical %ulong %x %c20
%o = OpBitwiseOr %ulong %l %r
)",
                                    false);
    CHECK(contains(text, "OpBitwiseOr"));
}
