// SPDX-License-Identifier: Apache-2.0
// unroll_partly: lets small loops that count up or down to a bound do a group of iterations per test. This
// helps drivers that do not unroll loops with an unknown trip count, and drivers that count backward
// branches. If the source requests a number of iterations, that is the size of the group.
//
// A loop of groups is put before the loop:
//
//   for (; i < n; i += s) body;  for (; i < last; i += s) { body; i += s; body; i += s; body; i += s; body; }
//                                  for (; i < n; i += s) body;
//
// where last = n - 3 * s. If the loop is entered at all and the distance from i to n is more than 3 * s, this
// does not wrap, and i < last means that all four tests of these iterations would stay in the loop. Otherwise
// there is no such group: last is the initial i. For loops that end when i == n, the number of remaining
// iterations is counted instead. The test may use the counter before or after its step. If the trip count is
// constant, the rest of the loop becomes straight-line code.
//
// Two dependent operations take 1.5 ns on an H200 this way, and 3.9 ns as a loop. NVIDIA's OpenCL compiler,
// which does the same, takes 2.2 ns. Mesa's llvmpipe ends loops after a number of backward branches
// (repeat_loops): iterations without tests cost its compiler less than those with tests. There, groups are
// also made of few iterations that are in another loop, if unroll_loops and drivers leave them.
//
// After: as after promote_variables.
#include <algorithm>
#include <optional>

#include "spirv/builder.h"
#include "spirv/cfg.h"
#include "spirv/debug_info.h"
#include "spirv/op_class.h"
#include "spirv/phis.h"
#include "spirv/uses.h"
#include "vulkan/translate/flow/innermost_loop.h"
#include "vulkan/translate/pass.h"
#include "vulkan/translate/support/integers.h"
#include "vulkan/translate/support/simplify.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using spv::Op;

// For drivers that do not unroll such loops: iterations in a group, instructions of a group, and the size of
// loops that these drivers do unroll.
constexpr uint32_t kGroup = 4;
constexpr size_t kMaxUnrolled = 256;
constexpr uint64_t kFewUnrolledTurns = 64;
// For drivers that count branches. Memory accesses are expensive there. repeat_loops also does four
// iterations per branch.
constexpr uint32_t kLongGroup = 32, kShortestLongGroup = 8;
constexpr size_t kMaxLongWeight = 4096, kAccessWeight = 8, kArrayAccessWeight = 64;
// Checks make several times as many instructions, and programs are written for loops that do not end early.
constexpr size_t kMoreWithChecks = 4;
constexpr uint64_t kFewJumps = 32;      // unless a loop around them multiplies them,
constexpr size_t kDriverUnrolls = 512;  // and the driver does not unroll so many instructions
// Where the source tells.
constexpr uint32_t kMaxAsked = 64;
constexpr size_t kMaxCopiedAsked = 1 << 12;

constexpr uint64_t kMaxStep = 1 << 16;

/// The branch goes on if `tested` compares so with `bound`: Less, LessEqual, Greater, GreaterEqual (signed or
/// not), NotEqual.
struct Test {
    Op op = Op::OpNop;
    Id tested = {}, bound = {};
};

struct CountingLoop : InnermostLoop {
    uint32_t exit = 0;
    CodeFacts facts = {};  ///< with those of calls
    Test test = {};
    uint64_t step = 0;  ///< of the counter, without its sign
    bool counts_down = false;
    Id first = {};                       ///< what is tested in the first turn is this,
    uint64_t offset = 0;                 ///< and this more
    Id counter = {};                     ///< the header's phi
    std::optional<uint64_t> turns = {};  ///< how often the latch runs, where that is constant
    uint32_t group = 0;                  ///< turns for each test of the loop to be
};

/// <= is < where the bound is reached too.
Op strict(Op op) {
    switch (op) {
        case Op::OpULessThanEqual: return Op::OpULessThan;
        case Op::OpUGreaterThanEqual: return Op::OpUGreaterThan;
        case Op::OpSLessThanEqual: return Op::OpSLessThan;
        case Op::OpSGreaterThanEqual: return Op::OpSGreaterThan;
        default: return op;
    }
}
bool is_signed(Op op) { return strict(op) == Op::OpSLessThan || strict(op) == Op::OpSGreaterThan; }
bool is_less(Op op) { return strict(op) == Op::OpULessThan || strict(op) == Op::OpSLessThan; }
bool is_greater(Op op) { return is_less(mirrored(op)); }

class PartialUnroller {
 public:
    /// `more`: so many times as much may be copied as usual.
    PartialUnroller(Module& module, const DeviceProfile& profile, Cloner& cloner, size_t more, size_t& budget)
        : builder_(module),
          functions_(module),
          profile_(profile),
          most_copied_(more * kMaxCopiedAsked),
          most_weight_(more * kMaxLongWeight),
          cloner_(cloner),
          budget_(budget),
          definitions_(module.bound) {}

    /// Whether there was such a loop.
    bool run(Function& function) {
        function_ = &function;
        cfg_ = build_cfg(function);
        tree_ = dominators(cfg_);
        find_loops();
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
        for (uint32_t b = 0; b < function_->blocks.size(); ++b) {
            std::optional<CountingLoop> loop = counting_loop(b);
            if (!loop) continue;
            const uint64_t copies = loop->group + (loop->turns ? *loop->turns % loop->group : 0);
            if (loop->facts.size * copies > budget_) continue;
            budget_ -= loop->facts.size * copies;
            loops_.push_back(std::move(*loop));
        }
    }

    std::optional<CountingLoop> counting_loop(uint32_t header) const {
        const Instruction& merge = function_->blocks[header].merge;
        if (merge.op != Op::OpLoopMerge) return {};
        std::optional<InnermostLoop> found = innermost_loop(*function_, cfg_, tree_, header, most_copied_);
        const auto exit = found ? only_exit(*function_, cfg_, tree_, *found) : std::nullopt;
        if (!exit) return {};
        CountingLoop loop{std::move(*found)};
        loop.exit = *exit;
        loop.facts = loop.inlined(functions_);
        if (!find_test(loop) || !find_counter(loop)) return {};
        loop.turns = constant_turns(loop);
        // Work-items that count to different bounds would do the same iteration in different copies.
        if (loop.facts.has_group_operations && !loop.turns) return {};
        const uint32_t asked = turns_asked_for(merge);
        loop.group = asked ? asked : group_for(loop);
        if (loop.group < 2 || loop.facts.size * loop.group > most_copied_) return {};
        if (loop.turns && *loop.turns < 2 * loop.group) return {};
        return loop;
    }
    /// Turns for each test; 0 where the driver does well without.
    uint32_t group_for(const CountingLoop& loop) const {
        if (loop.facts.has_group_operations || loop.facts.has_barrier) return 0;
        if (profile_.quirks.ends_long_loops && loop.turns && has_many_jumps(loop)) {
            const size_t most = std::min<size_t>(kLongGroup, *loop.turns / 2);
            const size_t fits = std::min(most, most_weight_ / weight(loop));
            if (fits < kShortestLongGroup) return 0;
            for (uint32_t group = fits; group > fits / 2; --group)
                if (*loop.turns % group == 0) return group;
            return static_cast<uint32_t>(fits);
        }
        const bool is_left =
            profile_.quirks.leaves_counted_loops && !(loop.turns && *loop.turns <= kFewUnrolledTurns);
        return is_left && loop.facts.size * kGroup <= kMaxUnrolled ? kGroup : 0;
    }
    bool has_many_jumps(const CountingLoop& loop) const {
        if (*loop.turns > kFewJumps) return true;
        return *loop.turns * loop.facts.size > kDriverUnrolls &&
               is_in_a_loop(*function_, cfg_, tree_, loop.header);
    }
    size_t weight(const CountingLoop& loop) const {
        size_t weight = loop.facts.size;
        for (uint32_t b : loop.blocks)
            for (const Instruction& inst : function_->blocks[b].body)
                if (inst.op == Op::OpLoad || inst.op == Op::OpStore)
                    weight += is_slow(inst.id(0)) ? kArrayAccessWeight : kAccessWeight;
        return weight;
    }
    bool is_slow(Id pointer) const {
        return profile_.quirks.slow_with_accesses &&
               builder_.storage(builder_.type_of(pointer)) == spv::StorageClass::Function;
    }
    /// 0 where nothing is said.
    static uint32_t turns_asked_for(const Instruction& merge) {
        const uint32_t control = merge.word(2);  // one hint, as import_module leaves it
        const auto is = [&](spv::LoopControlMask mask) { return control == static_cast<uint32_t>(mask); };
        if (is(spv::LoopControlMask::DontUnroll)) return 1;
        if (is(spv::LoopControlMask::PartialCount)) return std::min(merge.word(3), kMaxAsked);
        return is(spv::LoopControlMask::Unroll) ? kGroup : 0;
    }
    bool find_test(CountingLoop& loop) const {
        const Instruction& branch = function_->blocks[loop.exit].terminator;
        const Instruction* compare = definitions_[branch.word(0)];
        if (!compare || compare->operands.size() != 2) return false;
        Test test{compare->op, compare->id(0), compare->id(1)};
        const bool leaves_if = branch.id(1) == function_->blocks[loop.merge].label;
        if (leaves_if) test.op = negated(test.op);
        if (!is_less(test.op) && !is_greater(test.op) && test.op != Op::OpINotEqual) return false;
        if (is_invariant(loop, test.tested)) {
            std::swap(test.tested, test.bound);
            test.op = mirrored(test.op);
        }
        const Id type = builder_.type_of(test.bound);
        if (!is_invariant(loop, test.bound) || !builder_.is_int(type) || builder_.width(type) < 32)
            return false;
        loop.test = test;
        return true;
    }
    bool is_invariant(const CountingLoop& loop, Id value) const {
        return std::ranges::none_of(loop.blocks, [&](uint32_t b) {
            return std::ranges::any_of(function_->blocks[b].body,
                                       [&](const Instruction& inst) { return inst.result == value; });
        });
    }

    /// `value` is the sum of the result and a constant, modulo the type.
    std::pair<Id, uint64_t> apart(Id value) const {
        const Instruction* inst = definitions_[value.value];
        if (!inst || (inst->op != Op::OpIAdd && inst->op != Op::OpISub)) return {value, 0};
        if (const auto right = builder_.constant_value(inst->id(1)))
            return {inst->id(0), inst->op == Op::OpIAdd ? *right : 0 - *right};
        const auto left = inst->op == Op::OpIAdd ? builder_.constant_value(inst->id(0)) : std::nullopt;
        return left ? std::pair(inst->id(1), *left) : std::pair(value, uint64_t{0});
    }

    bool find_counter(CountingLoop& loop) const {
        const auto [tested, offset] = apart(loop.test.tested);
        const Block& head = function_->blocks[loop.header];
        const Id latch = function_->blocks[loop.latch].label;
        for (const Instruction& phi : spirv::phis_of(head.body)) {
            const bool is_tested = phi.result == loop.test.tested;
            if (!is_tested && phi.result != tested) continue;
            const size_t back = phi.id(1) == latch ? 0 : 2;
            const auto [before, step] = apart(phi.id(back));
            if (before != phi.result) return false;
            loop.counter = phi.result;
            loop.first = phi.id(2 - back);
            loop.offset = is_tested ? 0 : offset;
            return set_step(loop, step);
        }
        return false;
    }
    /// False when the steps do not lead to the bound.
    bool set_step(CountingLoop& loop, uint64_t step) const {
        const uint32_t width = builder_.width(builder_.type_of(loop.counter));
        const int64_t wide = sign_extend(step, width);
        loop.counts_down = wide < 0;
        loop.step = static_cast<uint64_t>(loop.counts_down ? -wide : wide);
        if (loop.step == 0 || loop.step > kMaxStep) return false;
        if (loop.test.op == Op::OpINotEqual) return loop.step == 1;
        return loop.counts_down ? is_greater(loop.test.op) : is_less(loop.test.op);
    }

    /// None: the first value or the bound is no constant, or the counter wraps before it gets there.
    std::optional<uint64_t> constant_turns(const CountingLoop& loop) const {
        const auto start = builder_.constant_value(loop.first),
                   end = builder_.constant_value(loop.test.bound);
        if (!start || !end) return {};
        const uint32_t width = builder_.width(builder_.type_of(loop.counter));
        const uint64_t ones = all_ones(width);
        // Signed integers in the order of unsigned ones; down is up from the other end.
        const uint64_t bias = is_signed(loop.test.op) ? sign_bit(width) : 0;
        uint64_t first = (*start + loop.offset + bias) & ones, bound = (*end + bias) & ones;
        if (loop.counts_down) {
            first = ones - first;
            bound = ones - bound;
        }
        if (loop.test.op == Op::OpINotEqual) return (bound - first) & ones;
        const bool inclusive = strict(loop.test.op) != loop.test.op;
        if (inclusive ? first > bound : first >= bound) return 0;
        const uint64_t turns = (bound - first - (inclusive ? 0 : 1)) / loop.step + 1;
        const uint64_t room = ones - first;  // the last test must not wrap
        return turns <= room / loop.step ? std::optional(turns) : std::nullopt;
    }

    // ---- The loop of groups ----

    void rewrite() {
        std::vector<const CountingLoop*> loop_at(function_->blocks.size()), loop_of(function_->blocks.size());
        for (const CountingLoop& loop : loops_) {
            loop_at[loop.header] = &loop;
            for (uint32_t b : loop.blocks) loop_of[b] = &loop;
        }
        std::vector<Block> out;
        Substitution results;
        for (uint32_t b = 0; b < function_->blocks.size(); ++b) {
            if (loop_at[b]) add_groups(*loop_at[b], results, out);
            if (!loop_of[b]) out.push_back(std::move(function_->blocks[b]));
        }
        function_->blocks = std::move(out);
        results.apply(*function_);
    }

    /// Emits the loop of groups, which takes over the label of the loop's header, then the remaining
    /// iterations.
    void add_groups(const CountingLoop& loop, Substitution& results, std::vector<Block>& out) {
        const Block& head = function_->blocks[loop.header];
        const Id groups = builder_.fresh(), body = builder_.fresh(), back = builder_.fresh(),
                 behind = builder_.fresh();
        TurnCopier turns(builder_.module(), *function_, tree_, loop, loop.exit, cloner_);

        Block before{.label = head.label, .terminator = branch(groups, head.terminator.line)};
        builder_.set_sink(&before.body);
        const Id last = loop.test.op == Op::OpINotEqual ? Id{} : last_before(loop);

        Block test{.label = groups};
        builder_.set_sink(&test.body);
        for (auto& [phi, value] : turns.carried)
            value = builder_.append(Op::OpPhi, builder_.type_of(phi), {value, head.label});
        const std::vector<std::pair<Id, Id>> grouped = turns.carried;
        const Id goes_on = has_group(loop, last, carried_value(grouped, loop.counter));
        builder_.set_sink(nullptr);
        test.merge = {.op = Op::OpLoopMerge, .operands = {behind, back, 0u}, .line = head.merge.line};
        test.terminator = {
            .op = Op::OpBranchConditional, .operands = {goes_on, body, behind}, .line = head.terminator.line};
        out.push_back(std::move(before));
        const size_t test_at = out.size();
        out.push_back(std::move(test));

        Id label = body;
        for (uint32_t turn = 0; turn < loop.group; ++turn) {
            const Id next = turn + 1 == loop.group ? back : builder_.fresh();
            turns.copy_turn(label, next, out);
            label = next;
        }
        for (size_t i = 0; i < turns.carried.size(); ++i) {
            Operands& ways = out[test_at].body[i].operands;
            ways.push_back(turns.carried[i].second);
            ways.push_back(back);
        }
        const Id rest = builder_.fresh();
        out.push_back({.label = back, .terminator = branch(groups, head.terminator.line)});
        out.push_back({.label = behind, .terminator = branch(rest, head.terminator.line)});
        turns.carried = grouped;
        if (loop.turns)
            turns.copy_to_end(rest, *loop.turns % loop.group, function_->blocks[loop.merge], results, out);
        turns.forget();
        if (!loop.turns) add_rest(loop, rest, behind, grouped, out);
    }
    static Instruction branch(Id target, Line line) {
        return {.op = Op::OpBranch, .operands = {target}, .line = line};
    }
    static Id carried_value(const std::vector<std::pair<Id, Id>>& carried, Id phi) {
        return std::ranges::find(carried, phi, &std::pair<Id, Id>::first)->second;
    }

    /// Emits the loop with a new header. It starts from the values that the groups left.
    void add_rest(const CountingLoop& loop, Id label, Id behind,
                  const std::vector<std::pair<Id, Id>>& grouped, std::vector<Block>& out) {
        const Id header = function_->blocks[loop.header].label, latch = function_->blocks[loop.latch].label;
        rename_predecessor(function_->blocks[loop.merge], header, label);  // where the header is the exit
        for (uint32_t b : loop.blocks) {
            Block& block = out.emplace_back(std::move(function_->blocks[b]));
            replace_target(block.terminator, header, label);
            rename_predecessor(block, header, label);
            if (b != loop.header) continue;
            block.label = label;
            replace_target(block.merge, header, label);  // a loop of one block
            block.merge.operands.resize(2);
            block.merge.operands.push_back(static_cast<uint32_t>(spv::LoopControlMask::DontUnroll));
            for (size_t i = 0; i < grouped.size(); ++i) {
                Instruction& phi = block.body[i];
                const size_t entry = phi.id(1) == (latch == header ? label : latch) ? 2 : 0;
                phi.operands[entry] = grouped[i].second;
                phi.operands[entry + 1] = behind;
            }
        }
    }

    /// The bound below which the counter must be for a whole group to stay in the loop; the initial value if
    /// no group does.
    Id last_before(const CountingLoop& loop) {
        const Id type = builder_.type_of(loop.counter), boolean = builder_.type_bool();
        const uint64_t inclusive = strict(loop.test.op) == loop.test.op ? 0 : 1;
        const Id span = builder_.constant_int(type, (loop.group - 1) * loop.step - inclusive);
        const Id first = tested(loop, loop.first), bound = loop.test.bound;
        const Id ahead = builder_.append(Op::OpISub, type,
                                         loop.counts_down ? Operands{first, bound} : Operands{bound, first});
        const Id is_far = builder_.append(Op::OpUGreaterThan, boolean, {ahead, span});
        const Id stays = builder_.append(loop.test.op, boolean, {first, bound});
        const Id has_any = builder_.append(Op::OpLogicalAnd, boolean, {stays, is_far});
        const Id last = builder_.append(loop.counts_down ? Op::OpIAdd : Op::OpISub, type, {bound, span});
        return builder_.append(Op::OpSelect, type, {has_any, last, first});
    }
    /// Whether all tests of the next group's turns would stay in the loop.
    Id has_group(const CountingLoop& loop, Id last, Id counter) {
        const Id type = builder_.type_of(loop.counter), boolean = builder_.type_bool();
        const Id now = tested(loop, counter), bound = loop.test.bound;
        if (last) return builder_.append(strict(loop.test.op), boolean, {now, last});
        const Id turns =
            builder_.append(Op::OpISub, type, loop.counts_down ? Operands{now, bound} : Operands{bound, now});
        return builder_.append(Op::OpUGreaterThanEqual, boolean,
                               {turns, builder_.constant_int(type, loop.group)});
    }
    /// The value that the first test of an iteration compares, computed from the counter.
    Id tested(const CountingLoop& loop, Id counter) {
        if (loop.offset == 0) return counter;
        const Id type = builder_.type_of(loop.counter);
        return builder_.append(Op::OpIAdd, type, {counter, builder_.constant_int(type, loop.offset)});
    }

    Builder builder_;
    const FunctionFacts functions_;
    const DeviceProfile& profile_;
    const size_t most_copied_, most_weight_;
    Cloner& cloner_;
    size_t& budget_;  // instructions that may still be added to the module
    Function* function_ = nullptr;
    Cfg cfg_ = {};
    Dominators tree_ = {};
    std::vector<const Instruction*> definitions_;  // by id; an id is used in its own function alone
    std::vector<CountingLoop> loops_ = {};
};

}  // namespace

Result<Done> unroll_partly(Module& module, PassContext& context) {
    const DeviceProfile& profile = context.options.profile;
    const bool pays = profile.quirks.leaves_counted_loops && context.options.optimization_level != 0;
    if (!pays && !profile.quirks.ends_long_loops) return Done{};
    const size_t more = context.options.checks == MemoryChecks::None ? 1 : kMoreWithChecks;
    size_t budget = more << 13;
    for (const Function& function : module.functions)
        for (const Block& block : function.blocks) budget += code_size(block);
    std::vector<Function*> changed;
    Cloner cloner(module);
    PartialUnroller unroller(module, profile, cloner, more, budget);
    for (Function& function : module.functions) {
        if (!has_loop(function)) continue;
        shorten_exits(function);
        if (unroller.run(function)) changed.push_back(&function);
    }
    if (changed.empty()) return Done{};
    Builder builder(module);
    for (Function* function : changed) fold_function(builder, *function);
    return Done{};
}

}  // namespace caldera::vulkan
