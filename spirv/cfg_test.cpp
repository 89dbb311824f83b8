// SPDX-License-Identifier: Apache-2.0
#include "spirv/cfg.h"

#include <doctest/doctest.h>

#include <random>

using namespace caldera;
using namespace caldera::spirv;

namespace {

// A function whose block i has label i + 1 and the given successors.
Function make(const std::vector<std::vector<uint32_t>>& successors) {
    Function function;
    for (uint32_t i = 0; i < successors.size(); ++i) {
        Block block = {.label = Id{i + 1}};
        auto label = [&](size_t n) { return Operand(Id{successors[i][n] + 1}); };
        switch (successors[i].size()) {
            case 0: block.terminator = {.op = spv::Op::OpReturn}; break;
            case 1: block.terminator = {.op = spv::Op::OpBranch, .operands = {label(0)}}; break;
            case 2:
                block.terminator = {.op = spv::Op::OpBranchConditional,
                                    .operands = {Id{99999}, label(0), label(1)}};
                break;
            default:
                block.terminator = {.op = spv::Op::OpSwitch, .operands = {Id{99999}, label(0)}};
                for (uint32_t n = 1; n < successors[i].size(); ++n) {
                    block.terminator.operands.push_back(n);
                    block.terminator.operands.push_back(label(n));
                }
        }
        function.blocks.push_back(std::move(block));
    }
    return function;
}

std::vector<uint8_t> reached(const Cfg& cfg, uint32_t without) {
    std::vector<uint8_t> seen(cfg.size(), 0);
    std::vector<uint32_t> stack;
    if (without != 0) stack.push_back(0), seen[0] = 1;
    while (!stack.empty()) {
        const uint32_t node = stack.back();
        stack.pop_back();
        for (uint32_t target : cfg.successors[node])
            if (target != without && !seen[target]) seen[target] = 1, stack.push_back(target);
    }
    return seen;
}

std::vector<std::vector<uint32_t>> random_graph(std::mt19937& random, uint32_t size) {
    std::vector<std::vector<uint32_t>> successors(size);
    for (auto& list : successors) {
        const uint32_t count = random() % 4;
        for (uint32_t i = 0; i < count; ++i) list.push_back(1 + random() % (size - 1));
    }
    return successors;
}

}  // namespace

TEST_CASE("cfg: a diamond") {
    const Cfg cfg = build_cfg(make({{1, 2}, {3}, {3}, {}, {3}}));
    CHECK(cfg.order == std::vector<uint32_t>{0, 1, 2, 3});
    CHECK(!cfg.reachable(4));
    CHECK(cfg.predecessors[3].size() == 3);
    const Dominators tree = dominators(cfg);
    CHECK(tree.parent[3] == 0);
    CHECK(tree.dominates(0, 3));
    CHECK(!tree.dominates(1, 3));
    CHECK(!tree.dominates(4, 3));
    const Dominators post = post_dominators(cfg);
    CHECK(post.parent[0] == 3);
    CHECK(post.parent[3] == cfg.size());
    CHECK(dominance_frontiers(cfg, tree)[1] == std::vector<uint32_t>{3});
    CHECK(find_loops(cfg, tree).loops.empty());
}

TEST_CASE("cfg: parallel switch edges are one") {
    const Cfg cfg = build_cfg(make({{1, 2, 1, 2}, {}, {}}));
    CHECK(cfg.successors[0].size() == 2);
    CHECK(cfg.predecessors[1].size() == 1);
}

TEST_CASE("cfg: nested loops and a block after them") {
    //        0 -> 1(outer) -> 2(inner) -> 3 -> 2 | 4 -> 1 | 5
    const Cfg cfg = build_cfg(make({{1}, {2}, {3}, {2, 4}, {1, 5}, {}}));
    const Loops loops = find_loops(cfg, dominators(cfg));
    REQUIRE(loops.loops.size() == 2);
    CHECK(loops.reducible);
    CHECK(loops.loops[0].header == 1);
    CHECK(loops.loops[1].header == 2);
    CHECK(loops.loops[1].parent == 0);
    CHECK(loops.loops[1].depth == 2);
    CHECK(loops.innermost[3] == 1);
    CHECK(loops.innermost[4] == 0);
    CHECK(loops.innermost[5] == kNoBlock);
    CHECK(loops.contains(0, 3));
    CHECK(!loops.contains(1, 4));
    CHECK(loops.loops[0].latches == std::vector<uint32_t>{4});
}

TEST_CASE("cfg: a loop with two entries is irreducible") {
    const Cfg cfg = build_cfg(make({{1, 2}, {2, 3}, {1}, {}}));
    CHECK(!find_loops(cfg, dominators(cfg)).reducible);
    std::vector<uint8_t> inside(cfg.size(), 1);
    const auto components = strong_components(cfg.successors, inside, cfg.order);
    REQUIRE(components.size() == 3);
    CHECK(components[0] == std::vector<uint32_t>{3});
    CHECK(components[1].size() == 2);
}

TEST_CASE("cfg: dominators and frontiers agree with their definitions on random graphs") {
    std::mt19937 random(1);
    for (int round = 0; round < 300; ++round) {
        const Cfg cfg = build_cfg(make(random_graph(random, 2 + random() % 12)));
        const Dominators tree = dominators(cfg);
        std::vector<std::vector<uint8_t>> dominates(cfg.size());
        for (uint32_t a = 0; a < cfg.size(); ++a) {
            const std::vector<uint8_t> without = reached(cfg, a);
            for (uint32_t b = 0; b < cfg.size(); ++b) {
                const bool expected = cfg.reachable(a) && cfg.reachable(b) && !without[b];
                REQUIRE(tree.dominates(a, b) == expected);
            }
        }
        const auto frontier = dominance_frontiers(cfg, tree);
        FrontierFinder finder(cfg, tree);
        for (uint32_t a : cfg.order) {
            std::vector<uint8_t> in(cfg.size(), 0);
            for (uint32_t b : cfg.order) {
                bool expected = false;
                for (uint32_t p : cfg.predecessors[b]) expected |= tree.dominates(a, p);
                expected &= a == b || !tree.dominates(a, b);
                REQUIRE((std::find(frontier[a].begin(), frontier[a].end(), b) != frontier[a].end()) ==
                        expected);
            }
            std::vector<uint32_t> closure, work = {a};
            while (!work.empty()) {
                const uint32_t node = work.back();
                work.pop_back();
                for (uint32_t b : frontier[node])
                    if (!in[b]) in[b] = 1, closure.push_back(b), work.push_back(b);
            }
            std::sort(closure.begin(), closure.end());
            const uint32_t definitions[] = {a};
            REQUIRE(finder.iterated_frontier(definitions, {}) == closure);
        }
    }
}

TEST_CASE("cfg: hostile sizes take no stack and little time") {
    const uint32_t size = 100000;
    std::vector<std::vector<uint32_t>> chain(size), ladder(size);
    for (uint32_t i = 0; i + 1 < size; ++i) {
        chain[i] = {i + 1};
        ladder[i] = {i + 1, i + 2 < size ? i + 2 : i + 1};
    }
    for (uint32_t i = size / 2; i + 1 < size; ++i) chain[i] = {i + 1, size - i};  // deeply nested loops
    for (auto& graph : {chain, ladder}) {
        const Function function = make(graph);
        const Cfg cfg = build_cfg(function);
        const Dominators tree = dominators(cfg);
        const Loops loops = find_loops(cfg, tree);
        CHECK(loops.reducible);
        CHECK(post_dominators(cfg).reachable(0));
        CHECK(tree.dominates(0, size - 1));
    }
}

TEST_CASE("cfg: unreachable blocks go, merges and continue targets stay") {
    Function function = make({{1}, {2, 3}, {3}, {}, {1}, {3}});
    function.blocks[1].merge = {.op = spv::Op::OpLoopMerge, .operands = {Id{4}, Id{5}, 0u}};
    function.blocks[1].body = {
        {.op = spv::Op::OpPhi, .type = Id{50}, .result = Id{51}, .operands = {Id{52}, Id{1}, Id{53}, Id{5}}}};
    function.blocks[3].body = {{.op = spv::Op::OpPhi,
                                .type = Id{50},
                                .result = Id{54},
                                .operands = {Id{52}, Id{2}, Id{52}, Id{3}, Id{53}, Id{6}}}};
    CHECK(remove_unreachable_blocks(function));
    REQUIRE(function.blocks.size() == 5);
    CHECK(function.blocks[4].label == Id{5});
    CHECK(function.blocks[3].body[0].operands.size() == 4);
    CHECK(function.blocks[1].body[0].operands ==
          Operands{Id{52}, Id{1}, Id{51}, Id{5}});  // the value from a dead block is the phi itself
    CHECK(!remove_unreachable_blocks(function));
}
