// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpCapability Float16
OpCapability Float64
OpCapability GroupNonUniformArithmetic
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v2bool = OpTypeVector %bool 2
%v4ushort = OpTypeVector %ushort 4
%v2half = OpTypeVector %half 2
%v2uint = OpTypeVector %uint 2
%v2double = OpTypeVector %double 2
%v2float = OpTypeVector %float 2
%true = OpConstantTrue %bool
%c3 = OpConstant %uint 3
%d1 = OpConstant %double 1
%l1 = OpConstant %ulong 1
%fn = OpTypeFunction %void %bool %double %v2double %ulong %float %v2float %ushort %half
%k = OpFunction %void None %fn
%b = OpFunctionParameter %bool
%d = OpFunctionParameter %double
%dd = OpFunctionParameter %v2double
%l = OpFunctionParameter %ulong
%f = OpFunctionParameter %float
%ff = OpFunctionParameter %v2float
%s = OpFunctionParameter %ushort
%h = OpFunctionParameter %half
%entry = OpLabel
)";

std::string changed(std::string_view body, bool DriverQuirks::*fault) {
    TranslateOptions options;
    options.profile.quirks = {};
    options.profile.quirks.*fault = true;
    return run_in_kernel(kHead, body, avoid_crashes, options);
}

constexpr std::string_view kSelection = R"(
OpSelectionMerge %end None
OpBranchConditional %b %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
)";

}  // namespace

TEST_CASE("avoid_crashes: 64-bit phis have two words for each component") {
    for (const auto fault : {&DriverQuirks::panics_at_wide_phis, &DriverQuirks::misplaces_wide_phis}) {
        const std::string text = changed(std::string(kSelection) + R"(
%p = OpPhi %double %d %then %d1 %entry
%q = OpPhi %v2double %dd %then %dd %entry
%r = OpPhi %ulong %l %then %l1 %entry
%n = OpPhi %float %f %then %f %entry
OpMemoryBarrier %c3 %c3
%use = OpFAdd %double %p %p
%uses = OpFAdd %v2double %q %q
%used = OpIAdd %ulong %r %r
)",
                                         fault);
        CHECK(count(text, "OpPhi %v2uint") == 4);  // one for each scalar
        CHECK(!contains(text, "OpPhi %double"));
        CHECK(!contains(text, "OpPhi %v2double"));
        CHECK(!contains(text, "OpPhi %ulong"));
        CHECK(contains(text, "OpPhi %float"));
        CHECK(contains(text, "OpCompositeConstruct %v2double"));
    }
}

TEST_CASE("avoid_crashes: a phi of a loop's header is split as well, and may use itself") {
    const std::string text = changed(R"(
OpBranch %head
%head = OpLabel
%x = OpPhi %double %d %entry %y %next
%y = OpPhi %double %d1 %entry %x %next
OpLoopMerge %end %next None
OpBranchConditional %b %next %end
%next = OpLabel
OpBranch %head
%end = OpLabel
)",
                                     &DriverQuirks::panics_at_wide_phis);
    CHECK(count(text, "OpPhi %v2uint") == 2);
    CHECK(count(text, "OpBitcast %double") == 2);
    CHECK(count(text, "OpBitcast %v2uint") == 4);
}

TEST_CASE("avoid_crashes: tests for NaN compare integers") {
    const std::string text = changed(R"(
%o = OpOrdered %bool %f %f
%u = OpUnordered %v2bool %ff %ff
%w = OpUnordered %bool %h %h
%e = OpFOrdEqual %bool %f %f
%i = OpIsNan %bool %f
%n = OpFUnordNotEqual %bool %f %f
)",
                                     &DriverQuirks::panics_at_nan_tests);
    CHECK(!contains(text, "OpOrdered"));
    CHECK(!contains(text, "OpUnordered"));
    CHECK(!contains(text, "OpIsNan"));
    CHECK(count(text, "OpUGreaterThan") == 8);
    CHECK(count(text, "OpLogicalNot") == 1);
    CHECK(count(text, "OpFConvert %float") == 2);  // halves
    CHECK(contains(text, "OpFOrdEqual"));
}

TEST_CASE("avoid_crashes: logical operations of sub-groups combine integers") {
    const std::string text = changed(R"(
%a = OpGroupNonUniformLogicalAnd %bool %c3 Reduce %b
%o = OpGroupNonUniformLogicalOr %bool %c3 InclusiveScan %b
%x = OpGroupNonUniformLogicalXor %bool %c3 ExclusiveScan %b
)",
                                     &DriverQuirks::panics_at_logical_groups);
    CHECK(!contains(text, "GroupNonUniformLogical"));
    CHECK(contains(text, "OpGroupNonUniformBitwiseAnd %uint %uint_3 Reduce"));
    CHECK(contains(text, "OpGroupNonUniformBitwiseOr %uint %uint_3 InclusiveScan"));
    CHECK(contains(text, "OpGroupNonUniformBitwiseXor %uint %uint_3 ExclusiveScan"));
    CHECK(count(text, "OpINotEqual") == 3);
}

TEST_CASE("avoid_crashes: shorts are added to words") {
    const std::string text = changed(R"(
%v = OpCompositeConstruct %v4ushort %s %s %s %s
%w = OpBitcast %ulong %v
%d2 = OpBitcast %double %v
%x = OpCompositeConstruct %v2half %h %h
%y = OpBitcast %uint %x
%g = OpBitcast %float %x
%z = OpBitcast %v2uint %w
%n = OpBitcast %v2uint %v
)",
                                     &DriverQuirks::crashes_at_four_shorts);
    CHECK(count(text, "OpIAdd %uint") == 6);
    CHECK(count(text, "OpShiftLeftLogical %uint") == 6);
    CHECK(count(text, "OpBitcast %ulong") == 1);
    CHECK(count(text, "OpBitcast %double") == 1);
    CHECK(count(text, "OpBitcast %float") == 1);
    CHECK(count(text, "OpBitcast %v2uint") == 2);  // the other way is no fault
}

TEST_CASE("avoid_crashes: a division that might overflow has another divisor there") {
    const auto divided = [](std::string_view quotient) {
        return changed(quotient, &DriverQuirks::traps_at_quotients);
    };
    const std::string scalar = divided("%x = OpSDiv %ulong %l %l\n");
    CHECK(contains(scalar, "OpLogicalAnd %bool"));
    CHECK(contains(scalar, "OpSelect %ulong"));
    CHECK(
        contains(divided("%w = OpConvertFToS %v2uint %ff\n%x = OpSDiv %v2uint %w %w\n"), "OpSelect %v2uint"));
    CHECK(!contains(divided("%x = OpSDiv %ulong %l %l1\n"), "OpSelect"));
    CHECK(!contains(divided("%x = OpSDiv %ulong %l1 %l\n"), "OpSelect"));
    CHECK(!contains(divided("%x = OpSDiv %ushort %s %s\n"), "OpSelect"));
    CHECK(!contains(divided("%x = OpUDiv %ulong %l %l\n"), "OpSelect"));
}
