// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/nesting.h"

#include <algorithm>

#include "vulkan/translate/flow/structure.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

/// A construct has the number of its header block; its level is the number of constructs around it.
class Measurer {
 public:
    Measurer(const Function& function, const Cfg& cfg, const Dominators& tree)
        : function_(function),
          cfg_(cfg),
          tree_(tree),
          enclosing_(check_structure(function, cfg, tree).enclosing),
          declared_by_(cfg.size(), kNoBlock),
          continued_(cfg.size(), kNoBlock),
          level_(cfg.size(), 0),
          leaves_to_(cfg.size(), kInside),
          subtree_leaves_to_(cfg.size(), kInside),
          leaving_cases_(cfg.size(), 0),
          nesting_(cfg.size(), 0) {}

    std::vector<uint32_t> run() {
        find_constructs();
        find_jumps();
        count_leaving_cases();
        for (uint32_t block : tree_.preorder) nesting_[block] = around(block);
        return std::move(nesting_);
    }

 private:
    static constexpr uint32_t kInside = ~0u;

    bool is_header(uint32_t block) const { return function_.blocks[block].merge.op != Op::OpNop; }
    bool is_switch(uint32_t block) const { return function_.blocks[block].terminator.op == Op::OpSwitch; }
    bool is_loop(uint32_t block) const { return function_.blocks[block].merge.op == Op::OpLoopMerge; }
    uint32_t inside(uint32_t block) const { return is_header(block) ? block : enclosing_[block]; }
    uint32_t level_inside(uint32_t block) const {
        return inside(block) == kNoBlock ? 0 : level_[inside(block)] + 1;
    }

    void find_constructs() {
        for (uint32_t block : tree_.preorder) {
            if (enclosing_[block] != kNoBlock) level_[block] = level_[enclosing_[block]] + 1;
            if (!is_header(block)) continue;
            const Instruction& merge = function_.blocks[block].merge;
            declared_by_[cfg_.block(merge.id(0))] = block;
            if (is_loop(block)) continued_[cfg_.block(merge.id(1))] = block;
        }
    }

    /// The level that control goes on at behind the jump, if it is one that becomes a selection.
    uint32_t jump(uint32_t from, uint32_t to) const {
        if (continued_[to] != kNoBlock && continued_[to] != from) return level_[continued_[to]] + 1;
        const uint32_t header = declared_by_[to];
        if (header == kNoBlock || header == inside(from) || is_loop(header)) return kInside;
        return level_[header] + 1;
    }

    /// The lowest level to which the block's own branch leads out of selections.
    uint32_t own_jumps(uint32_t block) const {
        const Op end = function_.blocks[block].terminator.op;
        uint32_t lowest = end == Op::OpReturn || end == Op::OpReturnValue ? 0 : kInside;
        for (uint32_t to : cfg_.successors[block]) lowest = std::min(lowest, jump(block, to));
        return lowest;
    }

    // For each construct, the lowest level to which a branch out of it leads. A branch to the construct's own
    // end does not count.
    void find_jumps() {
        for (uint32_t i = static_cast<uint32_t>(tree_.preorder.size()); i-- > 0;) {
            const uint32_t block = tree_.preorder[i];
            if (inside(block) == kNoBlock) continue;
            uint32_t& lowest = leaves_to_[inside(block)];
            lowest = std::min(lowest, own_jumps(block));
        }
        for (uint32_t i = static_cast<uint32_t>(tree_.preorder.size()); i-- > 0;) {
            const uint32_t block = tree_.preorder[i];
            if (!is_header(block) || enclosing_[block] == kNoBlock) continue;
            uint32_t& outer = leaves_to_[enclosing_[block]];
            outer = std::min(outer, leaves_to_[block]);
        }
    }
    /// Counts the cases of a switch that are left by jumps: what comes behind each is in one more selection.
    void count_leaving_cases() {
        for (uint32_t i = static_cast<uint32_t>(tree_.preorder.size()); i-- > 0;) {
            const uint32_t block = tree_.preorder[i];
            uint32_t& lowest = subtree_leaves_to_[block];
            lowest = std::min(lowest, own_jumps(block));
            if (is_header(block)) lowest = std::min(lowest, leaves_to_[block]);
            // What follows a construct belongs to what the construct belongs to
            const uint32_t header = declared_by_[block],
                           parent = header == kNoBlock ? tree_.parent[block] : header;
            if (parent != kNoBlock) subtree_leaves_to_[parent] = std::min(subtree_leaves_to_[parent], lowest);
        }
        for (const uint32_t block : tree_.preorder)
            if (is_switch(block))
                for (const uint32_t to : cfg_.successors[block])
                    leaving_cases_[block] += leaves(block, to) ? 1 : 0;
    }
    bool leaves(uint32_t header, uint32_t to) const {
        return declared_by_[to] != header && tree_.parent[to] == header &&
               subtree_leaves_to_[to] <= level_[header];
    }
    bool is_left_by_jumps(uint32_t header) const { return leaves_to_[header] <= level_[header]; }

    uint32_t around(uint32_t block) const {
        if (const uint32_t header = declared_by_[block]; header != kNoBlock)
            return nesting_[header] + std::max(leaving_cases_[header], is_left_by_jumps(header) ? 1u : 0u);
        if (continued_[block] != kNoBlock && continued_[block] != block) return nesting_[continued_[block]];
        const uint32_t from = tree_.parent[block];
        if (from == kNoBlock) return 0;
        const uint32_t others = leaving_cases_[from] - (is_switch(from) && leaves(from, block) ? 1 : 0);
        return nesting_[from] + (is_arm(from, block) ? 1 : 0) + others;
    }

    /// Whether the driver has the block in a selection for the branch to it. What is left behind a condition
    /// that breaks a loop is in none.
    bool is_arm(uint32_t from, uint32_t block) const {
        if (cfg_.successors[from].size() < 2) return false;
        if (is_header(from) && !is_loop(from)) return true;
        for (uint32_t to : cfg_.successors[from])
            if (to != block && jump(from, to) != kInside) return true;
        return false;
    }

    const Function& function_;
    const Cfg& cfg_;
    const Dominators& tree_;
    std::vector<uint32_t> enclosing_;
    std::vector<uint32_t> declared_by_,
        continued_;  // block -> the header that it is the merge block or continue target of
    std::vector<uint32_t> level_, leaves_to_;
    std::vector<uint32_t> subtree_leaves_to_;  // where the block's part of the tree of dominators leads
    std::vector<uint32_t> leaving_cases_;
    std::vector<uint32_t> nesting_;
};

}  // namespace

std::vector<uint32_t> nesting(const Function& function, const Cfg& cfg, const Dominators& tree) {
    return Measurer(function, cfg, tree).run();
}

}  // namespace caldera::vulkan
