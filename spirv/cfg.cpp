// SPDX-License-Identifier: Apache-2.0
#include "spirv/cfg.h"
#include "spirv/id_map.h"

#include <algorithm>
#include <queue>

#include "spirv/phis.h"
#include "spirv/support/check.h"

namespace caldera::spirv {

Graph::Graph(uint32_t nodes, std::span<const std::pair<uint32_t, uint32_t>> edges) {
    first_.assign(nodes + 1, 0);
    for (auto& [from, to] : edges) ++first_[from + 1];
    for (uint32_t i = 0; i < nodes; ++i) first_[i + 1] += first_[i];
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    std::vector<uint32_t> all(edges.size());
    for (auto& [from, to] : edges) all[next[from]++] = to;

    std::vector<uint32_t> last_source(nodes, kNoBlock);  // drops parallel edges
    targets_.reserve(edges.size());
    uint32_t begin = 0;
    for (uint32_t node = 0; node < nodes; ++node) {
        const uint32_t end = first_[node + 1];
        first_[node] = static_cast<uint32_t>(targets_.size());
        for (uint32_t i = begin; i < end; ++i) {
            if (last_source[all[i]] == node) continue;
            last_source[all[i]] = node;
            targets_.push_back(all[i]);
        }
        begin = end;
    }
    first_[nodes] = static_cast<uint32_t>(targets_.size());
}

Graph Graph::reversed() const {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(targets_.size());
    for (uint32_t node = 0; node < size(); ++node)
        for (uint32_t target : (*this)[node]) edges.emplace_back(target, node);
    return Graph(size(), edges);
}

std::vector<Id> branch_targets(const Instruction& terminator) {
    std::vector<Id> targets;
    for_each_target(terminator, [&](const Operand& operand) { targets.push_back(operand.id()); });
    return targets;
}

void replace_target(Instruction& inst, Id from, Id to) {
    auto replace = [&](Operand& operand) {
        if (operand.id() == from) operand = to;
    };
    if (inst.op == spv::Op::OpLoopMerge) {
        replace(inst.operands[0]);
        replace(inst.operands[1]);
    } else if (inst.op == spv::Op::OpSelectionMerge) {
        replace(inst.operands[0]);
    } else {
        for_each_target(inst, replace);
    }
}

std::vector<uint32_t> reverse_post_order(const Graph& graph, uint32_t root) {
    struct Visit {
        uint32_t node, next;
    };
    std::vector<uint32_t> order;
    order.reserve(graph.size());
    std::vector<uint8_t> seen(graph.size(), 0);
    std::vector<Visit> stack;
    stack.reserve(graph.size());
    stack.push_back({root, 0});
    seen[root] = 1;
    while (!stack.empty()) {
        Visit& top = stack.back();
        auto targets = graph[top.node];
        if (top.next == targets.size()) {
            order.push_back(top.node);
            stack.pop_back();
            continue;
        }
        // The last successor first: the reversed order then keeps the terminator's order of successors.
        const uint32_t target = targets[targets.size() - 1 - top.next++];
        if (!seen[target]) {
            seen[target] = 1;
            stack.push_back({target, 0});
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

Cfg build_cfg(const Function& function) {
    Cfg cfg;
    const auto count = static_cast<uint32_t>(function.blocks.size());
    cfg.block_of.reserve(count);
    for (uint32_t i = 0; i < count; ++i) cfg.block_of.emplace(function.blocks[i].label.value, i);

    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(2 * function.blocks.size());
    for (uint32_t i = 0; i < count; ++i)
        for_each_target(function.blocks[i].terminator, [&](const Operand& operand) {
            const uint32_t target = cfg.block(operand.id());
            if (target != kNoBlock) edges.emplace_back(i, target);
        });
    cfg.successors = Graph(count, edges);
    cfg.predecessors = cfg.successors.reversed();
    cfg.position.assign(count, kNoBlock);
    if (count != 0) cfg.order = reverse_post_order(cfg.successors, 0);
    for (uint32_t i = 0; i < cfg.order.size(); ++i) cfg.position[cfg.order[i]] = i;
    return cfg;
}

namespace {

// The forest of Lengauer and Tarjan's LINK and EVAL, over depth-first numbers.
struct LinkForest {
    explicit LinkForest(uint32_t size) : ancestor(size, kNoBlock), label(size), semi(size) {
        for (uint32_t i = 0; i < size; ++i) label[i] = semi[i] = i;
    }
    std::vector<uint32_t> ancestor, label, semi;
    std::vector<uint32_t> path = {};

    uint32_t eval(uint32_t v) {
        if (ancestor[v] == kNoBlock) return label[v];
        path.clear();
        for (uint32_t u = v; ancestor[ancestor[u]] != kNoBlock; u = ancestor[u]) path.push_back(u);
        for (size_t i = path.size(); i-- > 0;) {
            const uint32_t u = path[i], a = ancestor[u];
            if (semi[label[a]] < semi[label[u]]) label[u] = label[a];
            ancestor[u] = ancestor[a];
        }
        return label[v];
    }
};

struct DepthFirst {
    std::vector<uint32_t> node = {};    // number -> node
    std::vector<uint32_t> number = {};  // node -> number
    std::vector<uint32_t> parent = {};  // by number
};

DepthFirst depth_first(const Graph& graph, uint32_t root) {
    struct Visit {
        uint32_t node, next;
    };
    DepthFirst result;
    result.number.assign(graph.size(), kNoBlock);
    result.node.reserve(graph.size());
    result.parent.reserve(graph.size());
    std::vector<Visit> stack;
    stack.reserve(graph.size());
    auto enter = [&](uint32_t node, uint32_t parent) {
        result.number[node] = static_cast<uint32_t>(result.node.size());
        result.node.push_back(node);
        result.parent.push_back(parent);
        stack.push_back({node, 0});
    };
    enter(root, kNoBlock);
    while (!stack.empty()) {
        Visit& top = stack.back();
        auto targets = graph[top.node];
        if (top.next == targets.size()) {
            stack.pop_back();
            continue;
        }
        const uint32_t target = targets[top.next++];
        if (result.number[target] == kNoBlock) enter(target, result.number[top.node]);
    }
    return result;
}

// Immediate dominators by depth-first number.
std::vector<uint32_t> lengauer_tarjan(const Graph& predecessors, const DepthFirst& dfs) {
    const auto count = static_cast<uint32_t>(dfs.node.size());
    LinkForest forest(count);
    std::vector<uint32_t> idom(count, kNoBlock);
    std::vector<uint32_t> bucket_head(count, kNoBlock), bucket_next(count, kNoBlock);
    for (uint32_t w = count; w-- > 1;) {
        for (uint32_t predecessor : predecessors[dfs.node[w]]) {
            const uint32_t v = dfs.number[predecessor];
            if (v == kNoBlock) continue;
            forest.semi[w] = std::min(forest.semi[w], forest.semi[forest.eval(v)]);
        }
        const uint32_t semi = forest.semi[w], parent = dfs.parent[w];
        bucket_next[w] = bucket_head[semi];
        bucket_head[semi] = w;
        forest.ancestor[w] = parent;
        for (uint32_t v = bucket_head[parent]; v != kNoBlock; v = bucket_next[v]) {
            const uint32_t u = forest.eval(v);
            idom[v] = forest.semi[u] < forest.semi[v] ? u : parent;
        }
        bucket_head[parent] = kNoBlock;
    }
    for (uint32_t w = 1; w < count; ++w)
        if (idom[w] != forest.semi[w]) idom[w] = idom[idom[w]];
    return idom;
}

// Fills everything that follows from `parent`.
void complete(Dominators& tree, const Graph& graph) {
    const auto count = static_cast<uint32_t>(tree.parent.size());
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(count);
    for (uint32_t node : reverse_post_order(graph, tree.root))
        if (tree.parent[node] != kNoBlock) edges.emplace_back(tree.parent[node], node);
    tree.children = Graph(count, edges);
    tree.depth.assign(count, 0);
    tree.enter.assign(count, 0);
    tree.leave.assign(count, 0);
    const DepthFirst walk = depth_first(tree.children, tree.root);
    tree.preorder = walk.node;
    for (uint32_t i = 0; i < walk.node.size(); ++i) {
        const uint32_t node = walk.node[i];
        tree.enter[node] = i;
        if (tree.parent[node] != kNoBlock) tree.depth[node] = tree.depth[tree.parent[node]] + 1;
    }
    for (size_t i = walk.node.size(); i-- > 0;) {  // a child's interval ends within its parent's
        const uint32_t node = walk.node[i];
        tree.leave[node] = std::max(tree.leave[node], tree.enter[node] + 1);
        const uint32_t parent = tree.parent[node];
        if (parent != kNoBlock) tree.leave[parent] = std::max(tree.leave[parent], tree.leave[node]);
    }
}

}  // namespace

Dominators dominators(const Graph& successors, const Graph& predecessors, uint32_t root) {
    Dominators tree;
    tree.root = root;
    tree.parent.assign(successors.size(), kNoBlock);
    if (successors.size() == 0) return tree;
    const DepthFirst dfs = depth_first(successors, root);
    const std::vector<uint32_t> idom = lengauer_tarjan(predecessors, dfs);
    for (uint32_t i = 1; i < dfs.node.size(); ++i) tree.parent[dfs.node[i]] = dfs.node[idom[i]];
    complete(tree, successors);
    return tree;
}

Dominators dominators(const Cfg& cfg) { return dominators(cfg.successors, cfg.predecessors, 0); }

Dominators post_dominators(const Cfg& cfg) {
    const uint32_t exit = cfg.size();
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    std::vector<uint32_t> stack;
    std::vector<uint8_t> leads_out(cfg.size(), 0);
    auto add_exit = [&](uint32_t block) {
        edges.emplace_back(block, exit);
        leads_out[block] = 1;
        stack.push_back(block);
        while (!stack.empty()) {
            const uint32_t top = stack.back();
            stack.pop_back();
            for (uint32_t predecessor : cfg.predecessors[top])
                if (!leads_out[predecessor]) {
                    leads_out[predecessor] = 1;
                    stack.push_back(predecessor);
                }
        }
    };
    for (uint32_t block : cfg.order) {
        for (uint32_t target : cfg.successors[block]) edges.emplace_back(block, target);
        if (cfg.successors[block].empty()) add_exit(block);
    }
    for (size_t i = cfg.order.size(); i-- > 0;)
        if (!leads_out[cfg.order[i]]) add_exit(cfg.order[i]);
    const Graph forward(cfg.size() + 1, edges);
    return dominators(forward.reversed(), forward, exit);
}

std::vector<std::vector<uint32_t>> dominance_frontiers(const Cfg& cfg, const Dominators& tree, size_t limit) {
    std::vector<std::vector<uint32_t>> frontier(cfg.size());
    size_t entries = 0;
    for (uint32_t block : cfg.order)
        for (uint32_t predecessor : cfg.predecessors[block]) {
            if (!cfg.reachable(predecessor)) continue;
            for (uint32_t runner = predecessor; runner != tree.parent[block]; runner = tree.parent[runner]) {
                if (!frontier[runner].empty() && frontier[runner].back() == block) break;
                frontier[runner].push_back(block);
                if (++entries > limit) return {};
            }
        }
    return frontier;
}

FrontierFinder::FrontierFinder(const Cfg& cfg, const Dominators& tree)
    : cfg_(cfg), tree_(tree), seen_(cfg.size(), 0), placed_(cfg.size(), 0) {}

std::vector<uint32_t> FrontierFinder::iterated_frontier(std::span<const uint32_t> definitions,
                                                        std::span<const uint8_t> live_in) {
    ++stamp_;
    std::vector<uint32_t> result, work;
    using Entry = std::pair<uint32_t, uint32_t>;  // depth in the tree, block: the deepest first
    std::priority_queue<Entry> queue;
    for (uint32_t block : definitions)
        if (tree_.reachable(block)) queue.push({tree_.depth[block], block});
    while (!queue.empty()) {
        const auto [depth, root] = queue.top();
        queue.pop();
        if (seen_[root] == stamp_) continue;
        seen_[root] = stamp_;
        work = {root};
        while (!work.empty()) {  // the subtree below root, once per query in all
            const uint32_t node = work.back();
            work.pop_back();
            for (uint32_t target : cfg_.successors[node]) {
                if (tree_.depth[target] > depth || tree_.parent[target] == node) continue;
                if (placed_[target] == stamp_) continue;
                placed_[target] = stamp_;
                if (!live_in.empty() && !live_in[target]) continue;
                result.push_back(target);
                queue.push({tree_.depth[target], target});
            }
            for (uint32_t child : tree_.children[node])
                if (seen_[child] != stamp_) {
                    seen_[child] = stamp_;
                    work.push_back(child);
                }
        }
    }
    std::sort(result.begin(), result.end());
    return result;
}

namespace {

uint32_t find_root(std::vector<uint32_t>& parent, uint32_t node) {
    uint32_t root = node;
    while (parent[root] != root) root = parent[root];
    while (parent[node] != root) {
        const uint32_t next = parent[node];
        parent[node] = root;
        node = next;
    }
    return root;
}

// Preorder intervals and depths of the loop forest, outer loops first.
void number_loops(Loops& result) {
    std::vector<Loop>& loops = result.loops;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    const auto count = static_cast<uint32_t>(loops.size());
    for (uint32_t i = 0; i < count; ++i)
        edges.emplace_back(loops[i].parent == kNoBlock ? count : loops[i].parent, i);
    const DepthFirst walk = depth_first(Graph(count + 1, edges), count);
    for (uint32_t i = 1; i < walk.node.size(); ++i) {
        Loop& loop = loops[walk.node[i]];
        loop.enter = i;
        loop.leave = i + 1;
        loop.depth = loop.parent == kNoBlock ? 1 : loops[loop.parent].depth + 1;
    }
    for (size_t i = walk.node.size(); i-- > 1;) {
        const Loop& loop = loops[walk.node[i]];
        if (loop.parent != kNoBlock) {
            Loop& parent = loops[loop.parent];
            parent.leave = std::max(parent.leave, loop.leave);
        }
    }
}

}  // namespace

Loops find_loops(const Cfg& cfg, const Dominators& tree) {
    Loops result;
    result.innermost.assign(cfg.size(), kNoBlock);
    std::vector<uint32_t> loop_of_header(cfg.size(), kNoBlock);
    for (uint32_t header : cfg.order) {
        Loop loop = {.header = header};
        for (uint32_t predecessor : cfg.predecessors[header]) {
            if (!cfg.reachable(predecessor) || cfg.position[predecessor] < cfg.position[header]) continue;
            if (tree.dominates(header, predecessor))
                loop.latches.push_back(predecessor);
            else
                result.reducible = false;
        }
        if (loop.latches.empty()) continue;
        loop_of_header[header] = static_cast<uint32_t>(result.loops.size());
        result.loops.push_back(std::move(loop));
    }

    // Inner headers first: a finished loop is collapsed into its header, so each block is walked once.
    std::vector<uint32_t> collapsed(cfg.size());
    for (uint32_t i = 0; i < cfg.size(); ++i) collapsed[i] = i;
    std::vector<uint32_t> work;
    for (size_t i = result.loops.size(); i-- > 0;) {
        const auto index = static_cast<uint32_t>(i);
        Loop& loop = result.loops[i];
        result.innermost[loop.header] = index;
        auto visit = [&](uint32_t block) {
            const uint32_t top = find_root(collapsed, block);
            if (top == loop.header || !tree.dominates(loop.header, top)) return;
            if (loop_of_header[top] != kNoBlock)
                result.loops[loop_of_header[top]].parent = index;
            else
                result.innermost[top] = index;
            collapsed[top] = loop.header;
            work.push_back(top);
        };
        for (uint32_t latch : loop.latches) visit(latch);
        while (!work.empty()) {
            const uint32_t block = work.back();
            work.pop_back();
            for (uint32_t predecessor : cfg.predecessors[block])
                if (cfg.reachable(predecessor)) visit(predecessor);
        }
    }
    number_loops(result);
    return result;
}

std::vector<std::vector<uint32_t>> strong_components(const Graph& graph, std::span<const uint8_t> inside,
                                                     std::span<const uint32_t> nodes) {
    struct Visit {
        uint32_t node, next;
    };
    std::vector<std::vector<uint32_t>> components;
    struct State {
        uint32_t index, low;
        bool open;
    };
    IdMap<State> state;
    state.reserve(nodes.size());
    std::vector<uint32_t> open;
    std::vector<Visit> stack;
    auto enter = [&](uint32_t node) {
        const auto index = static_cast<uint32_t>(state.size());
        state[node] = {index, index, true};
        open.push_back(node);
        stack.push_back({node, 0});
    };
    for (uint32_t start : nodes) {
        if (state.contains(start)) continue;
        enter(start);
        while (!stack.empty()) {
            Visit& top = stack.back();
            const uint32_t node = top.node;
            auto targets = graph[node];
            if (top.next < targets.size()) {
                const uint32_t target = targets[top.next++];
                if (inside[target] != 1) continue;
                auto found = state.find(target);
                if (found == state.end())
                    enter(target);
                else if (found->second.open)
                    state[node].low = std::min(state[node].low, found->second.index);
                continue;
            }
            stack.pop_back();
            const State done = state[node];
            if (!stack.empty()) {
                uint32_t& low = state[stack.back().node].low;
                low = std::min(low, done.low);
            }
            if (done.index != done.low) continue;
            std::vector<uint32_t>& component = components.emplace_back();
            uint32_t member = kNoBlock;
            do {
                member = open.back();
                open.pop_back();
                state[member].open = false;
                component.push_back(member);
            } while (member != node);
        }
    }
    return components;
}

namespace {

/// Makes each phi name exactly `predecessors`. A value that comes from a `dead` predecessor, which never
/// runs, may have been defined in a removed block, so the phi itself takes its place.
void match_phi_operands(Block& block, const std::vector<Id>& predecessors, const IdSet& dead) {
    IdSet living;
    for (Id predecessor : predecessors) living.insert(predecessor);
    for (Instruction& inst : phis_of(block.body)) {
        Operands kept;
        for (size_t i = 0; i + 1 < inst.operands.size(); i += 2) {
            const Id from = inst.id(i + 1);
            if (dead.contains(from) || !living.contains(from)) continue;
            kept.insert(kept.end(), {inst.operands[i], from});
        }
        for (Id predecessor : predecessors)
            if (dead.contains(predecessor)) kept.insert(kept.end(), {inst.result, predecessor});
        inst.operands = std::move(kept);
    }
}

}  // namespace

bool remove_unreachable_blocks(Function& function) {
    if (function.blocks.empty()) return false;
    const Cfg cfg = build_cfg(function);
    if (cfg.order.size() == function.blocks.size()) return false;

    std::vector<Id> back_edge(function.blocks.size());  // of a kept continue target: its header
    std::vector<uint8_t> kept(function.blocks.size(), 0);
    for (uint32_t i : cfg.order) kept[i] = 1;
    for (uint32_t i : cfg.order) {
        const Block& block = function.blocks[i];
        if (block.merge.op == spv::Op::OpNop) continue;
        const uint32_t merge = cfg.block(block.merge.id(0));
        if (merge != kNoBlock && !cfg.reachable(merge)) kept[merge] = 2;
        if (block.merge.op != spv::Op::OpLoopMerge) continue;
        const uint32_t target = cfg.block(block.merge.id(1));
        if (target == kNoBlock || cfg.reachable(target)) continue;
        kept[target] = 3;
        back_edge[target] = block.label;
    }
    bool changed = false;
    for (uint32_t i = 0; i < function.blocks.size(); ++i) {
        Block& block = function.blocks[i];
        if (kept[i] < 2) continue;
        const Instruction terminator = kept[i] == 2
                                           ? Instruction{.op = spv::Op::OpUnreachable}
                                           : Instruction{.op = spv::Op::OpBranch, .operands = {back_edge[i]}};
        if (!block.body.empty() || block.terminator.op != terminator.op ||
            block.terminator.operands != terminator.operands)
            changed = true;
        block.body.clear();
        block.merge = {};
        block.terminator = terminator;
    }

    IdMap<std::vector<Id>> predecessors;
    IdSet dead;
    std::vector<Block> blocks;
    for (uint32_t i = 0; i < function.blocks.size(); ++i) {
        if (!kept[i]) {
            changed = true;
            continue;
        }
        Block& block = function.blocks[i];
        for_each_target(block.terminator, [&](const Operand& target) {
            std::vector<Id>& list = predecessors[target.word];
            if (list.empty() || list.back() != block.label) list.push_back(block.label);
        });
        if (kept[i] > 1) dead.insert(block.label.value);
        blocks.push_back(std::move(block));
    }
    function.blocks = std::move(blocks);
    if (changed)
        for (Block& block : function.blocks)
            if (!phis_of(block.body).empty())
                match_phi_operands(block, predecessors[block.label.value], dead);
    return changed;
}

}  // namespace caldera::spirv
