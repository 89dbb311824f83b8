// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

/// Two kernels with a function `f` of some 300 instructions, which takes a pointer to private memory and one
/// to global memory. The first calls it in a loop, and twice behind it, with `buffers` for the pointers to
/// global memory. `inside` is code of f, and `across` stands at the kernel's begin. `before` stands before
/// the second call, and `behind` behind the third. `types` are further types.
std::string module_with_calls(std::string_view inside, const std::array<std::string, 3>& buffers,
                              std::string_view across, std::string_view before = {},
                              std::string_view behind = {}, std::string_view types = {}) {
    std::string body;
    for (uint32_t i = 0; i < 300; ++i) body += "%x" + std::to_string(i) + " = OpIMul %int %value %value\n";
    return R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
OpEntryPoint Kernel %other "other"
%void = OpTypeVoid
%bool = OpTypeBool
%event = OpTypeEvent
%int = OpTypeInt 32 0
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c5 = OpConstant %int 5
%c264 = OpConstant %int 264
%private = OpTypePointer Function %int
%global = OpTypePointer CrossWorkgroup %int
)" + std::string(types) +
           R"(%fn_f = OpTypeFunction %int %private %global %int
%fn = OpTypeFunction %void %global %global
%f = OpFunction %int None %fn_f
%p = OpFunctionParameter %private
%g = OpFunctionParameter %global
%n = OpFunctionParameter %int
%f_entry = OpLabel
%value = OpLoad %int %p
)" + std::string(inside) +
           body + R"(
OpStore %p %n
OpStore %g %value
OpReturnValue %value
OpFunctionEnd
%k = OpFunction %void None %fn
%a = OpFunctionParameter %global
%b = OpFunctionParameter %global
%entry = OpLabel
%v = OpVariable %private Function
%w = OpVariable %private Function
)" + std::string(across) +
           R"(OpStore %v %c0
OpStore %w %c1
OpBranch %loop
%loop = OpLabel
%i = OpPhi %int %c0 %entry %next %latch
OpLoopMerge %exit %latch None
OpBranch %test
%test = OpLabel
%in = OpULessThan %bool %i %c5
OpBranchConditional %in %body %exit
%body = OpLabel
%r0 = OpFunctionCall %int %f %v )" +
           buffers[0] + R"( %i
OpBranch %latch
%latch = OpLabel
%next = OpIAdd %int %i %c1
OpBranch %loop
%exit = OpLabel
)" + std::string(before) +
           R"(
%r1 = OpFunctionCall %int %f %w )" +
           buffers[1] + R"( %i
%more = OpIAdd %int %r1 %i
%r2 = OpFunctionCall %int %f %w )" +
           buffers[2] + " %more\n" + std::string(behind) + R"(
%sum = OpIAdd %int %r2 %more
OpStore %a %sum
OpReturn
OpFunctionEnd
%other = OpFunction %void None %fn
%a2 = OpFunctionParameter %global
%b2 = OpFunctionParameter %global
%entry2 = OpLabel
%other_v = OpVariable %private Function
OpStore %other_v %c0
%r3 = OpFunctionCall %int %f %other_v %a2 %c1
OpReturn
OpFunctionEnd
)";
}

size_t count_of(std::string_view what, std::string_view text) {
    size_t count = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

/// The calls that are left of the four.
size_t calls(std::string_view inside, const std::array<std::string, 3>& buffers, uint64_t large_kernel = 500,
             bool inlines = true, std::string_view across = {}, std::string_view before = {},
             std::string_view behind = {}, std::string_view types = {}) {
    TranslateOptions options;
    options.profile.quirks.inlines_every_call = inlines;
    options.profile.large_kernel = large_kernel;
    const PassRun run =
        run_passes(module_with_calls(inside, buffers, across, before, behind, types), {merge_calls}, options);
    CHECK(run.error == "");
    return count_of("OpFunctionCall", run.text);
}

const std::array<std::string, 3> kSame = {"%a", "%a", "%a"};

}  // namespace

TEST_CASE("merge_calls: calls of a kernel that is too large become one") {
    CHECK(calls("", kSame) == 2);
    CHECK(calls("", kSame, 2000) == 4);
    CHECK(calls("", kSame, 500, false) == 4);
}

TEST_CASE("merge_calls: pointers to buffers stay apart") {
    CHECK(calls("", {"%a", "%b", "%a"}) == 3);
    CHECK(calls("", {"%b", "%a", "%a"}) == 3);
}

TEST_CASE("merge_calls: pointers to buffers are the same where they are made of the same") {
    const std::string types =
        "%pointers = OpTypePointer Function %global\n%indices = OpTypePointer Function %int\n";
    const std::string variable =
        "%held = OpVariable %pointers Function\n%place = OpVariable %indices Function\n";
    const std::string once = variable + "OpStore %held %a\nOpStore %place %c5\n";
    const auto at = [](const std::string& call) {  // an element of what the variable holds
        return "%load" + call + " = OpLoad %global %held\n%index" + call + " = OpLoad %int %place\n%element" +
               call + " = OpInBoundsPtrAccessChain %global %load" + call + " %index" + call + "\n";
    };
    const std::array<std::string, 3> loads = {"%a", "%load1", "%load2"},
                                     elements = {"%a", "%element1", "%element2"};
    const std::string before = at("1") + at("2");

    CHECK(calls("", loads, 500, true, once, before, {}, types) == 2);
    CHECK(calls("", elements, 500, true, once, before, {}, types) == 3);  // the first call's is another one

    // What a variable may hold beside, or a loop changes.
    CHECK(calls("", loads, 500, true, once + "OpStore %held %b\n", before, {}, types) == 4);
    CHECK(calls("", loads, 500, true, once, "OpStore %held %b\n" + before, {}, types) == 4);
    CHECK(calls("", elements, 500, true, once, before + "OpStore %place %i\n", {}, types) == 4);
    CHECK(calls("", elements, 500, true, once, "OpAtomicStore %place %c1 %c0 %c0\n" + before, {}, types) ==
          4);
    CHECK(calls("", loads, 500, true, once, at("1") + "%load2 = OpLoad %global %held Volatile\n", {},
                types) == 4);
}

TEST_CASE("merge_calls: functions with barriers stay where they are") {
    CHECK(calls("OpControlBarrier %c1 %c1 %c264\n", kSame) == 4);
}

TEST_CASE("merge_calls: functions with values that cannot be in variables stay as they are") {
    CHECK(calls("", kSame, 500, true, "%e = OpUndef %event\n") == 4);
}

TEST_CASE("merge_calls: many values that live across the calls cost more than is saved") {
    std::string some, many;
    for (uint32_t i = 0; i < 200; ++i) {
        const std::string variable = "%v" + std::to_string(i) + " = OpVariable %private Function\n";
        (i < 8 ? some : many) += variable;
    }
    CHECK(calls("", kSame, 500, true, some) == 2);
    CHECK(calls("", kSame, 500, true, many) == 4);

    std::string before, behind;  // as a function has them whose variables are values already
    for (uint32_t i = 0; i < 200; ++i) {
        const std::string n = std::to_string(i);
        before += "%made" + n + " = OpIAdd %int %i %c" + (i % 2 == 0 ? "1" : "5") + "\n";
        behind += "%used" + n + " = OpIMul %int %made" + n + " %more\n";
    }
    CHECK(calls("", kSame, 500, true, {}, before, {}) == 2);
    CHECK(calls("", kSame, 500, true, {}, {}, before) == 2);
    CHECK(calls("", kSame, 500, true, {}, before, behind) == 4);
    // From block to block, but across no call, and across one call alone.
    const std::string join = "OpBranch %later\n%later = OpLabel\n";
    std::string uses;
    for (uint32_t i = 0; i < 200; ++i)
        uses += "%u" + std::to_string(i) + " = OpNot %int %made" + std::to_string(i) + "\n";
    CHECK(calls("", kSame, 500, true, {}, before + join + uses, {}) == 2);
    CHECK(calls("", kSame, 500, true, {}, before + join, uses) == 4);
    CHECK(calls("", kSame, 500, true, {}, before, join + uses) == 4);
    CHECK(calls("", kSame, 500, true, {}, {}, before + join + uses) == 2);
}

TEST_CASE("merge_calls: what lives across other calls alone costs nothing") {
    // The first two calls are of one buffer, and the last one is of another. A phi takes what lives across
    // that.
    std::string made, used;
    for (uint32_t i = 0; i < 200; ++i) {
        const std::string n = std::to_string(i);
        made += "%made" + n + " = OpIAdd %int %i %c1\n";
        used += "%used" + n + " = OpNot %int %made" + n + "\n";
    }
    const std::string again = "%r4 = OpFunctionCall %int %f %w %b %i\n";
    CHECK(calls("", {"%a", "%a", "%b"}, 500, true, {}, {}, made + again + used) == 4);
    CHECK(calls("", {"%a", "%a", "%b"}, 500, true, {}, {}, again) == 3);
}

TEST_CASE("merge_calls: a phi uses values at the ends of the blocks before it") {
    std::string made, phis;
    for (uint32_t i = 0; i < 200; ++i) {
        const std::string n = std::to_string(i);
        made += "%made" + n + " = OpIAdd %int %i %c1\n";
        phis += "%phi" + n + " = OpPhi %int %made" + n + " %exit %c5 %side\n";
    }
    // %exit makes the values, and goes to %joined or to %side.
    const auto fork = [&](const std::string& in_side) {
        return made +
               "OpSelectionMerge %joined None\nOpBranchConditional %in %joined %side\n%side = OpLabel\n" +
               in_side + "OpBranch %joined\n%joined = OpLabel\n" + phis;
    };
    CHECK(calls("", kSame, 500, true, {}, fork("")) == 2);
    // The call in %side is not on the way from %exit.
    CHECK(calls("", kSame, 500, true, {}, fork("%r4 = OpFunctionCall %int %f %w %a %i\n")) == 2);
}

TEST_CASE("merge_calls: each component of a vector that lives across the calls costs as a scalar does") {
    const std::string types = "%four = OpTypeVector %int 4\n%fours = OpTypePointer Function %four\n";
    const auto repeat = [](const std::string& text) {  // '#' is the number
        std::string all;
        for (uint32_t i = 0; i < 20; ++i) {
            std::string line = text;
            for (size_t at = line.find('#'); at != line.npos; at = line.find('#'))
                line.replace(at, 1, std::to_string(i));
            all += line;
        }
        return all;
    };
    const std::string scalars = repeat("%made# = OpIAdd %int %i %c1\n");
    const std::string vectors = repeat("%made# = OpCompositeConstruct %four %i %i %i %i\n");
    const std::string uses = repeat("%used# = OpIMul %int %made# %more\n");
    const std::string vector_uses = repeat("%used# = OpIMul %four %made# %made#\n");
    CHECK(calls("", kSame, 500, true, {}, scalars, uses) == 2);
    CHECK(calls("", kSame, 500, true, {}, vectors, vector_uses, types) == 4);
    CHECK(calls("", kSame, 500, true, {}, vectors + vector_uses, {}, types) == 2);

    CHECK(calls("", kSame, 500, true, repeat("%kept# = OpVariable %private Function\n")) == 2);
    CHECK(calls("", kSame, 500, true, repeat("%kept# = OpVariable %fours Function\n"), {}, {}, types) == 4);
}

TEST_CASE("merge_calls: values that live across different calls share a variable") {
    // 100 calls, and a sum lives across each one.
    std::string behind;
    for (uint32_t i = 0; i < 100; ++i) {
        const std::string n = std::to_string(i), before = i == 0 ? "%more" : "%sum" + std::to_string(i - 1);
        behind += "%also" + n + " = OpFunctionCall %int %f %w %a %i\n";
        behind += "%sum" + n + " = OpIMul %int " + before + " %also" + n + "\n";
    }
    TranslateOptions options;
    options.profile.quirks.inlines_every_call = true;
    options.profile.large_kernel = 500;
    const PassRun run = run_passes(module_with_calls("", kSame, {}, {}, behind), {merge_calls}, options);
    CHECK(run.error == "");
    CHECK(count_of("OpFunctionCall", run.text) == 2);
    // %v, %w and %other_v; two of the phi %i; the result, two arguments and the way on; the sum and %more.
    CHECK(count_of("OpVariable", run.text) <= 12);
}
