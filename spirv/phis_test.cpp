// SPDX-License-Identifier: Apache-2.0
#include "spirv/phis.h"

#include <doctest/doctest.h>

using namespace caldera::spirv;
using spv::Op;

namespace {

/// A block with two phis, which name the blocks 10 and 20, and an instruction behind them.
Block merge_block() {
    Block block{.label = Id{30}};
    block.body.push_back({.op = Op::OpPhi, .result = Id{1}, .operands = {Id{2}, Id{10}, Id{3}, Id{20}}});
    block.body.push_back({.op = Op::OpPhi, .result = Id{4}, .operands = {Id{10}, Id{20}, Id{5}, Id{10}}});
    block.body.push_back({.op = Op::OpCopyObject, .result = Id{6}, .operands = {Id{10}}});
    return block;
}

}  // namespace

TEST_CASE("phis_of: the phis before the other instructions") {
    Block block = merge_block();
    REQUIRE(phis_of(block.body).size() == 2);
    CHECK(phis_of(block.body)[1].result == Id{4});
    block.body.erase(block.body.begin(), block.body.begin() + 2);
    CHECK(phis_of(block.body).empty());
    CHECK(phis_of(Block{}.body).empty());
}

TEST_CASE("value_from: the value that comes from a predecessor, none from others") {
    const Block block = merge_block();
    CHECK(value_from(block.body[0], Id{20}) == Id{3});
    CHECK(value_from(block.body[1], Id{10}) == Id{5});
    CHECK(value_from(block.body[1], Id{5}) == Id{});  // a value, no predecessor
}

TEST_CASE("rename_predecessor: predecessors alone, in phis alone") {
    Block block = merge_block();
    rename_predecessor(block, Id{10}, Id{11});
    CHECK(value_from(block.body[0], Id{11}) == Id{2});
    CHECK(value_from(block.body[0], Id{10}) == Id{});
    CHECK(value_from(block.body[1], Id{20}) == Id{10});  // the value keeps its name
    CHECK(block.body[2].id(0) == Id{10});
}

TEST_CASE("drop_predecessor: with its values, wherever it stands") {
    Block block = merge_block();
    drop_predecessor(block, Id{10});
    for (const Instruction& phi : phis_of(block.body)) REQUIRE(phi.operands.size() == 2);
    CHECK(value_from(block.body[0], Id{20}) == Id{3});
    CHECK(value_from(block.body[1], Id{20}) == Id{10});
    drop_predecessor(block, Id{20});
    CHECK(block.body[0].operands.empty());
}
