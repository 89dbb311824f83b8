// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/pass_fixture.h"

namespace caldera::vulkan {
namespace {

/// `loads` of a[n + i], each in a place of its own, between `head` and `tail`.
std::string checked(size_t loads, bool masks_branches, const std::string& head = "",
                    const std::string& tail = "") {
    std::string text = R"( OpCapability Addresses
 OpCapability Kernel
 OpCapability Int64
 OpMemoryModel Physical64 OpenCL
 OpEntryPoint Kernel %k "k"
 %void = OpTypeVoid
 %bool = OpTypeBool
 %u32 = OpTypeInt 32 0
 %u64 = OpTypeInt 64 0
 %one = OpConstant %u64 1
 %global = OpTypePointer CrossWorkgroup %u32
 %fn = OpTypeFunction %void %global %u64
 %k = OpFunction %void None %fn
 %a = OpFunctionParameter %global
 %n = OpFunctionParameter %u64
 %entry = OpLabel
)" + head;
    for (size_t i = 0; i < loads; ++i) {
        const std::string number = std::to_string(i), before = i == 0 ? "n" : "n" + std::to_string(i - 1);
        text += "%n" + number + " = OpIAdd %u64 %" + before + " %one\n%p" + number +
                " = OpInBoundsPtrAccessChain %global %a %n" + number + "\n%x" + number + " = OpLoad %u32 %p" +
                number + " Aligned 4\n";
    }
    TranslateOptions options{.checks = MemoryChecks::Bounds};
    options.profile.quirks = {};
    options.profile.quirks.masks_branches = masks_branches;
    const PassRun run =
        run_passes(text + tail + " OpReturn\n OpFunctionEnd\n", {describe_kernels, check_accesses}, options);
    REQUIRE(run.error == "");
    return run.text;
}

int calls(const std::string& text, const std::string& function) {
    const size_t at = text.find("\"" + function + "\" Import");
    if (at == std::string::npos) return 0;
    const size_t begin = text.rfind("OpDecorate ", at) + 11;
    const std::string id = text.substr(begin, text.find(' ', begin) - begin);
    size_t found = 0;
    for (size_t call = text.find("OpFunctionCall"); call != std::string::npos;
         call = text.find("OpFunctionCall", call + 1)) {
        const std::string line = text.substr(call, text.find('\n', call) - call);
        found += (line + " ").find(" " + id + " ") != std::string::npos;
    }
    return static_cast<int>(found);
}

int count(const std::string& text, const std::string& what) {
    int found = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
}

constexpr const char *kOne = "_Z11check_faultPU3AS1jjbmmmm", *kCounted = "_Z13check_countedPU3AS1jjjmmmm";

TEST_CASE("fault slots: all places share the code that records, where branches are masked") {
    CHECK(calls(checked(6, false), kOne) == 6);
    CHECK(calls(checked(6, false), kCounted) == 0);
    const std::string text = checked(7, true);
    CHECK(calls(text, kOne) == 0);
    CHECK(calls(text, kCounted) == 1);
    CHECK(count(text, "OpLoopMerge") == 1);
}

TEST_CASE("fault slots: two places need no loop") {
    const std::string text = checked(2, true);
    CHECK(calls(text, kCounted) == 2);
    CHECK(count(text, "OpLoopMerge") == 0);
}

TEST_CASE("fault slots: a kernel has no more than registers may hold, and reports other faults at once") {
    const std::string text = checked(260, true);
    CHECK(calls(text, kCounted) == 1);
    CHECK(calls(text, kOne) == 4);
}

TEST_CASE("fault slots: a kernel records the faults of the functions that it calls") {
    const std::string callee = R"( OpReturn
 OpFunctionEnd
 %callee = OpFunction %void None %fn
 %a2 = OpFunctionParameter %global
 %n2 = OpFunctionParameter %u64
 %first = OpLabel
 %p = OpInBoundsPtrAccessChain %global %a2 %n2
 %x = OpLoad %u32 %p Aligned 4
)";
    const std::string text = checked(2, true, "%done = OpFunctionCall %void %callee %a %n\n", callee);
    CHECK(calls(text, kOne) == 0);
    CHECK(calls(text, kCounted) == 1);
    CHECK(count(text.substr(text.rfind("OpFunction ")), "OpFunctionCall %void") == 0);
    CHECK(calls(checked(2, true, "", callee), kOne) == 1);  // nobody calls it
}

TEST_CASE("fault slots: a kernel that is called, maybe in a loop, reports at once") {
    const std::string caller = R"( OpReturn
 OpFunctionEnd
 %caller = OpFunction %void None %fn
 %a2 = OpFunctionParameter %global
 %n2 = OpFunctionParameter %u64
 %first = OpLabel
 %done = OpFunctionCall %void %k %a2 %n2
)";
    CHECK(calls(checked(2, true, "", caller), kOne) == 2);
    CHECK(calls(checked(2, true, "", caller), kCounted) == 0);
}

TEST_CASE("fault slots: returns behind checks are one, and others record nothing") {
    const std::string early = R"( %is = OpIEqual %bool %n %one
 OpSelectionMerge %rest None
 OpBranchConditional %is %out %rest
 %out = OpLabel
 OpReturn
 %rest = OpLabel
)";
    for (const bool is_behind : {false, true}) {
        const std::string text = is_behind ? checked(3, true, "", early) : checked(3, true, early);
        CHECK(calls(text, kCounted) == 1);
        CHECK(count(text, "OpReturn") == (is_behind ? 1 : 2));
    }
}

}  // namespace
}  // namespace caldera::vulkan
