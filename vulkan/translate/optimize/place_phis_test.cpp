// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/optimize/place_phis.h"

#include <doctest/doctest.h>

#include "spirv/cfg.h"

using namespace caldera;
using namespace caldera::spirv;
using namespace caldera::vulkan;

namespace {

constexpr uint64_t kWork = 1'000'000;
constexpr uint32_t kArms = 20;  // selections in one another at the start

/// Selections in one another, as `if (c) { if (c) { ... } }`, and then many more blocks in a row.
/// Blocks 0 to kArms - 1 are the headers, block kArms is the innermost body, and the merge blocks follow.
Function nest(uint32_t tail) {
    Function function;
    const Id condition = {1'000'000};
    const auto label = [](uint32_t block) { return Operand(Id{block + 1}); };
    const uint32_t last = 2 * kArms + tail;
    for (uint32_t b = 0; b <= last; ++b) {
        Block block = {.label = Id{b + 1}};
        if (b < kArms)
            block.terminator = {.op = spv::Op::OpBranchConditional,
                                .operands = {condition, label(b + 1), label(2 * kArms - b)}};
        else if (b < last)
            block.terminator = {.op = spv::Op::OpBranch, .operands = {label(b + 1)}};
        else
            block.terminator = {.op = spv::Op::OpReturn};
        function.blocks.push_back(std::move(block));
    }
    return function;
}

}  // namespace

TEST_CASE("PhiPlacer: a variable that is live for long costs what its phis do") {
    for (const uint32_t tail : {10u, 100'000u}) {
        CAPTURE(tail);
        const Function function = nest(tail);
        const Cfg cfg = build_cfg(function);
        const Dominators tree = dominators(cfg);
        PhiPlacer placer(cfg, tree, kWork);
        const std::vector<uint32_t> defined = {kArms}, exposed = {2 * kArms + tail};
        const auto blocks = placer.place(defined, exposed);
        REQUIRE(blocks);
        CHECK(blocks->size() == kArms);
        for (uint32_t i = 0; i < kArms; ++i) CHECK((*blocks)[i] == kArms + 1 + i);
        CHECK(kWork - placer.work_left() < 1000);
    }
}

TEST_CASE("PhiPlacer: a variable that is live for a short way has few phis") {
    const Function function = nest(10);
    const Cfg cfg = build_cfg(function);
    const Dominators tree = dominators(cfg);
    PhiPlacer placer(cfg, tree, kWork);
    const std::vector<uint32_t> defined = {kArms}, exposed = {kArms + 1};
    const auto blocks = placer.place(defined, exposed);
    REQUIRE(blocks);
    CHECK(*blocks == std::vector<uint32_t>{kArms + 1});
}

TEST_CASE("PhiPlacer: without work left, only variables with few phis are placed") {
    const Function function = nest(10);
    const Cfg cfg = build_cfg(function);
    const Dominators tree = dominators(cfg);
    PhiPlacer placer(cfg, tree, 0);
    const std::vector<uint32_t> end = {2 * kArms + 10};
    CHECK(!placer.place(std::vector<uint32_t>{kArms}, end));
    const auto blocks = placer.place(std::vector<uint32_t>{1}, end);
    REQUIRE(blocks);
    CHECK(*blocks == std::vector<uint32_t>{2 * kArms});
}
