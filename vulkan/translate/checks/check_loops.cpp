// SPDX-License-Identifier: Apache-2.0
// check_loops: ends loops that turn more than TranslateOptions::loop_turns times since they were entered, and
// reports them. Each loop has a counter. Its header becomes two blocks: the first one counts, and goes on to
// the second one or leaves the loop. It leaves to the loop's merge block, and the program goes on there.
// Where there is none, or what only the loop computes is used behind it, the function returns instead, with a
// value of zeros.
//
// Cycles with several entries are not counted.
//
// Before: only the program's own functions have bodies; they need not obey SPIR-V's structure. After:
// interface.check_sites has the loops.
#include <algorithm>

#include "spirv/cfg.h"
#include "vulkan/translate/checks/instrument.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

/// A loop of the function as it was.
struct BudgetedLoop {
    Id header = {}, counter = {};
    Id merge = {};                      ///< where it may leave to, or none
    std::vector<Id> entered_from = {};  ///< blocks outside of it that branch to the header
};

class LoopChecks {
 public:
    LoopChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          most_turns_(context.options.loop_turns),
          instrument_(module, context),
          builder_(instrument_.builder()) {}

    void run() {
        for (Function& function : module_.functions) {
            if (function.blocks.empty()) continue;
            std::vector<BudgetedLoop> loops = loops_of(function);
            if (loops.empty()) continue;
            const Function before = function;
            instrument_.begin(before);
            make_counters(function, loops);
            for (const BudgetedLoop& loop : loops) count(function, loop);
            instrument_.end(function);
        }
        instrument_.finish();
    }

 private:
    Id u32() { return builder_.type_int(32); }

    std::vector<BudgetedLoop> loops_of(const Function& function) const {
        const spirv::Cfg cfg = spirv::build_cfg(function);
        const spirv::Dominators tree = spirv::dominators(cfg);
        const spirv::Loops found = spirv::find_loops(cfg, tree);
        std::vector<BudgetedLoop> loops;
        for (const spirv::Loop& loop : found.loops) {
            BudgetedLoop counted{.header = function.blocks[loop.header].label};
            for (const uint32_t from : cfg.predecessors[loop.header])
                if (cfg.reachable(from) && std::ranges::find(loop.latches, from) == loop.latches.end())
                    counted.entered_from.push_back(function.blocks[from].label);
            const Block& header = function.blocks[loop.header];
            if (header.merge.op == Op::OpLoopMerge) {
                const uint32_t merge = cfg.block(header.merge.id(0));
                if (merge != spirv::kNoBlock && may_leave_to(function, cfg, tree, loop.header, merge))
                    counted.merge = header.merge.id(0);
            }
            loops.push_back(std::move(counted));
        }
        return loops;
    }

    /// Whether what is behind the loop needs only what is known at its header.
    static bool may_leave_to(const Function& function, const spirv::Cfg& cfg, const spirv::Dominators& tree,
                             uint32_t header, uint32_t merge) {
        const Block& target = function.blocks[merge];
        if (target.terminator.op == Op::OpUnreachable ||
            (!target.body.empty() && target.body.front().op == Op::OpPhi))
            return false;
        const auto is_behind = [&](uint32_t block) {
            return cfg.reachable(merge) ? tree.dominates(merge, block) : !cfg.reachable(block);
        };
        spirv::IdSet made;
        for (uint32_t block = 0; block < cfg.size(); ++block) {
            if (!tree.dominates(header, block) || is_behind(block)) continue;
            for (const Instruction& inst : function.blocks[block].body)
                if (inst.result && (block != header || inst.op != Op::OpPhi)) made.insert(inst.result);
        }
        const auto needs = [&](const Instruction& inst) {
            return std::ranges::any_of(inst.operands, [&](const spirv::Operand& operand) {
                return operand.is_id && made.contains(operand.id());
            });
        };
        for (uint32_t block = 0; block < cfg.size(); ++block) {
            if (!is_behind(block)) continue;
            const Block& behind = function.blocks[block];
            if (std::ranges::any_of(behind.body, needs) || needs(behind.terminator)) return false;
        }
        return true;
    }

    static Block& block_of(Function& function, Id label) {
        return *std::ranges::find(function.blocks, label, &Block::label);
    }

    /// Counters are zeros where loops are entered.
    void make_counters(Function& function, std::vector<BudgetedLoop>& loops) {
        std::vector<Instruction> variables;
        for (BudgetedLoop& loop : loops) {
            {
                const spirv::SinkScope sink(builder_, &variables);
                loop.counter =
                    builder_.append(Op::OpVariable, builder_.type_pointer(StorageClass::Function, u32()),
                                    {static_cast<uint32_t>(StorageClass::Function)});
            }
            for (const Id from : loop.entered_from) {
                const spirv::SinkScope sink(builder_, &block_of(function, from).body);
                builder_.append_void(Op::OpStore, {loop.counter, builder_.constant_u32(0)});
            }
        }
        std::vector<Instruction>& entry = function.blocks.front().body;
        entry.insert(entry.begin(), std::make_move_iterator(variables.begin()),
                     std::make_move_iterator(variables.end()));
    }

    void count(Function& function, const BudgetedLoop& loop) {
        const auto at = std::ranges::find(function.blocks, loop.header, &Block::label);
        Block& header = *at;
        Block rest{.label = builder_.fresh(), .terminator = header.terminator};
        const auto phis_end = std::ranges::find_if_not(header.body, [](const Instruction& inst) {
            return inst.op == Op::OpPhi || inst.op == Op::OpLine;
        });
        rest.body.assign(std::make_move_iterator(phis_end), std::make_move_iterator(header.body.end()));
        header.body.erase(phis_end, header.body.end());
        if (header.merge.op == Op::OpLoopMerge) {
            if (header.merge.id(1) == loop.header) header.merge.operands[1] = rest.label;
        } else {
            rest.merge = std::move(header.merge);
            header.merge = {};
        }
        Instruction place = header.merge.line.line ? header.merge : header.terminator;
        Block leaving{.label = builder_.fresh()};
        builder_.set_line(place.line);
        Id turns;
        {
            const spirv::SinkScope sink(builder_, &header.body);
            turns = builder_.append(Op::OpLoad, u32(), {loop.counter});
            const Id next = builder_.append(Op::OpIAdd, u32(), {turns, builder_.constant_u32(1)});
            builder_.append_void(Op::OpStore, {loop.counter, next});
            const Id is_over = builder_.append(Op::OpUGreaterThan, builder_.type_bool(),
                                               {turns, builder_.constant_u32(most_turns_)});
            header.terminator = {.op = Op::OpBranchConditional,
                                 .operands = {is_over, leaving.label, rest.label},
                                 .line = place.line};
        }
        {
            const spirv::SinkScope sink(builder_, &leaving.body);
            const Id site = instrument_.site(place, {.kind = CheckKind::Loop});
            instrument_.call("_Z10check_loopPU3AS1jjj", builder_.type_void(),
                             {instrument_.state(), site, turns});
        }
        leaving.terminator = leave(function, loop);
        builder_.set_line({});
        const Id second = rest.label;
        function.blocks.insert(at + 1, {std::move(leaving), std::move(rest)});
        for (Block& block : function.blocks) rename_in_phis(block, loop.header, second);
    }

    Instruction leave(const Function& function, const BudgetedLoop& loop) {
        if (loop.merge) return {.op = Op::OpBranch, .operands = {loop.merge}};
        const Id type = function.return_type();
        if (builder_.op_of_type(type) == Op::OpTypeVoid) return {.op = Op::OpReturn};
        return {.op = Op::OpReturnValue, .operands = {builder_.constant_null(type)}};
    }

    /// In blocks to which the header's terminator branches.
    static void rename_in_phis(Block& block, Id from, Id to) {
        for (Instruction& inst : block.body) {
            if (inst.op != Op::OpPhi) break;
            for (size_t i = 1; i < inst.operands.size(); i += 2)
                if (inst.id(i) == from) inst.operands[i] = to;
        }
    }

    spirv::Module& module_;
    const uint32_t most_turns_;
    Instrument instrument_;
    spirv::Builder& builder_;
};

}  // namespace

Result<Done> check_loops(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Loops)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    LoopChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
