// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

std::string label_of(int number) { return "%l" + std::to_string(number); }

/// Cases from `first` on, each of which goes to the label of its number. `width` is the selector's.
std::string cases(int first, int count, int width = 32) {
    std::string text;
    for (int i = first; i < first + count; ++i)
        text += " " + std::to_string(uint32_t(i) << (32 - width) >> (32 - width)) + " %l" +
                std::to_string(i < 0 ? 1000 - i : i);
    return text;
}
/// The blocks of those cases: `end` says how each ends.
std::string blocks(int first, int count, const std::function<std::string(int)>& end) {
    std::string text;
    for (int i = first; i < first + count; ++i)
        text += label_of(i < 0 ? 1000 - i : i) + " = OpLabel\n" + end(i);
    return text;
}
std::string returns(int number) { return "OpReturnValue %v" + std::to_string((number + 256) % 3) + "\n"; }

/// What the pass makes of the body of a function that takes %x and %y, of the type %t, and returns a uint.
std::string tabulated(std::string_view type, const std::string& body, const DriverQuirks& quirks) {
    TranslateOptions options;
    options.profile.quirks = quirks;
    const PassRun run = run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability Int16
OpCapability Int8
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%ushort = OpTypeInt 16 0
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
%v0 = OpConstant %uint 1000
%v1 = OpConstant %uint 1001
%v2 = OpConstant %uint 1002
%other = OpConstant %uint 9
%t0 = OpConstantNull %)" + std::string(type) +
                                       R"(
%fn = OpTypeFunction %void
%k = OpFunction %void None %fn
%kernel = OpLabel
%call = OpFunctionCall %uint %f %t0 %v0
OpReturn
OpFunctionEnd
%ff = OpTypeFunction %uint %)" + std::string(type) +
                                       R"( %uint
%f = OpFunction %uint None %ff
%x = OpFunctionParameter %)" + std::string(type) +
                                       R"(
%y = OpFunctionParameter %uint
%entry = OpLabel
OpSelectionMerge %merge None
)" + body + "OpFunctionEnd\n",
                                   {tabulate_switches}, options);
    REQUIRE(run.error == "");
    return run.text;
}
std::string tabulated(std::string_view type, const std::string& body) {
    DriverQuirks slow;
    slow.slow_with_accesses = true;
    return tabulated(type, body, slow);
}

const std::string kNoMerge = "%merge = OpLabel\nOpUnreachable\n";

}  // namespace

TEST_CASE("a function of many constants loads them from a table") {
    const std::string body = "OpSwitch %x %default" + cases(100, 50) + "\n" + blocks(100, 50, returns) +
                             "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge;
    const std::string text = tabulated("uint", body);
    CHECK(!contains(text, "OpSwitch"));
    CHECK(!contains(text, "OpBranch"));
    CHECK(contains(text, "OpTypeArray %uint %uint_51"));
    CHECK(contains(text, " %uint_100\n"));
    CHECK(contains(text, "OpULessThan %bool"));
    CHECK(contains(text, "OpSelect %uint"));
    CHECK(count(text, "OpVariable") == 1);
    // 100 + 256 is 2 modulo 3, and the last one is the default's
    CHECK(contains(text, "%uint_1002 %uint_1000 %uint_1001 %uint_1002"));
    CHECK(contains(text, "%uint_1001 %uint_1002 %uint_1000 %uint_9\n"));
    CHECK(contains(tabulated("uint", body, {}), "OpSwitch"));
}

TEST_CASE("numbers between the cases have the default's value") {
    std::string sparse;
    for (int i = 0; i < 40; ++i) sparse += " " + std::to_string(2 * i) + " " + label_of(i);
    const std::string rest = blocks(0, 40, returns) + "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge;
    const std::string text = tabulated("uint", "OpSwitch %x %default" + sparse + "\n" + rest);
    CHECK(contains(text, "OpTypeArray %uint %uint_80"));
    CHECK(contains(text, "%uint_1001 %uint_9 %uint_1002 %uint_9 %uint_1000 %uint_9"));
    // Too long for so few cases
    std::string sparser;
    for (int i = 0; i < 40; ++i) sparser += " " + std::to_string(3 * i) + " " + label_of(i);
    CHECK(contains(tabulated("uint", "OpSwitch %x %default" + sparser + "\n" + rest), "OpSwitch"));
}

TEST_CASE("few cases stay") {
    CHECK(contains(tabulated("uint", "OpSwitch %x %default" + cases(0, 8) + "\n" + blocks(0, 8, returns) +
                                         "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge),
                   "OpSwitch"));
}

TEST_CASE("selectors have any width, and numbers any sign") {
    const std::pair<std::string_view, int> types[] = {{"uchar", 8}, {"ushort", 16}, {"uint", 32}};
    for (const auto& [type, width] : types) {
        // As unsigned numbers, the negative ones are far from the others
        const std::string text =
            tabulated(type, "OpSwitch %x %default" + cases(0, 20) + cases(-20, 20, width) + "\n" +
                                blocks(0, 20, returns) + blocks(-20, 20, returns) +
                                "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge);
        CHECK(!contains(text, "OpSwitch"));
        CHECK(contains(text, "OpTypeArray %uint %uint_41"));
        CHECK(contains(text, "OpUConvert %uint") == (type != "uint"));
    }
    const std::string text =
        tabulated("ulong", "OpSwitch %x %default" + cases(0, 40) + "\n" + blocks(0, 40, returns) +
                               "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge);
    CHECK(contains(text, "OpISub %ulong"));
    CHECK(contains(text, "OpUConvert %uint"));
}

TEST_CASE("a table with all numbers needs no comparison") {
    const std::string text =
        tabulated("uchar", "OpSwitch %x %default" + cases(0, 256) + "\n" + blocks(0, 256, returns) +
                               "%default = OpLabel\nOpReturnValue %y\n" + kNoMerge);
    CHECK(!contains(text, "OpULessThan"));
    CHECK(contains(text, "OpTypeArray %uint %uint_256"));
}

TEST_CASE("each phi where the branches meet has a table") {
    const auto breaks = [](int) { return std::string("OpBranch %merge\n"); };
    const auto ways = [](const std::string& a, const std::string& b, const std::string& last) {
        std::string text;
        for (int i = 0; i < 40; ++i) text += " " + (i % 2 ? a : b) + " " + label_of(i);
        return text + " " + last + " %default\n";
    };
    const std::string head = "OpSwitch %x %default" + cases(0, 40) + "\n" + blocks(0, 40, breaks) +
                             "%default = OpLabel\nOpBranch %merge\n";
    const std::string text =
        tabulated("uint", head + "%merge = OpLabel\n%n = OpPhi %uint" + ways("%v0", "%v1", "%v2") +
                              "%p = OpPhi %bool" + ways("%true", "%false", "%true") + "%s = OpPhi %uint" +
                              ways("%y", "%y", "%y") + "%z = OpSelect %uint %p %n %s\nOpReturnValue %z\n");
    CHECK(!contains(text, "OpSwitch"));
    CHECK(contains(text, "OpTypeArray %uint %uint_41"));
    CHECK(contains(text, "OpTypeArray %uchar %uint_41"));
    CHECK(contains(text, "%uchar_0 %uchar_1 %uchar_0 %uchar_1"));
    CHECK(count(text, "OpLoad") == 2);
    CHECK(count(text, "OpPhi") == 3);  // of one way each
    // One of which is no constant
    CHECK(contains(tabulated("uint", head + "%merge = OpLabel\n%n = OpPhi %uint" + ways("%v0", "%y", "%v2") +
                                         "OpReturnValue %n\n"),
                   "OpSwitch"));
}

TEST_CASE("a default that does something else gets a branch, if each number is a case") {
    const auto breaks = [](int) { return std::string("OpBranch %merge\n"); };
    const auto body = [&](const std::string& numbers) {
        std::string text = "OpSwitch %x %merge" + numbers + "\n" + blocks(0, 40, breaks) +
                           "%merge = OpLabel\n%n = OpPhi %uint %y %entry";
        for (int i = 0; i < 40; ++i) text += " %v" + std::to_string(i % 3) + " " + label_of(i);
        return text + "\nOpReturnValue %n\n";
    };
    const std::string text = tabulated("uint", body(cases(0, 40)));
    CHECK(!contains(text, "OpSwitch"));
    CHECK(contains(text, "OpBranchConditional"));
    CHECK(contains(text, "OpTypeArray %uint %uint_40"));
    std::string sparse;
    for (int i = 0; i < 40; ++i) sparse += " " + std::to_string(2 * i) + " " + label_of(i);
    CHECK(contains(tabulated("uint", body(sparse)), "OpSwitch"));
}

TEST_CASE("cases share blocks and fall into each other") {
    // All go to %l1, but the first by %l0, which brings another value
    std::string numbers = " 0 %l0";
    for (int i = 1; i < 40; ++i) numbers += " " + std::to_string(i) + " %l1";
    const std::string head =
        "OpSwitch %x %default" + numbers +
        "\n%l0 = OpLabel\nOpBranch %l1\n%l1 = OpLabel\n%q = OpPhi %uint %v1 %entry %v0 %l0\n"
        "%sum = OpIAdd %uint %q %other\nOpBranch %merge\n%default = OpLabel\n";
    const std::string text =
        tabulated("uint", head +
                              "OpBranch %merge\n%merge = OpLabel\n"
                              "%n = OpPhi %uint %sum %l1 %other %default\nOpReturnValue %n\n");
    CHECK(!contains(text, "OpSwitch"));
    CHECK(contains(text, "%uint_1009 %uint_1010 %uint_1010"));
    // A later block takes what %l1 has computed
    CHECK(contains(tabulated("uint", head + "OpUnreachable\n%merge = OpLabel\nOpReturnValue %sum\n"),
                   "OpSwitch"));
}

TEST_CASE("cases that do more than choose constants stay") {
    for (const std::string end : {"%z = OpIAdd %uint %y %y\nOpReturnValue %v0\n", "OpReturnValue %y\n"})
        CHECK(contains(tabulated("uint", "OpSwitch %x %default" + cases(0, 40) + "\n" +
                                             blocks(0, 39, returns) + "%l39 = OpLabel\n" + end +
                                             "%default = OpLabel\nOpReturnValue %other\n" + kNoMerge),
                       "OpSwitch"));
}
