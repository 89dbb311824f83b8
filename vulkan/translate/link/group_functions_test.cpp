// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// What link_builtins makes of `body`, or its error. There is no library: the error names the function that
/// is wanted.
std::string linked_with(const TranslateOptions& options, const std::string& body,
                        const std::string& modes = "") {
    const auto result = run_passes(R"(
 OpCapability Addresses
 OpCapability Kernel
 OpCapability Groups
 OpCapability Int64
 OpCapability Int8
 OpCapability SubgroupDispatch
 OpCapability GroupNonUniformArithmetic
 OpCapability GroupNonUniformShuffle
 OpCapability GroupNonUniformClustered
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
)" + modes + R"(
 %void = OpTypeVoid
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %f32 = OpTypeFloat 32
 %bool = OpTypeBool
 %v2 = OpTypeVector %u32 2
 %group = OpConstant %u32 2
 %sub = OpConstant %u32 3
 %device = OpConstant %u32 1
 %four = OpConstant %u32 4
 %p8 = OpTypePointer CrossWorkgroup %u8
 %p32 = OpTypePointer CrossWorkgroup %u32
 %p64 = OpTypePointer CrossWorkgroup %u64
 %pv2 = OpTypePointer CrossWorkgroup %v2
 %fn = OpTypeFunction %void %p8 %p32 %p64 %pv2
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %p8
 %b = OpFunctionParameter %p32
 %c = OpFunctionParameter %p64
 %d = OpFunctionParameter %pv2
 %entry = OpLabel
 %x8 = OpLoad %u8 %a Aligned 1
 %x32 = OpLoad %u32 %b Aligned 4
 %x64 = OpLoad %u64 %c Aligned 8
 %x2 = OpLoad %v2 %d Aligned 8
 %truth = OpINotEqual %bool %x32 %sub
)" + body + "OpReturn\nOpFunctionEnd\n",
                                   {describe_kernels, link_builtins}, options);
    return result.error.empty() ? result.text : result.error;
}

std::string linked(const std::string& body, const DeviceProfile& profile = {},
                   const std::string& modes = "") {
    TranslateOptions options;
    options.profile = profile;
    return linked_with(options, body, modes);
}

TEST_CASE("group functions: the device's instructions where it has them") {
    const std::string add = "%r = OpGroupIAdd %u32 %sub Reduce %x32\nOpStore %b %r Aligned 4\n";
    CHECK(contains(linked(add), "OpGroupNonUniformIAdd %uint %uint_3 Reduce"));
    DeviceProfile profile;
    profile.subgroup_arithmetic = false;
    CHECK(contains(linked(add, profile), "_Z15by_shuffles_addjjj"));
    profile.subgroups = false;
    CHECK(contains(linked(add, profile), "_Z26by_local_memory_reduce_addj"));
    CHECK(contains(linked("%r = OpGroupAny %bool %sub %truth\n"), "OpGroupNonUniformAny %bool %uint_3"));
    CHECK(
        contains(linked("%r = OpGroupAny %bool %sub %truth\n", profile), "_Z26by_local_memory_reduce_maxj"));
}

TEST_CASE("group functions: work-groups are combined by sub-groups, scans where sub-groups are in order") {
    const std::string reduce = "%r = OpGroupSMin %u32 %group Reduce %x32\n";
    const std::string scan = "%r = OpGroupUMax %u64 %group ExclusiveScan %x64\n";
    DeviceProfile profile;
    CHECK(contains(linked(reduce, profile), "_Z24by_sub_groups_reduce_mini"));
    CHECK(contains(linked(scan, profile), "_Z34by_local_memory_scan_exclusive_maxm"));
    profile.linear_subgroups = true;
    CHECK(contains(linked(scan, profile), "_Z32by_sub_groups_scan_exclusive_maxm"));
    profile.int64 = false;  // pairs have no instruction
    CHECK(contains(linked(scan, profile), "_Z34by_local_memory_scan_exclusive_maxm"));
}

TEST_CASE("group functions: totals one after the other where loops of group operations go wrong") {
    const std::string reduce = "%r = OpGroupSMin %u32 %group Reduce %x32\n";
    TranslateOptions options;
    options.profile.quirks.mixes_up_group_loops = true;
    CHECK(contains(linked_with(options, reduce), "_Z24by_sub_groups_reduce_mini"));
    options.checks = MemoryChecks::Guard;
    CHECK(contains(linked_with(options, reduce), "_Z32by_sub_groups_in_turn_reduce_mini"));
    options.profile.quirks.mixes_up_group_loops = false;
    CHECK(contains(linked_with(options, reduce), "_Z24by_sub_groups_reduce_mini"));
}

TEST_CASE("group functions: bytes in the upper bits of words") {
    const std::string text = linked("%r = OpGroupUMin %u8 %sub ExclusiveScan %x8\nOpStore %a %r Aligned 1\n");
    CHECK(contains(text, "OpShiftLeftLogical %uint"));
    CHECK(contains(text, "OpGroupNonUniformUMin %uint %uint_3 ExclusiveScan"));
    CHECK(contains(text, "OpShiftRightLogical %uint"));
}

TEST_CASE("group functions: Booleans move as words, and lanes have any width") {
    const std::string text = linked(
        "%r = OpGroupBroadcast %bool %sub %truth %x32\n"
        "%s = OpGroupNonUniformShuffleUp %bool %sub %truth %x64\n");
    CHECK(contains(text, "OpGroupNonUniformShuffle %uint"));
    CHECK(contains(text, "OpGroupNonUniformShuffleUp %uint"));
    CHECK(contains(text, "OpUConvert %uint"));
    CHECK(contains(linked("%r = OpGroupBroadcast %bool %group %truth %x32\n"),
                   "_Z25by_local_memory_broadcastjj"));
    CHECK(contains(linked("%r = OpGroupNonUniformAllEqual %bool %sub %truth\n"),
                   "OpGroupNonUniformAllEqual %bool %uint_3"));
    CHECK(count(linked("%r = OpGroupNonUniformAllEqual %bool %sub %x2\n"), "OpGroupNonUniformAllEqual") == 2);
}

TEST_CASE("group functions: longs move as words, vectors by component") {
    auto shuffles = [](const std::string& text) {
        size_t count = 0;
        for (size_t at = 0; (at = text.find("OpGroupNonUniformShuffle %uint", at)) != text.npos; ++at)
            ++count;
        return count;
    };
    const std::string longs = "%r = OpGroupNonUniformShuffle %u64 %sub %x64 %x32\nOpStore %c %r Aligned 8\n";
    DeviceProfile profile;
    CHECK(contains(linked(longs, profile), "OpGroupNonUniformShuffle %ulong"));
    profile.subgroup_extended_types = false;
    CHECK(shuffles(linked(longs, profile)) == 2);
    // From a lane that is not constant.
    CHECK(shuffles(linked("%r = OpGroupBroadcast %v2 %sub %x2 %x32\nOpStore %d %r Aligned 8\n")) == 2);
    CHECK(contains(linked("%r = OpGroupBroadcast %u32 %sub %x32 %four\nOpStore %b %r Aligned 4\n"),
                   "OpGroupNonUniformBroadcast %uint %uint_3"));
}

TEST_CASE("group functions: clusters") {
    const std::string body =
        "%r = OpGroupNonUniformIAdd %u32 %sub ClusteredReduce %x32 %four\nOpStore %b %r Aligned 4\n";
    DeviceProfile profile;
    CHECK(contains(linked(body, profile), "ClusteredReduce"));
    profile.subgroup_clustered = false;
    CHECK(contains(linked(body, profile), "_Z15by_shuffles_addjjj"));
}

TEST_CASE("group functions: in emulated sub-groups, scopes are at least the work-group") {
    const auto code = [](const std::string& modes) {
        return linked(
            "OpMemoryBarrier %sub %four\n%r = OpAtomicIAdd %u32 %b %sub %four %x32\n"
            "OpAtomicStore %b %sub %four %x32\nOpControlBarrier %group %sub %four\n"
            "OpControlBarrier %sub %sub %four\nOpControlBarrier %sub %device %four\n",
            {}, modes + "OpName %b \"b\"\n");
    };
    const std::string own = code("");
    CHECK(contains(own, "OpMemoryBarrier %uint_3 %uint_4"));
    CHECK(contains(own, "OpControlBarrier %uint_3 %uint_3 %uint_4"));
    const std::string emulated = code("OpExecutionMode %k SubgroupSize 32\n");
    CHECK(contains(emulated, "OpMemoryBarrier %uint_2 %uint_4"));
    CHECK(count(emulated, "%b %uint_2 %uint_4") == 2);
    CHECK(count(emulated, "OpControlBarrier %uint_2 %uint_2 %uint_4") == 2);
    CHECK(contains(emulated, "OpControlBarrier %uint_2 %uint_1 %uint_4"));
}

}  // namespace
}  // namespace caldera::vulkan
