// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/unroll.h"

#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/uses.h"
#include "vulkan/translate/clone.h"
#include "vulkan/translate/trip_count.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr uint32_t kMaxTrips = 128, kMaxTripsUnasked = 32;
// Instructions of one loop, all copies.
constexpr size_t kMaxCopied = 1 << 13, kMaxCopiedNested = 1 << 12, kMaxCopiedUnasked = 1 << 10;
constexpr int kMaxRounds = 4;  // loops in loops
constexpr uint32_t kNoLoop = ~0u;

/// One that can be unrolled. Blocks are indices into the function.
struct CountedLoop {
    uint32_t header = 0, latch = 0, exit = 0;  ///< `exit` ends in the only branch out of it
    std::vector<uint32_t> blocks = {};         ///< in the function's order
    uint32_t trips = 0;                        ///< how often the latch runs
    size_t size = 0;                           ///< instructions
    bool asked = false;
    bool has_barrier = false, is_dear = false;
    bool is_nested = false;  ///< in another loop, where such are asked for
};

bool is_barrier(const Instruction& inst) { return inst.op == Op::OpControlBarrier; }

/// `if (enough) break;` is a block of its own that only leaves the loop; the branch to it becomes the way out.
void shorten_exits(Function& function) {
    const Cfg cfg = build_cfg(function);
    IdSet merges, named;
    for (const Block& block : function.blocks) {
        if (block.merge.op == Op::OpLoopMerge) {
            merges.insert(block.merge.id(0));
            named.insert(block.merge.id(1));
        }
        if (block.merge.op != Op::OpNop) named.insert(block.merge.id(0));
    }
    std::vector<bool> gone(function.blocks.size());
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        if (!block.body.empty() || block.merge.op != Op::OpNop || block.terminator.op != Op::OpBranch)
            continue;
        const Id target = block.terminator.id(0);
        if (!merges.contains(target) || named.contains(block.label) || cfg.predecessors[b].size() != 1)
            continue;
        Block& before = function.blocks[cfg.predecessors[b][0]];
        if (before.terminator.op != Op::OpBranchConditional || before.merge.op != Op::OpSelectionMerge)
            continue;
        const size_t way = before.terminator.id(1) == block.label ? 1 : 2;
        const Id other = before.terminator.id(3 - way);
        if (other != before.merge.id(0) || other == target) continue;
        before.terminator.operands[way] = target;
        before.merge = {};
        for (Instruction& phi : function.blocks[cfg.block(target)].body)
            for (size_t i = 1; phi.op == Op::OpPhi && i < phi.operands.size(); i += 2)
                if (phi.id(i) == block.label) phi.operands[i] = before.label;
        gone[b] = true;
    }
    uint32_t next = 0;
    std::erase_if(function.blocks, [&](const Block&) { return gone[next++]; });
}

class Unroller {
 public:
    Unroller(Module& module, Cloner& cloner, size_t& budget, bool wants_nested)
        : module_(module),
          builder_(module),
          cloner_(cloner),
          budget_(budget),
          wants_nested_(wants_nested),
          definitions_(module.bound) {}

    /// Innermost loops only; false when there is none to unroll.
    bool run(Function& function) {
        function_ = &function;
        cfg_ = build_cfg(function);
        tree_ = dominators(cfg_);
        find_loops();
        choose();
        if (loops_.empty()) return false;
        rewrite();
        return true;
    }

 private:
    // ---- Which loops ----

    void find_loops() {
        loops_.clear();
        for (const Block& block : function_->blocks)
            for (const Instruction& inst : block.body) definitions_[inst.result.value] = &inst;
        for (uint32_t b = 0; b < function_->blocks.size(); ++b)
            if (cfg_.reachable(b) && function_->blocks[b].merge.op == Op::OpLoopMerge)
                if (auto loop = counted_loop(b)) loops_.push_back(std::move(*loop));
    }

    std::optional<CountedLoop> counted_loop(uint32_t header) const {
        const Block& head = function_->blocks[header];
        const uint32_t control = head.merge.word(2);
        const auto hint = [&](spv::LoopControlMask mask) {
            return (control & static_cast<uint32_t>(mask)) != 0;
        };
        if (hint(spv::LoopControlMask::DontUnroll) || hint(spv::LoopControlMask::PartialCount)) return {};
        CountedLoop loop{.header = header, .asked = hint(spv::LoopControlMask::Unroll)};
        const uint32_t merge = cfg_.block(head.merge.id(0));
        if (!find_blocks(loop, merge) || !find_edges(loop, merge)) return {};
        loop.is_nested = wants_nested_ && !loop.is_dear && is_in_loop(header);
        const std::optional<uint32_t> trips =
            TripCounter(builder_, definitions_)
                .count(head, function_->blocks[loop.latch].label, function_->blocks[loop.exit].terminator,
                       loop.asked || loop.is_nested ? kMaxTrips : kMaxTripsUnasked);
        if (!trips) return {};
        loop.trips = *trips;
        const size_t most = loop.asked ? kMaxCopied : loop.is_nested ? kMaxCopiedNested : kMaxCopiedUnasked;
        if (loop.size * loop.trips + size_of_last(loop) > most) return {};
        return loop;
    }
    size_t size_of_last(const CountedLoop& loop) const {
        size_t size = 0;
        for (uint32_t b : loop.blocks)
            if (is_in_last(loop, b)) size += function_->blocks[b].body.size() + 1;
        return size;
    }

    bool is_in_loop(uint32_t header) const {
        for (uint32_t b = tree_.parent[header]; b != kNoBlock; b = tree_.parent[b]) {
            const Instruction& merge = function_->blocks[b].merge;
            if (merge.op == Op::OpLoopMerge && !tree_.dominates(cfg_.block(merge.id(0)), header)) return true;
        }
        return false;
    }

    /// What the header dominates and the merge block does not. False for a loop with another in it, or one too large.
    bool find_blocks(CountedLoop& loop, uint32_t merge) const {
        std::vector<uint32_t> work = {loop.header};
        while (!work.empty()) {
            const uint32_t b = work.back();
            work.pop_back();
            if (b == merge) continue;
            const Block& block = function_->blocks[b];
            loop.size += block.body.size() + 1;
            loop.has_barrier |= std::ranges::any_of(block.body, is_barrier);
            loop.is_dear |= std::ranges::any_of(block.body, caldera::vulkan::is_dear);
            if ((b != loop.header && block.merge.op == Op::OpLoopMerge) || loop.size > kMaxCopied)
                return false;
            loop.blocks.push_back(b);
            for (uint32_t child : tree_.children[b]) work.push_back(child);
        }
        std::ranges::sort(loop.blocks);
        return true;
    }

    /// One way in, one way back, one way out, and the way back always passes the way out.
    bool find_edges(CountedLoop& loop, uint32_t merge) const {
        uint32_t exits = 0, latches = 0, entries = 0;
        const auto inside = [&](uint32_t b) { return std::ranges::binary_search(loop.blocks, b); };
        for (uint32_t b : loop.blocks) {
            if (cfg_.successors[b].empty()) return false;
            for (uint32_t next : cfg_.successors[b])
                if (!inside(next)) {
                    ++exits;
                    loop.exit = b;
                    if (next != merge) return false;
                }
        }
        for (uint32_t b : cfg_.predecessors[loop.header])
            if (inside(b)) {
                ++latches;
                loop.latch = b;
            } else {
                ++entries;
            }
        if (exits != 1 || latches != 1 || entries != 1 || !tree_.dominates(loop.exit, loop.latch))
            return false;
        const Block& exit = function_->blocks[loop.exit];
        if (loop.latch != loop.exit && function_->blocks[loop.latch].terminator.op != Op::OpBranch)
            return false;
        if (exit.terminator.op != Op::OpBranchConditional || exit.merge.op == Op::OpSelectionMerge)
            return false;
        const uint32_t target = cfg_.block(function_->blocks[loop.header].merge.id(1));
        return target == loop.header || cfg_.predecessors[target].size() == 1;  // no `continue`
    }

    // ---- Which of them pay ----

    /// Keeps those with the hint, those with a barrier, and those that index a private array which nothing else indexes at
    /// run time.
    void choose() {
        if (loops_.empty()) return;
        std::vector<uint32_t> loop_of(function_->blocks.size(), kNoLoop);
        for (uint32_t l = 0; l < loops_.size(); ++l)
            for (uint32_t b : loops_[l].blocks) loop_of[b] = l;
        IdSet lost;                                     // arrays that stay arrays
        std::vector<std::pair<Id, uint32_t>> indexers;  // an array, and a loop that indexes it
        for (uint32_t b = 0; b < function_->blocks.size(); ++b)
            for (const Instruction& inst : function_->blocks[b].body)
                look_at(inst, loop_of[b], indexers, lost);
        std::vector<bool> pays(loops_.size());
        for (const auto& [array, loop] : indexers)
            if (!lost.contains(array)) pays[loop] = true;
        std::vector<CountedLoop> kept;
        for (uint32_t l = 0; l < loops_.size(); ++l) {
            const size_t added = loops_[l].size * loops_[l].trips;
            const CountedLoop& loop = loops_[l];
            if (!(loop.asked || loop.has_barrier || loop.is_nested || pays[l]) || added > budget_) continue;
            budget_ -= added;
            kept.push_back(std::move(loops_[l]));
        }
        loops_ = std::move(kept);
    }

    void look_at(const Instruction& inst, uint32_t loop, std::vector<std::pair<Id, uint32_t>>& indexers,
                 IdSet& lost) const {
        const bool chain = inst.op == Op::OpAccessChain || inst.op == Op::OpInBoundsAccessChain;
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            if (!inst.operands[i].is_id) continue;
            const Instruction* def = definitions_[inst.word(i)];
            if (!def || def->op != Op::OpVariable) continue;
            const bool whole = inst.op == Op::OpLoad || (inst.op == Op::OpStore && i == 0);
            if (whole || (chain && i == 0 && has_constant_indices(inst))) continue;
            if (chain && i == 0 && loop != kNoLoop)
                indexers.emplace_back(inst.id(0), loop);
            else
                lost.insert(inst.id(i));
        }
    }
    bool has_constant_indices(const Instruction& chain) const {
        return std::all_of(chain.operands.begin() + 1, chain.operands.end(), [&](const Operand& index) {
            return builder_.constant_value(index.id()).has_value();
        });
    }

    // ---- Unrolling ----

    void rewrite() {
        std::vector<const CountedLoop*> loop_at(function_->blocks.size());
        std::vector<bool> gone(function_->blocks.size());
        for (const CountedLoop& loop : loops_) {
            loop_at[loop.header] = &loop;
            for (uint32_t b : loop.blocks) gone[b] = true;
        }
        std::vector<Block> out;
        Substitution results;
        for (uint32_t b = 0; b < function_->blocks.size(); ++b) {
            if (loop_at[b]) unroll(*loop_at[b], out, results);
            if (!gone[b]) out.push_back(std::move(function_->blocks[b]));
        }
        function_->blocks = std::move(out);
        results.apply(*function_);
    }

    /// The copies, one behind the other; the last one ends at the exit. Behind the loop, what it left is the last copy's.
    void unroll(const CountedLoop& loop, std::vector<Block>& out, Substitution& results) {
        const Block& head = function_->blocks[loop.header];
        const Id latch = function_->blocks[loop.latch].label, merge = head.merge.id(0);
        std::vector<std::pair<Id, Id>> carried;  // the phis, and what they are in the next copy
        for (const Instruction& phi : head.body)
            if (phi.op == Op::OpPhi) carried.emplace_back(phi.result, phi.id(phi.id(1) == latch ? 2 : 0));
        Id label = head.label;
        for (uint32_t copy = 0; copy <= loop.trips; ++copy) {
            const bool last = copy == loop.trips;
            for (uint32_t b : loop.blocks)
                if (!last || is_in_last(loop, b))
                    rename(function_->blocks[b], b == loop.header ? label : Id{});
            for (const auto& [phi, value] : carried) cloner_.map(phi, value);
            const Id next = last ? merge : module_.fresh();
            for (uint32_t b : loop.blocks)
                if (!last || is_in_last(loop, b)) out.push_back(copied(loop, b, last, next));
            carried.clear();
            for (const Instruction& phi : head.body)
                if (phi.op == Op::OpPhi)
                    carried.emplace_back(phi.result, cloner_(phi.id(phi.id(1) == latch ? 0 : 2)));
            label = next;
        }
        rename_exit(function_->blocks[cfg_.block(merge)], function_->blocks[loop.exit].label);
        for (uint32_t b : loop.blocks) {
            if (!is_in_last(loop, b)) continue;
            for (const Instruction& inst : function_->blocks[b].body)
                if (inst.result) results.set(inst.result, cloner_(inst.result));
        }
    }
    /// In phis only: branches to a header lead to the first copy.
    void rename_exit(Block& merge, Id exit) {
        for (Instruction& phi : merge.body)
            for (size_t i = 1; phi.op == Op::OpPhi && i < phi.operands.size(); i += 2)
                if (phi.id(i) == exit) phi.operands[i] = cloner_(exit);
    }
    bool is_in_last(const CountedLoop& loop, uint32_t block) const {
        return block == loop.exit || !tree_.dominates(loop.exit, block);
    }
    void rename(const Block& block, Id label) {
        if (label)
            cloner_.map(block.label, label);
        else
            cloner_.rename(block.label);
        for (const Instruction& inst : block.body)
            if (inst.result) cloner_.rename(inst.result);
    }
    Block copied(const CountedLoop& loop, uint32_t b, bool last, Id next) {
        const Block& block = function_->blocks[b];
        Block out{.label = cloner_(block.label)};
        for (const Instruction& inst : block.body)
            if (b != loop.header || inst.op != Op::OpPhi) out.body.push_back(cloner_.copy(inst));
        if (b != loop.header) out.merge = cloner_.copy(block.merge);
        out.terminator = {.op = Op::OpBranch, .operands = {next}, .line = block.terminator.line};
        if (b == loop.exit && !last) {
            const Id merge = function_->blocks[loop.header].merge.id(0);
            const Id stay = block.terminator.id(block.terminator.id(1) == merge ? 2 : 1);
            if (b != loop.latch) out.terminator.operands[0] = cloner_(stay);
        } else if (b != loop.exit && b != loop.latch) {
            out.terminator = cloner_.copy(block.terminator);
        }
        return out;
    }

    Module& module_;
    Builder builder_;
    Cloner& cloner_;
    size_t& budget_;  // instructions that may still be added to the module
    const bool wants_nested_;
    Function* function_ = nullptr;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
    std::vector<CountedLoop> loops_ = {};
};

/// Whether there may be anything to do: loops with the hint, loops with arrays or barriers, or any.
bool is_candidate(const Function& function, bool wants_nested) {
    const auto& blocks = function.blocks;
    const auto is_loop = [](const Block& block) { return block.merge.op == Op::OpLoopMerge; };
    const auto is_asked = [&](const Block& block) {
        return is_loop(block) &&
               (block.merge.word(2) & static_cast<uint32_t>(spv::LoopControlMask::Unroll)) != 0;
    };
    const auto is_variable = [](const Instruction& inst) { return inst.op == Op::OpVariable; };
    if (std::ranges::none_of(blocks, is_loop)) return false;
    return wants_nested || std::ranges::any_of(blocks[0].body, is_variable) ||
           std::ranges::any_of(blocks, [&](const Block& block) {
               return is_asked(block) || std::ranges::any_of(block.body, is_barrier);
           });
}

}  // namespace

bool is_dear(const Instruction& inst) {
    const auto is_among = [&](Op first, Op last) { return first <= inst.op && inst.op <= last; };
    return inst.op == Op::OpFunctionCall || inst.op == Op::OpControlBarrier ||
           is_among(Op::OpGroupAsyncCopy, Op::OpGroupSMax) ||  // SPIR-V 3.42.21, "Group Instructions"
           is_among(Op::OpGroupNonUniformElect, Op::OpGroupNonUniformQuadSwap);
}

std::vector<uint32_t> unroll_counted_loops(Module& module, bool nested) {
    std::vector<uint32_t> work, changed;
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        if (is_candidate(module.functions[f], nested)) work.push_back(f);
    if (work.empty()) return {};
    size_t budget = 1 << 16;
    for (const Function& function : module.functions)
        for (const Block& block : function.blocks) budget += 4 * block.body.size();
    for (uint32_t f : work) shorten_exits(module.functions[f]);
    Cloner cloner(module);
    for (int round = 0; round < kMaxRounds && !work.empty(); ++round) {
        Unroller unroller(module, cloner, budget, nested);
        std::erase_if(work, [&](uint32_t f) { return !unroller.run(module.functions[f]); });
        if (round == 0) changed = work;
    }
    return changed;
}

}  // namespace caldera::vulkan
