// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/restructure.h"

#include <algorithm>
#include <optional>
#include <set>

#include "spirv/cfg.h"
#include "spirv/id_map.h"
#include "spirv/sink_scope.h"
#include "spirv/support/check.h"
#include "vulkan/translate/flow/demote.h"
#include "vulkan/translate/flow/make_reducible.h"
#include "vulkan/translate/flow/structure.h"

namespace caldera::vulkan {
namespace {

using namespace spirv;
using Targets = std::set<uint32_t>;  // numbers of blocks of the old function that control is on its way to

/// Adds the smaller set to the larger.
void unite(Targets& into, Targets&& from) {
    if (into.size() < from.size()) std::swap(into, from);
    into.merge(from);
}

/// Leaves the targets from `first` up to `end` in `all`, and returns the others. Moves the fewer of both.
Targets take_outside(Targets& all, uint32_t first, uint32_t end) {
    const auto inside = all.lower_bound(first), after = all.lower_bound(end);
    auto in = inside, out = all.begin();
    for (; in != after; ++in, ++out) {  // counts both until one ends
        if (out == inside) out = after;
        if (out == all.end()) break;
    }
    Targets moved;
    const auto move = [&](Targets::iterator from, Targets::iterator to) {
        while (from != to) moved.insert(moved.end(), all.extract(from++));
    };
    if (in == after) {
        move(inside, after);
        std::swap(all, moved);
    } else {
        move(all.begin(), inside);
        move(after, all.end());
    }
    return moved;
}

/// Writes the new blocks in order. There is one open block, or none where control cannot come; `pending_` are
/// the blocks that control at its end may be on its way to. An open block that has emitted all it should has
/// something pending.
///
/// Trees of blocks can be arbitrarily deep, so the walk has its own stack of tasks.
///
/// With a limit on nesting, a block that would nest more deeply in its loop (or function) is placed at the
/// end of the loop's body instead. So are blocks after constructs that can be reached from it. There are no
/// `continue`s then: control on its way to the loop's header goes to the end of the body, like all pending
/// control.
class Restructurer {
 public:
    Restructurer(Builder& builder, Function& function, IdMap<Operands> loop_controls,
                 std::optional<uint32_t> most_nested)
        : builder_(builder),
          function_(function),
          loop_controls_(std::move(loop_controls)),
          most_nested_(most_nested),
          cfg_(build_cfg(function)),
          tree_(dominators(cfg_)),
          loops_(find_loops(cfg_, tree_)) {
        check(loops_.reducible, "restructuring wants a reducible function");
    }

    void run() {
        attach();
        number();
        exit_ = add_variable(builder_, function_, builder_.type_int(32));
        open(function_.blocks[0].label);
        add_task({.kind = TaskKind::Node, .node = 0});
        while (!tasks_.empty()) {
            Task task = std::move(tasks_.back());
            tasks_.pop_back();
            nesting_ = task.nesting;
            perform(task);
        }
        check(!is_open_, "control falls off the end of a function");
        function_.blocks = std::move(out_);
    }

 private:
    enum class TaskKind : uint8_t {
        Node,          ///< emit a block and all that hangs under it
        Rest,          ///< emit what stands behind the construct of a block, from number `next` on
        LoopEnd,       ///< close the innermost loop
        SecondArm,     ///< the other arm of a condition
        SwitchArm,     ///< arm number `next` of a switch
        SelectionEnd,  ///< the merge block `merge`
    };
    struct Task {
        TaskKind kind = {};
        uint32_t node = 0;
        uint32_t next = 0;
        uint32_t nesting = 0;         // selections around
        bool behind_loop = false;     // Rest: of the loop that `node` heads, not of the block
        Id merge = {}, label = {};    // SecondArm: of the arm
        Targets pending = {};         // at the merge block so far
        size_t header = 0, slot = 0;  // SecondArm: where its label is written
        std::vector<std::pair<uint32_t, Id>> arms = {};  // SwitchArm
    };
    struct Scope {
        uint32_t loop = 0;
        Id merge = {}, continue_target = {}, header = {};
        Targets pending = {};  // where its breaks go
        uint32_t nesting = 0;  // around the loop
    };

    // ---- Where each block belongs ----

    void attach();
    void find_jumps();
    uint32_t outermost_without(uint32_t block, uint32_t loop) const;
    void number();
    bool is_inline(uint32_t from, uint32_t to) const { return inline_parent_[to] == from; }
    bool heads_loop(uint32_t block) const {
        const uint32_t loop = loops_.innermost[block];
        return loop != kNoBlock && loops_.loops[loop].header == block;
    }

    // ---- Tasks ----

    void perform(Task& task) {
        switch (task.kind) {
            case TaskKind::Node: node(task.node); break;
            case TaskKind::Rest: rest(task); break;
            case TaskKind::LoopEnd: end_loop(task.node); break;
            case TaskKind::SecondArm: second_arm(task); break;
            case TaskKind::SwitchArm: switch_arm(task); break;
            case TaskKind::SelectionEnd: end_selection(task); break;
        }
    }
    void node(uint32_t block);
    void begin_loop(uint32_t block);
    void condition(uint32_t block, const Instruction& terminator);
    void switch_(uint32_t block, const Instruction& terminator);
    void rest(Task& task);
    void end_loop(uint32_t block);
    void second_arm(Task& task);
    void switch_arm(Task& task);
    void end_selection(Task& task);
    void edge(uint32_t from, uint32_t to);
    void jump(uint32_t to);
    void settle();
    void add_task(Task task) {
        task.nesting = nesting_;
        tasks_.push_back(std::move(task));
    }

    // ---- Blocks that would stand too deep ----

    uint32_t root() const { return scopes_.empty() ? 0 : loops_.loops[scopes_.back().loop].header; }
    bool is_too_deep(uint32_t nesting) const {
        return most_nested_ && nesting > *most_nested_ + (scopes_.empty() ? 0 : scopes_.back().nesting);
    }
    bool must_wait(uint32_t block) const;
    void postpone(uint32_t block);

    // ---- Blocks ----

    void open(Id label) {
        current_ = {.label = label};
        is_open_ = true;
        pending_.clear();
    }
    size_t close(Instruction terminator, Instruction merge = {}) {
        current_.terminator = std::move(terminator);
        current_.merge = std::move(merge);
        out_.push_back(std::move(current_));
        is_open_ = false;
        return out_.size() - 1;
    }
    void close_to(Id label) { close({.op = spv::Op::OpBranch, .operands = {label}}); }
    static Instruction selection_merge(Id label) {
        return {.op = spv::Op::OpSelectionMerge, .operands = {label, spv::SelectionControlMask::MaskNone}};
    }
    Id emit(spv::Op op, Id type, Operands operands) {
        const SinkScope sink(builder_, &current_.body);
        return builder_.append(op, type, std::move(operands));
    }
    Id exit_value() { return emit(spv::Op::OpLoad, builder_.type_int(32), {exit_}); }
    Id exit_is(uint32_t number, bool equal = true) {
        return emit(equal ? spv::Op::OpIEqual : spv::Op::OpINotEqual, builder_.type_bool(),
                    {exit_value(), builder_.constant_u32(number)});
    }
    Id exit_leaves(uint32_t loop);
    void branch_off(Id condition, Id target);

    Builder& builder_;
    Function& function_;
    IdMap<Operands> loop_controls_;
    std::optional<uint32_t> most_nested_;  // selections in one another in each loop
    Cfg cfg_;
    Dominators tree_;
    Loops loops_;
    std::vector<uint32_t> inline_parent_ =
        {};  // block -> the one predecessor that it stands right behind, or kNoBlock
    std::vector<uint32_t> jump_ = {};  // loop -> a loop around it, or kNoBlock
    std::vector<std::vector<uint32_t>> behind_block_ = {}, behind_loop_ = {};
    std::vector<uint8_t> waits_ = {};      // block -> whether it stands at the end of its loop's body
    std::vector<uint32_t> number_ = {};    // block -> its value in exit_; those of a loop are consecutive
    std::vector<uint32_t> numbered_ = {};  // number -> the block
    std::vector<std::pair<uint32_t, uint32_t>> loop_numbers_ = {};  // loop -> first, end
    Id exit_ = {};

    std::vector<Task> tasks_ = {};
    std::vector<Scope> scopes_ = {};
    std::vector<Block> out_ = {};
    Block current_ = {};
    bool is_open_ = false;
    uint32_t nesting_ = 0;
    Targets pending_ = {};
};

// ---- Where each block belongs ----

/// E. W. Myers, "An applicative random-access stack" (1983): with these, a way out of loops in one another
/// takes time logarithmic in their number.
void Restructurer::find_jumps() {
    const std::vector<Loop>& loops = loops_.loops;
    const auto depth = [&](uint32_t loop) { return loop == kNoBlock ? 0 : loops[loop].depth; };
    const auto jump = [&](uint32_t loop) { return loop == kNoBlock ? kNoBlock : jump_[loop]; };
    for (uint32_t loop = 0; loop < loops.size(); ++loop) {
        const uint32_t parent = loops[loop].parent, next = jump(parent);
        const bool is_equal = depth(parent) - depth(next) == depth(next) - depth(jump(next));
        jump_.push_back(is_equal ? jump(next) : parent);
    }
}

/// The outermost of the loops around and including `loop` that the block is not in.
uint32_t Restructurer::outermost_without(uint32_t block, uint32_t loop) const {
    for (;;) {
        const uint32_t parent = loops_.loops[loop].parent;
        if (loops_.contains(parent, block)) return loop;
        loop = loops_.contains(jump_[loop], block) ? parent : jump_[loop];
    }
}

void Restructurer::attach() {
    find_jumps();
    inline_parent_.assign(cfg_.size(), kNoBlock);
    behind_block_.resize(cfg_.size());
    behind_loop_.resize(loops_.loops.size());
    waits_.assign(cfg_.size(), 0);
    for (uint32_t block : cfg_.order) {
        const uint32_t dominator = tree_.parent[block];
        if (dominator == kNoBlock) continue;
        uint32_t loop = loops_.innermost[dominator];
        if (!loops_.contains(loop, block)) {  // behind the outermost loop that it is not in
            behind_loop_[outermost_without(block, loop)].push_back(block);
            continue;
        }
        uint32_t entries = 0;
        for (uint32_t predecessor : cfg_.predecessors[block])
            entries += cfg_.reachable(predecessor) && !tree_.dominates(block, predecessor);
        if (entries == 1)
            inline_parent_[block] = dominator;
        else
            behind_block_[dominator].push_back(block);
    }
}

void Restructurer::number() {
    auto key = [&](uint32_t block) {
        const uint32_t loop = loops_.innermost[block];
        return loop == kNoBlock ? 0 : loops_.loops[loop].enter;
    };
    std::vector<uint32_t> sorted = cfg_.order;
    std::ranges::stable_sort(sorted, {}, key);
    number_.assign(cfg_.size(), 0);
    for (uint32_t i = 0; i < sorted.size(); ++i) number_[sorted[i]] = i;
    numbered_ = std::move(sorted);
    for (const Loop& loop : loops_.loops) {
        auto first = std::ranges::lower_bound(numbered_, loop.enter, {}, key);
        auto end = std::ranges::lower_bound(numbered_, loop.leave, {}, key);
        loop_numbers_.emplace_back(first - numbered_.begin(), end - numbered_.begin());
    }
}

// ---- Jumps ----

/// Continues with `to`, which is either next here or somewhere after an enclosing construct.
void Restructurer::edge(uint32_t from, uint32_t to) {
    if (is_inline(from, to) && !is_too_deep(nesting_)) return add_task({.kind = TaskKind::Node, .node = to});
    if (is_inline(from, to)) postpone(to);
    jump(to);
}

void Restructurer::jump(uint32_t to) {
    if (!most_nested_ && !scopes_.empty() && root() == to) return close_to(scopes_.back().continue_target);
    {
        const SinkScope sink(builder_, &current_.body);
        builder_.append_void(spv::Op::OpStore, {exit_, builder_.constant_u32(number_[to])});
    }
    if (!scopes_.empty() && !loops_.contains(scopes_.back().loop, to)) {
        scopes_.back().pending.insert(number_[to]);
        return close_to(scopes_.back().merge);
    }
    pending_ = {number_[to]};
}

/// Whether exit_ names a block outside the loop.
Id Restructurer::exit_leaves(uint32_t loop) {
    const auto [first, end] = loop_numbers_[loop];
    const Id u32 = builder_.type_int(32);
    const Id offset = emit(spv::Op::OpISub, u32, {exit_value(), builder_.constant_u32(first)});
    return emit(spv::Op::OpUGreaterThanEqual, builder_.type_bool(),
                {offset, builder_.constant_u32(end - first)});
}

/// if (condition) goto target; where target is the merge block or continue target of the innermost loop.
void Restructurer::branch_off(Id condition, Id target) {
    const Id taken = builder_.fresh(), next = builder_.fresh();
    Targets pending = std::move(pending_);
    close({.op = spv::Op::OpBranchConditional, .operands = {condition, taken, next}}, selection_merge(next));
    open(taken);
    close_to(target);
    open(next);
    pending_ = std::move(pending);
}

/// After a loop: pending branches may also leave the next enclosing loop, or lead to its header.
void Restructurer::settle() {
    if (scopes_.empty()) return;
    Scope& scope = scopes_.back();
    const uint32_t header = number_[root()];
    if (!most_nested_ && pending_.contains(header)) {
        if (pending_.size() == 1) return close_to(scope.continue_target);
        pending_.erase(header);
        branch_off(exit_is(header), scope.continue_target);
    }
    const auto [first, end] = loop_numbers_[scope.loop];
    Targets outside = take_outside(pending_, first, end);
    if (outside.empty()) return;
    if (pending_.empty()) {
        close_to(scope.merge);
    } else {
        Id leaves;
        if (outside.size() == 1)
            leaves = exit_is(*outside.begin());
        else if (pending_.size() == 1)
            leaves = exit_is(*pending_.begin(), false);
        else
            leaves = exit_leaves(scope.loop);
        branch_off(leaves, scope.merge);
    }
    unite(scope.pending, std::move(outside));
}

// ---- Blocks that would stand too deep ----

/// Whether a block after a construct is placed elsewhere: control may be on its way to a waiting block and
/// may continue here from it, or the selection would nest too deeply.
bool Restructurer::must_wait(uint32_t block) const {
    if (!most_nested_) return false;
    if (is_too_deep(nesting_ + 1) && (pending_.size() != 1 || !pending_.contains(number_[block])))
        return true;
    return std::ranges::any_of(pending_, [&](uint32_t target) {
        return waits_[numbered_[target]] && cfg_.position[numbered_[target]] < cfg_.position[block];
    });
}

/// Control only goes forward among the blocks that wait. The first ones may have been emitted; they dominate
/// this one.
void Restructurer::postpone(uint32_t block) {
    waits_[block] = 1;
    inline_parent_[block] = kNoBlock;
    std::vector<uint32_t>& blocks = behind_block_[root()];
    blocks.insert(std::ranges::upper_bound(blocks, cfg_.position[block], {},
                                           [&](uint32_t b) { return cfg_.position[b]; }),
                  block);
}

// ---- Tasks ----

void Restructurer::node(uint32_t b) {
    if (heads_loop(b)) begin_loop(b);
    add_task({.kind = TaskKind::Rest, .node = b});
    Block& block = function_.blocks[b];
    current_.body.insert(current_.body.end(), std::make_move_iterator(block.body.begin()),
                         std::make_move_iterator(block.body.end()));
    auto targets = cfg_.successors[b];
    if (targets.empty())
        close(block.terminator);
    else if (targets.size() == 1)
        edge(b, targets[0]);
    else if (block.terminator.op == spv::Op::OpSwitch)
        switch_(b, block.terminator);
    else
        condition(b, block.terminator);
}

void Restructurer::begin_loop(uint32_t b) {
    Scope scope = {.loop = loops_.innermost[b],
                   .merge = builder_.fresh(),
                   .continue_target = builder_.fresh(),
                   .header = builder_.fresh(),
                   .nesting = nesting_};
    const Id body = builder_.fresh();
    Instruction merge = {.op = spv::Op::OpLoopMerge, .operands = {scope.merge, scope.continue_target}};
    auto control = loop_controls_.find(function_.blocks[b].label.value);
    if (control == loop_controls_.end())
        merge.operands.push_back(spv::LoopControlMask::MaskNone);
    else
        merge.operands.insert(merge.operands.end(), control->second.begin(), control->second.end());
    close_to(scope.header);
    open(scope.header);
    close({.op = spv::Op::OpBranch, .operands = {body}}, std::move(merge));
    open(body);
    scopes_.push_back(std::move(scope));
    add_task({.kind = TaskKind::LoopEnd, .node = b});
}

void Restructurer::end_loop(uint32_t b) {
    if (most_nested_ && is_open_) close_to(scopes_.back().continue_target);
    check(!is_open_, "control leaves a loop body by its end");
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    open(scope.continue_target);
    close_to(scope.header);
    open(scope.merge);
    if (scope.pending.empty()) {  // an endless loop
        close({.op = spv::Op::OpUnreachable});
        return;
    }
    pending_ = std::move(scope.pending);
    settle();
    add_task({.kind = TaskKind::Rest, .node = b, .behind_loop = true});
}

/// The blocks behind a construct, in reverse post-order: control only goes forward among them.
void Restructurer::rest(Task& task) {
    const std::vector<uint32_t>& blocks =
        task.behind_loop ? behind_loop_[loops_.innermost[task.node]] : behind_block_[task.node];
    if (task.next == blocks.size()) return;
    const uint32_t block = blocks[task.next];
    const bool at_end = !task.behind_loop && task.node == root();
    if (!at_end && must_wait(block)) {
        ++task.next;
        tasks_.push_back(std::move(task));
        postpone(block);
        return;
    }
    check(is_open_ && pending_.contains(number_[block]),
          "control does not come to a block behind a construct");
    ++task.next;
    tasks_.push_back(std::move(task));
    pending_.erase(number_[block]);
    if (!pending_.empty()) {
        const Id taken = builder_.fresh(), next = builder_.fresh();
        Targets pending = std::move(pending_);
        const Id condition = exit_is(number_[block]);
        close({.op = spv::Op::OpBranchConditional, .operands = {condition, taken, next}},
              selection_merge(next));
        open(taken);
        add_task({.kind = TaskKind::SelectionEnd, .merge = next, .pending = std::move(pending)});
        ++nesting_;
    }
    add_task({.kind = TaskKind::Node, .node = block});
}

void Restructurer::condition(uint32_t b, const Instruction& terminator) {
    const uint32_t targets[2] = {cfg_.block(terminator.id(1)), cfg_.block(terminator.id(2))};
    auto size = [&](uint32_t target) {
        return is_inline(b, target) ? tree_.leave[target] - tree_.enter[target] : 0;
    };
    // The smaller arm first: if it does not come back, the other one follows without nesting.
    const size_t first = size(targets[0]) <= size(targets[1]) ? 0 : 1;
    const Id merge = builder_.fresh(), labels[2] = {builder_.fresh(), builder_.fresh()};
    Instruction branch = terminator;
    branch.operands.resize(3);  // without branch weights
    branch.operands[1] = labels[0];
    branch.operands[2] = labels[1];
    const size_t header = close(std::move(branch), selection_merge(merge));
    add_task({.kind = TaskKind::SecondArm,
              .node = b,
              .next = targets[1 - first],
              .merge = merge,
              .label = labels[1 - first],
              .header = header,
              .slot = 2 - first});
    open(labels[first]);
    ++nesting_;
    edge(b, targets[first]);
}

void Restructurer::second_arm(Task& task) {
    if (!is_open_) {  // the merge block is the second arm
        out_[task.header].terminator.operands[task.slot] = task.merge;
        open(task.merge);
    } else {
        Targets pending = std::move(pending_);
        close_to(task.merge);
        open(task.label);
        add_task({.kind = TaskKind::SelectionEnd, .merge = task.merge, .pending = std::move(pending)});
        ++nesting_;
    }
    edge(task.node, task.next);
}

void Restructurer::switch_(uint32_t b, const Instruction& terminator) {
    Task task = {.kind = TaskKind::SwitchArm, .node = b, .merge = builder_.fresh()};
    IdMap<Id> arm_of;
    Instruction branch = terminator;
    for_each_target(branch, [&](Operand& operand) {
        const uint32_t target = cfg_.block(operand.id());
        Id& label = arm_of[target];
        if (!label) {
            label = builder_.fresh();
            task.arms.emplace_back(target, label);
        }
        operand = label;
    });
    close(std::move(branch), selection_merge(task.merge));
    add_task(std::move(task));
}

void Restructurer::switch_arm(Task& task) {
    if (is_open_) {  // the arm before
        unite(task.pending, std::move(pending_));
        close_to(task.merge);
    }
    if (task.next == task.arms.size()) {
        end_selection(task);
        return;
    }
    const auto [target, label] = task.arms[task.next++];
    const uint32_t b = task.node;
    tasks_.push_back(std::move(task));
    open(label);
    ++nesting_;
    edge(b, target);
}

void Restructurer::end_selection(Task& task) {
    if (is_open_) {
        unite(task.pending, std::move(pending_));
        close_to(task.merge);
    }
    open(task.merge);
    pending_ = std::move(task.pending);
    if (pending_.empty()) close({.op = spv::Op::OpUnreachable});
}

}  // namespace

namespace {

void rebuild(Builder& builder, Function& function, std::optional<uint32_t> most_nested) {
    IdMap<Operands> loop_controls;
    for (Block& block : function.blocks) {
        if (block.merge.op == spv::Op::OpLoopMerge)
            loop_controls[block.label.value] = {block.merge.operands.begin() + 2, block.merge.operands.end()};
        block.merge = {};
    }
    remove_unreachable_blocks(function);
    demote_phis(builder, function);
    make_reducible(builder, function);
    Restructurer(builder, function, std::move(loop_controls), most_nested).run();
    repair_dominance(builder, function);
}

/// Blocks that return go to one that does.
void join_returns(Builder& builder, Function& function) {
    Block last = {.label = builder.fresh(), .terminator = {.op = spv::Op::OpReturn}};
    Id result;
    if (builder.op_of_type(function.return_type()) != spv::Op::OpTypeVoid) {
        result = add_variable(builder, function, function.return_type());
        const SinkScope sink(builder, &last.body);
        last.terminator = {.op = spv::Op::OpReturnValue,
                           .operands = {builder.append(spv::Op::OpLoad, function.return_type(), {result})}};
    }
    for (Block& block : function.blocks) {
        Instruction& end = block.terminator;
        if (end.op == spv::Op::OpReturnValue)
            block.body.push_back({.op = spv::Op::OpStore, .operands = {result, end.id(0)}, .line = end.line});
        else if (end.op != spv::Op::OpReturn)
            continue;
        end = {.op = spv::Op::OpBranch, .operands = {last.label}, .line = end.line};
    }
    function.blocks.push_back(std::move(last));
}

}  // namespace

void restructure(Builder& builder, Function& function) { rebuild(builder, function, {}); }

void ensure_structure(Builder& builder, Function& function) {
    auto fault = [&] {
        const Cfg cfg = build_cfg(function);
        return check_structure(function, cfg, dominators(cfg)).fault;
    };
    remove_unreachable_blocks(function);
    if (fault().empty()) return;
    restructure(builder, function);
    const std::string left = fault();
    check(left.empty(), left.c_str());
}

void restructure_with_one_return(Builder& builder, Function& function) {
    join_returns(builder, function);
    restructure(builder, function);
}

void restructure_flat(Builder& builder, Function& function, uint32_t most_nested) {
    join_returns(builder, function);
    rebuild(builder, function, most_nested);
}

}  // namespace caldera::vulkan
