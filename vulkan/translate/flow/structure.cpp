// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/structure.h"

#include <algorithm>

namespace caldera::vulkan {
namespace {

using namespace spirv;

class Checker {
 public:
    Checker(const Function& function, const Cfg& cfg, const Dominators& tree)
        : function_(function), cfg_(cfg), tree_(tree) {
        const uint32_t count = cfg.size();
        merge_of_.assign(count, kNoBlock);
        continue_of_.assign(count, kNoBlock);
        loop_.assign(count, kNoBlock);
        breakable_.assign(count, kNoBlock);
        case_.assign(count, kNoBlock);
        fallen_into_.assign(count, kNoBlock);
        falls_into_.assign(count, kNoBlock);
        back_edges_.assign(count, 0);
        in_continue_.assign(count, 0);
        result_.enclosing.assign(count, kNoBlock);
    }

    Structure run() {
        if (headers()) {
            nest();
            if (edges() && loops()) switches();
        }
        return std::move(result_);
    }

 private:
    bool fail(uint32_t block, const char* what) {
        result_.fault = "block %" + std::to_string(function_.blocks[block].label.value) + ": " + what;
        return false;
    }
    const Block& at(uint32_t block) const { return function_.blocks[block]; }
    bool is_header(uint32_t b) const { return at(b).merge.op != spv::Op::OpNop; }
    bool is_loop(uint32_t b) const { return at(b).merge.op == spv::Op::OpLoopMerge; }
    bool is_switch(uint32_t b) const {
        return at(b).merge.op == spv::Op::OpSelectionMerge && at(b).terminator.op == spv::Op::OpSwitch;
    }
    uint32_t merge_block(uint32_t header) const { return cfg_.block(at(header).merge.id(0)); }
    uint32_t continue_block(uint32_t loop) const { return cfg_.block(at(loop).merge.id(1)); }
    /// The innermost construct that an edge out of `b` starts in.
    uint32_t inside(uint32_t b) const { return is_header(b) ? b : result_.enclosing[b]; }

    // Merge blocks and continue targets are declared once, by a header that dominates them.
    bool headers() {
        for (uint32_t h : cfg_.order) {
            if (!is_header(h)) continue;
            const uint32_t merge = merge_block(h);
            if (merge == kNoBlock || merge == h || merge_of_[merge] != kNoBlock)
                return fail(h, "its merge block is not its alone");
            if (cfg_.reachable(merge) && !tree_.dominates(h, merge))
                return fail(h, "does not dominate its merge block");
            merge_of_[merge] = h;
            if (!is_loop(h)) continue;
            const uint32_t target = continue_block(h);
            if (target == kNoBlock || target == merge || continue_of_[target] != kNoBlock)
                return fail(h, "its continue target is not its alone");
            if (cfg_.reachable(target) && !tree_.dominates(h, target))
                return fail(h, "does not dominate its continue target");
            continue_of_[target] = h;
        }
        for (uint32_t b = 0; b < cfg_.size(); ++b)
            if (merge_of_[b] != kNoBlock && continue_of_[b] != kNoBlock)
                return fail(b, "is a merge block and a continue target");
        return true;
    }

    void nest() {
        for (uint32_t b : tree_.preorder) {
            uint32_t& enclosing = result_.enclosing[b];
            const uint32_t dominator = tree_.parent[b];
            if (dominator == kNoBlock) {
                enclosing = kNoBlock;
            } else if (merge_of_[b] != kNoBlock) {
                const uint32_t header = merge_of_[b];
                enclosing = result_.enclosing[header];
                case_[b] = case_[header];
                in_continue_[b] = in_continue_[header];
            } else if (continue_of_[b] != kNoBlock && continue_of_[b] != b) {
                enclosing = continue_of_[b];
                in_continue_[b] = 1;
            } else {
                enclosing = inside(dominator);
                case_[b] = dominator == enclosing ? b : case_[dominator];
                in_continue_[b] = in_continue_[dominator];
            }
            if (!is_header(b)) continue;
            const bool any = enclosing != kNoBlock;
            loop_[b] = is_loop(b) ? b : any ? loop_[enclosing] : kNoBlock;
            breakable_[b] = is_loop(b) || is_switch(b) ? b : any ? breakable_[enclosing] : kNoBlock;
        }
    }

    bool edges() {
        for (uint32_t u : cfg_.order) {
            auto targets = cfg_.successors[u];
            if (targets.empty() && in_continue_[u]) return fail(u, "a continue construct ends the function");
            uint32_t inner_targets = 0;
            for (uint32_t v : targets) {
                if (v == 0) return fail(u, "branches to the entry block");
                bool exit = false;
                if (!edge(u, v, exit)) return false;
                if (!exit) ++inner_targets;
            }
            const spv::Op op = at(u).terminator.op;
            if (op == spv::Op::OpSwitch && !is_switch(u))
                return fail(u, "a switch without a selection merge");
            // A loop merge is none of a selection inside the loop.
            if (op == spv::Op::OpBranchConditional && (!is_header(u) || is_loop(u)) && inner_targets > 1)
                return fail(u, "a condition without a merge");
            if (at(u).merge.op == spv::Op::OpSelectionMerge && op != spv::Op::OpSwitch &&
                op != spv::Op::OpBranchConditional)
                return fail(u, "a selection merge without a selection");
        }
        return true;
    }

    bool edge(uint32_t u, uint32_t v, bool& exit) {
        if (tree_.dominates(v, u)) return exit = true, back_edge(u, v);
        if (cfg_.position[v] <= cfg_.position[u]) return fail(v, "a loop with two entries");
        if (merge_of_[v] != kNoBlock) return leave(u, merge_of_[v], exit);
        if (continue_of_[v] != kNoBlock) return exit = true, continue_edge(u, v);
        return step(u, v);
    }

    bool back_edge(uint32_t u, uint32_t v) {
        if (!is_loop(v)) return fail(v, "a loop without a loop merge");
        if (back_edges_[v]++) return fail(v, "has two back edges");
        const uint32_t target = continue_block(v);
        if (!tree_.dominates(target, u)) return fail(u, "a back edge outside the continue construct");
        if (u != v && (result_.enclosing[u] != v || is_header(u)))
            return fail(u, "a back edge inside a nested construct");
        return true;
    }

    // A branch to the merge block of `header`.
    bool leave(uint32_t u, uint32_t header, bool& exit) {
        if (header == u) return exit = is_loop(u), true;
        const uint32_t from = inside(u);
        exit = is_loop(header) || is_switch(header);
        if (from == kNoBlock) return fail(u, "enters a merge block from outside its construct");
        if (is_loop(header)) {
            if (loop_[from] != header) return fail(u, "leaves a loop that is not its innermost");
            const uint32_t target = continue_block(header);
            if (target != header && tree_.dominates(target, u) && !has_edge(u, header))
                return fail(u, "leaves a loop from inside its continue construct");
        } else if (is_switch(header)) {
            if (breakable_[from] != header) return fail(u, "leaves a switch that is not its innermost");
        } else if (from != header) {
            return fail(u, "leaves a selection from inside another construct");
        }
        return true;
    }

    bool has_edge(uint32_t u, uint32_t v) const {
        return std::ranges::find(cfg_.successors[u], v) != cfg_.successors[u].end();
    }

    bool continue_edge(uint32_t u, uint32_t v) {
        const uint32_t from = inside(u);
        if (from == kNoBlock || loop_[from] != continue_of_[v])
            return fail(u, "continues a loop that is not its innermost");
        return true;
    }

    // An edge that stays in the construct where `u` is, or enters the one that `u` heads.
    bool step(uint32_t u, uint32_t v) {
        const uint32_t from = inside(u);
        if (result_.enclosing[v] != from) return fail(u, "crosses the border of a construct");
        if (from == kNoBlock || from == u) return true;
        if (is_loop(from)) {
            const uint32_t target = continue_block(from);
            if (target != from && tree_.dominates(target, u) && !tree_.dominates(target, v))
                return fail(u, "leaves a continue construct");
        }
        if (is_switch(from) && case_[u] != case_[v]) {
            if (!has_edge(from, v)) return fail(u, "two cases of a switch meet before its merge block");
            const uint32_t into = case_[u];
            if ((fallen_into_[v] != kNoBlock && fallen_into_[v] != into) ||
                (falls_into_[into] != kNoBlock && falls_into_[into] != v))
                return fail(u, "a case of a switch falls through twice");
            fallen_into_[v] = into;
            falls_into_[into] = v;
        }
        return true;
    }

    bool loops() {
        for (uint32_t h : cfg_.order) {
            if (!is_loop(h)) continue;
            const uint32_t target = continue_block(h);
            if (cfg_.reachable(target) && back_edges_[h] == 0) return fail(h, "a loop merge without a loop");
            const spv::Op op = at(h).terminator.op;
            if (op != spv::Op::OpBranch && op != spv::Op::OpBranchConditional)
                return fail(h, "a loop merge without a branch");
        }
        return true;
    }

    // A case that falls through must come directly before its successor (SPIR-V 2.11).
    bool switches() {
        for (uint32_t s : cfg_.order) {
            if (at(s).terminator.op != spv::Op::OpSwitch) continue;
            const std::vector<Id> targets = branch_targets(at(s).terminator);
            std::vector<uint32_t> row;  // the literals' targets in order, neighbours once
            for (size_t i = 1; i < targets.size(); ++i) {
                const uint32_t target = cfg_.block(targets[i]);
                if (row.empty() || row.back() != target) row.push_back(target);
            }
            const uint32_t otherwise = cfg_.block(targets[0]);
            for (size_t i = 0; i < row.size(); ++i) {
                const uint32_t next = falls_into_[row[i]];
                if (next == kNoBlock || row[i] == merge_block(s)) continue;
                const bool in_order = i + 1 < row.size() && row[i + 1] == next;
                const bool last = next == otherwise && falls_into_[otherwise] == kNoBlock;
                if (!in_order && !last) return fail(row[i], "falls through to a case that is not the next");
            }
            const bool own_row = std::ranges::find(row, otherwise) != row.end();
            if (!own_row && falls_into_[otherwise] != kNoBlock && otherwise != merge_block(s))
                return fail(otherwise, "the default of a switch falls through");
        }
        return true;
    }

    const Function& function_;
    const Cfg& cfg_;
    const Dominators& tree_;
    Structure result_ = {};
    std::vector<uint32_t> merge_of_ = {}, continue_of_ = {};  // block -> header that declares it so
    std::vector<uint32_t> loop_ = {},
                          breakable_ = {};  // header -> innermost loop, or loop or switch, itself included
    std::vector<uint32_t> case_ = {};       // block -> the block of its construct that it hangs under
    std::vector<uint32_t> fallen_into_ = {}, falls_into_ = {};  // case -> case before, case after
    std::vector<uint32_t> back_edges_ = {};
    std::vector<uint8_t> in_continue_ = {};
};

}  // namespace

Structure check_structure(const Function& function, const Cfg& cfg, const Dominators& tree) {
    if (function.blocks.empty()) return {};
    return Checker(function, cfg, tree).run();
}

IdSet continue_targets(const Function& function) {
    IdSet targets;
    for (const Block& block : function.blocks)
        if (block.merge.op == spv::Op::OpLoopMerge && block.merge.id(1) != block.label)
            targets.insert(block.merge.id(1));
    return targets;
}

bool returns_at_end(const Function& function) {
    auto is_return = [](const Block& block) {
        return block.terminator.op == spv::Op::OpReturn || block.terminator.op == spv::Op::OpReturnValue;
    };
    if (std::ranges::count_if(function.blocks, is_return) != 1 || !is_return(function.blocks.back()))
        return false;
    if (function.blocks.size() == 1) return true;
    const Cfg cfg = build_cfg(function);
    const Structure structure = check_structure(function, cfg, dominators(cfg));
    return structure.fault.empty() && structure.enclosing.back() == kNoBlock;
}

}  // namespace caldera::vulkan
