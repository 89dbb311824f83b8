// SPDX-License-Identifier: Apache-2.0
// Control-flow analyses: graphs, dominators, frontiers, loops. They are computed on demand, and never cached
// or updated. Blocks are indices into Function::blocks. The algorithms do not recurse and take nearly linear
// time in blocks and edges, because modules may come from untrusted sources.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/id_map.h"
#include "spirv/module.h"

namespace caldera::spirv {

constexpr uint32_t kNoBlock = ~0u;

/// A directed graph over 0..size()-1 with flat edge storage. Parallel edges count as one.
class Graph {
 public:
    Graph() = default;
    /// `edges` may have any order. A node's successors have the order of their first appearance.
    Graph(uint32_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges);

    uint32_t size() const { return static_cast<uint32_t>(first_.size()) - 1; }
    std::span<const uint32_t> operator[](uint32_t node) const {
        return std::span(targets_).subspan(first_[node], first_[node + 1] - first_[node]);
    }
    Graph reversed() const;

 private:
    std::vector<uint32_t> first_ = {0};
    std::vector<uint32_t> targets_ = {};
};

/// The labels that a terminator may branch to, in operand order, including repetitions.
std::vector<Id> branch_targets(const Instruction& terminator);
/// Replaces every branch target `from` of a terminator (or of a merge instruction) by `to`.
void replace_target(Instruction& terminator, Id from, Id to);
/// Calls visit(Operand&) for each branch target of a terminator.
template <class F>
void for_each_target(Instruction& terminator, F&& visit);
template <class F>
void for_each_target(const Instruction& terminator, F&& visit);

/// The graph of a function. Edges to labels that the function does not have are omitted (verify() reports
/// them).
struct Cfg {
    Graph successors = {};
    Graph predecessors = {};
    std::vector<uint32_t> order = {};     ///< reachable blocks in reverse post-order; order[0] is the entry
    std::vector<uint32_t> position = {};  ///< block -> index in `order`, kNoBlock when unreachable
    IdMap<uint32_t> block_of = {};        ///< label -> block

    uint32_t size() const { return static_cast<uint32_t>(position.size()); }
    bool reachable(uint32_t block) const { return position[block] != kNoBlock; }
    uint32_t block(Id label) const {
        auto found = block_of.find(label.value);
        return found == block_of.end() ? kNoBlock : found->second;
    }
};
Cfg build_cfg(const Function& function);

/// Nodes reachable from `root` in reverse post-order.
std::vector<uint32_t> reverse_post_order(const Graph& graph, uint32_t root);

/// A dominator tree (Lengauer and Tarjan 1979, path compression only: O(edges log nodes)).
struct Dominators {
    uint32_t root = 0;
    std::vector<uint32_t> parent = {};  ///< immediate dominator; kNoBlock for the root and unreachable nodes
    std::vector<uint32_t> depth = {};   ///< 0 for the root
    Graph children = {};                ///< in the reverse post-order of the graph
    std::vector<uint32_t> preorder = {};           ///< of the tree
    std::vector<uint32_t> enter = {}, leave = {};  ///< interval of the preorder; 0, 0 when unreachable

    bool reachable(uint32_t node) const { return node == root || parent[node] != kNoBlock; }
    /// Reflexive. False when either is unreachable.
    bool dominates(uint32_t a, uint32_t b) const {
        return reachable(a) && reachable(b) && enter[a] <= enter[b] && leave[b] <= leave[a];
    }
};
Dominators dominators(const Graph& successors, const Graph& predecessors, uint32_t root);
Dominators dominators(const Cfg& cfg);
/// The dominators of the reversed graph. It has a virtual exit, node cfg.size(), as the successor of every
/// block that has none. One block of each infinite loop also leads there, so that every reachable block is in
/// the tree.
Dominators post_dominators(const Cfg& cfg);

/// The dominance frontier of each node. The result is empty if there are more than `limit` entries: their
/// number can be quadratic for nested loops. iterated_frontier() then works without them.
std::vector<std::vector<uint32_t>> dominance_frontiers(const Cfg& cfg, const Dominators& tree,
                                                       size_t limit = ~size_t{0});
/// Finds where a variable that is defined in `definitions` needs phis: the iterated dominance frontier,
/// restricted to the blocks whose `live_in` is not 0 (if empty: not restricted). Sreedhar and Gao 1995,
/// linear in the part that is visited.
class FrontierFinder {
 public:
    FrontierFinder(const Cfg& cfg, const Dominators& tree);
    std::vector<uint32_t> iterated_frontier(std::span<const uint32_t> definitions,
                                            std::span<const uint8_t> live_in);

 private:
    const Cfg& cfg_;
    const Dominators& tree_;
    std::vector<uint32_t> seen_ = {}, placed_ = {};  // number of the last query that touched the block
    uint32_t stamp_ = 0;
};

/// A natural loop: the header dominates every block in it.
struct Loop {
    uint32_t header = 0;
    uint32_t parent = kNoBlock;          ///< index of the loop around it
    uint32_t depth = 1;                  ///< 1 for outermost
    uint32_t enter = 0, leave = 0;       ///< interval of the loop forest's preorder
    std::vector<uint32_t> latches = {};  ///< blocks with an edge to the header
};
struct Loops {
    std::vector<Loop> loops = {};          ///< outer before inner
    std::vector<uint32_t> innermost = {};  ///< block -> index of its innermost loop, or kNoBlock
    bool reducible = true;  ///< false if some cycle has two entries; such cycles are not in any loop here

    /// Whether loop `outer` (kNoBlock: the whole function) is `inner` or contains it.
    bool encloses(uint32_t outer, uint32_t inner) const {
        return outer == kNoBlock || (inner != kNoBlock && loops[outer].enter <= loops[inner].enter &&
                                     loops[inner].leave <= loops[outer].leave);
    }
    bool contains(uint32_t loop, uint32_t block) const { return encloses(loop, innermost[block]); }
};
Loops find_loops(const Cfg& cfg, const Dominators& tree);

/// The strongly connected components of a subgraph, in reverse topological order. `inside` is 0 for nodes
/// outside the subgraph and 1 for nodes in it. 2 also means inside, but edges to this node are ignored.
std::vector<std::vector<uint32_t>> strong_components(const Graph& graph, std::span<const uint8_t> inside,
                                                     std::span<const uint32_t> nodes);

/// Drops blocks that the entry does not reach, except merge blocks and continue targets of reachable headers,
/// which become OpUnreachable or a lone back edge (SPIR-V 2.11). Phis lose the operands of dropped
/// predecessors. Returns whether anything changed.
bool remove_unreachable_blocks(Function& function);

// ---- inline ----

template <class F>
void for_each_target(Instruction& terminator, F&& visit) {
    switch (terminator.op) {
        case spv::Op::OpBranch: visit(terminator.operands[0]); break;
        case spv::Op::OpBranchConditional:
            visit(terminator.operands[1]);
            visit(terminator.operands[2]);
            break;
        case spv::Op::OpSwitch:  // selector, default, then (literal words, label)...
            for (size_t i = 1; i < terminator.operands.size(); ++i)
                if (terminator.operands[i].is_id) visit(terminator.operands[i]);
            break;
        default: break;
    }
}
template <class F>
void for_each_target(const Instruction& terminator, F&& visit) {
    for_each_target(const_cast<Instruction&>(terminator), [&](const Operand& operand) { visit(operand); });
}

}  // namespace caldera::spirv
