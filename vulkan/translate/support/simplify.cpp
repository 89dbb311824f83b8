// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/support/simplify.h"

#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "spirv/uses.h"
#include "vulkan/translate/support/fold.h"

namespace caldera::vulkan {

using namespace spirv;

namespace {

class FunctionFolder {
 public:
    /// Without `values` everything is folded.
    FunctionFolder(Builder& builder, Function& function, IdSet* values)
        : builder_(builder), function_(function), folder_(builder), values_(values) {}

    bool run() {
        if (function_.blocks.empty()) return false;
        bool any = false, phis_changed = true;
        cfg_ = build_cfg(function_);
        for (int round = 0; round < kMaxRounds; ++round) {
            // Operands come before their uses, except those of phis. So one round suffices unless phis
            // change.
            if (phis_changed) any |= fold_values(phis_changed);
            const bool branched = changed(fold_branches());
            const bool threaded = changed(thread_empty_arms());
            const bool joined = changed(join_blocks());
            if (!phis_changed && !branched && !threaded && !joined) break;
            phis_changed |= branched || threaded;
            any = true;
        }
        return any;
    }

 private:
    static constexpr int kMaxRounds = 8;
    static constexpr size_t kMaxTargets = 32;  // a wider switch keeps its empty arms

    /// Whether the blocks are others now, so that their graph is too.
    bool changed(bool any) {
        if (any) cfg_ = build_cfg(function_);
        return any;
    }

    bool fold_values(bool& phis_changed) {
        Substitution results;
        folder_.forget();
        for (uint32_t b : cfg_.order) {
            std::vector<Instruction>& body = function_.blocks[b].body;
            size_t kept = 0;  // each goes to its final place before it is noted
            for (size_t i = 0; i < body.size(); ++i) {
                Instruction& inst = body[i];
                const bool may_fold = depends(inst, results);
                results.apply(inst);
                const Id value = may_fold ? folder_.fold(inst) : Id{};
                if (value && value != inst.result) {
                    results.set(inst.result, value);
                    if (values_ && builder_.constant_value(value)) values_->insert(value);
                    continue;
                }
                if (kept != i) body[kept] = std::move(inst);
                folder_.note(body[kept++]);
            }
            body.resize(kept);
            results.apply(function_.blocks[b].terminator);
        }
        phis_changed = results.apply_rest(function_, cfg_);
        return !results.empty();
    }

    /// Whether an instruction depends on the values that are to be folded, or on what was folded.
    bool depends(const Instruction& inst, Substitution& results) const {
        constexpr size_t kOneValue = 2;  // and its block
        if (!values_ || (inst.op == spv::Op::OpPhi && inst.operands.size() == kOneValue)) return true;
        return std::ranges::any_of(inst.operands, [&](const Operand& operand) {
            return operand.is_id &&
                   (values_->contains(operand.id()) || results.resolve(operand.id()) != operand.id());
        });
    }

    /// The label that a branch on a constant leads to, or {}.
    Id known_target(const Block& block) const {
        const Instruction& branch = block.terminator;
        if (branch.op != spv::Op::OpBranchConditional && branch.op != spv::Op::OpSwitch) return {};
        const auto value = builder_.constant_value(branch.id(0));
        if (!value) return {};
        if (branch.op == spv::Op::OpBranchConditional) return branch.id(*value != 0 ? 1 : 2);
        const uint32_t width = builder_.width(builder_.type_of(branch.id(0)));
        const size_t words = width > 32 ? 2 : 1;
        const uint64_t unused_bits = width < 32 ? ~uint64_t{0} << width : 0;
        for (size_t i = 2; i + words < branch.operands.size(); i += words + 1) {
            const uint64_t literal = words == 2 ? number_at(branch, i) : branch.word(i);
            if (((literal ^ *value) & ~unused_bits) == 0) return branch.id(i + words);
        }
        return branch.id(1);
    }

    bool fold_branches() {
        if (std::ranges::none_of(function_.blocks, [&](const Block& b) { return bool(known_target(b)); }))
            return false;
        find_branch_targets();
        bool any = false;
        for (Block& block : function_.blocks) {
            const Id kept = known_target(block);
            if (!kept) continue;
            std::vector<Id> dropped = branch_targets(block.terminator);
            std::erase(dropped, kept);
            if (!may_lose_merge(block) ||
                std::ranges::any_of(dropped, [&](Id target) { return is_loop(target); }))
                continue;
            if (block.merge.op == spv::Op::OpSelectionMerge) block.merge = {};
            block.terminator = {.op = spv::Op::OpBranch, .operands = {kept}, .line = block.terminator.line};
            for (const Id target : dropped)
                drop_predecessor(function_.blocks[block_of_.at(target)], block.label);
            any = true;
        }
        if (any) remove_unreachable_blocks(function_);
        return any;
    }

    /// A back edge stays, because its loop merge does.
    bool is_loop(Id target) const {
        return function_.blocks[block_of_.at(target)].merge.op == spv::Op::OpLoopMerge;
    }

    /// If a merge instruction is removed, no condition inside the selection may branch to its merge block,
    /// and nothing in a selection within it.
    bool may_lose_merge(const Block& block) const {
        if (block.merge.op != spv::Op::OpSelectionMerge) return true;
        if (leaned_on_.contains(block.merge.id(0))) return false;
        return block.terminator.op != spv::Op::OpSwitch || !is_left_from_selections(block);
    }

    /// Whether a selection within the switch has a branch to the switch's merge block, which only a switch
    /// allows.
    bool is_left_from_selections(const Block& header) const {
        const Id end = header.merge.id(0);
        const auto reach = [&](const Block& from, Id merge, auto&& visit) {
            IdSet seen;
            std::vector<Id> work = branch_targets(from.terminator);
            while (!work.empty()) {
                const Id label = work.back();
                work.pop_back();
                if (label == merge || label == end || !seen.insert(label)) continue;
                const Block& block = function_.blocks[block_of_.at(label)];
                if (visit(block)) return true;
                for (const Id target : branch_targets(block.terminator)) work.push_back(target);
            }
            return false;
        };
        return reach(header, end, [&](const Block& inner) {
            if (inner.merge.op != spv::Op::OpSelectionMerge) return false;
            return reach(inner, inner.merge.id(0), [&](const Block& block) {
                const std::vector<Id> targets = branch_targets(block.terminator);
                return std::ranges::find(targets, end) != targets.end();
            });
        });
    }

    /// Fills block_of_ and leaned_on_.
    void find_branch_targets() {
        block_of_.clear();
        leaned_on_.clear();
        for (uint32_t b = 0; b < function_.blocks.size(); ++b) {
            const Block& block = function_.blocks[b];
            block_of_[block.label] = b;
            if (block.terminator.op == spv::Op::OpBranch) continue;
            const Id own_merge = block.merge.op != spv::Op::OpNop ? block.merge.id(0) : Id{};
            for_each_target(block.terminator, [&](const Operand& target) {
                if (target.id() != own_merge) leaned_on_.insert(target.id());
            });
        }
    }

    /// If an arm does nothing and leads to the merge block of its header, the header branches to the merge
    /// block directly.
    bool thread_empty_arms();
    bool thread(Block& header, const Block& arm, Block& merge);
    /// A block and the only one that it leads to, which has no other predecessor and no part in a merge, are
    /// one.
    bool join_blocks();

    Builder& builder_;
    Function& function_;
    Folder folder_;
    IdSet* values_;
    Cfg cfg_ = {};                   // as the blocks are
    IdMap<uint32_t> block_of_ = {};  // label -> index
    IdSet leaned_on_ = {};           // labels that a condition branches to from elsewhere than their header
};

bool FunctionFolder::thread_empty_arms() {
    const Cfg& cfg = cfg_;
    bool any = false;
    for (uint32_t a : cfg.order) {
        const Block& arm = function_.blocks[a];
        if (code_size(arm) != 0 || arm.merge.op != spv::Op::OpNop || arm.terminator.op != spv::Op::OpBranch)
            continue;
        if (cfg.predecessors[a].size() != 1) continue;
        const uint32_t h = cfg.predecessors[a][0], m = cfg.successors[a][0];
        Block& header = function_.blocks[h];
        if (h == a || header.merge.op != spv::Op::OpSelectionMerge ||
            header.terminator.operands.size() > kMaxTargets ||
            header.merge.id(0) != function_.blocks[m].label)
            continue;
        any |= thread(header, arm, function_.blocks[m]);
    }
    if (any) remove_unreachable_blocks(function_);
    return any;
}

bool FunctionFolder::thread(Block& header, const Block& arm, Block& merge) {
    const std::vector<Id> targets = branch_targets(header.terminator);
    const bool twice = std::ranges::find(targets, merge.label) != targets.end();
    if (twice)  // the two edges would be one, which can carry only one value
        for (const Instruction& phi : spirv::phis_of(merge.body))
            if (value_from(phi, header.label) != value_from(phi, arm.label)) return false;
    replace_target(header.terminator, arm.label, merge.label);
    forget_values(arm, merge);
    if (twice)
        drop_predecessor(merge, arm.label);
    else
        rename_predecessor(merge, arm.label, header.label);
    const std::vector<Id> left = branch_targets(header.terminator);
    if (std::ranges::all_of(left, [&](Id target) { return target == merge.label; })) {
        header.merge = {};
        header.terminator = {
            .op = spv::Op::OpBranch, .operands = {merge.label}, .line = header.terminator.line};
    }
    return true;
}

bool FunctionFolder::join_blocks() {
    const Cfg& cfg = cfg_;
    std::vector<bool> declared(cfg.size(), false), gone(cfg.size(), false);
    for (const Block& block : function_.blocks) {
        if (block.merge.op == spv::Op::OpNop) continue;
        for (size_t i = 0; i < (block.merge.op == spv::Op::OpLoopMerge ? 2 : 1); ++i)
            declared[cfg.block(block.merge.id(i))] = true;
    }
    IdMap<Id> joined;  // label -> label of the block that it is in now
    for (uint32_t a : cfg.order) {
        if (gone[a]) continue;
        Block& block = function_.blocks[a];
        while (block.terminator.op == spv::Op::OpBranch && block.merge.op == spv::Op::OpNop) {
            const uint32_t b = cfg.block(block.terminator.id(0));
            Block& next = function_.blocks[b];
            const bool phis = !next.body.empty() && next.body[0].op == spv::Op::OpPhi;
            if (b == a || declared[b] || phis || cfg.predecessors[b].size() != 1) break;
            block.body.insert(block.body.end(), std::make_move_iterator(next.body.begin()),
                              std::make_move_iterator(next.body.end()));
            block.merge = std::move(next.merge);
            block.terminator = std::move(next.terminator);
            gone[b] = true;
            joined[next.label.value] = block.label;
        }
    }
    if (joined.empty()) return false;
    std::vector<Block> kept;
    for (uint32_t b = 0; b < cfg.size(); ++b)
        if (!gone[b]) kept.push_back(std::move(function_.blocks[b]));
    function_.blocks = std::move(kept);
    for (Block& block : function_.blocks)
        for (Instruction& phi : spirv::phis_of(block.body))
            for (size_t i = 1; i < phi.operands.size(); i += 2)
                if (auto found = joined.find(phi.word(i)); found != joined.end())
                    phi.operands[i] = found->second;
    return true;
}

}  // namespace

bool fold_function(Builder& builder, Function& function) {
    return FunctionFolder(builder, function, nullptr).run();
}

bool fold_dependents(Builder& builder, Function& function, IdSet& values) {
    return FunctionFolder(builder, function, &values).run();
}

}  // namespace caldera::vulkan
