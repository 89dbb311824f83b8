// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// Two kernels, of which `k` has the body, and other functions perhaps.
PassRun checked(const std::string& body, MemoryChecks checks = MemoryChecks::Races,
                std::initializer_list<Pass> passes = {describe_kernels, check_races},
                const std::string& functions = "") {
    const std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 OpEntryPoint Kernel %other "other"
 %file = OpString "a.cl"
 OpName %a "a"
 OpName %tile "tile"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %u32x4 = OpTypeVector %u32 4
 %zero = OpConstant %u32 0
 %one = OpConstant %u32 1
 %two = OpConstant %u32 2
 %three = OpConstant %u32 3
 %order = OpConstant %u32 264
 %none = OpConstantNull %u32x4
 %global = OpTypePointer CrossWorkgroup %u32
 %vectors = OpTypePointer CrossWorkgroup %u32x4
 %local = OpTypePointer Workgroup %u32
 %private = OpTypePointer Function %u32
 %tile = OpVariable %local Workgroup
 %fn = OpTypeFunction %void %global
 %only_fn = OpTypeFunction %void
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %entry = OpLabel
)" + body + R"( OpReturn
 OpFunctionEnd
 %other = OpFunction %void None %only_fn
 %only = OpLabel
 OpReturn
 OpFunctionEnd
)" + functions;
    return run_passes(text, passes, {.checks = checks});
}

TEST_CASE("check_races: accesses of global memory are noted in the shadow of their argument") {
    const PassRun run = checked(" OpLine %file 5 2\n OpStore %a %one Aligned 4\n");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z11begin_storemjDv4_mjj"));
    CHECK(contains(run.text, "_Z9end_storejDv4_mj"));
    CHECK(contains(run.text, "_Z21check_argument_shadowPU3AS1jj"));
    REQUIRE(run.interface.check_sites.size() == 1);
    CHECK(run.interface.check_sites[0].kind == CheckKind::Race);
    CHECK(run.interface.check_sites[0].line == 5);
    CHECK(run.interface.check_sites[0].object == "a");
}

TEST_CASE("check_races: one search for the object of a pointer serves all accesses by it, and their bounds") {
    const char* const body = R"( %n = OpConvertPtrToU %u64 %a
 %p = OpConvertUToPtr %global %n
 %x = OpLoad %u32 %p Aligned 4
 OpStore %p %x Aligned 4
 OpBranch %next
 %next = OpLabel
 OpStore %p %one Aligned 4
)";
    const PassRun run = checked(body, MemoryChecks::Races | MemoryChecks::SameRaces | MemoryChecks::Bounds,
                                {describe_kernels, check_races, check_accesses});
    REQUIRE(run.error == "");
    const size_t declared = run.text.find(" LinkageAttributes \"_Z12check_shadowPU3AS1jmj\"");
    REQUIRE(declared != std::string::npos);
    const size_t begin = run.text.rfind('%', declared);
    const std::string finder = run.text.substr(begin, declared - begin) + " ";
    size_t searches = 0;
    for (size_t at = 0; (at = run.text.find("OpFunctionCall", at)) != std::string::npos; ++at)
        searches += run.text.substr(at, run.text.find('\n', at) - at).find(finder) != std::string::npos;
    CHECK(searches == 1);
    CHECK(contains(run.text, "_Z17check_is_in_foundmjDv4_m"));
    CHECK(!contains(run.text, "_Z11check_is_inPU3AS1jmjj"));
}

TEST_CASE("check_races: what memory has before and behind a store is told, unless equal values race too") {
    const std::string store = " OpStore %a %one Aligned 4\n";
    const std::string compared = checked(store).text;
    const size_t at = compared.find("OpStore %a %");
    REQUIRE(at != std::string::npos);
    CHECK(compared.rfind("OpLoad %uint %a Volatile|Aligned 4", at) != std::string::npos);
    CHECK(compared.find("OpLoad %uint %a Volatile|Aligned 4", at) != std::string::npos);
    const std::string strict = checked(store, MemoryChecks::Races | MemoryChecks::SameRaces).text;
    CHECK(contains(strict, "_Z10check_racemjjDv4_mjj"));
    CHECK(!contains(strict, "OpLoad %uint %a"));
    CHECK(contains(checked(" OpStore %a %one Volatile|Aligned 4\n").text, "_Z10check_racemjjDv4_mjj"));
}

TEST_CASE("check_races: calls pass the shadow of an argument's object to functions, which search for none") {
    const std::string function = R"( %set = OpFunction %void None %fn
 %to = OpFunctionParameter %global
 %inside = OpLabel
 OpStore %to %one Aligned 4
 OpReturn
 OpFunctionEnd
)";
    const auto both = MemoryChecks::Races | MemoryChecks::Bounds;
    const PassRun run = checked(" %done = OpFunctionCall %void %set %a\n", both,
                                {describe_kernels, check_races, check_accesses}, function);
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "_Z12check_shadowPU3AS1jmj"));
    CHECK(count(run.text, "_Z21check_argument_shadowPU3AS1jj") == 1);
    CHECK(count(run.text, "OpFunctionParameter %v4ulong") == 3);  // of begin_store, of end_store and of %set
    // A pointer of which the call does not know the object.
    const PassRun unknown = checked(
        " %n = OpConvertPtrToU %u64 %a\n %p = OpConvertUToPtr %global %n\n"
        " %done = OpFunctionCall %void %set %p\n",
        MemoryChecks::Races, {describe_kernels, check_races}, function);
    REQUIRE(unknown.error == "");
    CHECK(contains(unknown.text, "_Z12check_shadowPU3AS1jmj"));
}

TEST_CASE("check_races: those of local memory in the shadow of the group") {
    const PassRun run = checked(" %x = OpLoad %u32 %tile Aligned 4\n");
    REQUIRE(run.error == "");
    CHECK(contains(run.text, "_Z16check_local_racemjjDv2_mjj"));
    REQUIRE(run.interface.check_sites.size() == 1);
    CHECK(run.interface.check_sites[0].object == "tile");
    CHECK(run.interface.check_sites[0].space == "local");
}

TEST_CASE("check_races: a vector is looked at word by word, and private memory not at all") {
    const PassRun run = checked(" %v = OpBitcast %vectors %a\n OpStore %v %none Aligned 16\n");
    CHECK(run.interface.check_sites.size() == 1);
    CHECK(count(run.text, "OpIAdd") == 3);
    const PassRun own = checked(" %p = OpVariable %private Function\n OpStore %p %one Volatile|Aligned 4\n");
    CHECK(own.interface.check_sites.empty());
}

TEST_CASE("check_races: an access is not noted again until a barrier, a fence or another pointer") {
    const auto strict = MemoryChecks::Races | MemoryChecks::SameRaces;
    const auto sites = [&](const std::string& body, MemoryChecks checks) {
        const PassRun run = checked(body, checks);
        CHECK(run.error == "");
        return run.interface.check_sites.size();
    };
    const std::string load = " %x = OpLoad %u32 %a Aligned 4\n", again = " %y = OpLoad %u32 %a Aligned 4\n",
                      store = " OpStore %a %one Aligned 4\n",
                      barrier = " OpControlBarrier %two %two %order\n",
                      fence = " OpMemoryBarrier %one %order\n";
    CHECK(sites(load + again, strict) == 1);
    CHECK(sites(store + load, strict) == 1);
    CHECK(sites(store + store, strict) == 1);
    CHECK(sites(load + store, strict) == 2);
    CHECK(sites(load + barrier + again, strict) == 2);
    CHECK(sites(load + fence + again, strict) == 2);
    // With fences, whoever races with an access may report nothing any more.
    CHECK(sites(load + again + fence, strict) == 2);
    CHECK(sites(load + " %y = OpLoad %u32 %a Volatile|Aligned 4\n", strict) == 2);
    // Another value may be stored, and a read of a place to which all store one value is a race.
    CHECK(sites(store + store, MemoryChecks::Races) == 2);
    CHECK(sites(store + load, MemoryChecks::Races) == 2);
    CHECK(sites(load + again, MemoryChecks::Races) == 1);
}

TEST_CASE("check_races: an access is not noted again where all ways to it have noted it") {
    const auto sites = [](const std::string& left, const std::string& right) {
        const PassRun run = checked(
            " %c = OpIEqual %bool %one %two\n OpSelectionMerge %end None\n"
            " OpBranchConditional %c %left %right\n %left = OpLabel\n" +
            left + " OpBranch %end\n %right = OpLabel\n" + right +
            " OpBranch %end\n %end = OpLabel\n %z = OpLoad %u32 %a Aligned 4\n");
        CHECK(run.error == "");
        return run.interface.check_sites.size();
    };
    const std::string left = " %x = OpLoad %u32 %a Aligned 4\n", right = " %y = OpLoad %u32 %a Aligned 4\n";
    CHECK(sites(left, right) == 2);
    CHECK(sites(left, "") == 2);
    CHECK(sites(left, right + " OpControlBarrier %two %two %order\n") == 3);
    // In a loop, the pointer of the next turn is another one.
    const PassRun loop = checked(R"( OpBranch %head
 %head = OpLabel
 %p = OpPhi %global %a %entry %next %head
 %x = OpLoad %u32 %p Aligned 4
 %next = OpPtrAccessChain %global %p %one
 %y = OpLoad %u32 %next Aligned 4
 %c = OpIEqual %bool %x %two
 OpLoopMerge %end %head None
 OpBranchConditional %c %head %end
 %end = OpLabel
)");
    CHECK(loop.error == "");
    CHECK(loop.interface.check_sites.size() == 2);
}

TEST_CASE("check_races: barriers move the clock, and kernels with fences say so to it") {
    const std::string access = " OpStore %a %one Aligned 4\n";
    const PassRun plain = checked(access + " OpControlBarrier %two %two %order\n");
    CHECK(count(plain.text, "_Z18check_pass_barrierjj") != 0);
    CHECK(!contains(plain.text, "1073741824"));
    for (const char* fence : {" OpMemoryBarrier %one %order\n", " OpControlBarrier %three %three %order\n",
                              " %x = OpAtomicIAdd %u32 %a %one %order %one\n"}) {
        const PassRun run = checked(access + fence);
        CHECK(contains(run.text, "1073741824"));
        CHECK(contains(run.text, "OpBitwiseOr"));
    }
    CHECK(!contains(checked(access + " %x = OpAtomicIAdd %u32 %a %one %zero %one\n").text, "OpBitwiseOr"));
}

TEST_CASE("check_races: nothing changes if nothing is asked for") {
    const PassRun run = checked(" OpStore %a %one Aligned 4\n", MemoryChecks::Barriers);
    CHECK(count(run.text, "OpFunctionCall") == 0);
    CHECK(run.interface.check_sites.empty());
}

}  // namespace
}  // namespace caldera::vulkan
