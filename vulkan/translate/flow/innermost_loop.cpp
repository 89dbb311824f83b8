// SPDX-License-Identifier: Apache-2.0
#include "vulkan/translate/flow/innermost_loop.h"

#include <algorithm>

#include "spirv/debug_info.h"
#include "spirv/id_map.h"
#include "spirv/op_class.h"
#include "spirv/phis.h"

namespace caldera::vulkan {

using namespace spirv;
using spv::Op;

bool InnermostLoop::contains(uint32_t block) const { return std::ranges::binary_search(blocks, block); }

CodeFacts InnermostLoop::inlined(const FunctionFacts& functions) const {
    CodeFacts facts = own;
    for (Id function : calls) facts.add(functions[function]);
    return facts;
}

namespace {

void add(CodeFacts& facts, const Instruction& inst) {
    facts.size += is_debug(inst) ? 0 : 1;
    facts.has_barrier |= inst.op == Op::OpControlBarrier;
    facts.has_group_operations |= is_group_operation(inst.op);
}

}  // namespace

void CodeFacts::add(const CodeFacts& called) {
    constexpr size_t kMost = 1 << 20;  // sizes grow with the depth of calls as powers do
    size = std::min(kMost, size + called.size);
    has_barrier |= called.has_barrier;
    has_group_operations |= called.has_group_operations;
}

FunctionFacts::FunctionFacts(const Module& module) {
    IdMap<const Function*> functions;
    std::vector<const Function*> work;
    for (const Function& function : module.functions) {
        functions[function.id()] = &function;
        work.push_back(&function);
    }
    IdSet entered;
    while (!work.empty()) {  // a function stays in it until those are done that it calls
        const Function& function = *work.back();
        if (facts_.contains(function.id())) {
            work.pop_back();
            continue;
        }
        const bool is_new = entered.insert(function.id());
        const size_t before = work.size();
        CodeFacts facts;
        for (const Block& block : function.blocks)
            for (const Instruction& inst : block.body) {
                add(facts, inst);
                if (inst.op != Op::OpFunctionCall) continue;
                if (const auto known = facts_.find(inst.id(0)); known != facts_.end())
                    facts.add(known->second);
                else if (const auto called = functions.find(inst.id(0)); is_new && called != functions.end())
                    work.push_back(called->second);
            }
        if (work.size() != before) continue;
        facts_[function.id()] = facts;
        work.pop_back();
    }
}

CodeFacts FunctionFacts::operator[](Id function) const {
    const auto found = facts_.find(function);
    return found == facts_.end() ? CodeFacts{} : found->second;
}

namespace {

/// Collects the blocks that the header dominates and the merge block does not. Returns false for a loop that
/// contains another one, or is too large.
bool find_blocks(const Function& function, const Dominators& tree, size_t most, InnermostLoop& loop) {
    std::vector<uint32_t> work = {loop.header};
    while (!work.empty()) {
        const uint32_t b = work.back();
        work.pop_back();
        if (b == loop.merge) continue;
        const Block& block = function.blocks[b];
        for (const Instruction& inst : block.body) {
            add(loop.own, inst);
            if (inst.op == Op::OpFunctionCall) loop.calls.push_back(inst.id(0));
        }
        ++loop.own.size;  // the terminator
        if (loop.own.size > most || (b != loop.header && block.merge.op == Op::OpLoopMerge)) return false;
        loop.blocks.push_back(b);
        for (uint32_t child : tree.children[b]) work.push_back(child);
    }
    std::ranges::sort(loop.blocks);
    return true;
}

/// One way back, and all ways out lead to the merge block.
bool find_edges(const Cfg& cfg, InnermostLoop& loop) {
    for (uint32_t b : loop.blocks) {
        if (cfg.successors[b].empty()) return false;
        for (uint32_t next : cfg.successors[b])
            if (next != loop.merge && !loop.contains(next)) return false;
    }
    uint32_t latches = 0;
    for (uint32_t b : cfg.predecessors[loop.header])
        if (loop.contains(b)) {
            ++latches;
            loop.latch = b;
        }
    return latches == 1;
}

}  // namespace

std::optional<InnermostLoop> innermost_loop(const Function& function, const Cfg& cfg, const Dominators& tree,
                                            uint32_t header, size_t most) {
    const Instruction& merge = function.blocks[header].merge;
    if (!cfg.reachable(header) || merge.op != Op::OpLoopMerge) return {};
    InnermostLoop loop{.header = header, .merge = cfg.block(merge.id(0))};
    if (!find_blocks(function, tree, most, loop) || !find_edges(cfg, loop)) return {};
    return loop;
}

std::optional<uint32_t> only_exit(const Function& function, const Cfg& cfg, const Dominators& tree,
                                  const InnermostLoop& loop) {
    uint32_t exit = kNoBlock;
    for (uint32_t b : loop.blocks)
        for (uint32_t next : cfg.successors[b]) {
            if (loop.contains(next)) continue;
            if (exit != kNoBlock) return {};
            exit = b;
        }
    if (exit == kNoBlock || !tree.dominates(exit, loop.latch)) return {};
    if (cfg.predecessors[loop.header].size() != 2) return {};  // the entry edge and the back edge
    const Block& leaving = function.blocks[exit];
    if (leaving.terminator.op != Op::OpBranchConditional || leaving.merge.op == Op::OpSelectionMerge)
        return {};
    if (loop.latch != exit && function.blocks[loop.latch].terminator.op != Op::OpBranch) return {};
    const uint32_t target = cfg.block(function.blocks[loop.header].merge.id(1));
    if (target != loop.header && cfg.predecessors[target].size() != 1) return {};
    return exit;
}

bool is_in_a_loop(const Function& function, const Cfg& cfg, const Dominators& tree, uint32_t header) {
    for (uint32_t b = tree.parent[header]; b != kNoBlock; b = tree.parent[b]) {
        const Instruction& merge = function.blocks[b].merge;
        if (merge.op == Op::OpLoopMerge && !tree.dominates(cfg.block(merge.id(0)), header)) return true;
    }
    return false;
}

bool has_loop(const Function& function) {
    return std::ranges::any_of(function.blocks,
                               [](const Block& block) { return block.merge.op == Op::OpLoopMerge; });
}

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
        if (code_size(block) != 0 || block.merge.op != Op::OpNop || block.terminator.op != Op::OpBranch)
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
        Block& next = function.blocks[cfg.block(target)];
        rename_predecessor(next, block.label, before.label);
        forget_values(block, next);
        gone[b] = true;
    }
    uint32_t next = 0;
    std::erase_if(function.blocks, [&](const Block&) { return gone[next++]; });
}

// ---- TurnCopier ----

TurnCopier::TurnCopier(Module& module, const Function& function, const Dominators& tree,
                       const InnermostLoop& loop, uint32_t exit, Cloner& cloner)
    : module_(module), function_(function), tree_(tree), loop_(loop), exit_(exit), cloner_(cloner) {
    const Id latch = function.blocks[loop.latch].label;
    for (const Instruction& phi : phis_of(function.blocks[loop.header].body))
        carried.emplace_back(phi.result, phi.id(phi.id(1) == latch ? 2 : 0));
}

void TurnCopier::copy(Id label, Id next, bool last, std::vector<Block>& out) {
    for (uint32_t b : loop_.blocks) {
        if (last && !is_in_last_turn(tree_, exit_, b)) continue;
        const Block& block = function_.blocks[b];
        if (b == loop_.header)
            cloner_.map(block.label, label);
        else
            cloner_.rename(block.label);
        for (const Instruction& inst : block.body)
            if (inst.result) cloner_.rename(inst.result);
    }
    for (const auto& [phi, value] : carried) cloner_.map(phi, value);
    for (uint32_t b : loop_.blocks)
        if (!last || is_in_last_turn(tree_, exit_, b)) out.push_back(copied(b, next, last));
    const Id latch = function_.blocks[loop_.latch].label;
    carried.clear();
    for (const Instruction& phi : phis_of(function_.blocks[loop_.header].body))
        carried.emplace_back(phi.result, cloner_(value_from(phi, latch)));
}

void TurnCopier::copy_to_end(Id label, uint64_t turns, Block& merge, Substitution& results,
                             std::vector<Block>& out) {
    for (; turns != 0; --turns) {
        const Id next = module_.fresh();
        copy(label, next, false, out);
        label = next;
    }
    copy(label, merge.label, true, out);
    const Id exit = function_.blocks[exit_].label;
    // Replaced in phis only: branches to a header lead to the first copy.
    rename_predecessor(merge, exit, cloner_(exit));
    for (uint32_t b : loop_.blocks) {
        if (!is_in_last_turn(tree_, exit_, b)) continue;
        for (const Instruction& inst : function_.blocks[b].body)
            if (inst.result) results.set(inst.result, cloner_(inst.result));
    }
}

void TurnCopier::forget() {
    for (uint32_t b : loop_.blocks) {
        cloner_.map(function_.blocks[b].label, {});
        for (const Instruction& inst : function_.blocks[b].body)
            if (inst.result) cloner_.map(inst.result, {});
    }
}

Block TurnCopier::copied(uint32_t b, Id next, bool last) const {
    const Block& block = function_.blocks[b];
    const bool is_header = b == loop_.header;
    Block out{.label = cloner_(block.label)};
    for (const Instruction& inst : block.body)
        if (!is_header || inst.op != Op::OpPhi) out.body.push_back(cloner_.copy(inst));
    if (!is_header) out.merge = cloner_.copy(block.merge);
    out.terminator = {.op = Op::OpBranch, .operands = {next}, .line = block.terminator.line};
    if (b == exit_ && !last && b != loop_.latch) {
        const Id merge = function_.blocks[loop_.header].merge.id(0);
        out.terminator.operands[0] = cloner_(block.terminator.id(block.terminator.id(1) == merge ? 2 : 1));
    } else if (b != exit_ && b != loop_.latch) {
        out.terminator = cloner_.copy(block.terminator);
    }
    return out;
}

}  // namespace caldera::vulkan
