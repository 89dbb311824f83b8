// SPDX-License-Identifier: Apache-2.0
// repeat_loops: lets small loops do several iterations per backward branch, for devices whose compilers count
// the branches.
//
// Mesa's llvmpipe ends every loop of a work-item that has taken 65,535 backward branches, in whatever loops.
// If unroll_partly has not found a constant trip count, the blocks of an innermost loop are copied one after
// another with their tests, and only the last copy branches back. The same number of iterations then needs
// fewer branches by the number of copies. A value that is used after the loop first becomes a phi of its
// merge block, since it now comes from any of the copies.
//
// Loops of few iterations stay as they are. The exceptions are in another loop, which multiplies their
// branches, and too large for drivers to unroll.
//
// After: as after promote_variables.
#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/phis.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/flow/loop_results.h"
#include "vulkan/translate/flow/trip_count.h"
#include "vulkan/translate/pass.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

// Instructions of one loop: so many in four copies, and as long as it is no longer, two copies of it. Checks
// make several times as many of them, and programs are written for loops that do not end early.
constexpr size_t kMaxCopies = 4, kMaxRepeated = 128, kMaxRepeatedWithChecks = 2048;
constexpr uint32_t kFewTurns = 32;         // such loops drivers unroll themselves,
constexpr size_t kMaxDriverUnrolls = 512;  // if all turns have no more instructions
constexpr uint32_t kNotInLoop = ~0u;

struct RepeatedLoop : InnermostLoop {
    size_t inlined_size = 0;  ///< instructions with those of calls
    size_t copies = 0;        ///< the first included
};

class Repeater {
 public:
    /// `most`: instructions of one loop.
    Repeater(Module& module, Cloner& cloner, size_t most, size_t& budget)
        : builder_(module),
          functions_(module),
          cloner_(cloner),
          most_(most),
          budget_(budget),
          definitions_(module.bound) {}

    void run(Function& function) {
        function_ = &function;
        cfg_ = build_cfg(function);
        tree_ = dominators(cfg_);
        find_loops();
        if (loops_.empty()) return;
        close_loops();
        rewrite();
    }

 private:
    // ---- Which loops ----

    void find_loops() {
        loops_.clear();
        loop_of_.assign(cfg_.size(), kNotInLoop);
        for (const Block& block : function_->blocks)
            for (const Instruction& inst : block.body) definitions_[inst.result.value] = &inst;
        for (uint32_t b : cfg_.order) {
            if (function_->blocks[b].merge.op != Op::OpLoopMerge) continue;
            std::optional<RepeatedLoop> loop = repeated_loop(b);
            if (!loop || leaves_pointers(*loop)) continue;
            const size_t added = loop->inlined_size * (loop->copies - 1);
            if (added > budget_) continue;
            budget_ -= added;
            for (uint32_t inside : loop->blocks) loop_of_[inside] = static_cast<uint32_t>(loops_.size());
            loops_.push_back(std::move(*loop));
        }
    }

    std::optional<RepeatedLoop> repeated_loop(uint32_t header) const {
        std::optional<InnermostLoop> found = innermost_loop(*function_, cfg_, tree_, header, most_);
        if (!found) return {};
        RepeatedLoop loop{std::move(*found)};
        const CodeFacts facts = loop.inlined(functions_);
        if (facts.has_group_operations) return {};
        const Op back = function_->blocks[loop.latch].terminator.op;
        if ((back != Op::OpBranch && back != Op::OpBranchConditional) || !continues_at_end(loop) ||
            !is_plain(function_->blocks[header]))
            return {};
        loop.inlined_size = facts.size;
        if (has_few_jumps(loop)) return {};
        if (loop.inlined_size > most_) return {};
        loop.copies = std::clamp<size_t>(most_ / loop.inlined_size, 2, kMaxCopies);
        return loop;
    }
    /// The continue target is an ordinary block in all copies but the last: no selection may end by a jump to
    /// it.
    bool continues_at_end(const RepeatedLoop& loop) const {
        const uint32_t target = cfg_.block(function_->blocks[loop.header].merge.id(1));
        if (target == loop.header) return true;
        if (cfg_.predecessors[target].size() != 1) return false;
        for (uint32_t b = tree_.parent[target];; b = tree_.parent[b]) {
            const Instruction& merge = function_->blocks[b].merge;
            if (merge.op == Op::OpSelectionMerge && !tree_.dominates(cfg_.block(merge.id(0)), target))
                return false;
            if (b == loop.header) return true;
        }
    }

    /// Without its merge instruction the header's branch needs no other: it goes on, or leaves.
    static bool is_plain(const Block& header) {
        if (header.terminator.op == Op::OpBranch) return true;
        return header.terminator.op == Op::OpBranchConditional &&
               (header.terminator.id(1) == header.merge.id(0) ||
                header.terminator.id(2) == header.merge.id(0));
    }

    /// So few turns that the driver unrolls them, or no loop around them that multiplies them.
    bool has_few_jumps(const RepeatedLoop& loop) const {
        const Block& head = function_->blocks[loop.header];
        const Id latch = function_->blocks[loop.latch].label;
        const TripCounter counter(builder_, definitions_);
        for (uint32_t b : cfg_.predecessors[loop.merge]) {
            const Instruction& branch = function_->blocks[b].terminator;
            if (!loop.contains(b) || branch.op != Op::OpBranchConditional) continue;
            const auto turns = counter.count(head, latch, branch, kFewTurns);
            if (turns)
                return *turns * loop.inlined_size <= kMaxDriverUnrolls ||
                       !is_in_a_loop(*function_, cfg_, tree_, loop.header);
        }
        return false;
    }

    // ---- What they leave behind ----

    /// Pointers had better be no phis (lower_memory).
    bool leaves_pointers(const RepeatedLoop& loop) {
        IdSet pointers;
        for (uint32_t b : loop.blocks)
            for (const Instruction& inst : function_->blocks[b].body)
                if (inst.type && builder_.is_pointer(inst.type)) pointers.insert(inst.result.value);
        if (pointers.empty()) return false;
        bool leaves = false;
        for_each_use(*function_, cfg_, [&](Operand& use, uint32_t block) {
            leaves |= pointers.contains(use.word) && !loop.contains(block);
        });
        return leaves;
    }

    void close_loops() {
        IdMap<uint32_t> made;  // in which loop, by result
        for (uint32_t l = 0; l < loops_.size(); ++l)
            for (uint32_t b : loops_[l].blocks)
                for (const Instruction& inst : function_->blocks[b].body)
                    if (inst.result) made.emplace(inst.result, l);
        IdMap<Id> behind;                                    // by what is left behind
        std::vector<std::pair<uint32_t, Instruction>> phis;  // and in which block
        for_each_use(*function_, cfg_, [&](Operand& use, uint32_t block) {
            const auto found = made.find(use.id());
            if (found == made.end() || loop_of_[block] == found->second) return;
            const auto [phi, is_new] = behind.try_emplace(use.id());
            if (is_new) {
                const uint32_t merge = loops_[found->second].merge;
                phi->second = builder_.fresh();
                phis.emplace_back(merge, phi_behind(*function_, cfg_, tree_, merge, use.id(),
                                                    builder_.type_of(use.id()), phi->second));
            }
            use = phi->second;
        });
        for (auto& [block, phi] : phis) {
            std::vector<Instruction>& body = function_->blocks[block].body;
            body.insert(body.begin(), std::move(phi));
        }
    }

    // ---- Copies ----

    void rewrite() {
        std::vector<Block> out;
        for (uint32_t b = 0; b < function_->blocks.size(); ++b) {
            const uint32_t l = loop_of_[b];
            if (l == kNotInLoop) out.push_back(std::move(function_->blocks[b]));
            if (l != kNotInLoop && loops_[l].header == b) repeat(loops_[l], out);
        }
        function_->blocks = std::move(out);
    }

    /// The loop's own blocks, then their copies.
    void repeat(const RepeatedLoop& loop, std::vector<Block>& out) {
        const Id latch = function_->blocks[loop.latch].label;
        std::vector<Block> turn;
        for (uint32_t b : loop.blocks) turn.push_back(std::move(function_->blocks[b]));
        const Block& head = turn.front();  // it dominates the others
        std::vector<Instruction>& behind = function_->blocks[loop.merge].body;
        const std::vector<Instruction> phis = copied_phis(head.body), left = copied_phis(behind);
        std::vector<Id> carried(phis.size());  // what the header's phis are in the next copy
        const size_t first = out.size();
        Id label = head.label;
        for (size_t copy = 0; copy < loop.copies; ++copy) {
            const Id next = copy + 1 == loop.copies ? head.label : builder_.fresh();
            if (copy != 0) {
                rename(turn);
                cloner_.map(head.label, label);
                for (size_t i = 0; i < phis.size(); ++i) cloner_.map(phis[i].result, carried[i]);
            }
            for (const Block& block : turn) {
                out.push_back(copy == 0 ? block : copied(block, &block == &head));
                if (block.label == latch) replace_target(out.back().terminator, label, next);
            }
            for (size_t i = 0; i < phis.size(); ++i) carried[i] = cloner_(value_from(phis[i], latch));
            if (copy != 0) add_ways_out(loop, left, behind);
            label = next;
        }
        Block& header = out[first];
        const Id target = head.merge.id(1);
        header.merge.operands[1] = cloner_(target == head.label ? latch : target);
        for (size_t i = 0; i < phis.size(); ++i)
            for (size_t way = 0; way < phis[i].operands.size(); way += 2)
                if (phis[i].id(way + 1) == latch) {
                    header.body[i].operands[way] = carried[i];
                    header.body[i].operands[way + 1] = cloner_(latch);
                }
    }
    static std::vector<Instruction> copied_phis(const std::vector<Instruction>& body) {
        const auto phis = spirv::phis_of(body);
        return {phis.begin(), phis.end()};
    }
    void rename(const std::vector<Block>& turn) {
        for (const Block& block : turn) {
            if (&block != &turn.front()) cloner_.rename(block.label);
            for (const Instruction& inst : block.body)
                if (inst.result) cloner_.rename(inst.result);
        }
    }
    Block copied(const Block& block, bool is_header) const {
        Block out{.label = cloner_(block.label), .terminator = cloner_.copy(block.terminator)};
        for (const Instruction& inst : block.body)
            if (!is_header || inst.op != Op::OpPhi) out.body.push_back(cloner_.copy(inst));
        if (!is_header) out.merge = cloner_.copy(block.merge);
        return out;
    }
    /// The merge block is reached from the latest copy too.
    void add_ways_out(const RepeatedLoop& loop, const std::vector<Instruction>& phis,
                      std::vector<Instruction>& body) const {
        for (size_t i = 0; i < phis.size(); ++i)
            for (size_t way = 0; way < phis[i].operands.size(); way += 2)
                if (loop.contains(cfg_.block(phis[i].id(way + 1)))) {
                    body[i].operands.push_back(cloner_(phis[i].id(way)));
                    body[i].operands.push_back(cloner_(phis[i].id(way + 1)));
                }
    }

    Builder builder_;
    const FunctionFacts functions_;
    Cloner& cloner_;
    const size_t most_;
    size_t& budget_;  // instructions that may still be added to the module
    Function* function_ = nullptr;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
    std::vector<RepeatedLoop> loops_ = {};
    std::vector<uint32_t> loop_of_ = {};  // block -> one of loops_
};

}  // namespace

Result<Done> repeat_loops(Module& module, PassContext& context) {
    if (!context.options.profile.quirks.ends_long_loops) return Done{};
    size_t budget = 1 << 13;
    for (const Function& function : module.functions)
        for (const Block& block : function.blocks) budget += code_size(block);
    Cloner cloner(module);
    const bool has_checks = context.options.checks != MemoryChecks::None;
    Repeater repeater(module, cloner, has_checks ? kMaxRepeatedWithChecks : kMaxRepeated, budget);
    for (Function& function : module.functions)
        if (has_loop(function)) repeater.run(function);
    return Done{};
}

}  // namespace caldera::vulkan
