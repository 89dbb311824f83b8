// SPDX-License-Identifier: Apache-2.0
// The inputs are shader modules: spirv-val checks SPIR-V 2.11 only with the Shader capability. A small
// interpreter compares what runs before and after.
#include <map>
#include <random>
#include <unordered_map>

#include "spirv/cfg.h"
#include "tests/support/why.h"
#include "vulkan/translate/flow/nesting.h"
#include "vulkan/translate/flow/restructure.h"
#include "vulkan/translate/pass_fixture.h"

using namespace caldera;
using namespace caldera::vulkan;

namespace {

constexpr std::string_view kHead = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %in "in"
OpName %trace "trace"
%void = OpTypeVoid
%bool = OpTypeBool
%int = OpTypeInt 32 0
%zero = OpConstant %int 0
%fn = OpTypeFunction %void
%ptr = OpTypePointer Function %int
)";

using Graph = std::vector<std::vector<uint32_t>>;

/// Block i stores 100 + i to %trace, then goes to one of its successors as the next value of %in says. It
/// also makes a value that blocks which it dominates store too.
std::string text_of(const Graph& graph) {
    std::string body;
    std::map<uint32_t, bool> constants;
    spirv::Function shape;
    for (uint32_t i = 0; i < graph.size(); ++i) {
        spirv::Block block = {.label = spirv::Id{i + 1}};
        block.terminator.op = graph[i].empty() ? spv::Op::OpReturn : spv::Op::OpSwitch;
        if (!graph[i].empty()) block.terminator.operands = {spirv::Id{9999}};
        for (uint32_t target : graph[i]) block.terminator.operands.push_back(spirv::Id{target + 1});
        shape.blocks.push_back(block);
    }
    const spirv::Cfg cfg = spirv::build_cfg(shape);
    const spirv::Dominators tree = spirv::dominators(cfg);
    for (uint32_t i : cfg.order) {
        const std::string n = std::to_string(i), mark = std::to_string(100 + i);
        constants[100 + i] = true;
        body += "%b" + n + " = OpLabel\n";
        if (i == 0) body += "%in = OpVariable %ptr Function\n%trace = OpVariable %ptr Function\n";
        body += "OpStore %trace %c" + mark + " Volatile\n";
        if (tree.parent[i] != spirv::kNoBlock)
            body += "OpStore %trace %x" + std::to_string(tree.parent[i]) + " Volatile\n";
        body += "%x" + n + " = OpLoad %int %in Volatile\n";
        const auto& targets = graph[i];
        if (targets.empty()) {
            body += "OpReturn\n";
        } else if (targets.size() == 1) {
            body += "OpBranch %b" + std::to_string(targets[0]) + "\n";
        } else if (targets.size() == 2) {
            body += "%y" + n + " = OpINotEqual %bool %x" + n + " %zero\nOpBranchConditional %y" + n + " %b" +
                    std::to_string(targets[0]) + " %b" + std::to_string(targets[1]) + "\n";
        } else {
            body += "OpSwitch %x" + n + " %b" + std::to_string(targets[0]);
            for (size_t t = 1; t < targets.size(); ++t)
                body += " " + std::to_string(t) + " %b" + std::to_string(targets[t]);
            body += "\n";
        }
    }
    std::string head(kHead);
    for (auto& [value, unused] : constants)
        head += "%c" + std::to_string(value) + " = OpConstant %int " + std::to_string(value) + "\n";
    return head + "%main = OpFunction %void None %fn\n" + body + "OpFunctionEnd\n";
}

/// Runs main: the values stored to %trace, for the given values of %in. Stops when they are used up.
std::vector<uint32_t> run(const std::vector<uint32_t>& words, std::mt19937 random, size_t limit) {
    const spirv::Module module = spirv::read(words).take();
    std::unordered_map<uint32_t, uint32_t> values, memory;
    uint32_t in = 0, trace = 0;
    for (const auto& name : module.names) {
        if (spirv::string_at(name, 1) == "in") in = name.word(0);
        if (spirv::string_at(name, 1) == "trace") trace = name.word(0);
    }
    for (const auto& inst : module.globals)
        if (inst.op == spv::Op::OpConstant) values[inst.result.value] = inst.word(0);
    std::vector<uint32_t> events;
    const spirv::Function& function = module.functions[0];
    const spirv::Cfg cfg = spirv::build_cfg(function);
    uint32_t block = 0, before = 0;
    size_t inputs = 0;
    for (size_t steps = 0; steps < 100 * limit + 1000; ++steps) {
        const spirv::Block& b = function.blocks[block];
        std::unordered_map<uint32_t, uint32_t> phis;
        for (const auto& inst : b.body) {
            if (inst.op == spv::Op::OpPhi)
                for (size_t i = 0; i < inst.operands.size(); i += 2)
                    if (inst.word(i + 1) == function.blocks[before].label.value)
                        phis[inst.result.value] = values[inst.word(i)];
        }
        for (auto& [id, value] : phis) values[id] = value;
        for (const auto& inst : b.body) {
            auto operand = [&](size_t i) { return values[inst.word(i)]; };
            uint32_t& result = values[inst.result.value];
            switch (inst.op) {
                case spv::Op::OpPhi:
                case spv::Op::OpVariable: break;
                case spv::Op::OpLoad:
                    if (inst.word(0) == in) {
                        if (++inputs > limit) return events;
                        result = random() % 4;
                    } else {
                        result = memory[inst.word(0)];
                    }
                    break;
                case spv::Op::OpStore:
                    memory[inst.word(0)] = operand(1);
                    if (inst.word(0) == trace) events.push_back(operand(1));
                    break;
                case spv::Op::OpIEqual: result = operand(0) == operand(1); break;
                case spv::Op::OpINotEqual: result = operand(0) != operand(1); break;
                case spv::Op::OpISub: result = operand(0) - operand(1); break;
                case spv::Op::OpUGreaterThanEqual: result = operand(0) >= operand(1); break;
                case spv::Op::OpUndef: result = 77; break;
                default: FAIL("the interpreter does not know ", static_cast<uint32_t>(inst.op));
            }
        }
        const spirv::Instruction& end = b.terminator;
        spirv::Id target;
        switch (end.op) {
            case spv::Op::OpBranch: target = end.id(0); break;
            case spv::Op::OpBranchConditional:
                target = values[end.word(0)] != 0 ? end.id(1) : end.id(2);
                break;
            case spv::Op::OpSwitch:
                target = end.id(1);
                for (size_t i = 2; i < end.operands.size(); i += 2)
                    if (end.word(i) == values[end.word(0)]) target = end.id(i + 1);
                break;
            case spv::Op::OpReturn: events.push_back(~0u); return events;
            default: events.push_back(~1u); return events;
        }
        before = block;
        block = cfg.block(target);
    }
    events.push_back(~2u);  // goes round without input
    return events;
}

PassRun structured(const std::string& text, std::initializer_list<Pass> passes = {structure_control_flow}) {
    return validated(run_passes(text, passes), spirv::Target::Vulkan12);
}

/// Each function structured anew with a limit on nesting.
std::vector<uint32_t> flattened(const std::vector<uint32_t>& words, uint32_t most_nested) {
    spirv::Module module = spirv::read(words).take();
    spirv::Builder builder(module);
    for (spirv::Function& function : module.functions) {
        spirv::remove_unreachable_blocks(function);
        restructure_flat(builder, function, most_nested);
    }
    return spirv::write(module);
}

/// The most selections around a block of the first function.
uint32_t deepest(const std::vector<uint32_t>& words) {
    const spirv::Module module = spirv::read(words).take();
    const spirv::Cfg cfg = spirv::build_cfg(module.functions[0]);
    return std::ranges::max(nesting(module.functions[0], cfg, spirv::dominators(cfg)));
}

void check_same(const Graph& graph) {
    const std::string text = text_of(graph);
    CAPTURE(text);
    const auto words = spirv::assemble(text, spirv::Target::OpenCL20);
    REQUIRE(words);
    const PassRun after = structured(text);
    REQUIRE(after.error == "");
    const PassRun promoted = structured(text, {structure_control_flow, promote_variables, clean_up});
    REQUIRE(promoted.error == "");
    CAPTURE(after.text);
    for (uint32_t seed = 0; seed < 8; ++seed) {
        const auto expected = run(*words, std::mt19937(seed), 60);
        REQUIRE(run(after.words, std::mt19937(seed), 60) == expected);
        REQUIRE(run(promoted.words, std::mt19937(seed), 60) == expected);
    }
    for (uint32_t most_nested : {0u, 1u, 3u}) {
        const auto flat = flattened(*words, most_nested);
        const auto valid = spirv::validate(flat, spirv::Target::Vulkan12);
        REQUIRE_MESSAGE(valid, why(valid));
        for (uint32_t seed = 0; seed < 8; ++seed)
            REQUIRE(run(flat, std::mt19937(seed), 60) == run(*words, std::mt19937(seed), 60));
    }
}

}  // namespace

TEST_CASE("structure_control_flow: what is structured stays as it is") {
    const std::string text = std::string(kHead) + R"(
%c3 = OpConstant %int 3
%main = OpFunction %void None %fn
%b0 = OpLabel
%in = OpVariable %ptr Function
%trace = OpVariable %ptr Function
OpBranch %head
%head = OpLabel
OpLoopMerge %after %next Unroll
OpBranch %test
%test = OpLabel
%x = OpLoad %int %in Volatile
%c = OpINotEqual %bool %x %zero
OpBranchConditional %c %body %after
%body = OpLabel
OpSelectionMerge %sm None
OpSwitch %x %default 1 %one 2 %two 3 %sm
%one = OpLabel
OpBranch %two
%two = OpLabel
OpSelectionMerge %im None
OpBranchConditional %c %brk %im
%brk = OpLabel
OpBranch %after
%im = OpLabel
OpBranch %sm
%default = OpLabel
OpBranch %next
%sm = OpLabel
OpBranch %next
%next = OpLabel
OpBranch %head
%after = OpLabel
OpReturn
OpFunctionEnd
)";
    const auto words = spirv::assemble(text, spirv::Target::OpenCL20);
    REQUIRE(words);
    const auto valid = spirv::validate(*words, spirv::Target::Vulkan12);
    REQUIRE_MESSAGE(valid, why(valid));
    const PassRun run = structured(text);
    REQUIRE(run.error == "");
    CHECK(run.text == *spirv::disassemble(*words));
}

TEST_CASE("structure_control_flow: the merge of a loop is none of a selection at its head") {
    const auto loop = [](std::string_view targets) {
        return std::string(kHead) + R"(
%main = OpFunction %void None %fn
%b0 = OpLabel
%in = OpVariable %ptr Function
%trace = OpVariable %ptr Function
OpBranch %head
%head = OpLabel
%x = OpLoad %int %in Volatile
%c = OpINotEqual %bool %x %zero
OpLoopMerge %after %next None
OpBranchConditional %c )" +
               std::string(targets) + R"(
%one = OpLabel
OpBranch %next
%two = OpLabel
OpBranch %next
%next = OpLabel
OpBranchConditional %c %head %after
%after = OpLabel
OpReturn
OpFunctionEnd
)";
    };
    const PassRun inside = structured(loop("%one %two"));
    REQUIRE(inside.error == "");
    CHECK(contains(inside.text, "OpSelectionMerge"));
    for (const char* const targets : {"%one %after", "%next %two"}) {
        const PassRun leaving = structured(loop(targets));
        REQUIRE(leaving.error == "");
        CHECK(count(leaving.text, "OpSelectionMerge") == 0);
    }
}

TEST_CASE("structure_control_flow: an if without merge gets one, its join is the merge's continuation") {
    const PassRun run = structured(text_of({{1, 2}, {3}, {3}, {}}));
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpSelectionMerge") == 1);
    CHECK(count(run.text, "OpBranchConditional") == 1);
    CHECK(count(run.text, "OpReturn") == 1);
}

TEST_CASE("structure_control_flow: a do-while, a while, breaks and early returns") {
    check_same({{1}, {1, 2}, {}});
    check_same({{1}, {2, 3}, {1}, {}});
    check_same({{1}, {2, 5}, {3, 5}, {4, 6}, {1}, {}, {}});
}

TEST_CASE("structure_control_flow: goto out of two loops, into the middle of none") {
    check_same({{1}, {2, 6}, {3}, {4, 5}, {3, 6}, {1, 7}, {7}, {}});
    check_same({{1}, {2}, {3}, {3, 4, 1, 5, 2}, {2, 1, 6}, {1}, {}});  // continues of outer loops
}

TEST_CASE("structure_control_flow: switches with fallthrough in any order") {
    check_same({{1, 2, 3, 4}, {4}, {1}, {2}, {}});
    check_same({{1, 2, 3, 2}, {3, 4}, {3}, {4}, {}});
}

TEST_CASE("structure_control_flow: irreducible cycles get a dispatch, nothing is copied") {
    const Graph two = {{1, 2}, {2, 3}, {1}, {}};
    check_same(two);
    CHECK(count(structured(text_of(two)).text, "OpReturn") == 1);
    check_same({{1, 2, 3}, {2, 4}, {3, 4}, {1, 4}, {}});
    check_same({{1, 2}, {3}, {4}, {4, 5}, {3, 6}, {6, 1}, {5, 2, 7}, {}});  // one inside another
}

TEST_CASE("structure_control_flow: endless loops and blocks that nobody reaches") {
    check_same({{1}, {1}});
    check_same({{1, 2}, {1}, {}});
    check_same({{1}, {}, {1}});
}

TEST_CASE("structure_control_flow: random graphs run as before") {
    std::mt19937 random(3);
    for (int round = 0; round < 120; ++round) {
        Graph graph(2 + random() % 14);
        for (auto& targets : graph) {
            const uint32_t n = random() % 8 == 0 ? 0 : 1 + random() % 3 + (random() % 8 == 0);
            for (uint32_t i = 0; i < n; ++i) targets.push_back(1 + random() % (graph.size() - 1));
        }
        check_same(graph);
    }
}

TEST_CASE("structure_control_flow: thousands of blocks") {
    const uint32_t size = 2000;
    Graph nest(size), ladder(size), chain(size);
    for (uint32_t i = 0; i + 1 < size; ++i) {
        ladder[i] = {i + 1, std::min(i + 2, size - 1)};
        chain[i] = {i + 1, size - 1};
        nest[i] = {i + 1};
        if (i > size / 2) nest[i] = {i + 1, size - i};
    }
    for (const Graph& graph : {ladder, chain, nest}) {
        const PassRun run = run_passes(text_of(graph), {structure_control_flow, promote_variables});
        REQUIRE(run.error == "");
        CHECK(run.words.size() < 200 * size);
    }
}

TEST_CASE("structure_control_flow: a limit on nesting") {
    const uint32_t size = 400;
    Graph returns(size), elses(size), ladder(size), continues(size);
    for (uint32_t i = 0; i + 1 < size; ++i) {
        returns[i] = {i + 1, size - 1};
        ladder[i] = {i + 1, std::min(i + 2, size - 1)};
        continues[i] = {i + 1, i > 1 ? 1 : i + 1};
        elses[i] = {i + 1};
        if (i < size / 2) elses[i] = {i + 1, size - i - 2};
    }
    for (const Graph& graph : {returns, elses, ladder, continues}) {
        const auto words = spirv::assemble(text_of(graph), spirv::Target::OpenCL20);
        REQUIRE(words);
        for (uint32_t most_nested : {1u, 12u}) {
            const auto flat = flattened(*words, most_nested);
            CHECK(deepest(flat) <= 2 * most_nested + 2);
            CHECK(run(flat, std::mt19937(1), 2000) == run(*words, std::mt19937(1), 2000));
        }
    }
}

TEST_CASE("structure_control_flow: what will be inlined returns once, at its end") {
    const PassRun run = run_passes(std::string(kHead) + R"(
%fn_ptr = OpTypeFunction %int %ptr
%callee = OpFunction %int None %fn_ptr
%p = OpFunctionParameter %ptr
%e = OpLabel
%x = OpLoad %int %p
%c = OpIEqual %bool %x %zero
OpSelectionMerge %m None
OpBranchConditional %c %a %m
%a = OpLabel
OpReturnValue %zero
%m = OpLabel
OpReturnValue %x
OpFunctionEnd
%main = OpFunction %void None %fn
%b = OpLabel
%in = OpVariable %ptr Function
%trace = OpVariable %ptr Function
%r = OpFunctionCall %int %callee %in
OpReturn
OpFunctionEnd
)",
                                   {structure_control_flow});
    REQUIRE(run.error == "");
    CHECK(count(run.text, "OpReturnValue") == 1);
    CHECK(run.text.find("OpReturnValue") < run.text.find("OpFunctionEnd"));
    CHECK(run.text.substr(0, run.text.find("OpFunctionEnd")).find("OpUnreachable") == std::string::npos);
}
