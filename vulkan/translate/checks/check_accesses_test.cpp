// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

std::string module_text(const std::string& body) {
    return R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpCapability Int8
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %file = OpString "a.cl"
 OpName %a "a"
 OpName %table "table"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u8 = OpTypeInt 8 0
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %four = OpConstant %u64 4
 %three = OpConstant %u64 3
 %six = OpConstant %u64 6
 %zero = OpConstant %u64 0
 %one64 = OpConstant %u64 1
 %minus_one = OpConstant %u64 18446744073709551615
 %one = OpConstant %u32 1
 %array = OpTypeArray %u32 %four
 %vector = OpTypeVector %u32 4
 %global = OpTypePointer CrossWorkgroup %u32
 %bytes = OpTypePointer CrossWorkgroup %u8
 %globals = OpTypePointer CrossWorkgroup %array
 %private = OpTypePointer Function %u32
 %privates = OpTypePointer Function %array
 %pointers = OpTypePointer Function %global
 %init = OpConstantNull %array
 %table = OpVariable %globals CrossWorkgroup %init
 %fn = OpTypeFunction %void %global %u64
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %n = OpFunctionParameter %u64
 %entry = OpLabel
 %kept = OpVariable %pointers Function
 %own = OpVariable %privates Function
 OpStore %kept %a Aligned 8
)" + body + " OpReturn\n OpFunctionEnd\n";
}

PassRun checked(const std::string& body, MemoryChecks checks) {
    return run_passes(module_text(body), {describe_kernels, check_accesses}, {.checks = checks});
}

constexpr const char* kStore = R"( OpLine %file 3 7
 %p = OpLoad %global %kept Aligned 8
 %q = OpInBoundsPtrAccessChain %global %p %n
 OpStore %q %one Aligned 4
)";

TEST_CASE("check_accesses: the object of a pointer is chosen as the pointer is") {
    constexpr const char* kChosen = R"( %b = OpInBoundsPtrAccessChain %global %table_begin %three
 %is_less = OpULessThan %bool %n %four
 %c = OpSelect %global %is_less %a %b
 OpBranch %loop
 %loop = OpLabel
 %p = OpPhi %global %c %entry %q %loop
 %q = OpPhi %global %a %entry %p %loop
 %moved = OpInBoundsPtrAccessChain %global %p %n
 %sum = OpLoad %u32 %moved Aligned 4
 %is_last = OpIEqual %bool %sum %one
 OpLoopMerge %end %loop None
 OpBranchConditional %is_last %end %loop
 %end = OpLabel
)";
    const std::string body = std::string(" %table_begin = OpBitcast %global %table\n") + kChosen;
    const PassRun run = checked(body, MemoryChecks::Guard);
    REQUIRE(run.error == "");
    CHECK(!contains(run.text, "check_is_in"));    // no search
    CHECK(count(run.text, "OpULessThan") == 2);   // of the module, and of the offset
    CHECK(count(run.text, "OpPhi %ulong") == 6);  // begin, size and limit of both
    // a pointer from memory has an object that is looked for
    const PassRun unknown = checked(R"( %b = OpConvertUToPtr %global %n
 %is_less = OpULessThan %bool %n %four
 %c = OpSelect %global %is_less %a %b
 OpStore %c %one Aligned 4
)",
                                    MemoryChecks::Guard);
    REQUIRE(unknown.error == "");
    CHECK(contains(unknown.text, "check_is_in"));
}

TEST_CASE("check_accesses: nothing changes where nothing is asked for") {
    const PassRun run = checked(kStore, MemoryChecks::None);
    CHECK(run.error == "");
    CHECK(count(run.text, "OpFunctionCall") == 0);
    CHECK(contains(run.text, "OpLoad"));  // the variable is not promoted
    CHECK(run.interface.check_sites.empty());
}

TEST_CASE("check_accesses: a pointer of a variable is that of the argument, and its place is known") {
    const PassRun run = checked(kStore, MemoryChecks::Bounds);
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpULessThan") == 1);  // of the offset, whatever size the object has
    CHECK(contains(run.text, "_Z11check_faultPU3AS1jjbmmmm"));
    CHECK(contains(run.text, "_Z14check_argumentPU3AS1jj"));
    REQUIRE(run.interface.check_sites.size() == 1);
    const CheckSite& site = run.interface.check_sites[0];
    CHECK(site == CheckSite{.access = CheckedAccess::Store,
                            .size_bytes = 4,
                            .alignment_bytes = 4,
                            .file = "a.cl",
                            .line = 3,
                            .column = 7,
                            .function = site.function,
                            .object = "a",
                            .is_argument = true});
}

TEST_CASE("check_accesses: guards have no places, and pointers from memory may point anywhere") {
    const PassRun inside = checked(kStore, MemoryChecks::Guard);
    CHECK(inside.error == "");
    CHECK(count(inside.text, "OpULessThan") == 1);
    CHECK(!contains(inside.text, "_Z11check_faultPU3AS1jjbmmmm"));
    CHECK(inside.interface.check_sites.empty());
    const PassRun any =
        checked(" %p = OpConvertUToPtr %global %n\n %x = OpLoad %u32 %p Aligned 4\n", MemoryChecks::Guard);
    CHECK(any.error == "");
    CHECK(contains(any.text, "_Z11check_is_inPU3AS1jmjj"));
}

TEST_CASE("check_accesses: constant places in variables need no check, others do") {
    const PassRun inside = checked(R"( %p = OpInBoundsAccessChain %global %table %three
 %x = OpLoad %u32 %p Aligned 4
 %q = OpInBoundsAccessChain %private %own %three
 OpStore %q %x Aligned 4
)",
                                   MemoryChecks::Bounds);
    CHECK(inside.error == "");
    CHECK(inside.interface.check_sites.empty());
    const PassRun outside = checked(R"( %p = OpInBoundsAccessChain %global %table %four
 %x = OpLoad %u32 %p Aligned 4
 %q = OpInBoundsAccessChain %private %own %n
 OpStore %q %x Aligned 4
)",
                                    MemoryChecks::Bounds);
    CHECK(outside.error == "");
    REQUIRE(outside.interface.check_sites.size() == 2);
    CHECK(outside.interface.check_sites[0].object == "table");
    CHECK(outside.interface.check_sites[1].space == "private");
    CHECK(count(outside.text, "OpULessThanEqual") == 1);  // n <= 3
    CHECK(contains(outside.text, "OpConstant %ulong 3"));
}

TEST_CASE("check_accesses: an index that a mask, a type, a remainder or a shift limits needs no check") {
    const auto sites = [](const std::string& index, const std::string& chain = "%own %i") {
        const PassRun run = checked(
            index + " %q = OpInBoundsAccessChain %private " + chain + "\n OpStore %q %one Aligned 4\n",
            MemoryChecks::Bounds);
        CHECK(run.error == "");
        return run.interface.check_sites.size();
    };
    CHECK(sites(" %i = OpBitwiseAnd %u64 %n %three\n") == 0);
    CHECK(sites(" %i = OpBitwiseAnd %u64 %three %n\n") == 0);
    CHECK(sites(" %i = OpUMod %u64 %n %four\n") == 0);
    const std::string narrow = " %h = OpUConvert %u32 %n\n";
    const std::string masked = narrow + " %m = OpBitwiseAnd %u32 %h %one\n";
    CHECK(sites(masked + " %i = OpUConvert %u64 %m\n") == 0);
    CHECK(sites(masked + " %i = OpSConvert %u64 %m\n") == 0);
    CHECK(sites(" %b = OpUConvert %u8 %n\n %i = OpUConvert %u64 %b\n") == 1);  // 255
    const std::string shift = " %b = OpUConvert %u8 %n\n %w = OpUConvert %u64 %b\n";
    CHECK(sites(shift + " %i = OpShiftRightLogical %u64 %w %six\n") == 0);
    CHECK(sites(shift + " %i = OpShiftRightLogical %u64 %w %four\n") == 1);  // 15
    CHECK(sites(" %i = OpBitwiseAnd %u64 %n %four\n") == 1);
    CHECK(sites(" %i = OpUMod %u64 %n %six\n") == 1);
    CHECK(sites(" %i = OpUMod %u64 %n %zero\n") == 1);
    CHECK(sites(" %i = OpSRem %u64 %n %four\n") == 1);             // negative
    CHECK(sites(narrow + " %i = OpSConvert %u64 %h\n") == 1);      // negative
    CHECK(sites(" %i = OpBitwiseAnd %u64 %n %minus_one\n") == 1);  // negative
    // behind another index
    const std::string of_one =
        " %i = OpBitwiseAnd %u64 %n %three\n %q0 = OpInBoundsAccessChain %private %own ";
    const auto behind = [&](const std::string& first) {
        const PassRun run = checked(of_one + first +
                                        "\n %q = OpInBoundsPtrAccessChain %private %q0 %i\n"
                                        " OpStore %q %one Aligned 4\n",
                                    MemoryChecks::Bounds);
        CHECK(run.error == "");
        return run.interface.check_sites.size();
    };
    CHECK(behind("%zero") == 0);
    CHECK(behind("%one64") == 1);
    CHECK(behind("%i") == 1);
    // constant memory of the program
    const auto guards = [](const std::string& index) {
        return count(
            checked(index + " %q = OpInBoundsAccessChain %global %table %i\n %x = OpLoad %u32 %q Aligned 4\n",
                    MemoryChecks::Guard)
                .text,
            "OpULessThan");
    };
    CHECK(guards(" %i = OpBitwiseAnd %u64 %n %three\n") == 0);
    CHECK(guards(" %i = OpBitwiseAnd %u64 %n %four\n") > 0);
}

TEST_CASE("check_accesses: a pointer is checked once for accesses of one size that always follow another") {
    const auto sites = [](const std::string& body) {
        const PassRun run = checked(body, MemoryChecks::Bounds);
        CHECK(run.error == "");
        return run.interface.check_sites.size();
    };
    const std::string first = R"( %p = OpInBoundsPtrAccessChain %global %a %n
 %x = OpLoad %u32 %p Aligned 4
)",
                      again = R"( %p2 = OpInBoundsPtrAccessChain %global %a %n
 OpStore %p2 %one Aligned 4
)",
                      index = R"( %q = OpInBoundsAccessChain %private %own %n
 %y = OpLoad %u32 %q Aligned 4
 %q2 = OpInBoundsAccessChain %private %own %n
 OpStore %q2 %one Aligned 4
)";
    CHECK(sites(first + again) == 1);
    CHECK(sites(index) == 1);
    CHECK(sites(first + R"( %b = OpBitcast %bytes %p
 %z = OpLoad %u8 %b Aligned 1
)") == 2);
    const std::string branch = R"( %is = OpIEqual %bool %n %four
 OpSelectionMerge %end None
 OpBranchConditional %is %then %end
 %then = OpLabel
)",
                      end = R"( OpBranch %end
 %end = OpLabel
)";
    CHECK(sites(first + branch + again + end) == 1);
    CHECK(sites(branch + first + end + again) == 2);
    // a load gets zeros, a store the sink
    const PassRun both = checked(first + again, MemoryChecks::Guard);
    CHECK(count(both.text, "OpSelect ") == 3);  // one of them for the limit
}

TEST_CASE("check_accesses: the values of an index are those for which the access is in its variable") {
    const auto checks = [](const std::string& chain) {
        return checked(" %q0 = OpInBoundsAccessChain %private %own " + chain, MemoryChecks::Bounds).text;
    };
    // a[n - 1]: the chain has an index behind another
    const std::string shifted =
        checks("%one\n %q = OpInBoundsPtrAccessChain %private %q0 %n\n OpStore %q %one Aligned 4\n");
    CHECK(count(shifted, "OpULessThanEqual") == 1);
    CHECK(contains(shifted, "OpConstant %ulong 18446744073709551615"));  // from -1
    const std::string two =
        checks("%n\n %q = OpInBoundsPtrAccessChain %private %q0 %n\n OpStore %q %one Aligned 4\n");
    CHECK(count(two, "OpULessThan ") == 1);  // of the sum
}

TEST_CASE("check_accesses: descriptors are declined") {
    const PassRun run = run_passes(module_text(kStore), {describe_kernels, check_accesses},
                                   {.abi = Abi::Descriptors, .checks = MemoryChecks::Guard});
    CHECK(contains(run.error, "accesses are checked by addresses only"));
}

TEST_CASE("check_accesses: a component at a computed index is one of the vector's, reported or not") {
    constexpr const char* kComponents = R"( %v = OpCompositeConstruct %vector %one %one %one %one
 %x = OpVectorExtractDynamic %u32 %v %n
 %w = OpVectorInsertDynamic %vector %v %x %n
 %y = OpVectorExtractDynamic %u32 %w %three
 OpStore %a %y Aligned 4
)";
    for (const MemoryChecks checks : {MemoryChecks::Guard, MemoryChecks::Bounds}) {
        const PassRun run = checked(kComponents, checks);
        REQUIRE(run.error == "");
        CHECK(count(run.text, "OpUGreaterThanEqual %bool ") == 2);  // y is at a constant index
        CHECK(count(run.text, "OpSelect %ulong ") == 4);  // two indices, and the address of the store
        CHECK(count(run.text, "OpVectorExtractDynamic %uint ") == 3);  // x, y, and what %w keeps
        CHECK(run.interface.check_sites.empty() == (checks == MemoryChecks::Guard));
    }
}

TEST_CASE("check_accesses: guards decline what a function may reach by a pointer into global memory") {
    const auto error_of = [](const std::string& body, MemoryChecks checks) {
        std::string text = module_text(body);
        text.insert(text.find(" OpName %a"), " OpName %far \"_Z3farPU3AS4j\"\n");
        text.insert(text.find(" %void = OpTypeVoid"), " OpDecorate %far LinkageAttributes \"far\" Import\n");
        text.insert(text.find(" OpMemoryModel"), " OpCapability Linkage\n OpCapability GenericPointer\n");
        text.insert(text.find(" %k = OpFunction"), R"( %generic = OpTypePointer Generic %u32
 %null = OpConstantNull %generic
 %far_type = OpTypeFunction %void %generic
 %far = OpFunction %void None %far_type
 %far_p = OpFunctionParameter %generic
 OpFunctionEnd
)");
        return run_passes(text, {describe_kernels, check_accesses}, {.checks = checks}).error;
    };
    const std::string of_table = R"( %table_begin = OpBitcast %global %table
 %g = OpPtrCastToGeneric %generic %table_begin
 %called = OpFunctionCall %void %far %g
)",
                      of_own = R"( %own_n = OpInBoundsAccessChain %private %own %n
 %g = OpPtrCastToGeneric %generic %own_n
 %is_less = OpULessThan %bool %n %four
 %g_or_null = OpSelect %generic %is_less %g %null
 %called = OpFunctionCall %void %far %g_or_null
)";
    CHECK(error_of(of_table, MemoryChecks::Guard) == "accesses of the function 'far' cannot be checked");
    CHECK(error_of(of_table, MemoryChecks::Bounds) == "");
    CHECK(error_of(of_own, MemoryChecks::Guard) == "");
}

}  // namespace
}  // namespace caldera::vulkan
