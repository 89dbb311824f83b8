// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/unroll.h"

#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/flow/trip_count.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

constexpr uint32_t kMaxTrips = 128, kMaxTripsUnasked = 32;
// Instructions of one loop, all copies.
constexpr size_t kMaxCopied = 1 << 13, kMaxCopiedNested = 1 << 12, kMaxCopiedUnasked = 1 << 10;
constexpr int kMaxRounds = 4;  // loops in loops
constexpr uint32_t kNoLoop = ~0u;
constexpr int kMaxChains = 8;  // of a pointer

/// One that can be unrolled.
struct CountedLoop : InnermostLoop {
    uint32_t exit = 0;   ///< ends in the only branch out of it
    uint32_t trips = 0;  ///< how often the latch runs
    bool asked = false;
    bool is_nested = false;  ///< in another loop, where such are asked for
};

bool is_barrier(const Instruction& inst) { return inst.op == Op::OpControlBarrier; }

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
            if (auto loop = counted_loop(b)) loops_.push_back(std::move(*loop));
    }

    std::optional<CountedLoop> counted_loop(uint32_t header) const {
        const Block& head = function_->blocks[header];
        if (head.merge.op != Op::OpLoopMerge) return {};
        const uint32_t control = head.merge.word(2);
        const auto hint = [&](spv::LoopControlMask mask) {
            return (control & static_cast<uint32_t>(mask)) != 0;
        };
        if (hint(spv::LoopControlMask::DontUnroll) || hint(spv::LoopControlMask::PartialCount)) return {};
        std::optional<InnermostLoop> found = innermost_loop(*function_, cfg_, tree_, header, kMaxCopied);
        const auto exit = found ? only_exit(*function_, cfg_, tree_, *found) : std::nullopt;
        if (!exit) return {};
        CountedLoop loop{std::move(*found)};
        loop.exit = *exit;
        loop.asked = hint(spv::LoopControlMask::Unroll);
        loop.is_nested = wants_nested_ && loop.calls.empty() && !loop.own.has_group_operations &&
                         !loop.own.has_barrier && is_in_a_loop(*function_, cfg_, tree_, header);
        const std::optional<uint32_t> trips =
            TripCounter(builder_, definitions_)
                .count(head, function_->blocks[loop.latch].label, function_->blocks[loop.exit].terminator,
                       loop.asked || loop.is_nested ? kMaxTrips : kMaxTripsUnasked);
        if (!trips) return {};
        loop.trips = *trips;
        const size_t most = loop.asked ? kMaxCopied : loop.is_nested ? kMaxCopiedNested : kMaxCopiedUnasked;
        if (loop.own.size * loop.trips + size_of_last(loop) > most) return {};
        return loop;
    }
    size_t size_of_last(const CountedLoop& loop) const {
        size_t size = 0;
        for (uint32_t b : loop.blocks)
            if (is_in_last_turn(tree_, loop.exit, b)) size += code_size(function_->blocks[b]) + 1;
        return size;
    }

    // ---- Which of them pay ----

    /// Keeps those with the hint, those with a barrier, and those that index a private array which nothing
    /// else indexes at run time.
    void choose() {
        if (loops_.empty()) return;
        std::vector<uint32_t> loop_of(function_->blocks.size(), kNoLoop);
        for (uint32_t l = 0; l < loops_.size(); ++l)
            for (uint32_t b : loops_[l].blocks) loop_of[b] = l;
        find_used_casts();
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
            const size_t added = loops_[l].own.size * loops_[l].trips;
            const CountedLoop& loop = loops_[l];
            if (!(loop.asked || loop.own.has_barrier || loop.is_nested || pays[l]) || added > budget_)
                continue;
            budget_ -= added;
            kept.push_back(std::move(loops_[l]));
        }
        loops_ = std::move(kept);
    }

    /// Where a pointer may be generic, front ends cast many that are then accessed as what they are.
    void find_used_casts() {
        IdSet casts;
        used_casts_.clear();
        for (const Block& block : function_->blocks)
            for (const Instruction& inst : block.body)
                if (inst.op == Op::OpPtrCastToGeneric) casts.insert(inst.result);
        if (casts.empty()) return;
        for (const Block& block : function_->blocks)
            for (const Instruction& inst : block.body)
                for (const Operand& operand : inst.operands)
                    if (operand.is_id && casts.contains(operand.id())) used_casts_.insert(operand.id());
    }

    void look_at(const Instruction& inst, uint32_t loop, std::vector<std::pair<Id, uint32_t>>& indexers,
                 IdSet& lost) const {
        if (inst.op == Op::OpPtrCastToGeneric && !used_casts_.contains(inst.result)) return;
        for (size_t i = 0; i < inst.operands.size(); ++i) {
            const Id array = inst.operands[i].is_id ? array_of(inst.id(i)) : Id{};
            if (!array) continue;
            const bool chain = i == 0 && spirv::is_access_chain(inst.op);
            const bool whole = inst.op == Op::OpLoad || (inst.op == Op::OpStore && i == 0);
            if (whole || (chain && has_constant_indices(inst))) continue;
            if (chain && loop != kNoLoop)
                indexers.emplace_back(array, loop);
            else
                lost.insert(array);
        }
    }
    /// The variable that a pointer points into, if only chains lead there. What an array decays to when it is
    /// passed to a function is a pointer to its first element.
    Id array_of(Id pointer) const {
        for (int depth = 0; depth < kMaxChains; ++depth) {
            const Instruction* def = definitions_[pointer.value];
            if (!def || def->op == Op::OpVariable) return def ? pointer : Id{};
            if (!spirv::is_access_chain(def->op)) return {};
            pointer = def->id(0);
        }
        return {};
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
            if (const CountedLoop* loop = loop_at[b])
                TurnCopier(module_, *function_, tree_, *loop, loop->exit, cloner_)
                    .copy_to_end(function_->blocks[b].label, loop->trips, function_->blocks[loop->merge],
                                 results, out);
            if (!gone[b]) out.push_back(std::move(function_->blocks[b]));
        }
        function_->blocks = std::move(out);
        results.apply(*function_);
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
    IdSet used_casts_ = {};
};

/// Whether there may be anything to do: loops with the hint, loops with arrays or barriers, or any.
bool is_candidate(const Function& function, bool wants_nested) {
    const auto& blocks = function.blocks;
    const auto is_asked = [](const Block& block) {
        return block.merge.op == Op::OpLoopMerge &&
               (block.merge.word(2) & static_cast<uint32_t>(spv::LoopControlMask::Unroll)) != 0;
    };
    const auto is_variable = [](const Instruction& inst) { return inst.op == Op::OpVariable; };
    if (!has_loop(function)) return false;
    return wants_nested || std::ranges::any_of(blocks[0].body, is_variable) ||
           std::ranges::any_of(blocks, [&](const Block& block) {
               return is_asked(block) || std::ranges::any_of(block.body, is_barrier);
           });
}

}  // namespace

std::vector<uint32_t> unroll_counted_loops(Module& module, bool nested) {
    std::vector<uint32_t> work, changed;
    for (uint32_t f = 0; f < module.functions.size(); ++f)
        if (is_candidate(module.functions[f], nested)) work.push_back(f);
    if (work.empty()) return {};
    size_t budget = 1 << 16;
    for (const Function& function : module.functions)
        for (const Block& block : function.blocks) budget += 4 * code_size(block);
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
