// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

struct Hinted {
    std::string_view turns = "%many", hint = "Unroll";
};

std::string constant(std::string_view name, uint32_t value) {
    return std::string(name) + " = OpConstant %int " + std::to_string(value) + "\n";
}

/// What a module with these functions asks of its loops afterwards, in their order.
std::string asked(const std::string& functions, spirv::Target words_of = spirv::Target::OpenCL20) {
    PassRun run = run_passes(R"(
OpCapability Kernel
OpCapability Addresses
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
)" + constant("%c0", 0) + constant("%c1", 1) +
                                 constant("%c16", 16) + constant("%c100", 100) + constant("%c1000", 1000) +
                                 constant("%c10000", 10000) + "%fn = OpTypeFunction %void %int\n" + functions,
                             {limit_unrolling}, {}, {}, words_of);
    // A module for Vulkan is not valid before the pass either.
    if (words_of == spirv::Target::OpenCL20) run = validated(std::move(run), words_of);
    REQUIRE_MESSAGE(run.error == "", run.error);
    std::string hints;
    std::istringstream lines(run.text);
    for (std::string line; std::getline(lines, line);)
        if (const size_t at = line.find("OpLoopMerge"); at != line.npos) {
            for (const std::string_view hint : {"DontUnroll", "PartialCount", "Unroll", "None"})
                if (const size_t found = line.find(hint); found != line.npos) {
                    hints += (hints.empty() ? "" : ", ") + line.substr(found);
                    break;
                }
        }
    return hints;
}

/// The function `name` of %n with two loops, one in the other. Each turn of the inner one has some 10
/// instructions and these.
std::string function(std::string_view name, const Hinted& outer, const Hinted& inner, uint32_t more = 0,
                     std::string_view call = "") {
    const std::string own = "_" + std::string(name.substr(1));
    const auto id = [&](std::string_view stem) { return "%" + std::string(stem) + own; };
    std::string body(call);
    const auto turns = [&](const Hinted& loop) {
        return loop.turns == "%n" ? id("n") : std::string(loop.turns);
    };
    for (uint32_t i = 0; i < more; ++i)
        body += id("x" + std::to_string(i)) + " = OpIMul %int " + id("i") + " " + id("j") + "\n";
    std::string text = std::string(name) + " = OpFunction %void None %fn\n" + id("n") +
                       " = OpFunctionParameter %int\n" + id("entry") + " = OpLabel\nOpBranch " + id("outer") +
                       "\n" + id("outer") + " = OpLabel\n" + id("i") + " = OpPhi %int %c0 " + id("entry") +
                       " " + id("i1") + " " + id("outer_latch") + "\nOpLoopMerge " + id("exit") + " " +
                       id("outer_latch") + " " + std::string(outer.hint) + "\nOpBranch " + id("outer_test") +
                       "\n" + id("outer_test") + " = OpLabel\n" + id("outer_in") + " = OpULessThan %bool " +
                       id("i") + " " + turns(outer) + "\nOpBranchConditional " + id("outer_in") + " " +
                       id("inner") + " " + id("exit") + "\n";
    text += id("inner") + " = OpLabel\n" + id("j") + " = OpPhi %int %c0 " + id("outer_test") + " " +
            id("j1") + " " + id("latch") + "\nOpLoopMerge " + id("outer_latch") + " " + id("latch") + " " +
            std::string(inner.hint) + "\nOpBranch " + id("test") + "\n" + id("test") + " = OpLabel\n" +
            id("in") + " = OpULessThan %bool " + id("j") + " " + turns(inner) + "\nOpBranchConditional " +
            id("in") + " " + id("body") + " " + id("outer_latch") + "\n" + id("body") + " = OpLabel\n" +
            body + "OpBranch " + id("latch") + "\n" + id("latch") + " = OpLabel\n" + id("j1") +
            " = OpIAdd %int " + id("j") + " %c1\nOpBranch " + id("inner") + "\n";
    return text + id("outer_latch") + " = OpLabel\n" + id("i1") + " = OpIAdd %int " + id("i") +
           " %c1\nOpBranch " + id("outer") + "\n" + id("exit") + " = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

std::string asked(const Hinted& outer, const Hinted& inner, uint32_t more = 0) {
    return asked(function("%k", outer, inner, more));
}
/// The hint of one loop, which stands in one that stays.
std::string inner_asked(const Hinted& loop, uint32_t more = 0,
                        spirv::Target words_of = spirv::Target::OpenCL20) {
    const std::string hints = asked(function("%k", {"%n", "DontUnroll"}, loop, more), words_of);
    REQUIRE(hints.starts_with("DontUnroll, "));
    return hints.substr(std::string_view("DontUnroll, ").size());
}

}  // namespace

TEST_CASE("limit_unrolling: the hint stays where turns times instructions are few") {
    CHECK(inner_asked({"%c16"}) == "Unroll");
    CHECK(inner_asked({"%c16"}, 400) == "Unroll");
    CHECK(inner_asked({"%c1000"}) == "Unroll");
    CHECK(inner_asked({"%c1000"}, 10) == "None");
    CHECK(inner_asked({"%c16"}, 600) == "None");
    CHECK(inner_asked({"%c10000"}) == "None");
    CHECK(inner_asked({"%n"}) == "None");
    CHECK(inner_asked({"%c10000", "DontUnroll"}) == "DontUnroll");
    CHECK(inner_asked({"%c16", "None"}) == "None");
}

TEST_CASE("limit_unrolling: loops in loops multiply") {
    CHECK(asked({"%c16"}, {"%c16"}) == "Unroll, Unroll");
    CHECK(asked({"%c100"}, {"%c100"}) == "None, Unroll");
    CHECK(asked({"%c16"}, {"%c10000"}) == "Unroll, None");  // some copies of a loop that stays
    CHECK(asked({"%c16"}, {"%n"}) == "Unroll, None");
    CHECK(asked({"%c10000"}, {"%c16"}) == "None, Unroll");
    // A driver unrolls what is small, asked or not.
    CHECK(asked({"%c100"}, {"%c16", "None"}) == "None, None");
    CHECK(asked({"%c100"}, {"%c16", "DontUnroll"}) == "Unroll, DontUnroll");
}

TEST_CASE("limit_unrolling: so do loops in functions that are called") {
    const std::string call = "%none = OpFunctionCall %void %called %c1\n";
    const std::string called = function("%called", {"%c16"}, {"%c16"});
    CHECK(asked(function("%k", {"%n"}, {"%c16"}, 0, call) + called) == "None, None, Unroll, Unroll");
    const std::string small = function("%called", {"%n", "None"}, {"%n", "None"});
    CHECK(asked(function("%k", {"%n"}, {"%c16"}, 0, call) + small) == "None, Unroll, None, None");
}

TEST_CASE("limit_unrolling: an exit that not every turn reaches says nothing about the turns") {
    std::string text = function("%k", {"%n", "DontUnroll"}, {"%c16"});
    const auto replace = [&](std::string_view from, const std::string& to) {
        REQUIRE(text.find(from) != text.npos);
        text.replace(text.find(from), from.size(), to);
    };
    replace("OpBranch %test_k\n", R"(OpBranch %choice
%choice = OpLabel
%odd = OpIEqual %bool %n_k %j_k
OpSelectionMerge %body_k None
OpBranchConditional %odd %test_k %body_k
)");
    CHECK(asked(text) == "DontUnroll, None");
}

TEST_CASE("limit_unrolling: not all of many loops that would be small each") {
    const auto kept = [](uint32_t turns_have) {
        std::string text = function("%k", {"%c16", "None"}, {"%n", "None"});
        for (int i = 0; i < 40; ++i)
            text += function("%f" + std::to_string(i), {"%n", "None"}, {"%c16"}, turns_have);
        return count(asked(text), "Unroll");
    };
    CHECK(kept(50) == 40);
    CHECK(kept(450) < 30);
}

TEST_CASE("limit_unrolling: PartialCount asks for no more than fits") {
    const auto partial = [](std::string_view hint, std::string_view turns, uint32_t more) {
        return inner_asked({turns, hint}, more, spirv::Target::Vulkan12);
    };
    CHECK(partial("PartialCount 4", "%n", 0) == "PartialCount 4");
    CHECK(partial("PartialCount 4294967295", "%n", 0) == "PartialCount 64");
    CHECK(partial("PartialCount 64", "%c10000", 1000) == "PartialCount 8");
    CHECK(partial("PartialCount 8", "%n", 5000) == "None");
    CHECK(partial("PartialCount 0", "%n", 0) == "PartialCount 0");
}
