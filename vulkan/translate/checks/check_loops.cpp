// SPDX-License-Identifier: Apache-2.0
// check_loops: ends loops that turn more than TranslateOptions::loop_turns times since they were entered, and
// reports them, unless only MemoryChecks::EndLoops is asked for. Each loop has a counter. Its header becomes
// three blocks: the first one has its phis alone, as repeat_loops wants it. The second one counts, and goes
// on to the third one or leaves the loop. It leaves to the loop's merge block, and the program goes on there.
// Where there is none that is reached, or what only the loop computes is used behind it, the function returns
// instead, with a value of zeros.
//
// A loop that has been ended ends at once when the same call of the function enters it again. Otherwise the
// turns of loops in loops would multiply.
//
// A loop that ends at its latches alone turns as often as its header is reached. Others may reach the header
// once more to leave. Cycles with several entries are not counted.
//
// Before: only the program's own functions have bodies; they need not obey SPIR-V's structure. After:
// interface.check_sites has the loops.
#include <algorithm>

#include "spirv/cfg.h"
#include "spirv/phis.h"
#include "vulkan/translate/checks/instrument.h"

namespace caldera::vulkan {
namespace {

using spirv::Block;
using spirv::Function;
using spirv::Id;
using spirv::Instruction;
using spv::Op;
using spv::StorageClass;

constexpr uint32_t kUncounted = ~0u;
constexpr uint32_t kEnded = ~0u;          // what the counter of a loop that has been ended has
constexpr uint32_t kMostTurns = ~0u - 2;  // a counter has one more without its loop being ended

/// A loop of the function as it was.
struct BudgetedLoop {
    Id header = {}, counter = {};
    Id merge = {};                             ///< where it may leave to, or none
    uint32_t entered_by_leaving = kUncounted;  ///< the loop that begins at `merge`
    bool ends_at_latches = true;               ///< and nowhere else
    std::vector<Id> entered_from = {};         ///< blocks outside of it that branch to the header
};

/// Which loops may leave from their headers to their merge blocks. All of these edges may be in the function
/// at once.
class Exits {
 public:
    Exits(const Function& function, const spirv::Cfg& cfg, const spirv::Loops& loops)
        : function_(function), cfg_(cfg), loops_(loops), nodes_(cfg.size()), rest_(cfg.size()) {
        for (uint32_t block = 0; block < cfg.size(); ++block) rest_[block] = block;
        for (const spirv::Loop& loop : loops.loops) {
            rest_[loop.header] = nodes_;
            edges_.emplace_back(loop.header, nodes_++);
        }
        for (uint32_t block = 0; block < cfg.size(); ++block)
            for (const uint32_t to : cfg.successors[block]) edges_.emplace_back(rest_[block], to);
        find_uses();
    }

    /// Adds the edge, unless the function would not be valid with it.
    bool add(uint32_t loop, uint32_t merge) {
        if (merge == spirv::kNoBlock || !cfg_.reachable(merge) || !is_place_behind(loop, merge)) return false;
        const Block& target = function_.blocks[merge];
        if (target.terminator.op == Op::OpUnreachable ||
            (!target.body.empty() && target.body.front().op == Op::OpPhi))
            return false;
        edges_.emplace_back(loops_.loops[loop].header, merge);
        const spirv::Graph graph(nodes_, edges_);
        const spirv::Dominators tree = spirv::dominators(graph, graph.reversed(), 0);
        const bool is_valid = std::ranges::all_of(
            uses_, [&](const auto& use) { return tree.dominates(use.first, use.second); });
        if (!is_valid) edges_.pop_back();
        return is_valid;
    }

    /// Whether the block begins a loop that the other one is not in.
    bool enters(uint32_t loop, uint32_t block) const {
        const uint32_t at = loops_.innermost[block];
        return at != spirv::kNoBlock && loops_.loops[at].header == block && !loops_.encloses(at, loop);
    }

 private:
    /// Whether the block is outside of the loop, and in no other loop, unless it is that one's header.
    bool is_place_behind(uint32_t loop, uint32_t merge) const {
        uint32_t around = loops_.innermost[merge];
        if (enters(loop, merge)) around = loops_.loops[around].parent;
        return around != loop && loops_.encloses(around, loop);
    }

    /// Where values are made and used, apart from what has both in one block.
    void find_uses() {
        spirv::IdMap<uint32_t> made_in;
        for (const uint32_t block : cfg_.order)
            for (const Instruction& inst : function_.blocks[block].body)
                if (inst.result) made_in[inst.result] = inst.op == Op::OpPhi ? block : rest_[block];
        const auto use = [&](const spirv::Operand& operand, uint32_t node) {
            if (!operand.is_id) return;
            const auto made = made_in.find(operand.id());
            if (made != made_in.end() && made->second != node) uses_.emplace_back(made->second, node);
        };
        for (const uint32_t block : cfg_.order) {
            for (const Instruction& inst : function_.blocks[block].body) {
                if (inst.op != Op::OpPhi) {
                    for (const spirv::Operand& operand : inst.operands) use(operand, rest_[block]);
                    continue;
                }
                for (size_t i = 0; i + 1 < inst.operands.size(); i += 2)
                    if (const uint32_t from = cfg_.block(inst.id(i + 1));
                        from != spirv::kNoBlock && cfg_.reachable(from))
                        use(inst.operands[i], rest_[from]);
            }
            for (const spirv::Operand& operand : function_.blocks[block].terminator.operands)
                use(operand, rest_[block]);
        }
        std::ranges::sort(uses_);
        const auto again = std::ranges::unique(uses_);
        uses_.erase(again.begin(), again.end());
    }

    const Function& function_;
    const spirv::Cfg& cfg_;
    const spirv::Loops& loops_;
    uint32_t nodes_;              // blocks, and the second blocks that headers become
    std::vector<uint32_t> rest_;  // block -> the node that has its terminator
    std::vector<std::pair<uint32_t, uint32_t>> edges_ = {}, uses_ = {};
};

class LoopChecks {
 public:
    LoopChecks(spirv::Module& module, PassContext& context)
        : module_(module),
          most_turns_(std::min(context.options.loop_turns, kMostTurns)),
          reports_(has(context.options.checks, MemoryChecks::Loops)),
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
            for (const BudgetedLoop& loop : loops) count(function, loop, loops);
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
        Exits exits(function, cfg, found);
        std::vector<BudgetedLoop> loops;
        for (uint32_t i = 0; i < found.loops.size(); ++i) {
            const spirv::Loop& loop = found.loops[i];
            BudgetedLoop counted{.header = function.blocks[loop.header].label};
            for (const uint32_t from : cfg.predecessors[loop.header])
                if (cfg.reachable(from) && !is_latch(loop, from))
                    counted.entered_from.push_back(function.blocks[from].label);
            const Block& header = function.blocks[loop.header];
            if (header.merge.op == Op::OpLoopMerge) {
                const uint32_t merge = cfg.block(header.merge.id(0));
                if (exits.add(i, merge)) {
                    counted.merge = header.merge.id(0);
                    if (exits.enters(i, merge)) counted.entered_by_leaving = found.innermost[merge];
                }
            }
            loops.push_back(std::move(counted));
        }
        for (const uint32_t from : cfg.order)
            for (const uint32_t to : cfg.successors[from])
                for (uint32_t i = found.innermost[from]; i != spirv::kNoBlock && !found.contains(i, to);
                     i = found.loops[i].parent)
                    if (!is_latch(found.loops[i], from)) loops[i].ends_at_latches = false;
        return loops;
    }

    static bool is_latch(const spirv::Loop& loop, uint32_t block) {
        return std::ranges::find(loop.latches, block) != loop.latches.end();
    }

    static Block& block_of(Function& function, Id label) {
        return *std::ranges::find(function.blocks, label, &Block::label);
    }

    /// How often the header may be reached.
    Id allowed(const BudgetedLoop& loop) {
        return builder_.constant_u32(most_turns_ + (loop.ends_at_latches ? 0 : 1));
    }

    /// Counters begin anew where loops are entered, unless the loop has been ended.
    void begin_anew(const BudgetedLoop& loop) {
        const Id turns = builder_.append(Op::OpLoad, u32(), {loop.counter});
        const Id was_ended =
            builder_.append(Op::OpIEqual, builder_.type_bool(), {turns, builder_.constant_u32(kEnded)});
        const Id anew = builder_.append(Op::OpSelect, u32(), {was_ended, turns, builder_.constant_u32(0)});
        builder_.append_void(Op::OpStore, {loop.counter, anew});
    }

    void make_counters(Function& function, std::vector<BudgetedLoop>& loops) {
        const Id first = function.blocks.front().label;
        std::vector<Instruction> variables, zeros;
        for (BudgetedLoop& loop : loops) {
            {
                const spirv::SinkScope sink(builder_, &variables);
                loop.counter =
                    builder_.append(Op::OpVariable, builder_.type_pointer(StorageClass::Function, u32()),
                                    {static_cast<uint32_t>(StorageClass::Function)});
            }
            {
                const spirv::SinkScope sink(builder_, &zeros);
                builder_.append_void(Op::OpStore, {loop.counter, builder_.constant_u32(0)});
            }
            for (const Id from : loop.entered_from) {
                if (from == first) continue;
                const spirv::SinkScope sink(builder_, &block_of(function, from).body);
                begin_anew(loop);
            }
        }
        function.insert_at_entry(std::move(zeros));
        std::vector<Instruction>& entry = function.blocks.front().body;
        entry.insert(entry.begin(), std::make_move_iterator(variables.begin()),
                     std::make_move_iterator(variables.end()));
    }

    void count(Function& function, const BudgetedLoop& loop, const std::vector<BudgetedLoop>& loops) {
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
        Block leaving{.label = builder_.fresh()}, counting{.label = builder_.fresh()};
        builder_.set_line(place.line);
        Id turns;
        {
            const spirv::SinkScope sink(builder_, &counting.body);
            turns = builder_.append(Op::OpLoad, u32(), {loop.counter});
            const Id is_over =
                builder_.append(Op::OpUGreaterThanEqual, builder_.type_bool(), {turns, allowed(loop)});
            counting.merge = {.op = Op::OpSelectionMerge, .operands = {rest.label, 0u}, .line = place.line};
            counting.terminator = {.op = Op::OpBranchConditional,
                                   .operands = {is_over, leaving.label, rest.label},
                                   .line = place.line};
            header.terminator = {.op = Op::OpBranch, .operands = {counting.label}, .line = place.line};
        }
        {
            std::vector<Instruction> counted;
            {
                const spirv::SinkScope sink(builder_, &counted);
                const Id next = builder_.append(Op::OpIAdd, u32(), {turns, builder_.constant_u32(1)});
                builder_.append_void(Op::OpStore, {loop.counter, next});
            }
            rest.body.insert(rest.body.begin(), std::make_move_iterator(counted.begin()),
                             std::make_move_iterator(counted.end()));
        }
        {
            const spirv::SinkScope sink(builder_, &leaving.body);
            if (reports_) report(place);
            builder_.append_void(Op::OpStore, {loop.counter, builder_.constant_u32(kEnded)});
            if (loop.entered_by_leaving != kUncounted) begin_anew(loops[loop.entered_by_leaving]);
        }
        leaving.terminator = leave(function, loop);
        builder_.set_line({});
        const Id second = rest.label;
        function.blocks.insert(at + 1, {std::move(counting), std::move(leaving), std::move(rest)});
        for (Block& block : function.blocks) rename_predecessor(block, loop.header, second);
    }

    void report(const Instruction& place) {
        const Id site = instrument_.site(place, {.kind = CheckKind::Loop});
        instrument_.call("_Z10check_loopPU3AS1jjj", builder_.type_void(),
                         {instrument_.state(), site, builder_.constant_u32(most_turns_)});
    }

    Instruction leave(const Function& function, const BudgetedLoop& loop) {
        if (loop.merge) return {.op = Op::OpBranch, .operands = {loop.merge}};
        const Id type = function.return_type();
        if (builder_.op_of_type(type) == Op::OpTypeVoid) return {.op = Op::OpReturn};
        return {.op = Op::OpReturnValue, .operands = {builder_.constant_null(type)}};
    }

    spirv::Module& module_;
    const uint32_t most_turns_;
    const bool reports_;
    Instrument instrument_;
    spirv::Builder& builder_;
};

}  // namespace

Result<Done> check_loops(spirv::Module& module, PassContext& context) {
    if (!has(context.options.checks, MemoryChecks::Loops | MemoryChecks::EndLoops)) return Done{};
    if (context.options.abi != Abi::Addresses) return Error{kNeedsAddresses};
    LoopChecks(module, context).run();
    return Done{};
}

}  // namespace caldera::vulkan
